"""Joining two lines of content: a change request into primary content, and primary content into a change request.

A join is computed ahead of its unit (`prepare`), which then only sees that it was computed from what is there, and writes
it down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from octavo.content import trie
from octavo.content.conflicts import is_marked
from octavo.content.merge import Conflict
from octavo.content.revision import Digest, Page, Root
from octavo.content.trie import Objects, Steps
from octavo.history import ahead, heads
from octavo.history.contents import Contents, at_hand, grow, reading, walk
from octavo.history.moves import Changed, addressed
from octavo.kernel.errors import Stale
from octavo.kernel.records import Json
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.store.content.revisions import Packed, packed
from octavo.store.kept import Kept
from octavo.store.unit import Store, Unit

if TYPE_CHECKING:
    from octavo.content.merge.places import Beside
    from octavo.content.merge.revisions import Merged

QUICK = 0.02
"""Seconds of work that the unit does itself, for a join that others overtook again and again."""
Kind: TypeAlias = Literal["merge", "update"]

_root = msgspec.msgpack.Decoder(Root).decode
_decode = msgspec.msgpack.Decoder(Page).decode
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


@dataclass(frozen=True)
class Three:
    """What a join is made from: the revisions as they were when it began."""

    primary: Revision
    """The head of primary content."""
    base: Revision
    """The newest of it that the change request holds."""
    own: Revision
    """The change request's own head."""

    def of(self, kind: Kind) -> Revision:
        """The head of the line that is joined into."""
        return self.primary if kind == "merge" else self.own

    def are(self, space: Space, request: ChangeRequest) -> bool:
        """Whether they still are those of the records, in the organization that has what was made of them."""
        now = (space.organization, space.revision, request.base, request.revision)
        return (self.primary.organization, self.primary.id, self.base.id, self.own.id) == now


@dataclass(frozen=True)
class Made:
    """What two lines come to: a root, the objects that are new, and what could not be decided."""

    root: Digest
    objects: Objects
    conflicts: list[Json]


@dataclass(frozen=True)
class Plan:
    """A join that was computed ahead."""

    three: Three
    made: Made
    objects: Packed
    """Those of its objects that are not put yet."""
    quick: bool
    """Whether the unit may compute it again where others were faster."""


@dataclass(frozen=True)
class Joined:
    """What a join made: the newest revision of the line that was joined into, and what could not be decided."""

    revision: Revision
    conflicts: list[Json]
    changed: bool
    """False where there was nothing to do: then `revision` is the one that was there."""


async def prepare(store: Store, kind: Kind, space: str, request: str, *, patient: bool) -> Plan:
    """Compute a join of what space and change request, named by their ids, hold now; put what one unit could not.

    Where it is not `patient`, the unit computes a small one itself when others are faster once more.
    """
    record, three = await store.read(lambda unit: _three(unit, space, request))
    computed = await ahead.compute(store, record.organization, _steps(store.kept, kind, three, _label(record)))
    objects = await ahead.put(store, record.organization, computed.result.objects)
    return Plan(three, computed.result, objects, not patient and computed.seconds <= QUICK)


async def bring(store: Store, three: Three, label: str) -> Made:
    """Compute what primary content becomes with another line, which a text that holds both calls by the label. What is
    new of it is put; nothing refers to it yet."""
    organization = three.primary.organization
    made = (await ahead.compute(store, organization, _steps(store.kept, "merge", three, label))).result
    rest = await ahead.put(store, organization, made.objects)
    await store.write(lambda unit: unit.objects.put_packed(organization, rest, unit.now))
    return made


async def merge(unit: Unit, space: Space, request: ChangeRequest, plan: Plan) -> Joined:
    """Bring a change request into primary content. Raises Stale when that, or primary content, changed meanwhile."""
    three, made = await _fitting(unit, "merge", space, request, plan)
    if made.root == three.primary.root:
        # Primary content had all of it, or every disagreement was decided for primary.
        return Joined(three.primary, made.conflicts, changed=False)
    revision = await heads.append(
        unit,
        space,
        made.root,
        {},
        kind="merge",
        merged=three.own.id,
        merged_from=request.id,
        conflicts=made.conflicts or None,
    )
    return Joined(revision, made.conflicts, changed=True)


async def update(unit: Unit, space: Space, request: ChangeRequest, plan: Plan) -> Joined:
    """Bring primary content into a change request; its record is the caller's to change. Raises Stale as `merge` does."""
    three, made = await _fitting(unit, "update", space, request, plan)
    if three.primary.root == three.base.root:
        return Joined(three.own, [], changed=False)
    parents = [three.own.id, three.primary.id]
    revision = await heads.apart(
        unit, space, made.root, {}, parents=parents, kind="update", conflicts=made.conflicts or None
    )
    return Joined(revision, made.conflicts, changed=True)


