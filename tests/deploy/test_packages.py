"""Wheel and sdist: everything is in them, and a site is served with the files of the wheel alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import time
import venv
import zipfile
from email.parser import Parser
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from octavo.kernel.extras import EXTRAS
from tests.deploy.conftest import ROOT, built, copy
from tests.processes import ENVIRONMENT, get

_WITHOUT = "import sys; sys.modules['uvloop'] = None; from octavo.cli import main; main()"
"""The command line where uvloop is not installed."""


def _files(folder: Path) -> set[str]:
    # The guides are a link to docs/.
    found = (Path(place) / name for place, _, names in os.walk(folder, followlinks=True) for name in names)
    return {
        path.relative_to(folder).as_posix()
        for path in found
        if "__pycache__" not in path.parts and not path.parent.name.endswith(".egg-info")
    }


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if name.startswith("octavo/")}
    assert names == {f"octavo/{name}" for name in _files(ROOT / "src" / "octavo")}


def test_the_wheel_says_what_it_needs_and_where(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        [place] = {name.partition("/")[0] for name in packed.namelist() if ".dist-info/" in name}
        told = Parser().parsestr(packed.read(f"{place}/METADATA").decode())
        assert b"octavo = octavo.cli:main" in packed.read(f"{place}/entry_points.txt")
    needs = [one for one in told.get_all("Requires-Dist", []) if "extra ==" not in one]
    assert {*EXTRAS, "standard", "integrations", "otel"} == {*told.get_all("Provides-Extra", [])}
    brought = [one for one in told.get_all("Requires-Dist", []) if one.endswith('extra == "standard"')]
    assert len(brought) == sum(len((ROOT / "requirements" / f"{one}.in").read_text().split()) for one in EXTRAS)
    declared = (ROOT / "requirements" / "runtime.in").read_text().split("\n")
    assert len(needs) == len([line for line in declared if line and not line.startswith("#")])
    [loop] = [one for one in needs if one.startswith("uvloop")]
    assert 'sys_platform != "win32"' in loop
    assert "Python" not in told.get("Requires-Python", "Python")
    lock = (ROOT / "requirements" / "runtime.lock").read_text()
    assert re.search(r"^uvloop==\S+ ; .*sys_platform != 'win32'", lock, re.MULTILINE)


def test_extras_of_libraries_are_locked_as_they_are_asked_for() -> None:
    """Where `pydantic` is pinned and `pydantic[email]` asked for, pip refuses the lock when a newer release comes out."""
    locks = "".join((ROOT / "requirements" / f"{name}.lock").read_text() for name in ("runtime", "dev"))
    pinned = [Requirement(one) for one in re.findall(r"^[a-z]\S*==[^\n\\]+", locks, re.MULTILINE)]
    has = {(canonicalize_name(one.name), extra) for one in pinned for extra in one.extras}
    asked = {
        (canonicalize_name(need.name), extra)
        for one in pinned
        if one.marker is None or one.marker.evaluate()
        for need in map(Requirement, metadata.requires(one.name) or [])
        if need.marker is None or any(need.marker.evaluate({"extra": name}) for name in one.extras or {""})
        for extra in need.extras
    }
    assert ("pydantic", "email") in asked
    assert asked <= has


@pytest.mark.deep
def test_the_sdist_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    built(copy(tmp_path / "source"), tmp_path / "first", "sdist")
    [sdist] = (tmp_path / "first").glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path / "from", filter="data")
    [source] = (tmp_path / "from").iterdir()
    with zipfile.ZipFile(built(source, tmp_path / "again")) as again, zipfile.ZipFile(wheel) as first:
        assert sorted(again.namelist()) == sorted(first.namelist())


@pytest.mark.parametrize("start", [["-m", "octavo.cli"], ["-c", _WITHOUT]], ids=["usual", "without uvloop"])
def test_a_site_is_served_with_the_files_of_the_wheel_alone(unpacked: Path, tmp_path: Path, start: list[str]) -> None:
    """In a clean home, within a minute."""
    began, pages = time.monotonic(), tmp_path / "pages"
    pages.mkdir()
    (pages / "README.md").write_text("# Terns\n\nThey fly far.\n")
    clean = ENVIRONMENT | {"HOME": str(tmp_path), "PYTHONPATH": str(unpacked), "PYTHONUNBUFFERED": "1"}
    where = subprocess.run(
        [sys.executable, "-c", "import octavo; print(octavo.__file__)"],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        text=True,
    )
    assert where.stdout.startswith(str(unpacked)), "the checkout is not what is tried"
    command = [sys.executable, *start, "preview", str(pages), "--port", "0"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=clean, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://\S+/sites/\S+", line) for line in process.stdout)))
        status, body = get(found[0].replace("localhost", "127.0.0.1"))
        assert (status, b"They fly far." in body) == (200, True)
        assert time.monotonic() - began < 60
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()  # type: ignore[union-attr]


@pytest.mark.deep
@pytest.mark.parametrize(("extra", "most"), [("", 250), ("[standard]", 490)], ids=["lean", "standard"])
def test_pip_installs_it_into_an_empty_environment(wheel: Path, tmp_path: Path, extra: str, most: int) -> None:
    """With its libraries from the index, and without them of extras in so many MB; skips where that cannot be reached."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    clean = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]} | {
        name: word for name, word in os.environ.items() if name.startswith(("PIP_", "http", "HTTP"))
    }
    lock = ROOT / "requirements" / "runtime.lock"
    pinned = re.findall(r"^([\w.-]+)\S*?(==[^\n\\]+)", lock.read_text(), re.MULTILINE)
    (tmp_path / "pinned.txt").write_text("\n".join(map("".join, pinned)))
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "-c", tmp_path / "pinned.txt",
         f"{wheel}{extra}"],
        env=clean, capture_output=True, text=True, timeout=550,
    )  # fmt: skip
    if "Could not find a version" in done.stderr or "Connection" in done.stderr:
        pytest.skip("the index cannot be reached")
    assert done.returncode == 0, done.stderr[-2000:]
    said = subprocess.run(
        [tmp_path / "venv" / "bin" / "octavo", "--version"], env=clean, capture_output=True, text=True
    )
    assert said.returncode == 0
    [place] = (tmp_path / "venv" / "lib").glob("python3*/site-packages")
    files = (path for path in place.rglob("*") if path.is_file() and path.relative_to(place).parts[0][:3] != "pip")
    assert sum(path.stat().st_size for path in files) < most * 1_000_000
