"""Allowances: how many requests a token or an address may make in a minute."""

from __future__ import annotations

from octavo.kernel.clock import MINUTE, Clock

Header = tuple[bytes, bytes]

_KEPT = 50_000


class Pacer:
    """Counts requests in windows of one minute, by the key of whoever makes them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._window = 0
        self._counts: dict[str, int] = {}
        self._reset: Header = (b"x-ratelimit-reset", b"0")
        self._limits: dict[int, Header] = {}

    def spend(self, key: str, limit: int) -> tuple[int, tuple[Header, Header, Header]]:
        """Count one request: how many are left, below 0 for one too many; and the headers that tell of it, the reset in
        seconds since 1970."""
        window = self._clock() // MINUTE
        if window != self._window or len(self._counts) > _KEPT:
            self._window, self._counts = window, {}
            self._reset = (b"x-ratelimit-reset", b"%d" % ((window + 1) * MINUTE // 1000))
        spent = self._counts[key] = self._counts.get(key, 0) + 1
        if limit not in self._limits:
            self._limits[limit] = (b"x-ratelimit-limit", b"%d" % limit)
        left = limit - spent
        return left, (self._limits[limit], (b"x-ratelimit-remaining", b"%d" % max(0, left)), self._reset)

    def seconds_left(self) -> int:
        """Seconds until the window ends."""
        return (MINUTE - self._clock() % MINUTE + 999) // 1000
