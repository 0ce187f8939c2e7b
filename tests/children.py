"""Processes of jobs and of commands that need not import Octavo again: made by a process that has it, as real as any other.

A child that is started costs half a second of importing, and the tests of publishing and of rooms start hundreds. Python's
fork server gives them a process of their own with the same limits, which may die like any other. Commands are run so too. The
other tests of jobs, servers, and the tests of the start and of packages start theirs as an installation does.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import runpy
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired
from typing import Any

JOBS = Path(__file__).parents[1] / "src" / "octavo" / "jobs"
COMMANDS = (
    "cli",
    "administration",
    "backups.keeping",
    "exporting",
    "importing",
    "operating.doctor",
    "operating.listing",
)
"""What commands import, each only what it needs."""
WARM = ("tests/publish/", "tests/resources/", "tests/contract/", "tests/jobs/test_git_", "tests/git_compat/")
"""Tests whose children are made so: these are about what a job does, not about its child."""
_COMMAND = (sys.executable, "-m", "octavo.jobs.children")
_OPTIONS = {"env", "stdin", "stdout", "stderr", "start_new_session"}


class Children:
    """Starts children; `warm` says how."""

    def __init__(self) -> None:
        self.warm = False
        self._real = asyncio.create_subprocess_exec
        self._context = multiprocessing.get_context("forkserver")
        commands = [f"octavo.{name}" for name in COMMANDS]
        self._context.set_forkserver_preload(
            ["pytest", *_modules(), *commands, "octavo.jobs.children.inside", __name__]
        )

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Whoever asks asyncio for a process asks here."""
        asyncio.create_subprocess_exec = self.start  # type: ignore[assignment]
        yield
        asyncio.create_subprocess_exec = self._real

    async def start(self, *command: str, **options: Any) -> Any:
        """A process; where children are warm, that of a job and no other."""
        if not self.warm:
            return await self._real(*command, **options)
        # Else they would all be cold ones without anybody noticing.
        assert (command[:3], set(options)) == (_COMMAND, _OPTIONS), "a child is started in a way that is unknown here"
        pipes = [os.pipe() for _ in range(3)]
        asked, told, printed = pipes
        ends = Connection(asked[0], writable=False), *(Connection(end[1], readable=False) for end in (told, printed))
        process = self._context.Process(target=_become, args=(command[2:], options["env"], *ends))
        process.start()
        for end in ends:
            end.close()
        return await Child.of(process, asked[1], told[0], printed[0])


class Child:
    """The part of `asyncio.subprocess.Process` that jobs use."""

    def __init__(self, process: Any, stdin: asyncio.StreamWriter, *outputs: tuple[asyncio.StreamReader, Any]) -> None:
        self.pid: int = process.pid
        self.stdin = stdin
        (self.stdout, _), (self.stderr, _) = outputs
        self._process = process
        self._heard = [transport for _, transport in outputs]

    @classmethod
    async def of(cls, process: Any, asks: int, *tells: int) -> Child:
        """Its pipes opened as streams."""
        loop = asyncio.get_running_loop()
        heard, flow = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(asks, "wb", 0))
        return cls(process, asyncio.StreamWriter(heard, flow, None, loop), *[await _reader(end) for end in tells])

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
        for transport in self._heard:
            transport.close()
        return int(self._process.exitcode)


async def _reader(end: int) -> tuple[asyncio.StreamReader, asyncio.ReadTransport]:
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(end, "rb", 0)
    )
    return reader, transport


def _modules() -> list[str]:
    """The modules that do the work of children."""
    found = sorted(JOBS.rglob("*_child.py"))
    return [".".join(("octavo", "jobs", *path.relative_to(JOBS).with_suffix("").parts)) for path in found]


def _become(words: tuple[str, ...], environment: dict[str, str], *ends: Connection) -> None:
    """Be what `python -m` with the words is, with the ends of its input, its output and its errors."""
    _settle(words, environment, *ends)
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def _command(words: tuple[str, ...], environment: dict[str, str], *ends: Connection) -> None:
    _settle(("octavo", *words), environment, *ends)
    import_module("octavo.cli").main()


def _settle(words: tuple[str, ...], environment: dict[str, str], *ends: Connection) -> None:
    os.setsid()
    for number, end in enumerate(ends):
        os.dup2(end.fileno(), number)
        end.close()
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)  # type: ignore[misc]
    sys.argv = list(words)


def command(words: Sequence[str], environment: dict[str, str], typed: str, seconds: float) -> CompletedProcess[str]:
    """Run `octavo` with the words in a process of its own, which has imported it; as `subprocess.run` answers."""
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as said:
        asked.write(typed.encode())
        asked.seek(0)
        ends = [Connection(os.dup(file.fileno())) for file in (asked, told, said)]
        process = multiprocessing.get_context("forkserver").Process(
            target=_command, args=(tuple(words), environment, *ends)
        )
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            raise TimeoutExpired(list(words), seconds)
        told.seek(0)
        said.seek(0)
        return CompletedProcess(list(words), process.exitcode, told.read().decode(), said.read().decode())
