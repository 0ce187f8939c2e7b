"""The queue of a space's Git operations: one at a time, in the order in which they were asked for, tried again with
growing pauses while the host cannot be reached."""

from __future__ import annotations

import asyncio
import logging

from octavo.history import following_sites
from octavo.jobs.git import branching, exporting, following, importing
from octavo.jobs.git.steps import Log, said
from octavo.jobs.work import JobBroke, JobFailed, NotYet, Work
from octavo.kernel.clock import HOUR, MINUTE, SECOND
from octavo.kernel.errors import Conflict
from octavo.kernel.events import GitOperationQueued, GitOperationStarted
from octavo.kernel.records import Json
from octavo.kernel.records.git import GitOperation
from octavo.store.unit import Unit

TRIES = 5
"""Workers that may be lost over one operation."""
SECONDS = 1800
PAUSES = (10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR)
"""Before each further attempt of one that could not reach its host."""
_LASTS = 1500.0
"""Seconds that one attempt may take."""
_log = logging.getLogger("octavo.jobs")


async def run(work: Work) -> Json | None:
    """Do the operation whose turn it is. Payload: space."""
    operation = await work.write(lambda unit: _begun(unit, work.job.payload["space"]))
    if operation is None:
        return None
    try:
        async with asyncio.timeout(_LASTS):
            result = await _do(work, operation)
    except JobFailed as failure:
        await _ended(work, operation, "failure", str(failure))
    except JobBroke as failure:
        _log.warning("a Git operation broke", extra={"operation": operation.id, "error": str(failure)})
        await _ended(work, operation, "failure", str(failure))
    except (NotYet, Conflict) as failure:
        await _later(work, operation, str(failure))
    except TimeoutError:
        await _ended(work, operation, "timeout", "It took too long and was stopped.")
    else:
        await _ended(work, operation, "success", None, result)
        return {"operation": operation.id, **result}
    return {"operation": operation.id}


async def failed(work: Work, sentence: str) -> None:
    """The job itself broke, again and again: the operation ends with it, and the next one has its turn."""
    operation = await work.read(lambda unit: unit.git.first(work.job.payload["space"]))
    if operation is not None:
        await _ended(work, operation, "failure", sentence)


async def _do(work: Work, operation: GitOperation) -> Json:
    payload = operation.payload | {"space": operation.space, "operation": operation.id, "user": operation.user}
    log = Log(work, operation.id)
    if "branch" in payload:
        return await branching.follow(work, payload, log)
    if operation.direction == "import":
        made = await importing.import_now(work, payload)
        counts = made["counts"]
        await log.say(
            f"Read {counts['pages']} pages and {counts['files']} files, with {made['warning_count']} warnings."
        )
        return made
    if operation.direction == "sync" and payload.get("first") == "git" and not await _known(work, operation):
        made = await importing.import_now(work, payload | {"refuse_empty": True})
    else:
        made = await exporting.export_now(work, payload, log)
    if operation.direction == "sync":
        await branching.discover(work, payload)
    return made


async def _known(work: Work, operation: GitOperation) -> bool:
    """Whether space and branch were ever the same."""
    base = await work.read(lambda unit: unit.git.base(operation.space))
    return base is not None and bool(base.oid) and base.is_of(operation.url, operation.ref, operation.directory)


async def _begun(unit: Unit, space: str) -> GitOperation | None:
    """The operation whose turn it is, noted as running; None where none is due."""
    operation = await unit.git.first(space)
    if operation is None:
        return None
    if (operation.retry_at or 0) > unit.now:
        # What was asked for meanwhile brought the job forward: it comes again when it is due.
        delay = (operation.retry_at or 0) - unit.now
        await unit.emit(GitOperationQueued(organization=operation.organization, space=space, delay=delay))
        return None
    attempts = operation.attempts + 1
    await said(unit, operation.id, "Begun." if attempts == 1 else f"Begun once more, attempt {attempts}.")
    found = await unit.git.operation(operation.id)
    assert found is not None
    started = found.started_at or unit.now
    held = await unit.spaces.get(space)
    if attempts == 1 and held is not None:
        await unit.emit(GitOperationStarted(organization=found.organization, space=space, revision=held.revision))
    return await unit.git.change(found, state="running", attempts=attempts, started_at=started, retry_at=None)


async def _ended(
    work: Work, operation: GitOperation, state: str, message: str | None, made: Json | None = None
) -> None:
    await work.write(lambda unit: _end(unit, operation, state, message, made or {}))


async def _end(unit: Unit, operation: GitOperation, state: str, message: str | None, made: Json) -> None:
    """Write down how it ended, and let the next one have its turn."""
    found = await unit.git.operation(operation.id)
    if found is None or found.ended_at is not None:
        return
    await said(unit, operation.id, message or "Done.")
    found = await unit.git.operation(operation.id)
    assert found is not None
    base = await unit.git.base(operation.space)
    prefix, oid = operation.payload.get("commit_url"), made.get("oid")
    await unit.git.change(
        found,
        state=state,
        message=message,
        ended_at=unit.now,
        revision=made.get("revision"),
        oid=oid,
        commit_url=f"{prefix.rstrip('/')}/{oid}" if prefix and oid else None,
        change_request=made.get("change_request")
        or (None if base is None or state == "success" else base.held_request),
    )
    if "branch" in operation.payload:
        await branching.ended(unit, found, state, message, made)
    elif operation.payload.get("quiet"):
        await following.ended(unit, found, state, message, made)
    if operation.payload.get("site_operation"):
        await following_sites.told(unit, found, state, message, changed=bool(made.get("changed")))
    if state != "success":
        about = operation.payload | {"space": operation.space, "operation": operation.id, "user": operation.user}
        await importing.note(unit, about, state, message)
    if await unit.git.waiting(operation.space):
        await unit.emit(GitOperationQueued(organization=operation.organization, space=operation.space))


async def _later(work: Work, operation: GitOperation, sentence: str) -> None:
    """Try it again after a pause, unless it had all its attempts."""
    if operation.attempts > len(PAUSES):
        await _ended(work, operation, "failure", sentence)
        return
    pause = PAUSES[operation.attempts - 1]
    await work.write(lambda unit: _put_off(unit, operation, sentence, pause))


async def _put_off(unit: Unit, operation: GitOperation, sentence: str, pause: int) -> None:
    await said(unit, operation.id, f"{sentence} It is tried again in {pause // 1000} seconds.")
    found = await unit.git.operation(operation.id)
    if found is not None:
        await unit.git.change(found, state="queued", message=sentence, retry_at=unit.now + pause)
        await unit.emit(
            GitOperationQueued(
                organization=operation.organization, space=operation.space, user=operation.user, delay=pause
            )
        )
