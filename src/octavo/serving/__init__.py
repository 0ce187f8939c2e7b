"""Processes that stay: the server, the worker; the preview of a folder is below."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial

import click
import uvicorn

from octavo import __version__
from octavo.access.people import beginning
from octavo.kernel import collecting, traces
from octavo.kernel.records import Json
from octavo.kernel.settings import Settings
from octavo.main import App, House, open_house
from octavo.serving.access import AccessLog, Application
from octavo.serving.answering import answering
from octavo.serving.connections import Connection
from octavo.serving.listening import BACKLOG, address, listen, take_no_more
from octavo.store import directory

GRACE = 20
"""Seconds that requests in flight get at the end."""
SETTLES = 0.2
"""Seconds in which whoever has begun to connect is accepted."""
_log = logging.getLogger("octavo.serving")


@dataclass(frozen=True)
class Door:
    """Where a server listens, and how it is run."""

    host: str
    port: int
    drain: float = 0.0
    """Seconds for which it goes on taking connections at the end, while `/readyz` says that it is about to go."""
    access_log: bool = False


@dataclass(frozen=True)
class Watched:
    """Where a worker tells how it is."""

    host: str
    port: int


class _Server(uvicorn.Server):
    """Leaves the end of the process to us: the base class would raise the signal anew ahead of our own closing."""

    def __init__(self, config: uvicorn.Config, app: App, drain: float) -> None:
        super().__init__(config)
        self._app = app
        self._drain = drain

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say that it goes, then take no more connections, then answer whoever was let in."""
        self._app.leaving = True
        _log.info("stopping", extra={"connections": len(self.server_state.connections)})
        ends = asyncio.get_running_loop().time() + self._drain
        while not self.force_exit and asyncio.get_running_loop().time() < ends:
            await asyncio.sleep(0.1)
        for listener in sockets or ():
            with contextlib.suppress(OSError):  # where the kernel is not allowed to, one may be lost
                take_no_more(listener)
        # Whoever comes through is accepted, and then ended as all others are.
        await asyncio.sleep(SETTLES)
        await super().shutdown(sockets)


async def serve_forever(settings: Settings, door: Door) -> None:
    """Serve until SIGTERM or SIGINT; requests in flight are finished."""
    _trace(settings)
    listener = listen(door.host, door.port)
    base = settings.base_url or address(door.host, listener)
    async with opened_for_serving(settings, base, makes=True) as house:
        click.echo(f"Octavo serves {house.base}")
        word = await house.store.write(beginning.word)
        if word is not None:
            place = settings.data if settings.database_url is None else "this database"
            click.echo(
                f"There is no organization in {place} yet. Make the first one, once, at:\n{house.base}/setup/{word}"
            )
        app = App(house, works=settings.database_url is None)
        await run_server(house, listener, door, app, app)


async def work_forever(settings: Settings, watched: Watched | None = None) -> None:
    """Run jobs until SIGTERM or SIGINT; what watches over workers asks at `watched`."""
    _trace(settings)
    listener = None if watched is None else listen(watched.host, watched.port)
    base = (settings.base_url or "").rstrip("/")
    async with open_house(settings, base=base, backup=partial(_backup, settings)) as house:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, ended.set)
        running = asyncio.create_task(house.worker.run())
        collecting.seldom()
        _log.info("working", extra=_told(settings))
        if listener is not None and watched is not None:
            click.echo(f"Metrics are at {address(watched.host, listener)}/metrics")
        async with answering(house, listener):
            await ended.wait()
        _log.info("stopping")
        await house.worker.stop()
        await running
    traces.end()
    _log.info("stopped")


@contextlib.asynccontextmanager
async def opened_for_serving(settings: Settings, base: str, *, makes: bool = False) -> AsyncIterator[House]:
    """The house of a server: a database in a file has one, PostgreSQL as many as there are."""
    async with open_house(settings, base=base.rstrip("/"), makes=makes, backup=partial(_backup, settings)) as house:
        with directory.served(settings.data) if settings.database_url is None else contextlib.nullcontext():
            yield house


async def _backup(settings: Settings) -> Json:
    from octavo.backups.schedule import scheduled  # with libraries that only this needs

    return await scheduled(settings)


def _trace(settings: Settings) -> None:
    if settings.traces:
        try:
            traces.begin(__version__)
        except traces.Missing as error:
            raise click.ClickException(str(error)) from error


def _told(settings: Settings) -> dict[str, object]:
    """What a line says of the process that begins."""
    database = "sqlite" if settings.database_url is None else "postgres"
    return {"version": __version__, "database": database, "data": str(settings.data), "pid": os.getpid()}


async def run_server(house: House, listener: socket.socket, door: Door, app: App, shown: Application) -> None:
    """Serve until SIGTERM or SIGINT, and run the jobs where no worker does; `shown` is the application as clients meet it,
    the house's own or one around it."""
    works = house.settings.database_url is None
    config = uvicorn.Config(
        AccessLog(shown, house.settings.trusted_proxies) if door.access_log else shown,
        loop="none",
        http=Connection,
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        date_header=True,
        backlog=BACKLOG,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=False,
    )
    running = asyncio.create_task(house.worker.run()) if works else None
    collecting.seldom()
    app.pulse.start()
    try:
        _log.info("serving", extra={"address": house.base} | _told(house.settings))
        await _Server(config, app, door.drain).serve(sockets=[listener])
    finally:
        app.pulse.stop()
        if running is not None:
            await house.worker.stop()
            with contextlib.suppress(asyncio.CancelledError):
                await running
        traces.end()
        _log.info("stopped")
