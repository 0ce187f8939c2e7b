"""What was made once and may be asked for again: one keeper for each store, shared by threads, within a bound of bytes.

What is kept goes by everything that it was made of, so that nothing is ever invalidated: what is no longer asked for makes
room. What was *read*, and may change, is remembered by `store.database.memory`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MOST = 384 << 20
"""Bytes of everything together where nobody says more or less."""
EACH = 300
"""Bytes that it takes to keep a value, whatever it weighs: its key, its place in the order."""


class Kind(Generic[T]):
    """What sort of value is kept: values of two kinds never share a key, and counters are told for each kind."""

    __slots__ = ("name", "weigh")

    def __init__(self, name: str, weigh: Callable[[T], int]) -> None:
        """`weigh` tells the bytes of memory of a value; it is asked once for each."""
        self.name = name
        self.weigh = weigh


@dataclass(slots=True)
class Count:
    """How often values of a kind were asked for, and what those that are kept now weigh."""

    hits: int = 0
    misses: int = 0
    values: int = 0
    weight: int = 0
    """Bytes."""


class Kept:
    """Values by kind and key, the ones used least recently leaving first."""

    def __init__(self, most: int = MOST) -> None:
        """`most` is the bytes of all values together, as their kinds weigh them."""
        self.most = most
        self._lock = threading.Lock()
        self._values: OrderedDict[tuple[Kind[Any], Hashable], tuple[Any, int]] = OrderedDict()
        self._weight = 0
        self._counts: defaultdict[Kind[Any], Count] = defaultdict(Count)

    @property
    def weight(self) -> int:
        """Bytes of all that is kept."""
        return self._weight

    def counts(self) -> dict[str, Count]:
        """Name of a kind -> how it goes, as of one moment."""
        with self._lock:
            return {kind.name: replace(count) for kind, count in self._counts.items()}

    def get(self, kind: Kind[T], key: Hashable) -> T | None:
        """The value; None where it is not kept, or no longer."""
        whole = (kind, key)
        with self._lock:
            count = self._counts[kind]
            found: tuple[T, int] | None = self._values.get(whole)
            if found is None:
                count.misses += 1
                return None
            count.hits += 1
            self._values.move_to_end(whole)
            return found[0]

    def put(self, kind: Kind[T], key: Hashable, value: T) -> T:
        """Keep a value; returns the one that is kept, which is another where somebody was faster.

        What alone weighs more than half of the bound counts as half of it and is kept all the same: to make it anew for
        every request would cost more than its bytes, and in the other half there is room for everything else.
        """
        weight = self._weight_of(kind, value)
        with self._lock:
            held: tuple[T, int] | None = self._values.get((kind, key))
            if held is not None:
                return held[0]
            gone = self._add(kind, key, value, weight)
        # Let go of after the lock: what is large takes its time.
        del gone
        return value

    def renew(self, kind: Kind[T], key: Hashable, value: T) -> None:
        """Keep a value, in the place of another one of that key."""
        whole = (kind, key)
        with self._lock:
            held = self._values.get(whole)
            if held is not None and held[0] == value:
                self._values.move_to_end(whole)
                return
            if held is not None:
                self._count_in(kind, -1, -self._values.pop(whole)[1])
            self._add(kind, key, value, self._weight_of(kind, value))

    def _weight_of(self, kind: Kind[T], value: T) -> int:
        return min(kind.weigh(value) + EACH, self.most // 2)

    def _add(self, kind: Kind[Any], key: Hashable, value: object, weight: int) -> list[object]:
        """Put a value at the young end; returns what had to make room for it."""
        self._values[kind, key] = value, weight
        self._count_in(kind, 1, weight)
        gone: list[object] = []
        while self._weight > self.most:
            (kind_gone, _), left = self._values.popitem(last=False)
            self._count_in(kind_gone, -1, -left[1])
            gone.append(left)
        return gone

    def _count_in(self, kind: Kind[Any], values: int, weight: int) -> None:
        count = self._counts[kind]
        count.values += values
        count.weight += weight
        self._weight += weight
