"""What visitors of a site think of its pages, for those who write them: who edits a space reads what is said of its pages."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec import UNSET

from octavo.access.policy import allows
from octavo.access.standing import roles_on_spaces
from octavo.history.contents import Contents, contents_of
from octavo.kernel.operation import reads
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtSite
from octavo.site.leading import path_in
from octavo.site.shown import published_address
from octavo.site.snapshot import Snapshot, snapshot_of
from octavo.store.sites.feedback import Wanted
from octavo.wire.fields import Maybe
from octavo.wire.sites import feedback
from octavo.wire.sites.feedback import FeedbackQuery, FeedbackView, PageView, RatingsQuery, RatingsView


class _Written(msgspec.Struct, frozen=True):
    """The spaces of a site that the caller may write in."""

    snapshot: Snapshot
    spaces: list[str]
    base: str | None

    async def pages(self, call: Call, wanted: Collection[tuple[str, str]]) -> dict[tuple[str, str], PageView]:
        """How these pages (space, id) are called now."""
        known: dict[str, Contents] = {}
        for space in sorted({space for space, _ in wanted}):
            known[space] = await contents_of(call.unit, self.snapshot.revisions[space])
        return {(space, page): self._page(known[space], space, page) for space, page in wanted}

    def _page(self, contents: Contents, space: str, page: str) -> PageView:
        branch = contents.by_id.get(page)
        if branch is None:
            return PageView(page)
        place = next((one for one in self.snapshot.site_spaces if one.space == space and not one.draft), None)
        published = None
        if place is not None and self.base is not None:
            published = self.base + self.snapshot.base_of(place) + path_in(contents, branch, place.page)
        return PageView(page, branch.page.title, branch.path, published)


async def _written(call: Call, at: AtSite, only: Maybe[str]) -> _Written:
    snapshot = await snapshot_of(call.unit, at.site.record)
    spaces = [one for one in snapshot.spaces.values() if only in (UNSET, one.id)]
    roles = await roles_on_spaces(call.unit, call.caller, spaces)
    mine = [one.id for one in spaces if allows("space", "edit", roles[one.id])]
    return _Written(snapshot, mine, published_address(at.site.record, call.view))


async def list_on_site(call: Call, at: AtSite, query: FeedbackQuery) -> Slice[FeedbackView]:
    """Newest first, of the pages that the caller may write."""
    written = await _written(call, at, query.space_id)
    wanted = Wanted(at.site.record.id, written.spaces, _said(query.page_id), _said(query.rating), query.commented)
    found, total = await call.unit.feedback.page(wanted, call.newest_behind(query), query.limit + 1)
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    pages = await written.pages(call, {(one.space, one.page) for one in page.items})
    return Slice([FeedbackView(one, pages[one.space, one.page]) for one in page.items], page.count, page.next)


def _said(word: Maybe[str]) -> str:
    return "" if word is UNSET else word


async def list_ratings(call: Call, at: AtSite, query: RatingsQuery) -> Slice[RatingsView]:
    """The pages that most visitors rated first."""
    written = await _written(call, at, query.space_id)
    found = await call.unit.feedback.tallies(at.site.record.id, written.spaces)
    ranked = [(-(one.good + one.ok + one.bad), one.space, one.page) for one in found]
    by_key = dict(zip(ranked, found, strict=True))
    page = call.cut(ranked, query, lambda key: key)
    pages = await written.pages(call, {key[1:] for key in page.items})
    made = [RatingsView(one.space, pages[one.space, one.page], *one[2:]) for one in map(by_key.__getitem__, page.items)]
    return Slice(made, page.count, page.next)


_ALL = "/orgs/{organization}/sites/{site}/feedback"
_WRITERS = "`edit` on the spaces whose pages it tells of; of others it tells nothing"

OPERATIONS = (
    reads("listSitePageFeedback", _ALL, list_on_site, listed(feedback.present),
          needs="site.view", also=_WRITERS, scope="site:insights:read",
          summary="List what visitors of a site think of its pages"),
    reads("listSitePageRatings", _ALL + "/pages", list_ratings, listed(feedback.present_ratings),
          needs="site.view", also=_WRITERS, scope="site:insights:read",
          summary="Count how visitors of a site rated its pages"),
)  # fmt: skip
