"""What others make of the description of the API: two linters read it without an error, two generators make clients whose
types fit. In the long profile, as each takes seconds; skipped where npm or the registries do not answer."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.api.documents import DESCRIPTION
from tests.profiles import DEEP

pytestmark = pytest.mark.skipif(
    not DEEP, reason="the long profile asks for it: to install and run the tools takes a minute"
)

_PROGRAMS = ("openapi-typescript@7.13.0", "typescript@5.9.3", "@redocly/cli@2.77.0", "@stoplight/spectral-cli@6.16.3")
_GENERATOR = ("openapi-python-client==0.29.1", "mypy", "ruff")
_SECONDS = 300


def _once(folder: Path, make: Callable[[Path], None]) -> Path:
    """The folder, made once however many processes of a run ask for it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / "complete").touch()
    return folder


def _install(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{command[0]} did not install the tools within {_SECONDS} seconds")
    if done.returncode != 0:
        pytest.skip(f"{command[0]} cannot install the tools here: {done.stderr[-300:]}")


def _npm(folder: Path) -> None:
    (folder / "package.json").write_text("{}")
    _install(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *_PROGRAMS], folder)


def _pip(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "env"], cwd=folder, check=True)
    _install([str(folder / "env" / "bin" / "pip"), "install", "--quiet", *_GENERATOR], folder)


@pytest.fixture(scope="module")
def npm(pytestconfig: pytest.Config) -> Path:
    """Where the programs of npm are."""
    for name in ("node", "npm"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed, which the tools run on")
    assert pytestconfig.cache is not None
    return _once(pytestconfig.cache.mkdir("clients") / "npm", _npm) / "node_modules" / ".bin"


@pytest.fixture(scope="module")
def python(pytestconfig: pytest.Config) -> Path:
    """Where the programs of Python are."""
    assert pytestconfig.cache is not None
    return _once(pytestconfig.cache.mkdir("clients") / "pip", _pip) / "env" / "bin"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the description as an installation serves it."""
    described = json.loads(DESCRIPTION.read_bytes())
    described["info"]["version"] = "1.0"
    described["servers"] = [{"url": "https://docs.acme.com"}]
    (tmp_path / "octavo.json").write_text(json.dumps(described))
    return tmp_path


def _run(folder: Path, *command: str | Path) -> str:
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, env=os.environ | {"PATH": path}
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout + done.stderr


def test_types_for_typescript_compile_and_know_the_api(npm: Path, folder: Path) -> None:
    _run(folder, npm / "openapi-typescript", "octavo.json", "-o", "octavo.ts")
    compile = (npm / "tsc", "--strict", "--noEmit", "--target", "es2022", "octavo.ts", "use.ts")
    (folder / "use.ts").write_text(
        'import type { components, operations } from "./octavo";\n'
        'const space = (it: components["schemas"]["Space"]): string => it.title;\n'
        'type Path = operations["getSpaceById"]["parameters"]["path"];\n'
        'export const used: [typeof space, Path] = [space, { spaceId: "a" }];\n'
    )
    _run(folder, *compile)
    (folder / "use.ts").write_text((folder / "use.ts").read_text().replace("it.title", "it.caption"))
    with pytest.raises(AssertionError, match="caption"):
        _run(folder, *compile)


def test_a_client_for_python_type_checks(python: Path, folder: Path) -> None:
    said = _run(
        folder, python / "openapi-python-client", "generate", "--path", "octavo.json", "--output-path", "client"
    )
    assert "Warning" not in said, said
    _run(folder, python / "mypy", "client/octavo_api_client")


def test_two_linters_find_no_error(npm: Path, folder: Path) -> None:
    (folder / ".spectral.json").write_text('{"extends": ["spectral:oas"]}')
    _run(folder, npm / "spectral", "lint", "octavo.json", "-r", ".spectral.json", "--fail-severity", "error")
    _run(folder, npm / "redocly", "lint", "octavo.json")
    described = json.loads((folder / "octavo.json").read_bytes())
    described["paths"]["/v1/orgs/{other}"] = described["paths"]["/v1/orgs/{organizationId}"]
    (folder / "octavo.json").write_text(json.dumps(described))
    for command in (("spectral", "lint", "octavo.json", "-r", ".spectral.json"), ("redocly", "lint", "octavo.json")):
        with pytest.raises(AssertionError):
            _run(folder, npm / command[0], *command[1:])
