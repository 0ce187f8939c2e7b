"""Bringing what a branch holds into a space whose content was edited too: a merge with both edits, or a change request
that holds what contradicts it. Neither side is ever overwritten."""

from __future__ import annotations

from dataclasses import dataclass

from octavo.history import heads, joining
from octavo.history.joining import Made, Three
from octavo.jobs.children import room
from octavo.jobs.git import importing
from octavo.jobs.git.steps import Log
from octavo.jobs.work import JobFailed, NotYet, Work
from octavo.kernel.audit import Target
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.content import Revision
from octavo.kernel.records.git import GitBase, GitCommit
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.store.unit import Unit

_ROUNDS = 5
"""Merges that are begun anew because somebody edited the space meanwhile."""


class Held(JobFailed):
    """Both sides contradict each other, and a change request waits for somebody to decide."""


@dataclass(frozen=True)
class _Settled:
    """What came of bringing both together."""

    sentence: str
    held: bool = False


async def join(work: Work, payload: Json, base: GitBase, log: Log) -> None:
    """Fetch the branch and bring its edits since the base into the space; the base is then what the branch holds.

    Raises Held where that takes somebody's decision, and what an import raises.
    """
    theirs, commit, payload = await _fetched(work, payload, base)
    await log.say(f"The branch is at {commit.oid[:10]}, beyond {base.oid[:10]}: what changed there is brought in.")
    for _ in range(_ROUNDS):
        ended = await _once(work, payload, base, theirs, commit)
        if ended is not None and ended.held:
            raise Held(ended.sentence)
        if ended is not None:
            await log.say(ended.sentence)
            return
    raise NotYet("The space was edited again and again while the branch was brought in.")


async def _once(work: Work, payload: Json, base: GitBase, theirs: Revision, commit: GitCommit) -> _Settled | None:
    three = await work.read(lambda unit: _three(unit, base, theirs))
    made = await joining.bring(work.store, three, "Git")
    return await work.write(lambda unit: _settle(unit, base, three, made, commit, payload), lock=("spaces", base.space))


async def _fetched(work: Work, payload: Json, base: GitBase) -> tuple[Revision, GitCommit, Json]:
    """What the branch holds, as a revision beside the head, and how it was read. Pages keep the ids that they had, also
    those whose push was not heard of any more."""
    async with room.folder(work.tools.room) as folder:
        known = base.pushed_revision or base.revision
        request = await work.read(lambda unit: importing.request_for(unit, work, payload, known))
        space = await work.read(lambda unit: _space(unit, base.space))
        ended = await importing.read_repository(work, space, folder, request)
        await importing.store(work, space, folder, ended["files"])
        root = await importing.root_of(work, space, known, ended)
        commit = importing.commit_of(payload, ended["commit"])
        assert commit is not None  # it was fetched
        revision = await work.write(lambda unit: _beside(unit, space, root, base, commit), lock=("spaces", space.id))
    return revision, commit, payload | {"read_as": ended["read_as"]}


async def _beside(unit: Unit, space: Space, root: bytes, base: GitBase, commit: GitCommit) -> Revision:
    if (await _space(unit, space.id)).organization != space.organization:
        raise NotYet("The space went to another organization while the branch was read.")
    return await heads.apart(unit, space, root, {}, parents=[base.revision], git=commit)


async def _space(unit: Unit, space: str) -> Space:
    found = await unit.spaces.get(space)
    if found is None or found.deleted_at is not None:
        raise JobFailed("The space was deleted meanwhile.")
    return found


async def _three(unit: Unit, base: GitBase, theirs: Revision) -> Three:
    space = await _space(unit, base.space)
    found = {one.id: one for one in await unit.revisions.by_ids((space.revision, base.revision))}
    return Three(found[space.revision], found[base.revision], theirs)


async def _settle(
    unit: Unit, base: GitBase, three: Three, made: Made, commit: GitCommit, payload: Json
) -> _Settled | None:
    """Write down what came of it; None where the space moved meanwhile, to another organization perhaps, which has none of
    what was made."""
    space = await _space(unit, base.space)
    if (space.organization, space.revision) != (three.primary.organization, three.primary.id):
        return None
    target = Target("space", space.id, space.title)
    if made.conflicts:
        request = await _hold(unit, space, three, commit, payload)
        held = {"held_request": request.id, "held_revision": three.own.id, "held_oid": commit.oid}
        await unit.git.change_base(base, **held)
        await unit.audit.append("space.git.held", target, [space.organization], details={"commit": commit.oid})
        return _Settled(_sentence(request, made), held=True)
    if made.root != three.primary.root:
        await _append(unit, space, three, made, commit)
    await unit.git.change_base(
        base, revision=three.own.id, oid=commit.oid, read_as=payload.get("read_as"), pushed_revision=None,
        pushed_oid=None, held_request=None, held_revision=None, held_oid=None,
    )  # fmt: skip
    same = made.root == three.primary.root
    return _Settled("Both sides had the same edits." if same else "The space has the edits of the branch now.")


async def _append(unit: Unit, space: Space, three: Three, made: Made, commit: GitCommit) -> None:
    """The next revision of the space: without edits of its own it is what the branch holds, else it holds both."""
    if three.primary.root == three.base.root:
        revision = await heads.append(unit, space, made.root, {}, git=commit)
    else:
        revision = await heads.append(unit, space, made.root, {}, kind="merge", merged=three.own.id)
    details: Json = {"revision": revision.id, "commit": commit.oid}
    target = Target("space", space.id, space.title)
    await unit.audit.append("space.git.joined", target, [space.organization], details=details)


async def _hold(unit: Unit, space: Space, three: Three, commit: GitCommit, payload: Json) -> ChangeRequest:
    """A change request with what the branch holds, on the revision from which both sides went on."""
    by = payload.get("user") or payload.get("on_behalf") or three.primary.author or space.id
    request = ChangeRequest(
        id=new_id(),
        organization=space.organization,
        space=space.id,
        number=space.change_requests + 1,
        subject=f"Edits in Git up to {commit.oid[:10]}",
        status="open",
        created_by=by,
        created_at=unit.now,
        updated_at=unit.now,
        revision=three.own.id,
        revision_initial=three.base.id,
    )
    await unit.change_requests.add(request)
    await unit.change_requests.contributed(request, by, "edit", unit.now)
    return request


def _sentence(request: ChangeRequest, made: Made) -> str:
    titles = sorted({str(one.get("title") or "the space's settings") for one in made.conflicts})
    named = ", ".join(f"“{title}”" for title in titles[:3]) + (
        f" and {len(titles) - 3} more" if len(titles) > 3 else ""
    )
    return (
        f"{named} changed both in the space and on the branch, in ways that contradict each other. Change request "
        f"#{request.number} holds what the branch has: merge it to take both, or archive it to keep the space's."
    )


async def decided(unit: Unit, base: GitBase) -> GitBase:
    """The base, once somebody decided about the change request that was held. Raises Held before that."""
    if base.held_request is None:
        return base
    request = (await unit.change_requests.by_ids((base.held_request,))).get(base.held_request)
    if request is not None and request.status in ("draft", "open"):
        raise Held(f"Change request #{request.number} waits for somebody to merge or archive it; then this goes on.")
    # Merged, the space holds both; archived, what the space holds is to stay: either way it has seen what the branch had.
    return await unit.git.change_base(
        base, revision=base.held_revision, oid=base.held_oid, read_as=None, held_request=None, held_revision=None,
        held_oid=None, pushed_revision=None, pushed_oid=None,
    )  # fmt: skip
