"""Revisions: the history of a space's primary content."""

from __future__ import annotations

from msgspec import UNSET

from octavo.history import timeline
from octavo.kernel.operation import reads
from octavo.resources.call import Call, Slice, listed
from octavo.resources.embedded import show_change_requests, users_by_id
from octavo.resources.places import AtSpace
from octavo.wire.content import revisions
from octavo.wire.content.revisions import ListedRevisionView, RevisionsQuery


async def list_in_space(call: Call, at: AtSpace, query: RevisionsQuery) -> Slice[ListedRevisionView]:
    """The revisions that were the head of primary content, the newest first, or those that changed one page."""
    space = at.space.record
    key = call.behind(query)
    behind = None if key is None else str(key[0])
    count: int | None = None
    if query.page_id is UNSET:
        part = await timeline.whole(call.unit, space, behind, query.limit)
        count = await call.unit.revisions.number(space.revision)
    else:
        part = await timeline.of_page(call.unit, space, query.page_id, behind, query.limit)
    people = await users_by_id(call, (one.author for one in part.revisions))
    merged = await call.unit.change_requests.by_ids(one.merged_from for one in part.revisions if one.merged_from)
    shown = await show_change_requests(call, list(merged.values()), {space.id: space})
    requests = {one.request.id: one for one in shown}
    items = [
        ListedRevisionView(one, people.get(one.author or ""), requests.get(one.merged_from or ""))
        for one in part.revisions
    ]
    return Slice(items, count, None if part.rest is None else call.signer.write_cursor(call.list_name, (part.rest,)))


OPERATIONS = (
    reads("listRevisionsForSpace", "/spaces/{space}/revisions", list_in_space, listed(revisions.present_listed),
          needs="space.view", scope="space:read", summary="List the revisions of primary content"),
)  # fmt: skip
