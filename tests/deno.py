"""The engine that runs scripts of integrations, from npm: installed once in the cache of pytest, skipped without npm."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

VERSION = "2.9.6"
_SECONDS = 120
"""That installing may take."""


def installed(root: Path) -> Path:
    """The program, installed once below `root` however many processes of a run ask for it."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed: scripts of integrations cannot be run")
    folder = root / f"deno-{VERSION}"
    with (root / "deno.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            _install(folder)
            (folder / "complete").touch()
    return next(one for one in folder.glob("node_modules/@deno/*/deno") if one.is_file())


def _install(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", f"deno@{VERSION}"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm did not install deno within {_SECONDS} seconds")
    if done.returncode != 0:
        pytest.skip(f"npm cannot install deno here: {done.stderr[-300:]}")
