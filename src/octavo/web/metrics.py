"""Figures of one process as Prometheus reads them: requests by what they asked for, and how long their answers took."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any

from octavo.web.asgi import Receive, Scope, Send

OPERATION = "octavo.operation"
"""Where the API writes into a scope which operation was asked for."""
BOUNDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of the histogram, in seconds."""
Answers = Callable[[Scope, Receive, Send], Awaitable[None]]
Sample = tuple[Mapping[str, str], float]


class Requests:
    """Counts the answers of a process."""

    def __init__(self) -> None:
        self._counts: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        self._took: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * (len(BOUNDS) + 2))
        """Of each operation: how many within each bound, how many above all, and the sum of seconds."""

    async def count(self, answers: Answers, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered, and note it when its answer has ended."""
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
            took = time.perf_counter() - began
            held = self._took[name]
            held[bisect_left(BOUNDS, took)] += 1
            held[-1] += took

    def text(self) -> str:
        """As Prometheus reads it."""
        counted = [
            ({"operation": name, "method": method, "status": status}, float(number))
            for (name, method, status), number in sorted(self._counts.items())
        ]
        parts = [written("octavo_requests_total", "counter", "Requests that were answered", counted)]
        name = "octavo_request_seconds"
        lines = [f"# HELP {name} Seconds until an answer had ended.", f"# TYPE {name} histogram"]
        for operation, held in sorted(self._took.items()):
            total = 0
            for bound, number in zip((*BOUNDS, None), held, strict=False):
                total += int(number)
                le = "+Inf" if bound is None else f"{bound:g}"
                lines.append(f'{name}_bucket{{operation="{operation}",le="{le}"}} {total}')
            lines += [
                f'{name}_sum{{operation="{operation}"}} {held[-1]:.6f}',
                f'{name}_count{{operation="{operation}"}} {total}',
            ]
        return "".join(parts) + "\n".join(lines) + "\n"


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def written(name: str, kind: str, means: str, samples: Iterable[Sample]) -> str:
    """One metric.

    >>> print(written("octavo_x", "gauge", "What it is", [({"kind": 'a"b'}, 2)]), end="")
    # HELP octavo_x What it is.
    # TYPE octavo_x gauge
    octavo_x{kind="a\\"b"} 2
    """
    lines = [f"# HELP {name} {means}.", f"# TYPE {name} {kind}"]
    for labels, value in samples:
        said = ",".join(f'{key}="{_escaped(word)}"' for key, word in labels.items())
        lines.append(f"{name}{'{' + said + '}' if said else ''} {value:.15g}")
    return "\n".join(lines) + "\n"


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
