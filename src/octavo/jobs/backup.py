"""Scheduled backups: asked for by whichever worker looks first, made once for all of them."""

from __future__ import annotations

from octavo.jobs.turns import due
from octavo.jobs.work import UPKEEP, JobFailed, JobKind, Work
from octavo.kernel.clock import HOUR
from octavo.kernel.errors import Failure
from octavo.kernel.records import Json
from octavo.kernel.settings import Settings
from octavo.store.installation import NewestBackup
from octavo.store.unit import Unit

NAME = "backup"
SECONDS = 6 * 3600
_ASKED = "backup-asked"


async def ask(unit: Unit, settings: Settings) -> bool:
    """Whether one was due, and is to be made now; of several who ask at once, one hears yes."""
    if settings.backup_url is None or not await due(unit, _ASKED, settings.backup_hours * HOUR, at_once=True):
        return False
    await unit.jobs.add(NAME, {}, now=unit.now, organization=None, dedup=NAME)
    return True


async def run(work: Work) -> Json | None:
    """No payload. What is wrong with the place is the job's error."""
    if work.tools.backup is None or work.tools.settings.backup_url is None:
        raise JobFailed("this process makes no backups: OCTAVO_BACKUP_URL is not set for it")
    try:
        made = await work.tools.backup()
    except Failure as failure:
        raise JobFailed(failure.message) from failure
    await work.write(lambda unit: _note(unit, made))
    return made


async def _note(unit: Unit, made: Json) -> None:
    await unit.installation.note_backup(NewestBackup(unit.now, made["file"], made["bytes"]))


KIND = JobKind(run=run, tries=3, seconds=SECONDS, lane=UPKEEP, outside=True)
