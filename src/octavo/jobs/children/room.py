"""The job's side: a folder, a child process that works in it, what it says and asks, and its end in any case."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

from octavo.jobs.children import frames
from octavo.jobs.children.terms import Child, Terms
from octavo.jobs.work import JobBroke, JobFailed, JobLate, Work

Answer = Callable[[Any], Awaitable[Any]]
"""What a job answers to a question of its child."""

SAID = 16 << 10
"""Bytes of what a child printed that are logged: the last ones."""
BROKEN = "Something broke here while this was read; the log of the server has it."

_REAPED = 5.0
"""Seconds in which a killed process is gone, unless something else holds its pipes."""
_log = logging.getLogger("octavo.jobs")


@contextlib.asynccontextmanager
async def folder(within: Path | None = None) -> AsyncIterator[Path]:
    """A temporary folder of its own for the block, removed whatever happens in it; without `within` among the system's."""
    made = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="octavo-job-", dir=within))
    try:
        yield made
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, made, ignore_errors=True))


async def run(work: Work, child: Child, where: Path, request: Any, **answers: Answer) -> Any:
    """Have a child work on a request in a folder: its result. `answers` are those to its questions, by their word.

    Raises JobFailed when it refuses what it was given; JobBroke when it breaks, takes more than it may, or is killed.
    """
    process = await _started(child, where)
    assert process.stderr is not None
    printed = asyncio.create_task(_printed(process.stderr))
    try:
        async with asyncio.timeout(child.seconds) as life:
            return await _conversation(work, child, process, (_terms(child, where), request), answers)
    except TimeoutError:
        if not life.expired():
            raise
        raise JobLate(child.exhausted) from None
    finally:
        await _ended(process)
        await _logged(work, child, process, printed)


async def _started(child: Child, where: Path) -> asyncio.subprocess.Process:
    # The installation's secrets are in its settings, which children have no use for.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OCTAVO_")}
    # The typesetter would take memory to tell what it was about when there was none left, and wait for itself for ever.
    environment["RUST_BACKTRACE"] = "0"
    environment["TMPDIR"] = str(where)
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "octavo.jobs.children", child.module),
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # whatever it starts ends with it
    )


def _terms(child: Child, where: Path) -> Terms:
    return Terms(str(where), child.memory, child.computing, child.niceness)


async def _conversation(
    work: Work, child: Child, process: asyncio.subprocess.Process, first: tuple[Any, ...], answers: dict[str, Answer]
) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    for value in first:
        await _tell(process.stdin, value)
    while True:
        match await _heard(process.stdout):
            case ["done", result]:
                return result
            case ["progress", dict(told)]:
                work.progress.update(told)
                work.on_progress(told)
            case ["ask", str(word), value] if word in answers:
                await _tell(process.stdin, await answers[word](value))
            case ["refused", str(sentence)]:
                raise JobFailed(sentence)
            case ["broke", str(sentence)]:
                raise JobBroke(sentence)
            case None:
                raise JobBroke(child.exhausted)
            case _:
                raise JobBroke(BROKEN)


async def _tell(to: asyncio.StreamWriter, value: Any) -> None:
    to.write(frames.packed(value))
    with contextlib.suppress(ConnectionError):  # one that ended says nothing more, which is what is read then
        await to.drain()


async def _heard(source: asyncio.StreamReader) -> list[Any] | None:
    """The next frame; None at the end, an empty list for what is none."""
    try:
        return await frames.receive(source)
    except (frames.TooLarge, msgspec.DecodeError):
        return []


async def _printed(source: asyncio.StreamReader) -> bytes:
    """The last of what the child prints, however much it is."""
    kept = b""
    while data := await source.read(1 << 16):
        kept = (kept + data)[-SAID:]
    return kept


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Kill the child with all that it started, and reap it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_REAPED):
            # Where the pipe is full, its end is told only to who reads it.
            while await process.stdout.read(1 << 20):
                pass
            await process.wait()


async def _logged(work: Work, child: Child, process: asyncio.subprocess.Process, printed: asyncio.Task[bytes]) -> None:
    """What a child printed, and how it ended; one that said all is killed too, which is nothing to tell of."""
    said = b""
    with contextlib.suppress(TimeoutError):
        said = await asyncio.wait_for(printed, _REAPED)
    if said.strip():
        told = {"job": work.job.id, "child": child.module, "ended": process.returncode}
        _log.warning("a child process printed", extra=told | {"printed": said.decode("utf-8", "replace")})
