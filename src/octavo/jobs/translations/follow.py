"""Translations that follow their source: a while after it changed a run of every language waits."""

from __future__ import annotations

from functools import partial

from octavo.history.translating import want
from octavo.jobs.work import JobKind, Work
from octavo.kernel.clock import SECOND
from octavo.kernel.records import Json
from octavo.store.unit import Unit

KIND = "follow_source"
DELAY = 30 * SECOND
"""Milliseconds: what several changes in a row make is translated once."""


async def run(work: Work) -> Json:
    """Payload: space. Result: the runs that wait now."""
    if not work.tools.settings.translates and work.tools.translator is None:
        return {"runs": []}
    return {"runs": await work.write(partial(_want, space=work.job.payload["space"]))}


async def _want(unit: Unit, *, space: str) -> list[str]:
    found: list[str] = []
    for translation in await unit.translations.following(space):
        languages = (await unit.translations.languages((translation.id,)))[translation.id]
        found += [(await want(unit, translation, one, translation.user, automatic=True)).id for one in languages]
    return found


JOB = JobKind(run=run, tries=5, seconds=60, outside=True)
