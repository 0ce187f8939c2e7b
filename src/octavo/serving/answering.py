"""What a worker answers to those that watch over it: `/healthz` and `/metrics`, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn

from octavo.jobs.worker import LEASE
from octavo.main import House
from octavo.store.figures import figures
from octavo.web.answers import Answer
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.door import answered, only, refuse_plainly
from octavo.web.fields import Fields
from octavo.web.metrics import CONTENT_TYPE
from octavo.web.pulse import Pulse

_log = logging.getLogger("octavo.serving")


class _Quiet(uvicorn.Server):
    """Ends when it is told to: signals are the worker's."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def answering(house: House, listener: socket.socket | None) -> AsyncIterator[None]:
    """Answer while the block runs; without a listener, nobody asks."""
    if listener is None:
        yield
        return
    pulse = Pulse()
    config = uvicorn.Config(
        _Answers(house, pulse), loop="none", lifespan="off", access_log=False, log_level="warning", server_header=False
    )
    server = _Quiet(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    pulse.start()
    try:
        yield
    finally:
        pulse.stop()
        server.should_exit = True
        await running


class _Answers:
    """The ASGI application."""

    def __init__(self, house: House, pulse: Pulse) -> None:
        self._house = house
        self._pulse = pulse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        answer = await answered(scope, _log, lambda query: self._answer(scope, query), refuse_plainly)
        await answer.send(scope, send)

    async def _answer(self, scope: Scope, query: Fields) -> Answer:
        only(scope, "GET")
        house = self._house
        if scope["path"] == "/metrics":
            text = self._pulse.text() + house.worker.outcomes.text() + await figures(house.store, house.settings.data)
            return Answer(200, text.encode(), [(b"content-type", CONTENT_TYPE), (b"cache-control", b"no-store")])
        if scope["path"] == "/healthz":
            # Its loop comes round several times a second, whatever jobs do.
            well = house.store.clock() - house.worker.beaten_at <= LEASE
            state = b'{"status":"ok"}' if well else b'{"status":"unavailable"}'
            return Answer(200 if well else 503, state, [(b"content-type", b"application/json")])
        return refuse_plainly(404, "a worker answers /healthz and /metrics", None)
