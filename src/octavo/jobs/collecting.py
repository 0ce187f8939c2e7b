"""Collections of what nothing refers to: asked for by whichever worker looks first, a job for each organization."""

from __future__ import annotations

from octavo.jobs.turns import due
from octavo.kernel.clock import DAY
from octavo.kernel.records.jobs import COLLECT
from octavo.kernel.settings import Settings
from octavo.store.unit import Unit

_ASKED = "collect-asked"


async def ask(unit: Unit, settings: Settings) -> bool:
    """Whether one was due, and is to be made now; of several who ask at once, one hears yes. The first comes when the days
    are over for the first time: a new installation has nothing to collect."""
    if not settings.collect_days or not await due(unit, _ASKED, settings.collect_days * DAY, at_once=False):
        return False
    for one in await unit.people.organizations():
        await unit.jobs.add(COLLECT, {}, now=unit.now, organization=one.id, dedup=f"{COLLECT} {one.id}")
    return True
