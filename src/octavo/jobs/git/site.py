"""Keeping a site and a branch the same: its structure and `docs.yaml` first, then each of its spaces and its directory, one
after the other. What cannot be reached is tried again with growing pauses."""

from __future__ import annotations

import asyncio
import posixpath

from msgspec import convert

from octavo.content.layout.project import NAME
from octavo.history import following, following_sites
from octavo.jobs.children import room
from octavo.jobs.children.terms import Child
from octavo.jobs.git import keeping, site_plan
from octavo.jobs.git.export_request import Signature
from octavo.jobs.git.exporting import SERVICE
from octavo.jobs.git.operating import PAUSES
from octavo.jobs.git.site_plan import Plan
from octavo.jobs.git.site_request import Found, SiteRequest, Writing
from octavo.jobs.git.steps import KEPT
from octavo.jobs.work import JobBroke, JobFailed, NotYet, Work
from octavo.kernel.audit import Target
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import Conflict
from octavo.kernel.events import GitSitePollDue, GitSiteQueued
from octavo.kernel.records import Json
from octavo.kernel.records.git import GitConnection, GitSiteConnection, GitSiteOperation
from octavo.store.unit import Unit

CHILD = Child(
    module="octavo.jobs.git.site_child",
    memory=4 << 30,
    computing=300,
    seconds=600,
    exhausted="Reading the repository takes more time or memory than one may use, or was stopped.",
)
ROUNDS = 5
"""Times that it begins anew because the branch or the site moved."""
MESSAGE = "Update the structure of the site from Octavo"
_LASTS = 1500.0


async def run(work: Work) -> Json | None:
    """Payload: site. Do the next step of the operation whose turn it is."""
    operation = await work.write(lambda unit: _begun(unit, work.job.payload["site"]), lock=_lock(work))
    if operation is None:
        return None
    try:
        async with asyncio.timeout(_LASTS):
            if operation.phase == "structure":
                await _structure(work, operation)
            await work.write(lambda unit: _next(unit, work, operation), lock=_lock(work))
    except (JobFailed, JobBroke) as failure:
        await _ended(work, operation, "failure", str(failure))
    except (NotYet, Conflict) as failure:
        await _later(work, operation, str(failure))
    except TimeoutError:
        await _ended(work, operation, "timeout", "It took too long and was stopped.")
    return {"operation": operation.id}


async def failed(work: Work, sentence: str) -> None:
    """The job itself broke, again and again: the operation ends with it."""
    operation = await work.read(lambda unit: unit.git_sites.first(work.job.payload["site"]))
    if operation is not None:
        await _ended(work, operation, "failure", sentence)


async def look(work: Work) -> Json | None:
    """Payload: site, minutes. Queue a synchronisation, and the next look."""
    await work.write(lambda unit: _look(unit, work.job.payload), lock=_lock(work))
    return None


async def _look(unit: Unit, payload: Json) -> None:
    connection = await unit.git_sites.connection(payload["site"])
    minutes = None if connection is None else connection.poll_minutes
    if connection is None or connection.paused or minutes is None or minutes != payload["minutes"]:
        # Another interval has its own looks.
        return
    if not await unit.git_sites.waiting(connection.site):
        await following_sites.order(unit, connection, user=None, quiet=True)
    due = GitSitePollDue(
        organization=connection.organization, site=connection.site, minutes=minutes, delay=minutes * MINUTE
    )
    await unit.emit(due)


def _lock(work: Work) -> tuple[str, str]:
    return "sites", work.job.payload["site"]


async def _begun(unit: Unit, site: str) -> GitSiteOperation | None:
    """The operation whose turn it is, noted as running; None where none is due."""
    operation = await unit.git_sites.first(site)
    if operation is None:
        return None
    if (operation.retry_at or 0) > unit.now:
        delay = (operation.retry_at or 0) - unit.now
        await unit.emit(GitSiteQueued(organization=operation.organization, site=site, delay=delay))
        return None
    if operation.phase == "spaces":
        return operation
    attempts = operation.attempts + 1
    said = _said(operation, unit.now, "Begun." if attempts == 1 else f"Begun once more, attempt {attempts}.")
    started = operation.started_at or unit.now
    return await unit.git_sites.change(
        operation, state="running", attempts=attempts, started_at=started, retry_at=None, log=said
    )


