"""Memory: what was read, kept until the data may have changed; never longer than a moment on several processes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from octavo.store.unit import Store

V = TypeVar("V")

LIVES = 800
"""Milliseconds that a value is kept at the most: what another process changed is seen in less than a second."""


class Memory(Generic[V]):
    """Key -> value. Every committed write that this process can see empties it."""

    def __init__(self, store: Store, *, most: int = 20_000) -> None:
        self._store = store
        self._most = most
        self._values: dict[Hashable, tuple[int, V]] = {}
        self._seen = (-1, -1)

    async def get(self, key: Hashable) -> V | None:
        """The value, unless it may be stale."""
        seen = (await self._store.engine.changes(), self._store.writes)
        if seen != self._seen or len(self._values) > self._most:
            self._values.clear()
            self._seen = seen
        known = self._values.get(key)
        return known[1] if known is not None and self._store.clock() < known[0] else None

    def put(self, key: Hashable, value: V, *, until: int | None = None) -> None:
        """Keep a value that was read after the last `get`; `until` ends it earlier."""
        ends = self._store.clock() + LIVES
        self._values[key] = (ends if until is None else min(ends, until), value)

    def forget(self, key: Hashable) -> None:
        self._values.pop(key, None)
