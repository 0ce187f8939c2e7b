"""Collections of what nothing refers to: asked for by whichever worker looks first, a job for each organization."""

from __future__ import annotations

from octavo.kernel.clock import DAY, MINUTE
from octavo.kernel.records.jobs import COLLECT
from octavo.kernel.settings import Settings
from octavo.store.unit import Unit

_ASKED = "collect-asked"
_EARLY = 30 * MINUTE
"""By which one may come: workers look once an hour."""


async def ask(unit: Unit, settings: Settings) -> bool:
    """Whether one was due, and is to be made now; of several who ask at once, one hears yes. The first comes when the days
    are over for the first time: a new installation has nothing to collect."""
    if not settings.collect_days:
        return False
    asked = await unit.installation.get(_ASKED)
    if asked is None:
        await unit.installation.set(_ASKED, str(unit.now))
        return False
    if unit.now < int(asked) + settings.collect_days * DAY - _EARLY or not await unit.installation.take(_ASKED, asked):
        return False
    await unit.installation.set(_ASKED, str(unit.now))
    for one in await unit.people.organizations():
        await unit.jobs.add(COLLECT, {}, now=unit.now, organization=one.id, dedup=f"{COLLECT} {one.id}")
    return True
