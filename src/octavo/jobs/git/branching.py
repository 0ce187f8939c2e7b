"""Change requests that follow branches: made with the first commit that a branch has of its own, kept the same as it both
ways, merged or archived as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import octavo.history.following as orders
from octavo.jobs.children import room
from octavo.jobs.children.terms import Child
from octavo.jobs.git import branch_content as content
from octavo.jobs.git import pulls, telling
from octavo.jobs.git.branch_content import At
from octavo.jobs.git.branch_request import LookRequest
from octavo.jobs.git.pulls import Asked
from octavo.jobs.git.steps import Log
from octavo.jobs.work import JobFailed, NotYet, Work
from octavo.kernel import limits
from octavo.kernel.audit import Target
from octavo.kernel.events import ChangeRequestMerged
from octavo.kernel.records import Json
from octavo.kernel.records.git import GitBase, GitBranch, GitConnection, GitOperation
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.store.unit import Unit

if TYPE_CHECKING:
    from octavo.gateways.git_graph import Looked

CHILD = Child(
    module="octavo.jobs.git.branch_child",
    memory=4 << 30,
    computing=300,
    seconds=600,
    exhausted="To look at the branch takes more time or memory than one may use, or was stopped.",
)
EMPTY = "It has no commits beside those of the branch of the space."


async def follow(work: Work, payload: Json, log: Log) -> Json:
    """Bring a branch and its change request together. Payload: as of an export, and branch, again.

    Raises JobFailed, JobBroke, and NotYet where the host cannot be reached.
    """
    at = await work.write(lambda unit: _at(unit, payload), lock=("spaces", payload["space"]))
    if at is None:
        await log.say("The space does not follow this branch any more.")
        return {"changed": False}
    looked = await _look(work, payload, at.branch.ref, at.base.oid)
    if looked.refs.get(at.connection.ref) != at.base.oid and not payload.get("again"):
        await work.write(lambda unit: _after_sync(unit, work, at), lock=("spaces", at.space.id))
        await log.say("The branch of the space is brought in first.")
        return {"changed": False}
    if not at.base.oid:
        raise JobFailed("The space and its own branch were never brought together; that has to be done first.")
    tip = looked.refs.get(at.branch.ref)
    changed = await _towards(work, payload, at, looked, tip, log)
    found = await work.read(lambda unit: unit.git.branch_by_id(at.branch.id))
    return {"changed": changed, "oid": tip, "change_request": None if found is None else found.change_request}


async def _towards(work: Work, payload: Json, at: At, looked: Looked, tip: str | None, log: Log) -> bool:
    """Whether something was done."""
    pull, followed = at.branch.pull_state, at.branch.state == "open"
    if pull == "merged" and looked.refs.get(at.connection.ref) != at.base.oid:
        # It is merged there, and the space could not take it yet; the next synchronisation that succeeds asks again.
        return False
    if pull == "merged":
        # Nobody told of that in time: what was pushed since is on the branch alone.
        late = followed and await content.is_own(work, at) and not await _is_merged(work, payload, at)
        return await _end(work, at, "merged", log, late=late)
    if followed and tip == at.branch.oid and not looked.ahead:
        return await _end(work, at, "merged", log)
    if followed and pull != "closed" and not (tip and looked.ahead):
        return await _end(work, at, "merged" if await _is_merged(work, payload, at) else "closed", log)
    if tip is None or pull == "closed":
        return await _end(work, at, "closed", log)
    if not looked.ahead:
        await work.write(lambda unit: _waits(unit, at, tip, EMPTY), lock=("spaces", at.space.id))
        return False
    if await work.read(lambda unit: _is_full(unit, at)):
        most = f"{at.previews['most']} change requests follow branches already, which is the most that the connection allows."
        await work.write(lambda unit: _waits(unit, at, "", most), lock=("spaces", at.space.id))
        return False
    if at.branch.oid != tip:
        await telling.begin(work, at, tip)
    changed = await content.bring(work, payload, at, looked, log)
    await work.write(lambda unit: telling.done(unit, at.branch.id, "success"), lock=("spaces", at.space.id))
    return changed


async def _is_merged(work: Work, payload: Json, at: At) -> bool:
    """Whether what the branch had is in the branch of the space."""
    # Squashed or rebased, its commits are nowhere; what counts is whether the space holds what it had.
    if await content.is_held(work, at):
        return True
    # What was merged may have been edited since.
    looked = await _look(work, payload, at.connection.ref, at.branch.oid, at.branch.base_oid)
    return bool(at.branch.oid) and looked.base == at.branch.oid


async def _at(unit: Unit, payload: Json) -> At | None:
    """Where it stands; a branch that was not known is written down. None where nobody wants it followed any more."""
    space, connection = await unit.spaces.get(payload["space"]), await unit.git.connection(payload["space"])
    if space is None or space.deleted_at is not None or connection is None:
        return None
    branch = await unit.git.branch(space.id, payload["branch"])
    if connection.url != payload["url"] or not (branch or orders.follows(connection, payload["branch"])):
        return None
    if connection.previews is None:
        return None
    base = await unit.git.base(space.id)
    if base is None or not base.is_of(connection.url, connection.ref, connection.directory):
        where = {"url": connection.url, "ref": connection.ref, "directory": connection.directory}
        base = GitBase(space=space.id, organization=space.organization, **where)
    if branch is None:
        branch = orders.fresh(space, payload["branch"], unit.now)
        await unit.git.add_branch(branch, limits.GIT_BRANCHES)
    requests = await unit.change_requests.by_ids([branch.change_request] if branch.change_request else [])
    return At(space, connection, base, branch, requests.get(branch.change_request or ""))


async def _look(work: Work, payload: Json, ref: str | None, known: str, also: str = "") -> Looked:
    # With it comes all of Git, which else only children load.
    from octavo.gateways.git_graph import Looked

    settings, sealed, key = work.tools.settings, payload.get("sealed_url"), payload.get("sealed_key")
    request = LookRequest(
        url=payload["url"] if sealed is None else work.tools.unseal(sealed),
        ref=ref,
        known=known,
        also=also,
        allow_private=settings.allow_private_addresses,
        allowed_hosts=settings.allowed_hosts,
        max_bytes=settings.git_max_bytes,
        seconds=settings.git_timeout,
        key=None if key is None else work.tools.unseal(key),
        host_key=payload.get("host_key"),
    )
    async with room.folder(work.tools.room) as folder:
        ended = await room.run(work, CHILD, Path(folder), request)
    if "later" in ended:
        raise NotYet(ended["later"])
    return Looked(**ended)


async def _after_sync(unit: Unit, work: Work, at: At) -> None:
    sealed = orders.sealed_address(at.connection, work.tools.seal, work.tools.unseal)
    await orders.order(unit, at.space, at.connection, sealed, user=None, quiet=True)
    await orders.order_branch(unit, at.space, at.connection, sealed, at.branch.ref, again=True)


async def _waits(unit: Unit, at: At, oid: str, message: str) -> None:
    """Remember why there is no change request of it; a commit that is named is not looked at again."""
    branch = await unit.git.branch_by_id(at.branch.id)
    if branch is not None and branch.state == "waiting":
        await unit.git.change_branch(branch, oid=oid, message=message, updated_at=unit.now)


async def _is_full(unit: Unit, at: At) -> bool:
    if at.branch.state == "open":
        return False
    return await unit.git.branches_open(at.space.id) >= int(at.previews["most"])


async def _end(work: Work, at: At, state: Literal["merged", "closed"], log: Log, *, late: bool = False) -> bool:
    """Merge or archive the change request, as happened to the branch; `late` says that its last edits were not merged."""
    edited = late or await content.is_edited(work, at)
    # What the space holds of the branch already is no edit of the change request any more.
    base = at.branch.revision if edited and state == "merged" and await content.is_held(work, at) else None
    sentence = await work.write(
        lambda unit: _ended(unit, at, state, edited=edited, base=base), lock=("spaces", at.space.id)
    )
    if sentence is not None:
        await log.say(sentence)
    return sentence is not None


async def _ended(
    unit: Unit, at: At, state: Literal["merged", "closed"], *, edited: bool, base: str | None
) -> str | None:
    branch = await unit.git.branch_by_id(at.branch.id)
    if branch is None or branch.state == state:
        return None
    found = await unit.change_requests.by_ids([branch.change_request] if branch.change_request else [])
    request = found.get(branch.change_request or "")
    if request is not None and at.request is not None and request.revision != at.request.revision:
        # `edited` and `base` are about what it was when the host was asked.
        raise NotYet("The change request was edited meanwhile.")
    if request is not None and request.status == "merged":
        state = "merged"
    space, message = await unit.spaces.get(at.space.id), None
    waits = request is not None and space is not None and request.status in ("draft", "open")
    if request is not None and waits and edited:
        # What was written here is nowhere else: somebody decides.
        message = f"The branch was {state} without what was edited in change request #{request.number}; merge or archive that."
        if base is not None:
            await unit.change_requests.change(request, unit.now, merged_ancestor=base)
    elif request is not None and space is not None and state == "merged" and (waits or branch.archived):
        # Also where it was gone before anybody told that it was merged.
        await _merge(unit, space, request, at.connection)
    archived = waits and not edited and state == "closed"
    if request is not None and archived:
        await unit.change_requests.change(request, unit.now, status="archived")
    told = {"state": state, "message": message, "archived": archived, "updated_at": unit.now}
    await unit.git.change_branch(branch, pushed_oid=None, pushed_revision=None, **told)
    if request is None:
        return None
    await _audit(unit, at.space, f"space.git.branch-{state}", branch.ref)
    await telling.again(unit, branch.id)
    became = "merged" if state == "merged" else "archived"
    return message or f"Change request #{request.number} is {became}, as the branch is."


async def _merge(unit: Unit, space: Space, request: ChangeRequest, connection: GitConnection) -> None:
    """Primary content holds it already: nothing is written twice."""
    by = connection.created_by
    await unit.change_requests.change(
        request, unit.now, status="merged", revision_merged=space.revision, merged_at=unit.now, merged_by=by
    )
    await unit.emit(
        ChangeRequestMerged(
            organization=space.organization,
            space=space.id,
            change_request=request.id,
            revision=space.revision,
            user=by,
        )
    )


async def _audit(unit: Unit, space: Space, action: str, ref: str) -> None:
    await unit.audit.append(action, Target("space", space.id, space.title), [space.organization], details={"ref": ref})


async def ended(unit: Unit, operation: GitOperation, state: str, message: str | None, made: Json) -> None:
    """An operation of a branch came to its end: forget it where nothing was to do, else tell of it."""
    if state == "success" and not made.get("changed"):
        await unit.git.forget(operation)
        return
    branch = await unit.git.branch(operation.space, operation.ref)
    if branch is not None and state != "success":
        await unit.git.change_branch(branch, message=message, updated_at=unit.now)
        await telling.done(unit, branch.id, "failure")


async def discover(work: Work, payload: Json) -> None:
    """Look which branches and pull requests there are, and have those followed that changed. Payload: as of an export."""
    connection = await work.read(lambda unit: unit.git.connection(payload["space"]))
    if connection is None or connection.previews is None or connection.url != payload["url"]:
        return
    looked = await _look(work, payload, None, "")
    told = await pulls.asked(work, connection)
    # Those of other repositories have no branch here; their commit is what the host says.
    tips = {pull.ref: pull.head for pull in told.pulls if pull.fork and pull.head} | looked.refs
    known, quiet = connection, bool(payload.get("quiet"))
    await work.write(
        lambda unit: _order_changed(unit, work, known, tips, told, quiet=quiet), lock=("spaces", connection.space)
    )


async def _order_changed(
    unit: Unit, work: Work, connection: GitConnection, tips: dict[str, str], told: Asked, *, quiet: bool
) -> None:
    space = await unit.spaces.get(connection.space)
    if space is None or space.deleted_at is not None:
        return
    known = await _known(unit, space)
    noted = await pulls.note(unit, space, connection, told, known)
    if noted:
        known = await _known(unit, space)
    requests = await unit.change_requests.by_ids(one.change_request for one in known.values() if one.change_request)
    sealed = orders.sealed_address(connection, work.tools.seal, work.tools.unseal)
    ordered = 0
    # What was just written down is said once, and has its turn first.
    for ref in sorted({*known, *tips}, key=lambda one: (one not in noted, one)):
        branch, tip = known.get(ref), tips.get(ref)
        if branch is None and not orders.follows(connection, ref):
            continue
        if branch is not None and ref not in noted:
            if not _is_stale(branch, tip, requests.get(branch.change_request or "")):
                continue
            if quiet and branch.status == "failure" and branch.head == tip:
                # It failed with this commit; somebody has to ask for it, or to push another one.
                continue
        ordered += await orders.order_branch(unit, space, connection, sealed, ref, again=True)
        if ordered >= limits.GIT_BRANCHES_AT_ONCE:
            return


async def _known(unit: Unit, space: Space) -> dict[str, GitBranch]:
    return {one.ref: one for one in await unit.git.branches(space.id, limits.GIT_BRANCHES * 2)}


def _is_stale(branch: GitBranch, tip: str | None, request: ChangeRequest | None) -> bool:
    """Whether a branch, or its change request, is elsewhere than when it was last looked at."""
    if not branch.ref.startswith("refs/heads/"):
        if branch.state in ("merged", "closed"):
            return False
        if branch.pull_state in ("merged", "closed"):
            return branch.state == "open"
        return tip not in (None, branch.oid) or _is_elsewhere(branch, request)
    if branch.state in ("merged", "closed"):
        return tip is not None and tip != branch.oid and branch.pull_state not in ("merged", "closed")
    if branch.pull_state in ("merged", "closed"):
        return True
    return tip != branch.oid or _is_elsewhere(branch, request)


def _is_elsewhere(branch: GitBranch, request: ChangeRequest | None) -> bool:
    return request is not None and request.status in ("draft", "open") and request.revision != branch.revision
