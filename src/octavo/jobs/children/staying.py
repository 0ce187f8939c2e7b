"""Children that stay: started once, asked many times by many jobs, one question at a time, and ended when they are worn.

Such a child says `answer value` to each of its requests, the first one too; `refused` and `broke` end it as any other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from pathlib import Path
from typing import Any

from octavo.jobs.children import process as processes
from octavo.jobs.children.terms import Child

QUESTIONS = 500
"""After which a child is worn: its computing time is limited, and whatever leaks in it goes with it."""
AGE = 600.0
"""Seconds after which it is."""
_log = logging.getLogger("octavo.jobs")


class Ended(Exception):
    """The child is no more; the sentence says why."""


class Staying:
    """One child, and the folder that goes with it."""

    def __init__(self, child: Child, process: asyncio.subprocess.Process, folder: Path) -> None:
        assert process.stderr is not None
        self._child, self._process, self._folder = child, process, folder
        self._printing = asyncio.create_task(processes.printed(process.stderr))
        self._asked = 0
        self._since = time.monotonic()

    @classmethod
    async def started(cls, child: Child, request: Any, within: Path | None) -> Staying:
        """A child that has answered its first request. Raises Ended when it does not."""
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="octavo-job-", dir=within))
        try:
            process = await processes.started(child, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        made = cls(child, process, folder)
        try:
            assert process.stdin is not None
            await processes.tell(process.stdin, processes.terms(child, folder))
            await made.asked(request, child.seconds)
        except BaseException:
            await asyncio.shield(made.end())
            raise
        return made

    @property
    def is_worn(self) -> bool:
        """Whether another one should have the next question."""
        gone = self._process.returncode is not None
        return gone or self._asked >= QUESTIONS or time.monotonic() - self._since > AGE

    async def asked(self, value: Any, seconds: float) -> Any:
        """What it answers to a request. Raises Ended when it takes longer, or answers nothing more."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._asked += 1
        try:
            async with asyncio.timeout(seconds):
                await processes.tell(self._process.stdin, value)
                match await processes.heard(self._process.stdout):
                    case ["answer", answer]:
                        return answer
                    case ["refused" | "broke", str(sentence)]:
                        raise Ended(sentence)
                    case _:
                        raise Ended(self._child.exhausted)
        except TimeoutError:
            raise Ended(self._child.exhausted) from None

    async def end(self) -> None:
        """Kill it, and remove its folder."""
        await processes.ended(self._process)
        said = b""
        with contextlib.suppress(TimeoutError):
            said = await asyncio.wait_for(self._printing, processes.REAPED)
        if said.strip():
            told = {"child": self._child.module, "ended": self._process.returncode}
            _log.info("a child process printed", extra=told | {"printed": said.decode("utf-8", "replace")})
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)


class Pool:
    """Children that are asked nothing at the moment, by what they are for."""

    def __init__(self) -> None:
        self._idle: list[tuple[Hashable, Staying]] = []
        """The one that was asked last at the end."""

    @contextlib.asynccontextmanager
    async def lent(self, key: Hashable, start: Callable[[], Awaitable[Staying]], most: int) -> AsyncIterator[Staying]:
        """A child for the block, kept afterwards, where `most` stay idle; whatever breaks the block ends the child."""
        one = await self._taken(key) or await start()
        try:
            yield one
        except BaseException:
            await asyncio.shield(one.end())
            raise
        self._idle.append((key, one))
        while len(self._idle) > most:
            await asyncio.shield(self._idle.pop(0)[1].end())

    async def _taken(self, key: Hashable) -> Staying | None:
        worn = [entry for entry in self._idle if entry[1].is_worn]
        self._idle = [entry for entry in self._idle if not entry[1].is_worn]
        found = next((entry for entry in reversed(self._idle) if entry[0] == key), None)
        if found is not None:
            self._idle.remove(found)
        for _, one in worn:
            await asyncio.shield(one.end())
        return None if found is None else found[1]

    async def close(self) -> None:
        """End those that are idle."""
        idle, self._idle = self._idle, []
        for _, one in idle:
            await one.end()