def _said(operation: GitSiteOperation, now: int, sentence: str) -> list[Json]:
    return [*operation.log, {"at": now, "message": sentence}][-KEPT:]


async def _structure(work: Work, operation: GitSiteOperation) -> None:
    """Bring structure and `docs.yaml` together."""
    for _ in range(ROUNDS):
        connection = await work.read(lambda unit: unit.git_sites.connection(operation.site))
        if connection is None:
            raise JobFailed("The site follows no branch any more.")
        if await _round(work, operation, connection):
            return
    raise NotYet("The branch or the site moved again and again meanwhile.")


async def _round(work: Work, operation: GitSiteOperation, connection: GitSiteConnection) -> bool:
    found = await _child(work, await _request(work, operation, connection, None))
    plan = await work.read(lambda unit: site_plan.planned(unit, operation, connection, found))
    oid, text = found.oid, found.text or ""
    if plan.write is not None:
        request = await _request(work, operation, connection, (found, plan))
        pushed = await _child(work, request)
        if pushed.outcome == "lost":
            return False
        oid, text = pushed.oid, plan.write
    return await work.write(
        lambda unit: _settle(unit, operation, connection, plan, found, oid, text), lock=("sites", operation.site)
    )


async def _settle(
    unit: Unit,
    operation: GitSiteOperation,
    connection: GitSiteConnection,
    plan: Plan,
    found: Found,
    oid: str,
    text: str,
) -> bool:
    now = await unit.git_sites.operation(operation.id)
    if now is None or now.ended_at is not None:
        raise JobFailed("The operation was ended meanwhile.")
    if not await site_plan.settled(unit, now, connection, plan, found, oid, text):
        return False
    now = await unit.git_sites.operation(operation.id)
    assert now is not None  # it was just written
    done = [
        f"Pushed {oid[:10]}: {NAME} says what the site is." if plan.write is not None else "",
        "The site has the structure of the file now." if plan.moves else "",
    ]
    lines = " ".join(filter(None, done)) or f"Site and {NAME} say the same."
    await unit.git_sites.change(now, log=_said(now, unit.now, lines))
    return True


async def _child(work: Work, request: SiteRequest) -> Found:
    async with room.folder(work.tools.room) as folder:
        found = convert(await room.run(work, CHILD, folder, request), Found)
    if found.outcome == "later":
        raise NotYet(found.message)
    return found


async def _request(
    work: Work, operation: GitSiteOperation, connection: GitSiteConnection, writing: tuple[Found, Plan] | None
) -> SiteRequest:
    settings, tools = work.tools.settings, work.tools
    kept = keeping.folder_of(
        settings, connection.organization, "", {"url": connection.url, "cache": _cache(connection.site)}
    )
    written = None
    if writing is not None:
        found, plan = writing
        by = await work.read(lambda unit: _signature(unit, operation.user))
        now = await work.read(_now)
        written = Writing(plan.write or "", found.oid or None, MESSAGE, by, by, now)
    return SiteRequest(
        url=tools.unseal(following.sealed_address(connection, tools.seal, tools.unseal)),
        ref=connection.ref,
        path=posixpath.join(connection.directory, NAME),
        allow_private=settings.allow_private_addresses,
        allowed_hosts=settings.allowed_hosts,
        max_bytes=settings.git_max_bytes,
        max_files=settings.git_max_files,
        seconds=settings.git_timeout,
        key=None if connection.sealed_key is None else tools.unseal(connection.sealed_key),
        host_key=connection.host_key,
        kept=None if kept is None else str(kept),
        kept_top=str(keeping.top_of(settings, connection.organization)),
        kept_bytes=settings.git_kept_bytes,
        writing=written,
    )


def _cache(site: str) -> str:
    """What the site and its spaces fetch is kept at one place."""
    return f"site {site}"


async def _now(unit: Unit) -> int:
    return unit.now


async def _signature(unit: Unit, user: str | None) -> Signature:
    found = None if user is None else await unit.people.user(user)
    return SERVICE if found is None else Signature(found.name, found.email)


