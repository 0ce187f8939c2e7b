"""What a doctor finds of what goes by schedule: backups, and the collection of what nothing refers to."""

from __future__ import annotations

from octavo.jobs.installation.findings import Finding
from octavo.kernel.clock import DAY, HOUR, system_clock
from octavo.kernel.errors import Failure
from octavo.kernel.settings import Settings
from octavo.store.content.depot import Depot
from octavo.store.database.engine import Engine
from octavo.store.unit import Store


async def copied(store: Store) -> list[Finding]:
    """That this is a restored copy; nothing where it is none."""
    since = await store.read(lambda unit: unit.installation.copied())
    if since is None:
        return []
    said = f"this is a copy, restored at {since}: nothing of it goes by schedule"
    return [Finding("copy", "off", said, "run `octavo promote` when it takes the place of its original")]


async def finding(settings: Settings, engine: Engine) -> Finding:
    """Whether backups are made, and where they are put."""
    check = "backups"
    if settings.backup_url is None:
        said = "none are made by schedule"
        return Finding(check, "off", said, "set OCTAVO_BACKUP_URL to a directory or bucket that is not on this machine")
    try:
        depot = Depot(settings.backup_url)
        await depot.names()
    except (Failure, OSError) as error:
        return Finding(check, "failure", str(error), "look at OCTAVO_BACKUP_URL, whether it is there, and its keys")
    store = Store(engine, system_clock)
    if await copied(store):
        return Finding(check, "off", "a copy makes none by schedule")
    done = await store.read(lambda unit: unit.installation.newest_backup())
    why = "`octavo job list --kind backup --state failed` says why, where it was tried"
    if done is None:
        return Finding(check, "warning", "none was made yet; the first comes with the start of a worker", why)
    age = (store.clock() - done.at) // HOUR
    said = f"{done.file} was made {age} hours ago"
    if age > 2 * settings.backup_hours:
        return Finding(check, "failure", f"{said}; one is due every {settings.backup_hours}", why)
    if not settings.backup_recipients:
        todo = "set OCTAVO_BACKUP_RECIPIENTS, so that a lost backup tells nobody anything"
        return Finding(check, "ok", f"{said}; it is not encrypted", todo)
    return Finding(check, "ok", f"{said}, encrypted")


async def collection(settings: Settings, store: Store) -> Finding:
    """Whether what nothing refers to is removed."""
    check, days = "collection", settings.collect_days
    if not days:
        return Finding(check, "off", "nothing is collected by schedule", "run `octavo blobs collect` now and then")
    if await copied(store):
        return Finding(check, "off", "a copy collects nothing by schedule")
    done = await store.read(lambda unit: unit.installation.collected())
    if done is None:
        return Finding(check, "ok", f"what nothing refers to goes every {days} days; the first time is ahead")
    age = (store.clock() - done.at) // DAY
    said = f"what nothing refers to was last collected {age} days ago"
    if age > 2 * days:
        why = "`octavo job list --kind collect` says what became of it, and whether a worker runs"
        return Finding(check, "warning", f"{said}; it is due every {days}", why)
    return Finding(check, "ok", said)
