"""The child's side: takes its limits, does the work of a module, says how it ended, and does not outlive its job."""

from __future__ import annotations

import errno
import importlib
import os
import resource
import select
import shutil
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec

from octavo.jobs.children import frames
from octavo.jobs.children.terms import Terms

T = TypeVar("T")

_STACK = 256 << 10
"""Bytes of the thread that waits for the job's end: they count against the limit of memory."""


class Refused(Exception):
    """What the job gave cannot be worked on; the sentence says why, to whoever asked."""


class Broke(Exception):
    """The work could not be done, and the installation is the reason; the sentence says it."""


class Line:
    """What a child is given, and its line to the job."""

    def __init__(self, folder: Path, asked: BinaryIO, told: BinaryIO) -> None:
        self.folder = folder
        """For whatever is produced; removed by the job, or by the child when the job is no more."""
        self._asked = asked
        self._told = told

    def request(self, kind: type[T]) -> T:
        """What is to be done. Raises EOFError when the job has ended."""
        return msgspec.convert(self._answer(), kind)

    def progress(self, **told: Any) -> None:
        """Say how far the work is."""
        self.say("progress", told)

    def ask(self, word: str, value: Any) -> Any:
        """What the job answers to a question of this kind. Raises EOFError when it has ended."""
        self.say("ask", word, value)
        return self._answer()

    def say(self, *frame: Any) -> None:
        """Send one frame."""
        frames.write(self._told, *frame)
        self._told.flush()

    def _answer(self) -> Any:
        frame = frames.read(self._asked)
        if frame is None:
            raise EOFError("the job has ended")
        return frame[0]


def main() -> None:
    """Entry point of `python -m octavo.jobs.children MODULE`."""
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no frame
    asked = sys.stdin.buffer
    frame = frames.read(asked)
    if frame is None:
        return
    terms = msgspec.convert(frame[0], Terms)
    folder = Path(terms.folder)
    _end_with_the_job(folder)
    _limit(terms)
    end = _done(sys.argv[1], Line(folder, asked, told))
    if end is not None:
        frames.write(told, *end)
        told.flush()


def _done(module: str, line: Line) -> tuple[Any, ...] | None:
    """How the work of a module ended; None where nothing can be said of it."""
    try:
        return "done", importlib.import_module(module).work(line)
    except Refused as refused:
        return "refused", str(refused)
    except Broke as broke:
        return "broke", str(broke)
    except Exception as error:
        traceback.print_exc()
        return None if _for_want_of_memory(error) else ("crashed",)


def _for_want_of_memory(error: Exception) -> bool:
    """A library for which there is no memory left is not found, or cannot be loaded."""
    full = isinstance(error, OSError) and error.errno == errno.ENOMEM
    return full or isinstance(error, MemoryError | ImportError)


def _limit(terms: Terms) -> None:
    os.nice(terms.niceness)
    _at_most(resource.RLIMIT_CORE, 0)
    _at_most(resource.RLIMIT_CPU, terms.computing)
    _at_most(resource.RLIMIT_AS, terms.memory)


def _at_most(kind: int, most: int) -> None:
    """Set a limit that cannot be lifted again; one that is lower already stays."""
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def _end_with_the_job(folder: Path) -> None:
    """Kill this process and its own children when the other end of its input is closed."""
    over = select.poll()
    over.register(sys.stdin.fileno(), 0)  # that it is closed is told unasked

    def wait() -> None:
        over.poll()
        shutil.rmtree(folder, ignore_errors=True)
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    usual = threading.stack_size(_STACK)
    threading.Thread(target=wait, name="end with the job", daemon=True).start()
    threading.stack_size(usual)
