"""Search: over the content of an organization, and over a site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from octavo.access.locate import SeenOrganization, SeenSite
from octavo.access.policy import allows
from octavo.access.standing import roles_on_spaces
from octavo.history.contents import Contents, contents_of
from octavo.kernel.operation import READ, Operation
from octavo.kernel.records import Space
from octavo.resources.call import Call, Page
from octavo.site.finding import FoundPage, find
from octavo.site.snapshot import snapshot_of
from octavo.wire import search
from octavo.wire.lists import Listing, ListQuery
from octavo.wire.search import OrganizationSearch, SiteSearch, SiteSearchQuery
from octavo.wire.view import View


@dataclass(frozen=True)
class InOrganization:
    organization: SeenOrganization


@dataclass(frozen=True)
class AtSite:
    organization: SeenOrganization
    site: SeenSite


async def in_organization(call: Call, at: InOrganization, query: OrganizationSearch) -> Page[search.FoundSpace]:
    """Over every space that the caller has a role on; hits are grouped by space, the best first."""
    seen = await _seen(call, await call.unit.spaces.all(at.organization.record.id))
    return await _search(call, at.organization.record.id, seen, query.query, query)


async def in_site(call: Call, at: AtSite, body: SiteSearch) -> Page[search.FoundSpace]:
    """Over the spaces of a site, or those that the scope names."""
    snapshot = await snapshot_of(call.unit, at.site.record)
    where = search.where(body)
    wanted = [
        one
        for one in snapshot.shown
        if (where.site_spaces is None or one.id in where.site_spaces)
        and (where.site_sections is None or one.section in where.site_sections)
    ]
    seen = await _seen(call, list({one.space: snapshot.spaces[one.space] for one in wanted}.values()))
    current = next((one.space for one in snapshot.shown if one.id == where.current), None)
    return await _search(call, at.site.record.organization, seen, body.query, call.query, first=current)


async def _seen(call: Call, spaces: list[Space]) -> list[Space]:
    roles = await roles_on_spaces(call.unit, call.caller, spaces)
    return [space for space in spaces if allows("space", "view", roles[space.id])]


async def _search(
    call: Call, organization: str, spaces: list[Space], words: str, query: ListQuery, *, first: str | None = None
) -> Page[search.FoundSpace]:
    behind = call.behind(query)
    offset = 0 if behind is None else int(behind[0])
    contents = await _contents(call, spaces)
    found, total = await find(call.unit, organization, contents, words, limit=query.limit, offset=offset)
    titles = {space.id: space.title for space in spaces}
    grouped: dict[str, list[search.FoundPage]] = {}
    for rank, page in enumerate(found, offset):
        app = f"{call.view.space(organization, page.space)}/{page.branch.page.id}"
        grouped.setdefault(page.space, []).append(_found(page, rank, app))
    ordered = sorted(grouped, key=lambda space: space != first)
    items = [search.FoundSpace(space, titles[space], grouped[space]) for space in ordered]
    ends = offset + query.limit
    more = call.signer.write_cursor(call.list_name, (ends,)) if query.limit and ends < total else None
    return Page(items, total, more)


async def _contents(call: Call, spaces: list[Space]) -> Mapping[str, Contents]:
    revisions = await call.unit.revisions.by_ids(space.revision for space in spaces)
    return {revision.space: await contents_of(call.unit, revision) for revision in revisions}


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


def _present(page: Page[search.FoundSpace], view: View) -> Listing[search.SearchHit]:
    return page.present(search.present)


OPERATIONS = (
    Operation(
        id="searchOrganizationContent",
        method="GET",
        path="/orgs/{organization}/search",
        at=InOrganization,
        takes=OrganizationSearch,
        does=in_organization,
        present=_present,
        gives=Listing[search.SearchHit],
        status=200,
        needs="relation",
        pace="search",
        unit=READ,
        scope="organization:search",
        summary="Search the content of an organization",
    ),
    Operation(
        id="searchSiteContent",
        method="POST",
        path="/orgs/{organization}/sites/{site}/search",
        at=AtSite,
        takes=SiteSearch,
        query=SiteSearchQuery,
        does=in_site,
        present=_present,
        gives=Listing[search.SearchHit],
        status=200,
        needs="site.view",
        pace="search",
        unit=READ,
        scope="site:search",
        summary="Search a site",
    ),
)
