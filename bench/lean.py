"""The part `lean`: the wheel alone, without extras, in an environment of its own: room on disk, first start, memory."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.client import Process, free_port, request
from bench.figures import within
from bench.rounds import Bench, expect

ROOT = Path(__file__).parents[1]
ROOM = 250
"""MiB that it may take on a disk."""
MEMORY = 90
"""MiB at the first reply."""
_SOURCES = ("src", "docs", "requirements", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")
_BUILD = "import sys; from setuptools import build_meta as b; b.build_wheel(sys.argv[1])"
_PINNED = re.compile(r"^([\w.-]+==[^\\\n]+)", re.MULTILINE)
"""A line of a lock, with what it says of where it holds, without its hashes."""


def lean(bench: Bench) -> None:
    """What `pip install octavo` leaves behind, and what it takes to have the first reply of a new installation."""
    if bench.world.engine != "sqlite":
        return  # the driver of PostgreSQL is an extra
    with tempfile.TemporaryDirectory(prefix="octavo-lean-") as folder:
        place = Path(folder)
        python = installed(place)
        files = list(_files(place / "lean" / "lib"))
        for name, values, most in (
            ("on a disk", [sum(blocks for _, blocks in files)], ROOM),
            ("bytes of files", [sum(size for size, _ in files)], None),
        ):
            found = [value / (1 << 20) for value in values]
            bench.add(within("Lean", "no database", f"`pip install octavo`, {name}", found, "MiB", most))
        used, waited, memory = [], [], []
        for at in range(bench.scale.starts):
            one = _started(python, place / f"data-{at}")
            used.append(one[0])
            waited.append(one[1])
            memory.append(one[2])
        bench.add(within("Lean", "sqlite", "CPU of the first start of all to its first reply", used, "s"))
        bench.add(within("Lean", "sqlite", "wall time of it", waited, "s"))
        bench.add(within("Lean", "sqlite", "memory at its first reply", memory, "MiB", MEMORY))


def installed(place: Path) -> str:
    """Build the wheel and install it without extras, in the versions of the lock, with bytecode and without pip; the
    interpreter that has it."""
    source = place / "source"
    for name in _SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, source / name)
    _run([sys.executable, "-c", _BUILD, str(place)], source)
    [wheel] = place.glob("*.whl")
    shutil.rmtree(source)
    pinned = place / "pinned.txt"
    pinned.write_text("\n".join(_PINNED.findall((ROOT / "requirements" / "runtime.lock").read_text())))
    _run([sys.executable, "-m", "venv", "--without-pip", "lean"], place)
    python = str(place / "lean" / "bin" / "python")
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check"]
    _run([*install, "--compile", "--constraint", str(pinned), str(wheel)], place)
    return python


def _run(command: list[str], where: Path) -> None:
    subprocess.run(command, cwd=where, check=True, stdout=subprocess.DEVNULL)


def _files(place: Path) -> Iterator[tuple[int, int]]:
    """Bytes of each file, and what it and each folder take on the disk."""
    for path in (place, *place.rglob("*")):
        found = path.lstat()
        yield (found.st_size if path.is_file() else 0), found.st_blocks * 512


def _started(python: str, data: Path) -> tuple[float, float, float]:
    """CPU seconds, seconds and MiB of a server that makes its data first, until it has replied."""
    port = free_port()
    given = {"OCTAVO_DATA": str(data), "OCTAVO_BASE_URL": "http://localhost:8000", "PYTHONPATH": ""}
    server = Process(["octavo.cli", "serve", "--port", str(port)], given, port, python=python)
    try:
        line = server.line()
        expect(line.ask(request("/v1/user")).status, 401)
        told = server.cpu(), time.perf_counter() - server.started, server.memory()
        line.close()
        return told
    finally:
        server.end()
