"""Following a branch: looking now and then whether either side changed. What changed nothing leaves no trace."""

from __future__ import annotations

from octavo.history import following
from octavo.jobs.work import Work
from octavo.kernel.clock import MINUTE
from octavo.kernel.events import GitPollDue
from octavo.kernel.records import Json
from octavo.kernel.records.git import GitOperation
from octavo.store.unit import Unit


async def run(work: Work) -> Json | None:
    """Payload: space, minutes. Queue a synchronisation, and the next look."""
    payload = work.job.payload
    await work.write(lambda unit: _look(unit, work, payload), lock=("spaces", payload["space"]))
    return None


async def _look(unit: Unit, work: Work, payload: Json) -> None:
    connection = await unit.git.connection(payload["space"])
    space = await unit.spaces.get(payload["space"])
    if connection is None or space is None or space.deleted_at is not None or connection.paused:
        return
    minutes = connection.poll_minutes
    if minutes is None or minutes != payload["minutes"]:
        # Another interval has its own looks.
        return
    if not await unit.git.waiting(space.id):
        sealed = following.sealed_address(connection, work.tools.seal, work.tools.unseal)
        await following.order(unit, space, connection, sealed, user=None, quiet=True)
    due = GitPollDue(
        organization=space.organization,
        space=space.id,
        minutes=minutes,
        delay=minutes * MINUTE,
    )
    await unit.emit(due)


async def ended(unit: Unit, operation: GitOperation, state: str, message: str | None, made: Json) -> None:
    """A look came to its end: forget it where nothing was to do, else tell of it like of any other operation."""
    if state == "success" and not made.get("changed"):
        await unit.git.forget(operation)
        return
    sync = following.shown(operation, unit.now)
    await unit.spaces.put_git_sync(sync)
    if state == "success":
        await unit.spaces.change_git_sync(sync, state="success", updated_at=unit.now)
