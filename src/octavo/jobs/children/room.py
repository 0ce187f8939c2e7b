"""The job's side: a folder, a child process that works in it, what it says and asks, and its end in any case."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from octavo.jobs.children.process import REAPED, ended, heard, printed, started, tell, terms
from octavo.jobs.children.terms import Child
from octavo.jobs.work import JobBroke, JobFailed, JobLate, Work

Answer = Callable[[Any], Awaitable[Any]]
"""What a job answers to a question of its child."""

BROKEN = "Something broke here while this was read; the log of the server has it."

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
    process = await started(child, where)
    assert process.stderr is not None
    said = asyncio.create_task(printed(process.stderr))
    try:
        async with asyncio.timeout(child.seconds) as life:
            return await _conversation(work, child, process, (terms(child, where), request), answers)
    except TimeoutError:
        if not life.expired():
            raise
        raise JobLate(child.exhausted) from None
    finally:
        await ended(process)
        await _logged(work, child, process, said)


async def _conversation(
    work: Work, child: Child, process: asyncio.subprocess.Process, first: tuple[Any, ...], answers: dict[str, Answer]
) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    for value in first:
        await tell(process.stdin, value)
    while True:
        match await heard(process.stdout):
            case ["done", result]:
                return result
            case ["progress", dict(told)]:
                work.progress.update(told)
                work.on_progress(told)
            case ["ask", str(word), value] if word in answers:
                await tell(process.stdin, await answers[word](value))
            case ["refused", str(sentence)]:
                raise JobFailed(sentence)
            case ["broke", str(sentence)]:
                raise JobBroke(sentence)
            case None:
                raise JobBroke(child.exhausted)
            case _:
                raise JobBroke(BROKEN)


async def _logged(work: Work, child: Child, process: asyncio.subprocess.Process, printing: asyncio.Task[bytes]) -> None:
    """What a child printed, and how it ended; one that said all is killed too, which is nothing to tell of."""
    said = b""
    with contextlib.suppress(TimeoutError):
        said = await asyncio.wait_for(printing, REAPED)
    if said.strip():
        told = {"job": work.job.id, "child": child.module, "ended": process.returncode}
        _log.warning("a child process printed", extra=told | {"printed": said.decode("utf-8", "replace")})
