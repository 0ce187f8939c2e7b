"""What a branch and its change request hold: edits of either come to the other, by a merge where both have some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from octavo.content.conflicts import is_marked
from octavo.history import following, heads, joining
from octavo.history.contents import contents_of
from octavo.history.joining import Made, Three
from octavo.jobs.children import room
from octavo.jobs.git import exporting, importing
from octavo.jobs.git.export_request import Exported
from octavo.jobs.git.steps import Log
from octavo.jobs.work import JobFailed, NotYet, Work
from octavo.kernel.audit import Target
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json, Record
from octavo.kernel.records.content import Revision
from octavo.kernel.records.git import GitBase, GitBranch, GitCommit, GitConnection
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.store.provenance import Provenance
from octavo.store.unit import Unit

if TYPE_CHECKING:
    from octavo.gateways.git_graph import Looked

ROUNDS = 5
"""Times that it is begun anew, as somebody edited the change request or pushed meanwhile."""
_BACK = 100
"""Revisions among which that of an older commit is looked for."""


class At(Record, frozen=True):
    """Where a branch stands when an operation begins."""

    space: Space
    connection: GitConnection
    base: GitBase
    branch: GitBranch
    request: ChangeRequest | None

    @property
    def previews(self) -> Json:
        """What the connection says of change requests that follow branches."""
        return self.connection.previews or {}


class _Found(Record, frozen=True):
    """What was read of the branch."""

    revision: Revision
    oid: str
    base_oid: str
    base: str
    author: str


async def bring(work: Work, payload: Json, at: At, looked: Looked, log: Log) -> bool:
    """Bring the branch into its change request, and what was edited there to the branch; whether that changed something."""
    changed = False
    for _ in range(ROUNDS):
        arrived = await _arrived(work, at, looked)
        tip = looked.refs[at.branch.ref]
        if arrived.oid != tip or arrived.state != "open":
            found = await _read(work, payload, at, arrived, looked)
            await _take(work, at, found, looked, log)
            changed = True
        ended = await _give(work, payload, at, log)
        if ended is None or ended.outcome != "moved":
            return changed or ended is not None
        looked = replace(looked, refs=looked.refs | {at.branch.ref: ended.oid or ""}, ahead=1)
    raise NotYet("The branch moved again and again while it was written to.")


async def is_edited(work: Work, at: At) -> bool:
    """Whether the change request holds edits that the branch never had."""
    if at.request is None or not at.branch.revision:
        return False
    found = await work.read(
        lambda unit: _revisions(unit, at.request.revision if at.request else "", at.branch.revision)
    )
    return len({one.root for one in found.values()}) > 1


async def is_own(work: Work, at: At) -> bool:
    """Whether the newest commit of the branch that is known was pushed from here."""
    found = await work.read(lambda unit: _revisions(unit, at.branch.revision))
    commit = next((one.git for one in found.values()), None)
    return commit is not None and commit.created_by_service and commit.oid == at.branch.oid


async def is_held(work: Work, at: At) -> bool:
    """Whether primary content holds what the branch had, whatever was edited in the change request since."""
    if not at.branch.revision or not at.branch.base_revision:
        return False
    three = await work.read(lambda unit: _primary(unit, at))
    made = await joining.bring(work.store, three, "Git")
    return not made.conflicts and made.root == three.primary.root


async def _primary(unit: Unit, at: At) -> Three:
    space, branch = await unit.spaces.get(at.space.id), at.branch
    assert space is not None  # its row goes last
    found = await _revisions(unit, space.revision, branch.base_revision, branch.revision)
    return Three(found[space.revision], found[branch.base_revision], found[branch.revision])


async def _revisions(unit: Unit, *ids: str) -> Mapping[str, Revision]:
    return {one.id: one for one in await unit.revisions.by_ids({*ids} - {""})}


async def _arrived(work: Work, at: At, looked: Looked) -> GitBranch:
    """The branch as it is known, once it is known whether the last push arrived."""

    async def settle(unit: Unit) -> GitBranch:
        branch = await unit.git.branch_by_id(at.branch.id)
        if branch is None:
            raise JobFailed("The branch is not followed any more.")
        if branch.pushed_oid is not None and branch.pushed_oid == looked.refs[branch.ref]:
            return await _pushed_now(unit, branch, branch.pushed_oid, branch.pushed_revision or branch.revision)
        return branch

    return await work.write(settle, lock=("spaces", at.space.id))


async def _pushed_now(unit: Unit, branch: GitBranch, oid: str, revision: str) -> GitBranch:
    """The branch holds what was pushed, and the revision says so, also where the answer to the push was lost."""
    found = await unit.revisions.get(revision)
    if found is not None and found.git is None:
        await unit.revisions.came_to(found, GitCommit(oid=oid, message="", ref=branch.ref, created_by_service=True))
    return await unit.git.change_branch(
        branch, oid=oid, revision=revision, pushed_oid=None, pushed_revision=None, message=None, updated_at=unit.now
    )


# From the branch.


async def _read(work: Work, payload: Json, at: At, branch: GitBranch, looked: Looked) -> _Found:
    """Read the branch, and the commit from which it goes on where that is not known."""
    base = await _base(work, payload, at, branch, looked)
    author = await work.read(lambda unit: _author(unit, at, looked.author))
    revision, oid = await _reading(work, payload, at, branch.ref, branch.revision or base, author)
    return _Found(revision=revision, oid=oid, base_oid=looked.base or at.base.oid, base=base, author=author)


async def _base(work: Work, payload: Json, at: At, branch: GitBranch, looked: Looked) -> str:
    """The revision that holds what the branch began from."""
    if looked.base is None or looked.base == at.base.oid:
        return at.base.revision
    if looked.base == branch.base_oid:
        return branch.base_revision
    base = looked.base
    known = await work.read(lambda unit: _of_commit(unit, at, base))
    if known is not None:
        return known
    revision, _ = await _reading(work, payload, at, looked.base, at.base.revision, at.connection.created_by)
    return revision.id


async def _of_commit(unit: Unit, at: At, oid: str) -> str | None:
    """The revision that held a commit of the space's own branch not long ago: its pages may lie elsewhere now."""
    line = await unit.revisions.line(at.base.revision, _BACK)
    joined = await unit.revisions.by_ids(parent for one in line for parent in one.parents[1:])
    for one in (*line, *joined):
        # What was read for another connection may be of another directory.
        if one.git is not None and one.git.oid == oid and one.created_at >= at.connection.updated_at:
            pages = (await contents_of(unit, one)).pages.values()
            if all(page.path is not None for page in pages if page.type == "document"):
                return one.id
    return None


