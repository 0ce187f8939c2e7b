"""An import that somebody comes back to: read in a child process, told of while it goes on, written in one unit at its end.

Whoever cancels it finds nothing written: the last unit asks whether the run still goes on, and writes all or nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from functools import partial
from typing import Any

from octavo.access.caller import person_of
from octavo.access.policy import allows
from octavo.access.standing import role_on_space
from octavo.content.importing import Imported
from octavo.history import importing as written
from octavo.history.contents import contents_of
from octavo.jobs.content import importing
from octavo.jobs.git import importing as repositories
from octavo.jobs.work import IMPORTS, JobFailed, JobKind, NotYet, Work
from octavo.kernel import limits
from octavo.kernel.audit import Target
from octavo.kernel.errors import Failure, Stale
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.imports import ImportRun
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.store.unit import Unit

KIND = "import_run"
LOOKS = 0.5
"""Seconds between two looks whether somebody cancelled it, and two words of how far it is."""
TRIES = 5
"""Times that the changes are made again, while others write into the change request."""
SUBJECT = "Import of {what}"


class Cancelled(Exception):
    """Somebody does not want the run any more."""


async def run(work: Work) -> Json:
    """Payload: run, sealed_url or uploads, user. Result: the state that it ended in."""
    begun = await work.write(partial(_begin, run=work.job.payload["run"]))
    if begun is None:
        return {"status": "cancelled"}
    making = asyncio.create_task(_make(work, begun))
    try:
        while not (await asyncio.wait({making}, timeout=LOOKS))[0]:
            await work.write(partial(_advance, run=begun.id, progress=dict(work.progress)))
        making.result()
    except Cancelled:
        return {"status": "cancelled"}
    except (Failure, NotYet) as failure:
        raise JobFailed(str(failure)) from failure
    finally:
        making.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await making
    return {"status": "completed"}


async def failed(work: Work, sentence: str) -> None:
    """Say on the run why it ended."""
    with contextlib.suppress(Cancelled):
        await work.write(partial(_end, run=work.job.payload["run"], status="failed", message=sentence))


async def _make(work: Work, run: ImportRun) -> None:
    payload = work.job.payload
    if run.format == "repository":
        await _whole(work, run, payload["uploads"][0])
        return
    source = run.format or "file"
    made, _ = await importing.read(work, source, payload.get("sealed_url"), payload.get("uploads") or [])
    work.progress |= {"step": "writing", "done": made.resources, "total": made.total}
    for _ in range(TRIES):
        revision = await work.read(partial(_head, run=run))
        drafted = await written.prepare(work.store, revision, made, run.page)
        with contextlib.suppress(Stale):
            await work.write(partial(_add, run=run, made=made, drafted=drafted), lock=("spaces", run.space))
            return
    raise JobFailed("Others wrote into the change request all the time; try again.")


async def _whole(work: Work, run: ImportRun, archive: str) -> None:
    """The zip of a repository becomes the content of the space."""

    async def ended(unit: Unit, revision: str, read: Json) -> None:
        await _place(unit, run)
        head = await unit.revisions.get(revision)
        assert head is not None  # it was made in this unit
        pages = (await contents_of(unit, head)).pages.values()
        count = read["counts"]["pages"] + read["counts"]["files"]
        told: Json = {"done": count, "total": count, "revision": revision}
        told["pages"] = [{"id": page.id, "title": page.title} for page in pages][:_LISTED]
        told["warnings"] = [{"message": str(one)} for one in read["warnings"]]
        await _end(unit, run=run.id, status="completed", **told)

    payload = {"space": run.space, "archive": archive, "user": run.created_by, "refuse_empty": True}
    await repositories.import_now(work, payload, ended)


_LISTED = 1000
"""Pages of a repository that are told of."""


async def _begin(unit: Unit, *, run: str) -> ImportRun | None:
    """The run, which is in progress now; None for one that is over."""
    one = await unit.imports.get(run)
    if one is None or one.over:
        return None
    started = one.started_at or unit.now
    return await unit.imports.change(one, status="in-progress", started_at=started, updated_at=unit.now)


async def _advance(unit: Unit, *, run: str, progress: Json) -> None:
    """Write down how far it is. Raises Cancelled where it is over."""
    one = await unit.imports.get(run)
    if one is None or one.over:
        raise Cancelled
    changed = {
        name: progress[name]
        for name in ("step", "done", "total")
        if progress.get(name, getattr(one, name)) != getattr(one, name)
    }
    if changed:
        await unit.imports.change(one, updated_at=unit.now, **changed)


async def _end(unit: Unit, *, run: str, status: str, **told: Any) -> None:
    """Raises Cancelled where it is over already, so that nothing of the unit is written."""
    one = await unit.imports.get(run)
    if one is None or one.over:
        raise Cancelled
    await unit.imports.change(one, status=status, step=None, finished_at=unit.now, updated_at=unit.now, **told)


async def _head(unit: Unit, *, run: ImportRun) -> str:
    """The revision that the pages are added to."""
    space, request = await _place(unit, run)
    return space.revision if request is None else request.revision


async def _place(unit: Unit, run: ImportRun) -> tuple[Space, ChangeRequest | None]:
    space = await unit.spaces.get(run.space)
    if space is None or space.deleted_at is not None:
        raise JobFailed("The space was deleted before the import was done.")
    await _must_may(unit, run, space)
    if run.change_request is None:
        return space, None
    request = await unit.change_requests.find(space.id, run.change_request)
    if request is None:
        raise JobFailed("The change request is not there any more.")
    return space, request


async def _must_may(unit: Unit, run: ImportRun, space: Space) -> None:
    """Raises JobFailed where whoever wanted the import may not write there any more."""
    user = await unit.people.user(run.created_by)
    role = None if user is None else await role_on_space(unit, await person_of(unit, user), space)
    if not allows("space", "triggerGitSync" if run.format == "repository" else "edit", role):
        raise JobFailed("Whoever wanted this import may not write into the space any more.")


async def _add(unit: Unit, *, run: ImportRun, made: Imported, drafted: Any) -> None:
    space, request = await _place(unit, run)
    if space.organization != run.organization:
        raise JobFailed("The space went to another organization during the import; import it there once more.")
    if request is None:
        request = await _opened(unit, space, run, made)
    target = Target("change-request", request.id, request.subject)
    revision = await written.add(unit, space, request, made, drafted, run.organization, run.created_by, run.page)
    await unit.audit.append("change-request.content.import", target, [space.organization], details={"run": run.id})
    told: Json = {"done": made.resources, "total": made.total, "revision": revision, "change_request": request.id}
    told["pages"] = [{"id": page.id, "title": page.title} for page in made.pages]
    told["warnings"] = list(_told(made))
    await _end(unit, run=run.id, status="completed", **told)


def _told(made: Imported) -> Iterable[Json]:
    for one in made.warnings:
        yield {"message": one.message} | ({} if one.page is None else {"page": one.page})


async def _opened(unit: Unit, space: Space, run: ImportRun, made: Imported) -> ChangeRequest:
    """A draft of whoever wanted the import, on the head of primary content; the lock of the space is held."""
    what = run.url.partition("://")[2].rstrip("/") if run.url else made.pages[0].title
    request = ChangeRequest(
        id=new_id(),
        organization=space.organization,
        space=space.id,
        number=space.change_requests + 1,
        subject=SUBJECT.format(what=what)[: limits.CHANGE_REQUEST_SUBJECT_MAX],
        status="draft",
        created_by=run.created_by,
        created_at=unit.now,
        updated_at=unit.now,
        revision=space.revision,
        revision_initial=space.revision,
    )
    await unit.change_requests.add(request)
    target = Target("change-request", request.id, request.subject)
    await unit.audit.append("change-request.create", target, [space.organization], details={"run": run.id})
    return request


JOB = JobKind(run=run, tries=2, seconds=repositories.CHILD.seconds + 60, failed=failed, lane=IMPORTS, outside=True)
