"""Joining two lines of content: a change request into primary content, and primary content into a change request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from octavo.content import trie
from octavo.content.conflicts import is_marked
from octavo.content.merge import Conflict
from octavo.content.revision import Digest, Page, Root
from octavo.history import heads
from octavo.history.contents import root_at, walk
from octavo.history.moves import with_old_addresses
from octavo.kernel.records import Json
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.store.unit import Unit

if TYPE_CHECKING:
    from octavo.content.merge.revisions import Merged

_decode = msgspec.msgpack.Decoder(Page).decode
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


@dataclass(frozen=True)
class Joined:
    """What a join made: the newest revision of the line that was joined into, and what could not be decided."""

    revision: Revision
    conflicts: list[Json]
    changed: bool
    """False where there was nothing to do: then `revision` is the one that was there."""


async def merge(unit: Unit, space: Space, request: ChangeRequest) -> Joined:
    """Bring a change request into primary content. Raises Conflict when the head moved meanwhile."""
    head, ancestor, own = await _three(unit, space, request)
    if own.root == ancestor.root:
        return Joined(head, [], changed=False)
    root, conflicts = await _merged(unit, request, ancestor.root, head.root, own.root)
    root, addresses = await with_old_addresses(unit, space.organization, head.root, root)
    if root == head.root:
        # Primary content had all of it, or every disagreement was decided for primary.
        return Joined(head, conflicts, changed=False)
    revision = await heads.append(
        unit, space, root, addresses, kind="merge", merged=own.id, merged_from=request.id, conflicts=conflicts or None
    )
    return Joined(revision, conflicts, changed=True)


async def update(unit: Unit, space: Space, request: ChangeRequest) -> Joined:
    """Bring primary content into a change request; its record is the caller's to change."""
    head, ancestor, own = await _three(unit, space, request)
    if head.root == ancestor.root:
        return Joined(own, [], changed=False)
    root, conflicts = await _merged(unit, request, ancestor.root, head.root, own.root)
    revision = await heads.apart(
        unit, space, root, {}, parents=[own.id, head.id], kind="update", conflicts=conflicts or None
    )
    return Joined(revision, conflicts, changed=True)


async def _three(unit: Unit, space: Space, request: ChangeRequest) -> tuple[Revision, Revision, Revision]:
    """The head of primary content, the newest of it that the change request holds, and its own head."""
    found = {one.id: one for one in await unit.revisions.by_ids((space.revision, request.base, request.revision))}
    return found[space.revision], found[request.base], found[request.revision]


async def _merged(
    unit: Unit, request: ChangeRequest, base: Digest, ours: Digest, theirs: Digest
) -> tuple[Digest, list[Json]]:
    """The root of the merge, whose objects are stored, and the conflicts as they are kept and served."""
    # What reads Markdown is imported with the first merge, not with the server.
    from octavo.content.merge.revisions import merge as merged

    organization = request.organization
    roots = [await root_at(unit, organization, root) for root in (base, ours, theirs)]
    made = await walk(unit, organization, merged(*roots, label=f"change request {request.number}"))
    data = _encode(made.root)
    named = trie.digest(data)
    objects = made.objects | {named: data}
    await unit.objects.put(organization, objects, unit.now)
    found = [*made.conflicts, *await _unresolved(unit, organization, roots[1], made)]
    return named, [msgspec.to_builtins(conflict) for conflict in found]


async def _unresolved(unit: Unit, organization: str, head: Root, made: Merged) -> list[Conflict]:
    """Pages that differ from primary content and still hold both texts of an earlier conflict."""
    differing = await walk(unit, organization, trie.diff(head.pages, made.root.pages))
    pages = [_decode(after) for _, after in differing.values() if after is not None]
    texts = await unit.objects.get(organization, {page.text for page in pages if page.text is not None})
    known = {conflict.id for conflict in made.conflicts}
    return [
        Conflict(kind="page", reason="marked", id=page.id, title=page.title, fields=["text"])
        for page in sorted(pages, key=lambda one: one.id)
        if page.id not in known and page.text is not None and is_marked(texts[page.text].decode())
    ]
