"""Exporting a space to a branch: a child process writes its files and pushes; what the branch holds beyond what is known
is brought into the space first."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec

from octavo.content.revision import File, Page, Reusable
from octavo.history import heads
from octavo.history.contents import Contents, contents_of, walk
from octavo.jobs.children import room
from octavo.jobs.children.terms import Child
from octavo.jobs.git import importing, joining, keeping
from octavo.jobs.git.entries import root_with
from octavo.jobs.git.export_request import Before, Entries, Exported, ExportRequest, Side, Signature, decoded
from octavo.jobs.git.import_request import RESULT
from octavo.jobs.git.steps import Log
from octavo.jobs.work import JobFailed, NotYet, Work
from octavo.kernel.audit import Target
from octavo.kernel.events import ContentChanged
from octavo.kernel.records import Json, Record
from octavo.kernel.records.content import Revision
from octavo.kernel.records.git import GitBase, GitCommit
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit

CHILD = Child(
    module="octavo.jobs.git.export_child",
    memory=6 << 30,
    computing=600,
    seconds=840,
    exhausted="The export takes more time or memory than one may use, or was stopped.",
)
ROUNDS = 5
"""Times that an export begins anew because the branch moved."""
SERVICE = Signature("Octavo", "octavo@localhost")
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Plan(Record, frozen=True):
    """What is exported, and what it is compared with."""

    space: Space
    revision: Revision
    base: GitBase
    request: ExportRequest
    branch: str | None = None
    """The id of the branch of a change request, where it is not the one of the space."""


async def export_now(work: Work, payload: Json, log: Log) -> Json:
    """Payload: space, url, sealed_url, ref, directory, message, force. Result: revision, oid, files.

    Raises JobFailed, JobBroke, NotYet where the host cannot be reached, and Held where both sides contradict each other.
    """
    for turn in range(ROUNDS):
        made = await _round(work, payload, log)
        if made is not None:
            return made | {"changed": turn > 0 or made["files"] > 0}
    raise NotYet("The branch moved again and again while it was written to.")


async def _round(work: Work, payload: Json, log: Log) -> Json | None:
    """Push once, or find out why not; None where it has to be begun anew."""
    plan = await work.write(lambda unit: _plan(unit, work, payload), lock=("spaces", payload["space"]))
    async with room.folder(work.tools.room) as folder:
        ended = await pushed(work, plan, payload, folder)
    if ended.outcome == "later":
        raise NotYet(ended.message)
    if ended.outcome == "moved" and ended.oid and ended.oid == plan.base.pushed_oid:
        await work.write(lambda unit: _arrived(unit, plan.space.id), lock=("spaces", plan.space.id))
        await log.say("The last push had arrived, though nobody heard of it.")
        return None
    if ended.outcome == "moved":
        await joining.join(work, payload, plan.base, log)
        return None
    if ended.outcome == "lost":
        await log.say("Somebody pushed to the branch meanwhile; it is looked at once more.")
        return None
    revision = await work.write(lambda unit: _record(unit, plan, ended, payload), lock=("spaces", plan.space.id))
    await log.say(_told(ended))
    return {"space": plan.space.id, "revision": revision, "oid": ended.oid, "files": ended.files}


async def _arrived(unit: Unit, space: str) -> None:
    """What was being pushed is what both hold."""
    base = await unit.git.base(space)
    if base is not None and base.pushed_revision is not None:
        now = {"revision": base.pushed_revision, "oid": base.pushed_oid, "read_as": None}
        await unit.git.change_base(base, **now, pushed_revision=None, pushed_oid=None)


def _told(ended: Exported) -> str:
    if ended.outcome == "same":
        return "The branch holds what the space holds: there was nothing to do."
    moved = f", {ended.moved} of them under another name" if ended.moved else ""
    return f"Pushed {(ended.oid or '')[:10]}: {ended.files} files{moved}."


async def _plan(unit: Unit, work: Work, payload: Json) -> Plan:
    space = await unit.spaces.get(payload["space"])
    if space is None or space.deleted_at is not None:
        raise JobFailed("The space was deleted before the export began.")
    where = {name: payload.get(name) or "" for name in ("url", "ref", "directory")}
    base = await unit.git.base(space.id)
    if base is None or not base.is_of(**where):
        base = GitBase(space=space.id, organization=space.organization, **where)
        await unit.git.put_base(base)
    elif not payload.get("force"):
        base = await joining.decided(unit, base)
    revision = await unit.revisions.get(space.revision)
    before = await unit.revisions.get(base.revision) if base.revision else None
    assert revision is not None
    return Plan(space, revision, base, await request_of(unit, work, payload, revision, before, base))


async def request_of(
    unit: Unit, work: Work, payload: Json, revision: Revision, before: Revision | None, base: GitBase
) -> ExportRequest:
    """What the child is given: what a revision holds, and what the branch held when both were the same."""
    settings = work.tools.settings
    sealed = payload.get("sealed_url")
    committer = await _signature(unit, payload.get("user")) or SERVICE
    contents = await contents_of(unit, revision)
    key = payload.get("sealed_key")
    kept = keeping.folder_of(settings, revision.organization, revision.space, payload)
    return ExportRequest(
        url=payload["url"] if sealed is None else work.tools.unseal(sealed),
        ref=payload["ref"],
        directory=payload.get("directory") or "",
        message=payload["message"],
        author=await _signature(unit, revision.author) or committer,
        committer=committer,
        now=unit.now,
        base=None if payload.get("force") or not base.oid else base.oid,
        space=_side(contents),
        before=None if before is None else _before(await contents_of(unit, before), contents),
        allow_private=settings.allow_private_addresses,
        allowed_hosts=settings.allowed_hosts,
        max_bytes=settings.git_max_bytes,
        max_files=settings.git_max_files,
        seconds=settings.git_timeout,
        key=None if key is None else work.tools.unseal(key),
        host_key=payload.get("host_key"),
        kept=None if kept is None else str(kept),
        kept_top=str(keeping.top_of(settings, revision.organization)),
        kept_bytes=settings.git_kept_bytes,
    )


def _side(contents: Contents) -> Side:
    held = (list(contents.pages.values()), list(contents.files.values()), list(contents.reusables.values()))
    return Side(contents.root, *held)


def _before(old: Contents, now: Contents) -> Before:
    pages, files, reusables = (
        [one for key, one in was.items() if found.get(key) != one]
        for was, found in ((old.pages, now.pages), (old.files, now.files), (old.reusables, now.reusables))
    )
    came = {*now.pages, *now.files, *now.reusables} - {*old.pages, *old.files, *old.reusables}
    return Before(Side(old.root, pages, files, reusables), [*came])  # type: ignore[arg-type]


async def _signature(unit: Unit, user: str | None) -> Signature | None:
    found = None if user is None else await unit.people.user(user)
    return None if found is None else Signature(found.name, found.email)


async def pushed(work: Work, plan: Plan, payload: Json, folder: Path) -> Exported:
    """Have the child push. It tells of the commit first, so that its outcome can be found out whatever happens then."""

    async def pushing(value: Json) -> bool:
        oid, entries = value
        known = msgspec.convert(entries, Entries)
        await importing.store_objects(work, plan.space, folder / RESULT)
        await work.write(lambda unit: _announce(unit, plan, oid, known, payload), lock=("spaces", plan.space.id))
        return True

    async def blob(name: str) -> bytes | None:
        return await work.tools.blobs.get(plan.space.organization, name)

    text = partial(importing.text_of, work, plan.space)
    return decoded(await room.run(work, CHILD, folder, plan.request, text=text, blob=blob, pushing=pushing))


async def _announce(unit: Unit, plan: Plan, oid: str, entries: Entries, payload: Json) -> None:
    """Write down what is about to be pushed: the revision that the branch will hold."""
    revision = await _exported(unit, plan, oid, entries, payload)
    announced: Json = {"pushed_revision": revision.id, "pushed_oid": oid}
    if plan.branch is not None:
        branch = await unit.git.branch_by_id(plan.branch)
        if branch is not None:
            await unit.git.change_branch(branch, **announced)
        return
    base = await unit.git.base(plan.space.id)
    assert base is not None  # the plan put it
    await unit.git.change_base(base, **announced)


async def _exported(unit: Unit, plan: Plan, oid: str, entries: Entries, payload: Json) -> Revision:
    """The revision itself, or one beside it that says where its pages lie, and what addresses in moved texts are now."""
    contents = await contents_of(unit, plan.revision)
    pages = {one.id: _encode(one) for one in entries.pages if _says_more(contents.pages[one.id], one)}
    files = {one.id: _encode(one) for one in entries.files if _says_more(contents.files[one.id], one)}
    reusables = {one.id: _encode(one) for one in entries.reusables if _says_more(contents.reusables[one.id], one)}
    if not pages and not files and not reusables:
        return plan.revision
    root, objects = await walk(unit, plan.space.organization, root_with(contents.root, pages, files, reusables))
    return await heads.apart(unit, plan.space, root, objects, parents=[plan.revision.id], git=_commit(oid, payload))


def _says_more(old: Page | File | Reusable, new: Page | File | Reusable) -> bool:
    """Whether something else than the name of its blob differs, which is found out when it is needed."""
    return msgspec.structs.replace(old, oid=None) != msgspec.structs.replace(new, oid=None)


def _commit(oid: str, payload: Json) -> GitCommit:
    prefix = payload.get("commit_url")
    url = None if prefix is None else f"{prefix.rstrip('/')}/{oid}"
    return GitCommit(oid=oid, message=payload["message"], url=url, ref=payload["ref"], created_by_service=True)


async def _record(unit: Unit, plan: Plan, ended: Exported, payload: Json) -> str:
    """Both are the same now: note it on the revision and on the space. Returns the revision that the branch holds."""
    base = await unit.git.base(plan.space.id)
    space = await unit.spaces.get(plan.space.id)
    assert base is not None  # the plan put it
    if space is None or space.deleted_at is not None:
        raise JobFailed("The space was deleted while it was exported; the branch holds what it held.")
    revision = base.pushed_revision or plan.revision.id
    if ended.outcome == "pushed":
        await unit.revisions.came_to(plan.revision, _commit(ended.oid or "", payload))
        details: Json = {"revision": revision, "commit": ended.oid}
        await unit.audit.append(
            "space.git.exported", Target("space", space.id, space.title), [space.organization], details=details
        )
    if revision != plan.revision.id and space.revision == plan.revision.id:
        # It follows the exported one and says where its pages lie; what was written meanwhile goes before that.
        await unit.spaces.move_head(space.id, plan.revision.id, revision, unit.now)
        await unit.emit(ContentChanged(organization=space.organization, space=space.id, revision=revision))
    await unit.git.change_base(
        base, revision=revision, oid=ended.oid or "", read_as=base.read_as if ended.plain else None,
        pushed_revision=None, pushed_oid=None, held_request=None, held_revision=None, held_oid=None,
    )  # fmt: skip
    await importing.note(unit, payload, "success", None)
    return revision