async def _reading(work: Work, payload: Json, at: At, ref: str, known: str, author: str) -> tuple[Revision, str]:
    """What a branch or a commit holds, as a revision beside the head; pages keep the ids that they have in `known`."""
    wanted = payload | {"ref": ref}
    async with room.folder(work.tools.room) as folder:
        request = await work.read(lambda unit: importing.request_for(unit, work, wanted, known))
        ended = await importing.read_repository(work, at.space, folder, request)
        await importing.store(work, at.space, folder, ended["files"])
        root = await importing.root_of(work, at.space, known, ended)
        commit = importing.commit_of(wanted, ended["commit"])
        assert commit is not None  # it was fetched
        revision = await work.write(
            lambda unit: heads.apart(unit, at.space, root, {}, parents=[known], git=commit),
            whence=Provenance(actor=author, request=work.job.id),
        )
    return revision, commit.oid


async def _author(unit: Unit, at: At, email: str) -> str:
    """Who wrote the newest commit, where that is a member of the organization; else who connected the space."""
    found = await unit.people.user_by_email(email) if email else None
    # Whoever pushes says who wrote: it counts for an address that was shown to be its user's.
    if found is None or not found.email_verified or found.deleted_at is not None:
        return at.connection.created_by
    if await unit.people.member(at.space.organization, found.id):
        return found.id
    return at.connection.created_by


async def _take(work: Work, at: At, found: _Found, looked: Looked, log: Log) -> None:
    """Bring what was read into the change request, which is made where there is none."""
    for _ in range(ROUNDS):
        sentence = await _once(work, at, found, looked)
        if sentence is not None:
            await log.say(sentence)
            return
    raise NotYet("The change request was edited again and again while the branch was brought in.")


async def _once(work: Work, at: At, found: _Found, looked: Looked) -> str | None:
    three = await work.read(lambda unit: _three(unit, at, found))
    made = None if three is None else await joining.bring(work.store, three, "the branch")
    whence = Provenance(actor=found.author, request=work.job.id)
    return await work.write(
        lambda unit: _settle(unit, at, found, looked, three, made), lock=("spaces", at.space.id), whence=whence
    )


