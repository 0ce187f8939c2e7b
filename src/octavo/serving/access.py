"""The access log: a line for each request that was answered, without what an address is secret for."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from octavo.access.addresses import client_address
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.metrics import OPERATION

_SECRET = re.compile(r"^(/(?:files|uploads|invites|unsubscribe)/).*", re.DOTALL)
"""Paths whose rest is a key."""
_log = logging.getLogger("octavo.access")
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class AccessLog:
    """The application, with a line for each of its answers. Queries are left out: people search by them."""

    def __init__(self, app: Application, proxies: list[str]) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, size, began, request = 0, 0, time.perf_counter(), None

        async def seen(message: MutableMapping[str, Any]) -> None:
            nonlocal status, size, request
            if message["type"] == "http.response.start":
                status = message["status"]
                request = next((value for name, value in message["headers"] if name == b"x-request-id"), None)
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, seen)
        finally:
            told = {
                "status": status,
                "bytes": size,
                "ms": round((time.perf_counter() - began) * 1000, 1),
                "address": client_address(scope, dict(scope["headers"]), self._proxies),
            }
            if request is not None:
                told |= {"request": request.decode(), "operation": scope.get(OPERATION)}
            _log.info("%s %s", scope["method"], shown(scope["path"]), extra=told)


def shown(path: str) -> str:
    """A path as it may be kept.

    >>> shown("/files/WyJvIl0.x/a.png"), shown("/sites/docs/files/a")
    ('/files/…', '/sites/docs/files/a')
    """
    return "".join(mark if mark.isprintable() else "\ufffd" for mark in _SECRET.sub(r"\1…", path))
