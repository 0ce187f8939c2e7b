"""The command line `@gitbook/cli` as somebody types it, logged in to a server that runs; needs npm, is skipped without."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.processes import get, send

VERSION, RUNTIME = "0.25.1", "0.23.3"
"""Of the command line, and of what integrations are written with."""
_SECONDS = 120
"""That installing may take."""


class Terminal(NamedTuple):
    """A folder to work in, and who is logged in where."""

    program: Path
    folder: Path
    address: str
    token: str
    organization: str

    def run(self, *words: str, typed: str = "") -> str:
        """What a command says that succeeds; `typed` is what it is answered when it asks."""
        command = [str(self.program), *words]
        done = subprocess.run(
            command, cwd=self.folder, env=self._environment, input=typed, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    @contextmanager
    def running(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """A command that goes on until it is interrupted."""
        command = [str(self.program), *words]
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def asked(self, path: str) -> Any:
        """Status and body of a GET beside the command line."""
        return get(f"{self.address}/v1{path}", self.token)

    def sent(self, path: str, body: Any) -> tuple[int, Any]:
        """The same of a POST."""
        return send(f"{self.address}/v1{path}", self.token, body)

    @property
    def _environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GITBOOK_")}
        return kept | {"HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}


def installed(root: Path) -> Path:
    """The program, installed once below `root` however many processes of a run ask for it."""
    for name in ("node", "npm"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed: the command line cannot be run")
    folder = root / f"gitbook-cli-{VERSION}-{RUNTIME}"
    program = folder / "node_modules" / ".bin" / "gitbook"
    with (root / "gitbook-cli.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            _install(folder)
            (folder / "complete").touch()
    return program


def _install(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    packages = (f"@gitbook/cli@{VERSION}", f"@gitbook/runtime@{RUNTIME}")
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm did not install the command line within {_SECONDS} seconds")
    if done.returncode != 0:
        pytest.skip(f"npm cannot install the command line here: {done.stderr[-300:]}")
