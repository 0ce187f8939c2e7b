"""What is asked for now and then: of all the workers that look, one hears that it is due."""

from __future__ import annotations

from octavo.kernel.clock import MINUTE
from octavo.store.unit import Unit

_EARLY = 30 * MINUTE
"""By which one may come: workers look once an hour."""


async def due(unit: Unit, name: str, every: int, *, at_once: bool) -> bool:
    """Whether the turn of that name has come, which is taken with the answer: the next comes `every` milliseconds later.
    `at_once` says whether there is a first one already when somebody looks for the first time."""
    asked = await unit.installation.get(name)
    if asked is not None and (unit.now < int(asked) + every - _EARLY or not await unit.installation.take(name, asked)):
        return False
    await unit.installation.set(name, str(unit.now))
    return asked is not None or at_once
