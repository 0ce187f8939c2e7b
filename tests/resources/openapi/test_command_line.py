"""The command line `@gitbook/cli` publishes a specification to a server that runs; needs npm, and is skipped without."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.resources.openapi.petstore import PETS

VERSION = "0.25.1"
_OCTAVO = str(Path(sys.executable).with_name("octavo"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("node", "npm"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed: the command line cannot be run")
    folder = tmp_path_factory.mktemp("cli")
    (folder / "package.json").write_text("{}")
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", f"@gitbook/cli@{VERSION}"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not install the command line within two minutes")
    if done.returncode != 0:
        pytest.skip(f"npm cannot install the command line here: {done.stderr[-300:]}")
    return folder / "node_modules" / ".bin" / "gitbook"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, str, str]]:
    """(address, token, organization) of `octavo serve` on a port of the system's choice."""
    data = str(tmp_path / "data")
    words = ("bootstrap", "--email", "ada@example.org", "--name", "Ada", "--organization", "Acme", "--data", data)
    made = json.loads(
        subprocess.run([_OCTAVO, *words], capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    )
    environment = {**os.environ, "OCTAVO_LOG_LEVEL": "error"}
    command = [_OCTAVO, "serve", "--data", data, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1], made["token"], made["organization"]
        finally:
            process.terminate()


def _asked(address: str, token: str) -> Any:
    asked = urllib.request.Request(address, headers={"authorization": f"Bearer {token}"})
    with urllib.request.urlopen(asked, timeout=10) as reply:
        return json.loads(reply.read())


def test_it_publishes_a_file(program: Path, server: tuple[str, str, str], tmp_path: Path) -> None:
    address, token, organization = server
    (tmp_path / "pets.yaml").write_text(PETS)
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    def run(*words: str) -> str:
        command = [str(program), *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    run("auth", "--token", token, "--endpoint", address)
    said = run("openapi", "publish", "pets.yaml", "--spec", "pets", "--organization", organization)
    assert f"/o/{organization}/openapi/pets" in said
    at = f"{address}/v1/orgs/{organization}/openapi/pets"
    deadline = time.monotonic() + 30
    while (spec := _asked(at, token))["processingState"] != "complete" and time.monotonic() < deadline:
        pass
    assert (spec["processingState"], "lastVersion" in spec, spec["lastProcessedErrorCount"]) == ("complete", True, 0)
    assert _asked(f"{at}/versions/latest/content/raw", token) == {"text": PETS, "format": "yaml"}
