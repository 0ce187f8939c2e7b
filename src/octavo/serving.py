"""Processes that stay: the server, the worker, the preview of a directory."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import click
import uvicorn

from octavo.kernel.settings import Settings
from octavo.main import App, House, open_house

BACKLOG = 2048
GRACE = 20
"""Seconds that requests in flight get at the end."""


class _Server(uvicorn.Server):
    """Leaves the end of the process to us: the base class would raise the signal anew ahead of our own closing."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


async def serve_forever(settings: Settings, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT; requests in flight are finished."""
    listener = _listen(host, port)
    base = settings.base_url or _address(host, listener)
    async with open_house(settings, base=base.rstrip("/")) as house:
        click.echo(f"Octavo serves {house.base}")
        await _serve(house, listener)


async def work_forever(settings: Settings) -> None:
    """Run jobs until SIGTERM or SIGINT."""
    async with open_house(settings, base=(settings.base_url or "").rstrip("/")) as house:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, ended.set)
        running = asyncio.create_task(house.worker.run())
        await ended.wait()
        await house.worker.stop()
        await running


async def preview_forever(settings: Settings, source: Path, host: str, port: int) -> None:
    """Publish a directory and serve it; what was imported before is brought up to date."""
    from octavo.importing import publish_directory

    listener = _listen(host, port)
    base = (settings.base_url or _address(host, listener)).rstrip("/")
    async with open_house(settings, base=base) as house:
        shown = await publish_directory(house, source)
        click.echo(
            "\n".join(
                (
                    "",
                    f"  Site    {shown.site}",
                    f"  API     {base}/v1    reference at {base}/docs",
                    f"  Token   {shown.token}    (admin; a fresh one each time)",
                    "",
                    f"  curl -H 'Authorization: Bearer {shown.token}' {base}/v1/orgs",
                    "",
                    "  Stop with Ctrl-C; the data stays.",
                )
            )
        )
        await _serve(house, listener)


async def _serve(house: House, listener: socket.socket) -> None:
    works = house.settings.database_url is None
    config = uvicorn.Config(
        App(house, works=works),
        loop="none",
        http="httptools",
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
    gc.freeze()
    # What a request makes goes with it. Of a long list it is thousands of values, which would be looked through for nothing.
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
    try:
        await _Server(config).serve(sockets=[listener])
    finally:
        if running is not None:
            await house.worker.stop()
            with contextlib.suppress(asyncio.CancelledError):
                await running


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        raise click.ClickException(f"{host}:{port} cannot be listened on: {error.strerror or error}") from error
    listener.listen(BACKLOG)
    listener.set_inheritable(False)
    return listener


def _address(host: str, listener: socket.socket) -> str:
    port = listener.getsockname()[1]
    shown = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1", "::1") else host
    return f"http://{shown}:{port}"
