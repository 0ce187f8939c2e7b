"""How a process reaches insights: events go into its own spool, questions to whoever owns the engine."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.kernel.errors import BadRequest, Failure, TookTooLong, Unavailable
from octavo.kernel.records.insights import Event
from octavo.store.insights.asking import ADDRESS, HEAD, SPOOL, TAKEN, Options, Reply, Request, encode, read_reply
from octavo.store.insights.countries import Countries
from octavo.store.insights.spool import Writer

if TYPE_CHECKING:
    from octavo.store.insights.office import Office

_STARTS = 60.0
"""Seconds that an owner may take until it listens."""
_CHECKS = 1.0
"""Seconds between two looks whether there is an owner, while events come in."""
_PAUSE = 5.0
"""Seconds in which an owner that ended on its own ended quickly."""
_FAILURES = 3
"""Quick ends in a row after which it is started anew only when that time is over."""
_FAULTS: dict[str, type[Failure]] = {
    "slow": TookTooLong,
    "heavy": BadRequest,
    "busy": Unavailable,
    "broken": Unavailable,
}
_log = logging.getLogger("octavo.insights")


class Insights:
    """Events in, answers out. `inside` keeps the engine in this process, for what is over soon."""

    def __init__(self, folder: Path, options: Options, *, inside: bool = False) -> None:
        self._folder = folder
        self._options = options
        self.rotation = options.rotation
        self.days = options.days
        self.countries = Countries(options.countries)
        self.salts: dict[str, bytes] = {}
        """What ids are hashed with, by the names that they have in the database."""
        self._inside = inside
        self._office: Office | None = None
        self._writer = Writer(folder / SPOOL, options.spool)
        self._child: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._failures = 0
        self._checked = 0.0
        self._turn = asyncio.Lock()
        self._checking: asyncio.Future[None] | None = None

    @property
    def used(self) -> bool:
        """Whether there ever was an event."""
        return self._folder.is_dir()

    async def append(self, events: Sequence[Event]) -> None:
        """Return when they are durable; answers have them from then on. Raises Unavailable where they cannot be kept."""
        await self._writer.append(events)
        now = time.monotonic()
        if not self._inside and now - self._checked > _CHECKS and self._checking is None:
            self._checked = now
            self._checking = asyncio.ensure_future(self._check())

    async def _check(self) -> None:
        try:
            (await self._connected())[1].close()
        except Unavailable:
            _log.warning("nobody owns the engine of insights: events stay in the spool")
        finally:
            self._checking = None

    async def ask(self, request: Request) -> Any:
        """The result. Raises TookTooLong, BadRequest or Unavailable, with a sentence."""
        reply = await (self._ask_here(request) if self._inside else self._ask_owner(request))
        if reply.fault:
            raise _FAULTS[reply.fault](reply.sentence)
        return reply.result

    async def _ask_here(self, request: Request) -> Reply:
        async with self._turn:
            if self._office is None:
                from octavo.store.insights.office import Office  # engines are not imported by who only asks

                self._office = await asyncio.to_thread(Office, self._folder, self._options)
        return await asyncio.to_thread(self._office.answer, request)

    async def _ask_owner(self, request: Request) -> Reply:
        body = encode(request)
        for last in (False, True):
            reader, writer = await self._connected()
            try:
                writer.write(HEAD.pack(len(body)) + body)
                await writer.drain()
                head = await reader.readexactly(HEAD.size)
                return read_reply(await reader.readexactly(HEAD.unpack(head)[0]))
            except (OSError, asyncio.IncompleteReadError) as error:
                if last:
                    raise Unavailable("the engine of insights ended while it was asked; try again") from error
            finally:
                writer.close()
        raise AssertionError("the second try returns or raises")

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A way to the owner; one is started where there is none. Raises Unavailable where none comes up."""
        try:
            return await self._connect()
        except OSError:
            pass
        async with self._turn:
            deadline = time.monotonic() + _STARTS
            while True:
                try:
                    return await self._connect()
                except OSError:
                    pass
                self._start()
                if time.monotonic() > deadline:
                    raise Unavailable("the engine of insights does not start; the log says why")
                await asyncio.sleep(0.02)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection((self._folder / ADDRESS).read_text("utf-8"))

    def _start(self) -> None:
        """Start a process that owns the engine, unless one of ours lives or just ended; raises Unavailable then."""
        if self._child is not None:
            code = self._child.poll()
            if code is None:
                return
            quick = time.monotonic() - self._started < _PAUSE
            self._failures = self._failures + 1 if quick and code not in (0, TAKEN) else 0
            if self._failures > _FAILURES:
                raise Unavailable("the engine of insights does not start; the log says why")
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._drop_child()
        command = [sys.executable, "-m", "octavo.store.insights.owner", str(self._folder)]
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
        )
        self._started = time.monotonic()
        assert self._child.stdin is not None  # it is a pipe
        self._child.stdin.write(msgspec.json.encode(self._options) + b"\n")
        self._child.stdin.flush()

    def _drop_child(self) -> None:
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.close()

    async def close(self) -> None:
        """Let go of the spool, and end the owner if it is ours: it loads what there is first."""
        if self._checking is not None:
            await asyncio.gather(self._checking, return_exceptions=True)
        self._writer.close()
        if self._office is not None:
            await asyncio.to_thread(self._office.close)
            self._office = None
        child = self._child
        if child is not None:
            self._drop_child()
            try:
                await asyncio.to_thread(child.wait, 30)
            except subprocess.TimeoutExpired:
                child.kill()
                await asyncio.to_thread(child.wait)
            self._child = None
