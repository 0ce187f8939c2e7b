"""Child processes of jobs that need not import Octavo again: made by a process that has it, as real as any other.

A child that is started costs half a second of importing, and the tests of publishing and of rooms start hundreds. Python's
fork server gives them a process of their own with the same limits, which may die like any other. `tests/jobs`, the command
line and the browser's server start theirs as an installation does.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import runpy
import sys
import warnings
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

JOBS = Path(__file__).parents[1] / "src" / "octavo" / "jobs"
WARM = ("tests/publish/", "tests/resources/", "tests/contract/")
"""Folders whose children are made so."""


class Children:
    """Starts children; `warm` says how."""

    def __init__(self) -> None:
        self.warm = False
        self._real = asyncio.create_subprocess_exec
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([*_modules(), __name__])

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Whoever asks asyncio for a process asks here."""
        asyncio.create_subprocess_exec = self.start  # type: ignore[assignment]
        yield
        asyncio.create_subprocess_exec = self._real

    async def start(self, *command: str, **options: Any) -> Any:
        """A process; what is not a job's own child is started as ever, and so is one with options unknown here."""
        piped = options.get("stdin") == options.get("stdout") == PIPE and not options.keys() - {
            "stdin",
            "stdout",
            "limit",
        }
        if not (
            self.warm and piped and command[:2] == (sys.executable, "-m") and command[2].startswith("octavo.jobs.")
        ):
            return await self._real(*command, **options)
        asked, asks = os.pipe()
        tells, told = os.pipe()
        ends = Connection(asked, writable=False), Connection(told, readable=False)
        process = self._context.Process(target=_become, args=(command[2:], *ends))
        process.start()
        for end in ends:
            end.close()
        return await Child.of(process, asks, tells, options.get("limit", 1 << 16))


class Child:
    """The part of `asyncio.subprocess.Process` that jobs use."""

    def __init__(self, process: Any, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader, tells: Any) -> None:
        self.pid: int = process.pid
        self.stdin, self.stdout = stdin, stdout
        self._process, self._tells = process, tells

    @classmethod
    async def of(cls, process: Any, asks: int, tells: int, limit: int) -> Child:
        """Its pipes opened as streams."""
        loop = asyncio.get_running_loop()
        stdout = asyncio.StreamReader(limit)
        said, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdout), os.fdopen(tells, "rb", 0))
        heard, flow = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(asks, "wb", 0))
        return cls(process, asyncio.StreamWriter(heard, flow, None, loop), stdout, said)

    @property
    def returncode(self) -> int | None:
        code: int | None = self._process.exitcode
        return code

    def kill(self) -> None:
        self._process.kill()

    def terminate(self) -> None:
        self._process.terminate()

    async def wait(self) -> int:
        """Until it ended; how."""
        await asyncio.to_thread(self._process.join)
        self.stdin.close()
        self._tells.close()
        return int(self._process.exitcode)


def _modules() -> list[str]:
    """The modules that a job starts."""
    found = [path for path in JOBS.rglob("*.py") if 'if __name__ == "__main__"' in path.read_text()]
    return [".".join(("octavo", "jobs", *path.relative_to(JOBS).with_suffix("").parts)) for path in found]


def _become(words: tuple[str, ...], asked: Connection, told: Connection) -> None:
    """Be what `python -m` with the words is."""
    os.dup2(asked.fileno(), 0)
    os.dup2(told.fileno(), 1)
    asked.close()
    told.close()
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)  # type: ignore[misc]
    sys.argv = list(words)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # that the module is imported already is the point
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