async def _three(unit: Unit, at: At, found: _Found) -> Three | None:
    """What is to be merged, where the change request was edited here; None where it is what the branch had."""
    branch = await unit.git.branch_by_id(at.branch.id)
    request = await _request_of(unit, branch)
    if branch is None or request is None or request.status == "merged" or request.revision == branch.revision:
        return None
    known = await _revisions(unit, request.revision, branch.revision)
    return Three(known[request.revision], known[branch.revision], found.revision)


async def _request_of(unit: Unit, branch: GitBranch | None) -> ChangeRequest | None:
    if branch is None or branch.change_request is None:
        return None
    return (await unit.change_requests.by_ids([branch.change_request])).get(branch.change_request)


async def _settle(
    unit: Unit, at: At, found: _Found, looked: Looked, three: Three | None, made: Made | None
) -> str | None:
    """Write down what was read; None where the change request moved meanwhile."""
    branch, space = await unit.git.branch_by_id(at.branch.id), await unit.spaces.get(at.space.id)
    if branch is None or space is None or space.deleted_at is not None:
        raise JobFailed("The space or its branch is gone.")
    request = await _request_of(unit, branch)
    seen = {
        "oid": found.oid, "revision": found.revision.id, "base_oid": found.base_oid, "base_revision": found.base,
        "pushed_oid": None, "pushed_revision": None, "message": None, "updated_at": unit.now,
    }  # fmt: skip
    if request is not None and request.status == "archived" and not branch.archived:
        message = f"Somebody archived change request #{request.number}; open it again to have it follow the branch."
        await unit.git.change_branch(branch, state="closed", message=message, oid=found.oid, updated_at=unit.now)
        return message
    if request is None or request.status == "merged":
        request = await _open(unit, at, space, branch, found, looked)
        await unit.git.change_branch(branch, state="open", archived=False, change_request=request.id, **seen)
        return f"Change request #{request.number} has what the branch has."
    if (request.revision != branch.revision) != (three is not None):
        return None
    if three is not None and request.revision != three.primary.id:
        return None
    revision, conflicts = await _joined(unit, space, request, found, made)
    changed: Json = {"revision": revision, "status": "open" if branch.archived else request.status}
    if three is None or found.base_oid == at.base.oid:
        changed["merged_ancestor"] = found.base
    await unit.change_requests.change(request, unit.now, **changed, **following.naming(branch, request))
    await unit.change_requests.contributed(request, found.author, "edit", unit.now)
    if conflicts:
        seen["message"] = _contradicting(request)
    await unit.git.change_branch(branch, state="open", archived=False, **seen)
    await _audit(unit, space, "space.git.branch-followed", branch, found.oid)
    return f"Change request #{request.number} has what the branch has now."


async def _joined(
    unit: Unit, space: Space, request: ChangeRequest, found: _Found, made: Made | None
) -> tuple[str, list[Json]]:
    """The revision that holds what was read beside what the change request had, and what could not be decided."""
    if made is None or made.root == found.revision.root:
        return found.revision.id, []
    parents = [request.revision, found.revision.id]
    joined = await heads.apart(
        unit, space, made.root, {}, parents=parents, kind="update", conflicts=made.conflicts or None
    )
    return joined.id, made.conflicts


async def _open(unit: Unit, at: At, space: Space, branch: GitBranch, found: _Found, looked: Looked) -> ChangeRequest:
    named = following.naming(branch, None)
    request = ChangeRequest(
        id=new_id(),
        organization=space.organization,
        space=space.id,
        number=space.change_requests + 1,
        subject=str(named["subject"]),
        status="open",
        created_by=found.author,
        created_at=unit.now,
        updated_at=unit.now,
        revision=found.revision.id,
        revision_initial=found.base,
        links=named.get("links", []),
    )
    await unit.change_requests.add(request)
    await unit.change_requests.contributed(request, found.author, "edit", unit.now)
    await _audit(unit, space, "space.git.branch-opened", branch, found.oid)
    return request


def _contradicting(request: ChangeRequest) -> str:
    return (
        f"What was edited in change request #{request.number} and on the branch contradict each other. Its pages hold both; "
        "once somebody decided there, the branch gets it."
    )