async def _next(unit: Unit, work: Work, operation: GitSiteOperation) -> None:
    """Let the next space have its turn; after the last one the operation is at its end."""
    now = await unit.git_sites.operation(operation.id)
    if now is None or now.ended_at is not None:
        return
    spaces = [await _heard(unit, one) for one in now.spaces]
    if any(one["state"] == "running" for one in spaces):
        await unit.git_sites.change(now, spaces=spaces)
        return
    waiting = next((at for at, one in enumerate(spaces) if one["state"] == "queued"), None)
    if waiting is None:
        await _end(unit, await unit.git_sites.change(now, spaces=spaces), *_outcome(spaces))
        return
    spaces[waiting] = await _ordered(unit, work, now, spaces[waiting])
    await unit.git_sites.change(now, spaces=spaces)
    if spaces[waiting]["state"] == "failure":
        await unit.emit(GitSiteQueued(organization=now.organization, site=now.site))


async def _heard(unit: Unit, member: Json) -> Json:
    """A space whose operation is no more, though nobody heard of its end."""
    if member["state"] != "running" or await unit.git.operation(member["operation"]) is not None:
        return member
    return {"directory": member["directory"], "space": member["space"], "state": "failure",
            "message": "The space is not there any more."}  # fmt: skip


async def _ordered(unit: Unit, work: Work, operation: GitSiteOperation, member: Json) -> Json:
    """Queue the synchronisation of one space with its directory."""
    connection = await unit.git_sites.connection(operation.site)
    space = await unit.spaces.get(member["space"])
    if connection is None or space is None or space.deleted_at is not None:
        why = "The site follows no branch any more." if connection is None else "The space was deleted."
        return member | {"state": "failure", "message": why}
    shared = {name: getattr(connection, name) for name in connection.__struct_fields__ if name != "site"}
    made = GitConnection(
        **shared | {"directory": member["directory"], "first": member.get("first", "git")}, space=space.id
    )
    sealed = following.sealed_address(connection, work.tools.seal, work.tools.unseal)
    ordered = await following.order(
        unit, space, made, sealed, user=operation.user, quiet=operation.quiet,
        more={"site_operation": operation.id, "cache": _cache(operation.site)},
    )  # fmt: skip
    return member | {"state": "running", "operation": ordered.id}


def _outcome(spaces: list[Json]) -> tuple[str, str | None]:
    wrong = [one for one in spaces if one["state"] != "success"]
    if not wrong:
        return "success", None
    named = "; ".join(f"{one['directory']}: {one.get('message') or one['state']}" for one in wrong[:3])
    more = f"; and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return "failure", f"{len(wrong)} of {len(spaces)} spaces could not be brought together. {named}{more}"


async def _ended(work: Work, operation: GitSiteOperation, state: str, message: str | None) -> None:
    await work.write(lambda unit: _end_again(unit, operation.id, state, message), lock=_lock(work))


async def _end_again(unit: Unit, operation: str, state: str, message: str | None) -> None:
    found = await unit.git_sites.operation(operation)
    if found is not None and found.ended_at is None:
        await _end(unit, found, state, message)


async def _end(unit: Unit, operation: GitSiteOperation, state: str, message: str | None) -> None:
    """Write down how it ended, and let the next one have its turn."""
    if operation.quiet and state == "success" and not operation.changed:
        await unit.git_sites.forget(operation)
    else:
        said = _said(operation, unit.now, message or "Done.")
        await unit.git_sites.change(operation, state=state, message=message, ended_at=unit.now, retry_at=None, log=said)
    site = await unit.sites.get(operation.site)
    if state != "success" and site is not None:
        await unit.audit.append("site.git.sync-failed", Target("site", site.id, site.title), [site.organization])
    if await unit.git_sites.waiting(operation.site):
        await unit.emit(GitSiteQueued(organization=operation.organization, site=operation.site))


async def _later(work: Work, operation: GitSiteOperation, sentence: str) -> None:
    """Try it again after a pause, unless it had all its attempts."""
    if operation.attempts > len(PAUSES):
        await _ended(work, operation, "failure", sentence)
        return
    pause = PAUSES[max(operation.attempts, 1) - 1]

    async def put_off(unit: Unit) -> None:
        found = await unit.git_sites.operation(operation.id)
        if found is None or found.ended_at is not None:
            return
        said = _said(found, unit.now, f"{sentence} It is tried again in {pause // 1000} seconds.")
        await unit.git_sites.change(found, state="queued", message=sentence, retry_at=unit.now + pause, log=said)
        due = GitSiteQueued(organization=found.organization, site=found.site, user=found.user, delay=pause)
        await unit.emit(due)

    await work.write(put_off, lock=_lock(work))
