"""Allowances: how many requests a token or an address may make in a minute."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from octavo.kernel.clock import MINUTE, Clock

K = TypeVar("K", bound=Hashable)
Header = tuple[bytes, bytes]

KEPT = 50_000
"""Keys that are counted at once; of more, those that were longest away are forgotten first."""


class Latest(Generic[K]):
    """A number for each of the keys that were noted last: who comes back is kept, however many come once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._numbers: OrderedDict[K, int] = OrderedDict()

    def get(self, key: K) -> int:
        """0 for one that is not known, or no more."""
        return self._numbers.get(key, 0)

    def note(self, key: K, number: int) -> None:
        self._numbers[key] = number
        self._numbers.move_to_end(key)
        if len(self._numbers) > self._most:
            self._numbers.popitem(last=False)


class Pacer:
    """Counts requests in windows of one minute, by the key of whoever makes them: in this process, not in all of them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._window = 0
        self._counts: Latest[str] = Latest(KEPT)
        self._reset: Header = (b"x-ratelimit-reset", b"0")
        self._limits: dict[int, Header] = {}

    def spend(self, key: str, limit: int) -> tuple[int, tuple[Header, Header, Header]]:
        """Count one request: how many are left, below 0 for one too many; and the headers that tell of it, the reset in
        seconds since 1970."""
        self._turn()
        spent = self._counts.get(key) + 1
        self._counts.note(key, spent)
        if limit not in self._limits:
            self._limits[limit] = (b"x-ratelimit-limit", b"%d" % limit)
        left = limit - spent
        return left, (self._limits[limit], (b"x-ratelimit-remaining", b"%d" % max(0, left)), self._reset)

    def spent(self, key: str) -> int:
        """How many requests were counted in this minute."""
        self._turn()
        return self._counts.get(key)

    def _turn(self) -> None:
        """Begin another window when its minute has come."""
        window = self._clock() // MINUTE
        if window != self._window:
            self._window, self._counts = window, Latest(KEPT)
            self._reset = (b"x-ratelimit-reset", b"%d" % ((window + 1) * MINUTE // 1000))

    def seconds_left(self) -> int:
        """Seconds until the window ends."""
        return (MINUTE - self._clock() % MINUTE + 999) // 1000
