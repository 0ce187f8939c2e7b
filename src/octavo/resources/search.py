"""Search: over the content of an organization, over a site, and over a space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from octavo.access.caller import Caller
from octavo.access.policy import allows
from octavo.access.standing import roles_on_spaces
from octavo.history.contents import Contents
from octavo.kernel.operation import reads
from octavo.kernel.records.library import Space
from octavo.resources.call import Ahead, Call, Slice, listed
from octavo.resources.places import AtOrganization, AtSite, AtSpace
from octavo.resources.rules import MEMBERS
from octavo.site.finding import FoundPage, found, rank
from octavo.site.visits import contents_for, snapshot_for
from octavo.store.search.find import Ranked
from octavo.store.unit import Unit
from octavo.wire import search
from octavo.wire.lists import ListQuery
from octavo.wire.search import ContentSearch, SiteSearch, SiteSearchQuery

Seen = tuple[dict[str, str], dict[str, Contents]]
"""The spaces that somebody may see: their titles, and what is in them."""


@dataclass(frozen=True)
class Searched:
    """Where somebody searched, and every page that was found there; `first` is the space whose hits come first."""

    organization: str
    titles: Mapping[str, str]
    contents: Mapping[str, Contents]
    ranked: Ranked
    first: str | None = None


async def search_organization(prior: Ahead, at: AtOrganization, query: ContentSearch) -> Searched:
    """Over every space that the caller has a role on. It takes milliseconds, so it happens ahead of the unit."""
    organization = at.organization.record.id

    async def work(unit: Unit) -> Seen:
        return await _seen(unit, prior.caller, await unit.spaces.all(organization))

    return await _search(prior, organization, await prior.read(work), query.query)


async def search_site(prior: Ahead, at: AtSite, body: SiteSearch) -> Searched:
    """Over the spaces of a site that visitors are led to, or those that the scope names. What the current one has comes
    first, whatever its worth."""
    where = search.where(body)

    async def work(unit: Unit) -> tuple[str | None, Seen]:
        snapshot = await snapshot_for(unit, prior.caller, at.site.record)
        wanted = [
            one
            for one in snapshot.shown
            if one.id != where.without
            and (not one.hidden or one.id == where.current or one.id in (where.site_spaces or ()))
            and (where.site_spaces is None or one.id in where.site_spaces)
            and (where.site_sections is None or one.section in where.site_sections)
        ]
        spaces = {one.space: snapshot.spaces[one.space] for one in wanted}
        current = next((one.space for one in snapshot.shown if one.id == where.current), None)
        return current, await _seen(unit, prior.caller, [*spaces.values()])

    first, seen = await prior.read(work)
    return await _search(prior, at.site.record.organization, seen, body.query, first)


async def search_space(prior: Ahead, at: AtSpace, query: ContentSearch) -> Searched:
    """Over primary content of one space."""
    space = at.space.record

    async def work(unit: Unit) -> Seen:
        return await _seen(unit, prior.caller, [space])

    return await _search(prior, space.organization, await prior.read(work), query.query)


async def in_organization(call: Call, at: AtOrganization, query: ContentSearch) -> Slice[search.FoundSpace]:
    """Hits are grouped by space, the best first."""
    return await _page(call, query)


async def in_site(call: Call, at: AtSite, body: SiteSearch) -> Slice[search.FoundSpace]:
    """Hits are grouped by space, the best first; the space that the reader is in comes ahead of the others."""
    return await _page(call, call.query)


async def in_space(call: Call, at: AtSpace, query: ContentSearch) -> Slice[search.FoundPage]:
    """Hits one by one, the best first."""
    part = await _part(call, query)
    return Slice([page for _, page in part.items], part.count, part.next)


async def _seen(unit: Unit, caller: Caller, spaces: list[Space]) -> Seen:
    roles = await roles_on_spaces(unit, caller, spaces)
    seen = [space for space in spaces if allows("space", "view", roles[space.id])]
    revisions = await unit.revisions.by_ids(space.revision for space in seen)
    contents = {one.space: await contents_for(unit, caller, one, computed=True) for one in revisions}
    return {space.id: space.title for space in seen}, contents


async def _search(prior: Ahead, organization: str, seen: Seen, words: str, first: str | None = None) -> Searched:
    titles, contents = seen
    ranked = await rank(prior.store, organization, contents, words)
    if first is not None:
        ranked = replace(ranked, pages=sorted(ranked.pages, key=lambda page: page.space != first))
    return Searched(organization, titles, contents, ranked, first)


async def _page(call: Call, query: ListQuery) -> Slice[search.FoundSpace]:
    searched: Searched = call.prepared
    part = await _part(call, query)
    grouped: dict[str, list[search.FoundPage]] = {}
    for space, page in part.items:
        grouped.setdefault(space, []).append(page)
    ordered = sorted(grouped, key=lambda space: space != searched.first)
    items = [search.FoundSpace(space, searched.titles[space], grouped[space]) for space in ordered]
    return Slice(items, part.count, part.next)


async def _part(call: Call, query: ListQuery) -> Slice[tuple[str, search.FoundPage]]:
    """The pages that are asked for, the best first, each with its space."""
    searched: Searched = call.prepared
    behind = call.behind(query)
    offset = 0 if behind is None else int(behind[0])
    ends, total = offset + query.limit, len(searched.ranked.pages)
    found_here = await found(call.unit, searched.organization, searched.contents, searched.ranked.pages[offset:ends])
    pages = []
    for place, page in enumerate(found_here, offset + 1):
        app = f"{call.view.space(searched.organization, page.space)}/{page.branch.page.id}"
        pages.append((page.space, _found(page, place, app)))
    more = call.signer.write_cursor(call.list_name, (ends,)) if query.limit and ends < total else None
    return Slice(pages, total, more)


def _found(page: FoundPage, rank: int, app: str) -> search.FoundPage:
    path = page.branch.path
    return search.FoundPage(
        id=page.branch.page.id,
        title=page.branch.page.title,
        path=path,
        score=page.score,
        rank=rank,
        app=app,
        ancestors=[(one.id, one.title) for one in page.above],
        sections=[
            search.FoundSection(
                one.anchor or page.branch.page.id,
                one.title,
                f"{path}#{one.anchor}" if one.anchor else path,
                one.body,
                one.score,
            )
            for one in page.sections
        ],
        description=page.branch.page.description,
    )


OPERATIONS = (
    reads("searchOrganizationContent", "/orgs/{organization}/search", in_organization, listed(search.present),
          before=search_organization, needs=MEMBERS, also="what they may see is found", scope="organization:search",
          summary="Search the content of an organization"),
    reads("searchSiteContent", "/orgs/{organization}/sites/{site}/search", in_site, listed(search.present),
          method="POST", query=SiteSearchQuery, before=search_site, needs="site.view", visitors=True, scope="site:search",
          summary="Search a site"),
    reads("searchSpaceContent", "/spaces/{space}/search", in_space, listed(search.present_page),
          before=search_space, needs="space.view", scope="space:read", summary="Search the content of a space"),
)  # fmt: skip