# To the branch.


async def _give(work: Work, payload: Json, at: At, log: Log) -> Exported | None:
    """Push what was edited in the change request; None where that is nothing, or cannot be."""
    now = await work.read(lambda unit: _edited(unit, at))
    if now is None:
        return None
    branch, request, head = now
    if not at.previews["push"] or not branch.ref.startswith("refs/heads/"):
        await work.write(lambda unit: _say(unit, at, f"Edits in change request #{request.number} are not pushed."))
        return None
    if await work.read(lambda unit: _is_undecided(unit, head, branch.revision)):
        await work.write(lambda unit: _say(unit, at, _contradicting(request)))
        return None
    plan = await work.read(lambda unit: _plan(unit, work, payload, at, branch, head))
    try:
        async with room.folder(work.tools.room) as folder:
            ended = await exporting.pushed(work, plan, payload, folder)
    except JobFailed as failure:
        said = f"Edits in change request #{request.number} could not be pushed: {failure}"
        await work.write(lambda unit: _say(unit, at, said))
        raise JobFailed(said) from failure
    if ended.outcome in ("later", "lost"):
        raise NotYet(ended.message or "Somebody pushed to the branch meanwhile.")
    if ended.outcome == "moved":
        return ended
    number, oid = request.number, ended.oid or branch.oid
    await work.write(lambda unit: _given(unit, at, head, oid), lock=("spaces", at.space.id))
    await log.say(f"Pushed {oid[:10]}: what was edited in change request #{number}.")
    return ended


async def _edited(unit: Unit, at: At) -> tuple[GitBranch, ChangeRequest, Revision] | None:
    branch = await unit.git.branch_by_id(at.branch.id)
    request = await _request_of(unit, branch)
    if branch is None or request is None or request.status not in ("draft", "open") or branch.state != "open":
        return None
    found = await _revisions(unit, request.revision, branch.revision)
    head = found[request.revision]
    return None if head.root == found[branch.revision].root else (branch, request, head)


async def _is_undecided(unit: Unit, head: Revision, before: str) -> bool:
    """Whether a page that differs from the branch still holds both texts of a conflict."""
    old = (await _revisions(unit, before))[before]
    pages, known = (await contents_of(unit, head)).pages, (await contents_of(unit, old)).pages
    texts = {page.text for key, page in pages.items() if page.text is not None and known.get(key) != page}
    found = await unit.objects.get(head.organization, texts)
    return any(is_marked(text.decode()) for text in found.values())


async def _plan(unit: Unit, work: Work, payload: Json, at: At, branch: GitBranch, head: Revision) -> exporting.Plan:
    before = (await _revisions(unit, branch.revision))[branch.revision]
    where = {"url": at.connection.url, "ref": branch.ref, "directory": at.connection.directory}
    base = GitBase(
        space=at.space.id, organization=at.space.organization, revision=branch.revision, oid=branch.oid, **where
    )
    request = await exporting.request_of(unit, work, payload, head, before, base)
    return exporting.Plan(at.space, head, base, request, branch=branch.id)


async def _given(unit: Unit, at: At, head: Revision, oid: str) -> None:
    """Both are the same now."""
    branch = await unit.git.branch_by_id(at.branch.id)
    if branch is None:
        return
    revision = branch.pushed_revision or head.id
    request = await _request_of(unit, branch)
    if request is not None and request.revision == head.id and revision != head.id:
        # It follows the pushed one and says where its pages lie.
        await unit.change_requests.change(request, unit.now, revision=revision)
    await _pushed_now(unit, branch, oid, revision)
    await unit.revisions.came_to(head, GitCommit(oid=oid, message="", ref=branch.ref, created_by_service=True))
    await _audit(unit, at.space, "space.git.branch-pushed", branch, oid)


async def _say(unit: Unit, at: At, message: str) -> None:
    branch = await unit.git.branch_by_id(at.branch.id)
    if branch is not None and branch.message != message:
        await unit.git.change_branch(branch, message=message, updated_at=unit.now)


async def _audit(unit: Unit, space: Space, action: str, branch: GitBranch, oid: str) -> None:
    details: Json = {"ref": branch.ref, "commit": oid}
    await unit.audit.append(action, Target("space", space.id, space.title), [space.organization], details=details)
