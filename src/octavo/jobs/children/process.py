"""A child process as its job has it: started without secrets, told and heard in frames, ended with all that it started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

import msgspec

from octavo.jobs.children import frames
from octavo.jobs.children.terms import Child, Terms

SAID = 16 << 10
"""Bytes of what a child printed that are logged: the last ones."""
REAPED = 5.0
"""Seconds in which a killed process is gone, unless something else holds its pipes."""


async def started(child: Child, where: Path) -> asyncio.subprocess.Process:
    """A new process; `terms` are the first thing to tell it."""
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


def terms(child: Child, where: Path) -> Terms:
    """What it is told first."""
    return Terms(str(where), child.memory, child.computing, child.niceness)


async def tell(to: asyncio.StreamWriter, value: Any) -> None:
    """Send it one frame."""
    to.write(frames.packed(value))
    with contextlib.suppress(ConnectionError):  # one that ended says nothing more, which is what is read then
        await to.drain()


async def heard(source: asyncio.StreamReader) -> list[Any] | None:
    """The next frame; None at the end, an empty list for what is none."""
    try:
        return await frames.receive(source)
    except (frames.TooLarge, msgspec.DecodeError):
        return []


async def printed(source: asyncio.StreamReader) -> bytes:
    """The last of what the child prints, however much it is."""
    kept = b""
    while data := await source.read(1 << 16):
        kept = (kept + data)[-SAID:]
    return kept


async def ended(process: asyncio.subprocess.Process) -> None:
    """Kill the child with all that it started, and reap it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(REAPED):
            # Where the pipe is full, its end is told only to who reads it.
            while await process.stdout.read(1 << 20):
                pass
            await process.wait()
