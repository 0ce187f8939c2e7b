"""The work of children that behave badly, or well: the request says how. `test_children` runs it within limits."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from octavo.jobs.children.inside import Broke, Line, Refused


def work(line: Line) -> Any:
    """Do what the request names."""
    return _WORKS[line.request(str)](line)


def _well(line: Line) -> Any:
    line.progress(step="asking")
    answer = line.ask("double", 21)
    (line.folder / "made").write_text("made")
    print("words that are no frame")
    os.write(1, b"and others by a library\n")
    return [answer, os.nice(0), sorted(name for name in os.environ if name.startswith("OCTAVO_"))]


def _refuse(line: Line) -> Any:
    raise Refused("This is no bird.")


def _break(line: Line) -> Any:
    raise Broke("The nest is full.")


def _crash(line: Line) -> Any:
    raise ValueError("feathers")


def _take_memory(line: Line) -> Any:
    held = []
    while True:
        held.append(bytearray(1 << 20))


def _load_a_library(line: Line) -> Any:
    importlib.import_module("typst")


def _compute(line: Line) -> Any:
    while True:
        pass


def _wait(line: Line) -> Any:
    signal.pause()


def _die(line: Line) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def _leave(line: Line) -> Any:
    os._exit(0)


def _flood_frames(line: Line) -> Any:
    while True:
        os.write(_out(line), b"\x7f" * 65536)


def _flood_garbage(line: Line) -> Any:
    while True:
        os.write(_out(line), b"\0\0\0\4junk" * 8192)


def _flood_progress(line: Line) -> Any:
    while True:
        line.progress(step="x" * 1000)


def _flood_errors(line: Line) -> Any:
    while True:
        os.write(2, b"so many words\n" * 5000)


def _ask_nonsense(line: Line) -> Any:
    return line.ask("nonsense", 1)


def _start_others(line: Line) -> Any:
    """Another process that would outlive this one, and holds its pipes."""
    other = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    line.progress(other=other.pid)
    signal.pause()


def _tell_of_itself(line: Line) -> Any:
    """Where it is, for who kills its parent; it computes meanwhile, as most children do."""
    told = Path(os.environ["TELL"])
    told.with_suffix(".new").write_text(f"{os.getpid()} {line.folder}")
    told.with_suffix(".new").rename(told)
    until = time.monotonic() + 300
    while time.monotonic() < until:
        pass


_WORKS: dict[str, Callable[[Line], Any]] = {
    function.__name__.strip("_"): function
    for function in (
        _well, _refuse, _break, _crash, _take_memory, _load_a_library, _compute, _wait, _die, _leave, _flood_frames,
        _flood_garbage, _flood_progress, _flood_errors, _ask_nonsense, _start_others, _tell_of_itself,
    )
}  # fmt: skip


def _out(line: Line) -> int:
    return line._told.fileno()
