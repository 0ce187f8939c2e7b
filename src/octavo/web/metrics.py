"""Figures of one process: requests by what they asked for, and how long their answers took."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from octavo.kernel import traces
from octavo.kernel.figures import Histogram, histograms, written
from octavo.web.asgi import Receive, Scope, Send

OPERATION = "octavo.operation"
"""Where the API writes into a scope which operation was asked for."""
BOUNDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of the histogram, in seconds."""
CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"
Answers = Callable[[Scope, Receive, Send], Awaitable[None]]


class Requests:
    """Counts the answers of a process."""

    def __init__(self) -> None:
        self._counts: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        self._took: defaultdict[str, Histogram] = defaultdict(lambda: Histogram(BOUNDS))
        """Of each operation."""

    async def count(self, answers: Answers, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered, and note it when its answer has ended."""
        if not traces.active():
            await self._count(answers, scope, receive, send)
            return
        carrier = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        with traces.span(scope["method"], "server", carrier, http__request__method=scope["method"]):
            await self._count(answers, scope, receive, send)

    async def _count(self, answers: Answers, scope: Scope, receive: Receive, send: Send) -> None:
        status, began = 0, time.perf_counter()

        async def seen(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await answers(scope, receive, seen)
        finally:
            name = scope.get(OPERATION) or "other"
            self._counts[name, scope["method"] if scope["method"] in _METHODS else "other", f"{status // 100}xx"] += 1
            self._took[name].note(time.perf_counter() - began)
            if traces.active():
                traces.rename(f"{scope['method']} {name}")
                traces.say(http__response__status_code=status, octavo__operation=name)
                if status >= 500:
                    traces.fail()

    def text(self) -> str:
        """As Prometheus reads it."""
        counted = [
            ({"operation": name, "method": method, "status": status}, float(number))
            for (name, method, status), number in sorted(self._counts.items())
        ]
        took = [({"operation": name}, held) for name, held in sorted(self._took.items())]
        return written("octavo_requests_total", "counter", "Requests that were answered", counted) + histograms(
            "octavo_request_seconds", "Seconds until an answer had ended", took
        )


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
