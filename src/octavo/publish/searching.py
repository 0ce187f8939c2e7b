"""Search on a site: JSON for the dialog, a plain page of results for everybody else."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from octavo.content.snippets import Marker
from octavo.history.contents import Contents
from octavo.kernel import limits
from octavo.kernel.records.sites import SiteSpace
from octavo.publish import templating
from octavo.publish.building import nav_nodes, readable
from octavo.publish.context import page_href
from octavo.publish.look import site_chrome
from octavo.publish.navigation import worded
from octavo.publish.reading import listed_contents
from octavo.publish.request import SiteRequest
from octavo.publish.views import Link, Pieces, SearchHit, SearchView, SectionHit
from octavo.site.finding import FoundPage, found, rank, resembling
from octavo.site.snapshot import Place, Snapshot
from octavo.store.search.find import RankedPage
from octavo.store.unit import Store
from octavo.web.answers import Answer, zipped

RESULTS = 20
"""Pages in one answer."""
SUGGESTED = 8
"""Pages that the dialog shows while somebody types."""
SECTIONS = 3
"""Places in a page that are shown under it."""
NEAR = 14.0
"""What it is worth to be in the space that is being read: more than words in texts, less than the title asked for."""
SNIPPET = 160
"""Characters of a snippet."""


async def answer_search(store: Store, request: SiteRequest) -> Answer:
    """`?q=`, `?from=`; JSON where the visitor accepts that rather than HTML.

    Pages of the space `in=` come ahead of others that match as well, and are all with `only=1`.
    """
    query = request.query.get("q", [""])[0][: limits.SEARCH_QUERY_MAX]
    begins = request.query.get("from", ["0"])[0]
    offset = int(begins) if begins.isascii() and begins.isdigit() and len(begins) < 6 else 0
    typing = "application/json" in request.accept
    here = request.query.get("in", [""])[0]
    contents = await store.read(lambda unit: listed_contents(unit, request.snapshot, here))
    organization = request.snapshot.site.organization
    only = here in contents and request.query.get("only") == ["1"]
    asked = {here: contents[here]} if only else contents
    ranked = await rank(store, organization, asked, query)
    matching = _nearby(ranked.pages, here)
    some = matching[offset : offset + (SUGGESTED if typing else RESULTS)]
    pages = await store.read(lambda unit: found(unit, organization, contents, some))
    marker = Marker(ranked.words)
    locale = await _locale(store, request, here)
    hits = tuple(_hit(request, page, marker, locale) for page in pages)
    near = () if hits or not query.strip() else _nearest(request, contents, here, query)
    if typing:
        body = msgspec.json.encode({"items": hits, "count": len(ranked.pages), "nearest": near})
        answer = Answer(200, body, [(b"content-type", b"application/json")])
    else:
        more = offset + RESULTS if offset + RESULTS < len(ranked.pages) else 0
        answer = await _page(store, request, contents, SearchView(query, hits, near, only=only), here, more)
    return answer.header("cache-control", "no-store").header("vary", "accept")


def _nearby(pages: Sequence[RankedPage], here: str) -> Sequence[RankedPage]:
    """The pages with those of the space being read ahead of others that match as well."""
    return sorted(pages, key=lambda page: (not page.every, -page.score - NEAR * (page.space == here)))


async def _page(
    store: Store, request: SiteRequest, contents: dict[str, Contents], view: SearchView, here: str, more: int
) -> Answer:
    """The page of results, around it the space that was being read; `more` is where the next one begins, 0 for the last."""
    home = _place(request, here)
    site = await site_chrome(store, request.snapshot, request.address, home)
    nav = () if home is None else nav_nodes(contents[home.space.id], request.address.base + home.base, None, site)
    scope = (f"&in={quote(here)}" if here in contents else "") + ("&only=1" if view.only else "")
    next_href = f"{site.search_url}?q={quote(view.query)}{scope}&from={more}" if more else ""
    return zipped(200, "text/html", templating.search(site, nav, replace(view, next_href=next_href)))


def _place(request: SiteRequest, space: str) -> Place | None:
    """Where a space is shown; the site's root for one that is not."""
    shown = next((one for one in request.snapshot.shown if one.space == space), None)
    return request.snapshot.place("" if shown is None else request.snapshot.base_of(shown))


async def _locale(store: Store, request: SiteRequest, here: str) -> str:
    """The language that the reader is told of places in, where that makes a difference."""
    if not any(section.localized_title for section in request.snapshot.sections):
        return ""
    return (await site_chrome(store, request.snapshot, request.address, _place(request, here))).locale


def _where(snapshot: Snapshot, shown: SiteSpace, locale: str) -> str:
    """The section and the variant of a space, each where there are several."""
    section = snapshot.section_of(shown)
    sections = {one.section for one in snapshot.shown}
    named = section is not None and len(sections) > 1
    names = [worded(section.localized_title, locale) or section.title] if section is not None and named else []
    if len(snapshot.siblings(shown)) > 1:
        names.append(shown.title)
    return " · ".join(names)


def _nearest(request: SiteRequest, contents: dict[str, Contents], here: str, query: str) -> tuple[Link, ...]:
    """Pages of the space being read, or of the site's first, that somebody may have meant who found nothing."""
    home = _place(request, here)
    if home is None:
        return ()
    shown, base = contents[home.space.id], request.address.base + home.base
    return tuple(Link(one.page.title, page_href(shown, base, one)) for one in resembling(query, readable(shown)))


def _hit(request: SiteRequest, page: FoundPage, marker: Marker, locale: str) -> SearchHit:
    snapshot = request.snapshot
    # Of the places of one space, those that visitors are led to come first.
    shown = min((one for one in snapshot.shown if one.space == page.space), key=lambda one: one.hidden)
    href = page_href(page.contents, request.address.base + snapshot.base_of(shown), page.branch)

    def marked(title: str) -> Pieces:
        return tuple(marker.snippet(title, len(title)).pieces) if title else ()

    def piece(body: str) -> tuple[Pieces, bool]:
        snippet, code = marker.shown(body, SNIPPET)
        return (tuple(snippet.pieces), code) if body else ((), False)

    sections = []
    for one in [one for one in page.sections if one.anchor][:SECTIONS]:
        snippet, code = piece(one.body)
        sections.append(SectionHit(one.title, f"{href}#{one.anchor}", snippet, marked(one.title), code))
    beginning, code = next((piece(one.body) for one in page.sections if not one.anchor), ((), False))
    title, above = page.branch.page.title, tuple(one.title for one in page.above)
    where = _where(snapshot, shown, locale)
    return SearchHit(title, href, above, tuple(sections), beginning, marked(title), where, code)
