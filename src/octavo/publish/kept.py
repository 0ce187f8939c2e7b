"""What was made for visitors and may be asked for again, within a bound of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from hashlib import blake2b
from typing import Generic, TypeVar

from octavo import __version__

T = TypeVar("T")


def digest(*parts: object) -> str:
    """A key for what this version of Octavo makes of these parts; it may stand in an `ETag`."""
    hasher = blake2b(__version__.encode(), digest_size=12)
    for part in parts:
        hasher.update(part if isinstance(part, bytes) else repr(part).encode())
    return hasher.hexdigest()


class Kept(Generic[T]):
    """Values by what they were made of, the ones used least recently leaving first."""

    def __init__(self, most: int, weigh: Callable[[T], int]) -> None:
        """`most` is the bytes of all values together, as `weigh` tells them."""
        self._most = most
        self._weigh = weigh
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._bytes = 0

    def get(self, key: Hashable) -> T | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, value: T) -> None:
        if key in self._kept:
            return
        self._kept[key] = value
        self._bytes += self._weigh(value)
        while self._bytes > self._most:
            _, gone = self._kept.popitem(last=False)
            self._bytes -= self._weigh(gone)