async def _three(unit: Unit, space: str, request: str) -> tuple[ChangeRequest, Three]:
    at, record = await unit.spaces.get(space), (await unit.change_requests.by_ids((request,))).get(request)
    if at is None or record is None:
        raise Stale
    found = {one.id: one for one in await unit.revisions.by_ids((at.revision, record.base, record.revision))}
    return record, Three(found[at.revision], found[record.base], found[record.revision])


async def _fitting(unit: Unit, kind: Kind, space: Space, request: ChangeRequest, plan: Plan) -> tuple[Three, Made]:
    """What was planned, if it was made of what is there; its last objects are put."""
    three, made, objects = plan.three, plan.made, plan.objects
    if not three.are(space, request):
        if not plan.quick:
            raise Stale
        record, three = await _three(unit, space.id, request.id)
        made = await walk(unit, record.organization, _steps(unit.kept, kind, three, _label(record)))
        objects = packed(made.objects)
    await unit.objects.put_packed(space.organization, objects, unit.now)
    return three, made


def _label(request: ChangeRequest) -> str:
    return f"change request {request.number}"


def _beside(kept: Kept, primary: Revision, parents: Set[str | None]) -> Steps[list[Page]]:
    """What stands below these in primary content: below them in the tree that is kept, and what differs since then."""
    near = at_hand(kept, primary)
    if near is None:
        near = yield from reading(kept, primary)
    root = _root((yield frozenset((primary.root,)))[primary.root])
    changed = yield from trie.diff(near.root.pages, root.pages)
    grow(near)
    fresh = [_decode(after) for _, after in changed.values() if after is not None]
    left = [page for page in _below(near, parents) if page.id not in changed]
    return left + [page for page in fresh if page.parent in parents]


def _below(contents: Contents, parents: Set[str | None]) -> Iterator[Page]:
    """The pages of which each has one of these as its parent."""
    for parent in parents:
        above = contents.by_id.get(parent or "")
        if above is not None and above.page.listed:
            yield from (branch.page for branch in above.branches)
        else:
            # Below what is absent or not listed pages stand at the top.
            yield from (branch.page for branch in contents.branches if branch.page.parent == parent)
    yield from (branch.page for branch in contents.outside if branch.page.parent in parents)


def _steps(kept: Kept, kind: Kind, three: Three, label: str) -> Steps[Made]:
    return trie.once(_made(kind, three, label, partial(_beside, kept, three.primary)))


def _made(kind: Kind, three: Three, label: str, beside: Beside) -> Steps[Made]:
    """The whole way of a join: what differs, the merge, old addresses, and what is still marked."""
    base, ours, theirs = three.base.root, three.primary.root, three.own.root
    other = theirs if kind == "merge" else ours
    if other == base:
        return Made(three.of(kind).root, {}, [])
    # What reads Markdown is imported with the first merge, not with the server.
    from octavo.content.merge.revisions import merge as merged

    found = yield frozenset((base, ours, theirs))
    head = _root(found[ours])
    made = yield from merged(_root(found[base]), head, _root(found[theirs]), label=label, beside=beside)
    changed = yield from trie.over(made.objects, trie.diff(head.pages, made.root.pages))
    unresolved = yield from trie.over(made.objects, _unresolved(made, changed))
    root, objects = made.root, made.objects
    if kind == "merge":
        root, more = yield from addressed(head, root, changed)
        objects = objects | more
    data = _encode(root)
    named = trie.digest(data)
    conflicts: list[Json] = [msgspec.to_builtins(conflict) for conflict in (*made.conflicts, *unresolved)]
    return Made(named, {**objects, named: data}, conflicts)


def _unresolved(made: Merged, changed: Changed) -> Steps[list[Conflict]]:
    """Pages that differ from primary content and still hold both texts of an earlier conflict."""
    known = {conflict.id for conflict in made.conflicts}
    pages = [_decode(after) for _, after in changed.values() if after is not None]
    waiting = sorted((page for page in pages if page.id not in known), key=lambda one: one.id)
    wanted = frozenset(page.text for page in waiting if page.text is not None)
    texts: Mapping[Digest, bytes] = (yield wanted) if wanted else {}
    return [
        Conflict(kind="page", reason="marked", id=page.id, title=page.title, fields=["text"])
        for page in waiting
        if page.text is not None and is_marked(texts[page.text].decode())
    ]
