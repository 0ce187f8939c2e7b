"""What statements cost, counted in steps of SQLite's machine, which no clock and no other process changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from octavo.store.unit import Unit

GRAIN = 50
"""Steps to one that is counted."""


def steps_of(work: Callable[[Unit], Awaitable[Any]]) -> Callable[[Unit], Awaitable[int]]:
    """The work as one that answers how many times `GRAIN` steps its statements took; skips on PostgreSQL, which has none."""

    async def counting(unit: Unit) -> int:
        counted = 0

        def count() -> bool:
            nonlocal counted
            counted += 1
            return False

        at: Any = unit.at
        if not hasattr(at.raw, "set_progress_handler"):
            pytest.skip("only SQLite counts the steps of a statement")
        at.raw.set_progress_handler(count, GRAIN)
        try:
            await work(unit)
        finally:
            at.raw.set_progress_handler(None)
        return counted

    return counting
