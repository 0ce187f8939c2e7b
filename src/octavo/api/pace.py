"""Allowances: how many requests a token or an address may make in a minute."""

from __future__ import annotations

import msgspec

from octavo.kernel.clock import MINUTE, Clock

_KEPT = 50_000


class Allowance(msgspec.Struct, frozen=True):
    """What is left after this request. `reset` is in seconds since 1970, as the X-RateLimit-Reset header gives it."""

    limit: int
    remaining: int
    reset: int
    exceeded: bool


class Pacer:
    """Counts requests in windows of one minute, by the key of whoever makes them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._window = 0
        self._counts: dict[str, int] = {}

    def spend(self, key: str, limit: int) -> Allowance:
        """Count one request."""
        window = self._clock() // MINUTE
        if window != self._window or len(self._counts) > _KEPT:
            self._window, self._counts = window, {}
        spent = self._counts.get(key, 0) + 1
        self._counts[key] = spent
        return Allowance(limit, max(0, limit - spent), (window + 1) * MINUTE // 1000, spent > limit)

    def seconds_left(self) -> int:
        """Seconds until the window ends."""
        return (MINUTE - self._clock() % MINUTE + 999) // 1000
