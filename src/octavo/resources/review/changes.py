"""Changes: what differs between revisions; and going back to one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import msgspec
from msgspec import UNSET

from octavo.access import locate
from octavo.content import changes as content
from octavo.content import trie
from octavo.content.comparison import Compared, compare
from octavo.content.document import Node
from octavo.content.document import document as a_document
from octavo.content.html import PlainContext, render
from octavo.content.revision import Digest, Page, Root
from octavo.history import ahead, heads
from octavo.history.contents import contents_of, opened, root_at, walk
from octavo.history.moves import following
from octavo.kernel.errors import Conflict, Stale, absent
from octavo.kernel.operation import Nothing, reads, writes
from octavo.kernel.records.content import Revision
from octavo.resources.around import surroundings
from octavo.resources.call import Ahead, Call
from octavo.resources.embedded import show_change_requests
from octavo.resources.places import AtChangeRequest, AtDraftPage, AtRevision, AtRevisionPage
from octavo.store.content.revisions import Packed
from octavo.store.unit import Unit
from octavo.wire.content import revisions
from octavo.wire.fields import Maybe
from octavo.wire.review import changes
from octavo.wire.review.changes import (
    ChangesQuery,
    ChangesView,
    ComparedPageView,
    CompareQuery,
    RevisionChangesQuery,
    RevisionCompareQuery,
    Side,
)
from octavo.wire.view import View


async def of_change_request(call: Call, at: AtChangeRequest, query: ChangesQuery) -> ChangesView:
    """What a change request changes, against the primary content that it holds."""
    request = at.change_request.record
    found = {one.id: one for one in await call.unit.revisions.by_ids((request.base, request.revision))}
    return await _shown(call, found[request.base], found[request.revision], query)


async def of_revision(call: Call, at: AtRevision, query: RevisionChangesQuery) -> ChangesView:
    """What a revision changed, against the one that it followed, or against any other."""
    revision = at.revision.record
    shown = await _shown(call, await _before(call, at, query.against), revision, query)
    if revision.merged_from is None or query.against is not UNSET:
        return shown
    requests = list((await call.unit.change_requests.by_ids((revision.merged_from,))).values())
    space = at.space.record
    merged = await show_change_requests(call, requests, {space.id: space})
    return ChangesView(shown.changes, shown.limit, shown.download, next(iter(merged), None))


async def _shown(call: Call, before: Revision | None, after: Revision, query: ChangesQuery) -> ChangesView:
    organization = after.organization
    new = await root_at(call.unit, organization, after.root)
    old = Root() if before is None else await root_at(call.unit, organization, before.root)
    found = await walk(call.unit, organization, content.changes(old, new))
    return ChangesView(found, query.limit, lambda file: call.download(organization, after.space, file))


async def of_page(call: Call, at: AtDraftPage, query: CompareQuery) -> ComparedPageView:
    """The blocks of a page as the change request has them, beside those of the primary content that it holds."""
    request = at.change_request.record
    found = {one.id: one for one in await call.unit.revisions.by_ids((request.base, request.revision))}
    return await _side_by_side(call, at, found[request.base], found[request.revision], query)


async def of_revision_page(call: Call, at: AtRevisionPage, query: RevisionCompareQuery) -> ComparedPageView:
    """The blocks of a page as a revision has them, beside those of the revision that it followed, or of any other."""
    return await _side_by_side(call, at, await _before(call, at, query.against), at.revision.record, query)


async def _before(call: Call, at: AtRevision | AtRevisionPage, against: Maybe[str]) -> Revision | None:
    """What a revision is compared with; None for nothing at all. Raises NotFound for one that the space does not have."""
    if against is not UNSET:
        return (await locate.revision(call.unit, against, at.space.record)).record
    parents = at.revision.record.parents
    return await call.unit.revisions.get(parents[0]) if parents else None


async def _side_by_side(
    call: Call, at: AtDraftPage | AtRevisionPage, old: Revision | None, new: Revision, query: CompareQuery
) -> ComparedPageView:
    organization = at.space.record.organization
    revisions_of: tuple[tuple[Side, Revision | None], ...] = (("before", old), ("after", new))
    sides: dict[Side, Page] = {}
    for side, revision in revisions_of:
        if revision is not None and (page := await _page_of(call.unit, revision, at.page)) is not None:
            sides[side] = page
    if not sides:
        raise absent("page", at.page)
    wanted = {page.document for page in sides.values() if page.document is not None}
    stored = await call.unit.objects.get(organization, wanted) if wanted else {}
    texts = {side: bytes(stored.get(page.document or b"", b"")) for side, page in sides.items()}
    compared = partial(_compared, texts.get("before", b""), texts.get("after", b""))
    if not query.html:
        return ComparedPageView(at.page, compared)
    around: dict[Side, PlainContext] = {}
    for side, revision in revisions_of:
        if revision is not None and side in sides:
            contents = await contents_of(call.unit, revision)
            around[side] = await surroundings(call, at, contents, sides[side], texts[side])

    def block(side: Side, node: Node) -> str:
        return render(a_document([node]), around[side]).html

    return ComparedPageView(at.page, compared, block)


async def _page_of(unit: Unit, revision: Revision, page: str) -> Page | None:
    root = await root_at(unit, revision.organization, revision.root)
    entry = (await walk(unit, revision.organization, trie.get(root.pages, [page]))).get(page)
    return None if entry is None else msgspec.msgpack.decode(entry, type=Page)


def _compared(before: bytes, after: bytes) -> list[Compared]:
    """Two stored documents, side by side; an empty one where there is none."""
    sides = opened({str(at): data for at, data in enumerate((before, after)) if data})
    return compare(*(sides.get(at) or a_document([]) for at in ("0", "1")))


@dataclass(frozen=True)
class Back:
    """The way back to a revision: from which head, the root that it leads to, its objects that are not put yet."""

    head: Revision
    root: Digest
    objects: Packed


async def prepare_restore(prior: Ahead, at: AtRevision, takes: Nothing) -> Back:
    """Compare the revision with the head. Raises Conflict for a revision that never was the head: what a change request
    holds comes in by its merge alone."""
    old = at.revision.record
    if prior.attempt > 1:
        await prior.take_turn()

    async def began(unit: Unit) -> Revision:
        space = await unit.spaces.get(at.space.record.id)
        head = None if space is None else await unit.revisions.get(space.revision)
        if head is None:
            raise Stale
        if not await unit.revisions.follows(head.id, old.id):
            raise Conflict("the revision never was primary content: only what was can be restored")
        return head

    head = await prior.store.read_apart(began)
    made = await ahead.compute(prior.store, old.organization, following(head.root, old.root))
    root, objects = made.result
    return Back(head, root, await ahead.put(prior.store, old.organization, objects))


async def restore(call: Call, at: AtRevision, takes: Nothing) -> Revision:
    """Primary content becomes what it was in a revision, as a new one of type rollback; nothing to do keeps the head."""
    space, back = at.space.record, call.prepared
    if (space.organization, space.revision) != (back.head.organization, back.head.id):
        # Another organization has none of the objects that were put ahead.
        raise Stale
    if back.root == back.head.root:
        head: Revision = back.head
        return head
    await call.unit.objects.put_packed(space.organization, back.objects, call.now)
    return await heads.append(call.unit, space, back.root, {}, kind="rollback")


def _present_restored(revision: Revision, view: View) -> revisions.Restored:
    return revisions.Restored(revision.id, revision.type)


OPERATIONS = (
    reads("getChangeRequestChanges", "/spaces/{space}/change-requests/{change_request}/changes", of_change_request,
          changes.present,
          needs="space.view", scope="space:read", summary="Get what a change request changes"),
    reads("getChangeRequestPageChanges", "/spaces/{space}/change-requests/{change_request}/changes/pages/{page}",
          of_page, changes.present_page,
          needs="space.view", scope="space:read", long=lambda takes: True,
          summary="Compare a page with primary content, block by block and word by word"),
    reads("getRevisionPageChanges", "/spaces/{space}/revisions/{revision}/changes/pages/{page}", of_revision_page,
          changes.present_page,
          needs="space.view", scope="space:read", long=lambda takes: True,
          summary="Compare a page with the revision before, block by block and word by word"),
    reads("getRevisionSemanticChanges", "/spaces/{space}/revisions/{revision}/changes", of_revision, changes.present,
          needs="space.view", scope="space:read", installed="space:content:read", summary="Get what a revision changed"),
    writes("POST", "restoreRevision", "/spaces/{space}/revisions/{revision}/restore", restore, _present_restored,
           before=prepare_restore, lock="space", needs="space.merge", scope="space:write", audit="space.revision.restore",
           summary="Go back to a revision"),
)  # fmt: skip
