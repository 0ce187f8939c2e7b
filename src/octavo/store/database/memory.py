"""Memory: what was read, kept until its tables may have changed; never longer than a moment on several processes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from octavo.store.database.families import Family
from octavo.store.unit import Store

V = TypeVar("V")

LIVES = 800
"""Milliseconds that a value is kept at the most: what another process changed is seen in less than a second."""


class Memory(Generic[V]):
    """Key -> value. A write that this process can see empties it where it is to a table of the family."""

    def __init__(self, store: Store, family: Family, *, most: int = 5_000) -> None:
        """All values have to be read from tables of `family`, or from tables whose rows never change."""
        self._store = store
        self._family = family
        self._most = most
        self._values: dict[Hashable, tuple[int, V]] = {}
        self.generation = -1
        """Of the family, when `get` was called last: what is read from then on may be put under it."""
        self.emptied = 0
        """How often, for whatever reason."""

    def current(self) -> int:
        """The generation that holds; what is remembered of another one is gone with this call."""
        generation = self._store.engine.generation(self._family)
        if generation != self.generation or len(self._values) > self._most:
            self._values.clear()
            self.generation = generation
            self.emptied += 1
        return generation

    def get(self, key: Hashable) -> V | None:
        """The value, unless it may be stale."""
        self.current()
        known = self._values.get(key)
        return known[1] if known is not None and self._store.clock() < known[0] else None

    def put(self, key: Hashable, value: V, generation: int, *, until: int | None = None) -> None:
        """Keep a value that was read under that generation, unless another has begun; `until` ends it earlier."""
        if generation == self.generation:
            ends = self._store.clock() + LIVES
            self._values[key] = (ends if until is None else min(ends, until), value)

    def forget(self, key: Hashable) -> None:
        self._values.pop(key, None)
