"""Search on a site: JSON for the dialog, a plain page of results for everybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from octavo.content.revision import Page
from octavo.history.contents import Contents
from octavo.kernel import limits
from octavo.publish import templating
from octavo.publish.answers import Answer, html
from octavo.publish.audience import open_to_visitor
from octavo.publish.building import nav_nodes, readable, site_view
from octavo.publish.context import page_href
from octavo.publish.reading import contents_at
from octavo.publish.views import Link, NavNode, SearchHit, SearchView, SectionHit
from octavo.site.finding import FoundPage, find, nearest
from octavo.site.snapshot import Snapshot
from octavo.store.unit import Store, Unit

if TYPE_CHECKING:
    from octavo.publish.site_door import Visit

RESULTS = 20
"""Pages in one answer."""


async def answer_search(store: Store, visit: Visit) -> Answer:
    """`?q=`, `?from=`; JSON where the visitor accepts that rather than HTML."""
    query = visit.query.get("q", [""])[0][: limits.SEARCH_QUERY_MAX]
    begins = visit.query.get("from", ["0"])[0]
    offset = int(begins) if begins.isascii() and begins.isdigit() and len(begins) < 6 else 0
    contents, found, total = await store.read(lambda unit: _find(unit, visit.snapshot, query, offset))
    hits = tuple(_hit(visit, page) for page in found)
    if b"application/json" in dict(visit.scope["headers"]).get(b"accept", b""):
        body = msgspec.json.encode({"items": hits, "count": total})
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store"), (b"vary", b"accept")]
        return Answer(200, body, headers)
    site = site_view(visit.snapshot, visit.address, visit.snapshot.default_place())
    more = f"{site.search_url}?q={quote(query)}&from={offset + RESULTS}" if offset + RESULTS < total else ""
    home = visit.snapshot.default_place()
    base = visit.address.base + ("" if home is None else home.base)
    near: tuple[Link, ...] = ()
    nav: tuple[NavNode, ...] = ()
    if home is not None:
        shown = contents[home.space.id]
        nav = nav_nodes(shown, base, None)
        if query and not hits:
            near = tuple(Link(one.page.title, page_href(shown, base, one)) for one in nearest(query, readable(shown)))
    view = SearchView(query, hits, near, more)
    return html(200, templating.search(site, nav, view)).header("cache-control", "no-store").header("vary", "accept")


async def _find(
    unit: Unit, snapshot: Snapshot, query: str, offset: int
) -> tuple[dict[str, Contents], list[FoundPage], int]:
    contents = {one.space: await contents_at(unit, snapshot, one.space) for one in snapshot.shown}

    def open_(page: Page) -> bool:
        return any(one.pages.get(page.id) is page and open_to_visitor(one, page) for one in contents.values())

    found, total = await find(
        unit, snapshot.site.organization, contents, query, limit=RESULTS, offset=offset, open_=open_
    )
    return contents, found, total


def _hit(visit: Visit, page: FoundPage) -> SearchHit:
    snapshot = visit.snapshot
    shown = next(one for one in snapshot.shown if one.space == page.space)
    href = page_href(page.contents, visit.address.base + snapshot.base_of(shown), page.branch)
    sections = tuple(SectionHit(one.title, f"{href}#{one.anchor}", one.snippet) for one in page.sections if one.anchor)
    beginning = next((one.snippet for one in page.sections if not one.anchor and one.snippet), "")
    return SearchHit(page.branch.page.title, href, tuple(one.title for one in page.above), sections, beginning)
