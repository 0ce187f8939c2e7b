"""What a site says to machines: robots.txt, sitemap.xml, llms.txt and llms-full.txt."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from html import escape
from typing import Any
from urllib.parse import unquote

from octavo.content.revision import Branch
from octavo.history.contents import Contents
from octavo.kernel.records.sites import SiteSpace
from octavo.publish.audience import indexed, trail
from octavo.publish.building import readable
from octavo.publish.context import markdown_href, page_href
from octavo.publish.kept import FINISHED, digest
from octavo.publish.markdown import page_entry
from octavo.publish.reading import contents_at, material
from octavo.publish.request import SiteRequest
from octavo.site.snapshot import Place, Snapshot
from octavo.store.unit import Store, Unit
from octavo.web.answers import REVALIDATE, Answer, plain, redirect, zipped
from octavo.web.beside import beside

FULL_PAGES = 50
"""Pages in one part of llms-full.txt."""
PART_ENTRIES, PART_BYTES = 50_000, 10_000_000
"""The most that one part of a sitemap holds; the protocol allows 50,000 addresses and 50 MB."""

_ENDINGS = ("robots.txt", "llms.txt", "llms-full.txt", ".xml")
_SITEMAP = re.compile(r"sitemap(?:-([1-9]\d{0,4}))?\.xml\Z")
_XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass(frozen=True)
class Shelf:
    """A space of the site with what it holds."""

    place: Place
    contents: Contents


class Machines:
    """Answers what machines ask a site for; finished answers are kept beside its pages."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = store.kept

    async def answer(self, request: SiteRequest) -> Answer | None:
        """What stands at the address; None where that is nothing for machines, or nothing for these."""
        path = request.path.rstrip("/")
        name = path.lower()
        if not name.endswith(_ENDINGS):
            return None
        place = request.snapshot.place(path)
        if name == "robots.txt":
            answer: Answer | None = plain(200, robots(request.snapshot, request.address.base, request.address.public))
        elif _SITEMAP.match(name):
            answer = await self._sitemap(request, name)
        elif place is not None and place.rest.lower() in ("llms.txt", "llms-full.txt"):
            name = place.base + place.rest.lower()
            answer = await self._llms(request, place)
        else:
            return None
        if answer is None or request.path == unquote(name):
            return answer
        return redirect(308, request.with_query(request.address.base + name))

    async def _sitemap(self, request: SiteRequest, name: str) -> Answer | None:
        snapshot, public = request.snapshot, request.address.public
        if snapshot.site.visibility != "public" or not snapshot.shown:
            return None
        kept = self._kept.get(FINISHED, _key(snapshot, public, name))
        if kept is None:
            shelves = await self._shelves(snapshot, shown_places(snapshot))
            made = await asyncio.to_thread(sitemap, snapshot, shelves, public)
            finished = {
                part: self._finish(_key(snapshot, public, part), zipped(200, "application/xml", text))
                for part, text in made.items()
            }
            kept = finished.get(name)
        return None if kept is None else kept.copy()

    async def _llms(self, request: SiteRequest, place: Place) -> Answer | None:
        """The list of pages, or their texts; of the whole site, or of the space whose base the address names."""
        snapshot, public = request.snapshot, request.address.public
        if snapshot.site.agents_context == "excluded":
            return None
        full = place.rest.lower() == "llms-full.txt"
        number = _number(request.query.get("page", ["1"])[0]) if full else 0
        key = _key(snapshot, public, f"{place.base}{place.rest.lower()}/{number}")
        kept = self._kept.get(FINISHED, key)
        if kept is not None:
            return kept.copy()
        shelves = await self._shelves(snapshot, [place] if place.base else shown_places(snapshot))
        if full:
            answer = await self._full(request, place, shelves, number)
        else:
            answer = zipped(200, "text/markdown", await asyncio.to_thread(llms, snapshot, shelves, public, place))
        return None if answer is None else self._finish(key, answer.header("x-robots-tag", "noindex")).copy()

    async def _full(self, request: SiteRequest, place: Place, shelves: list[Shelf], number: int) -> Answer | None:
        public = request.address.public
        pages = [(shelf, branch) for shelf in shelves for branch in _for_agents(shelf.contents)]
        last = max(1, -(-len(pages) // FULL_PAGES))
        if not 1 <= number <= last:
            return None
        entries = []
        for shelf, branch in pages[(number - 1) * FULL_PAGES : number * FULL_PAGES]:
            entries.append(await self._entry(request, shelf, branch))
        if number == last:
            return zipped(200, "text/markdown", "\n".join(entries))
        following = f"{public}{place.base}llms-full.txt?page={number + 1}"
        answer = zipped(200, "text/markdown", "\n".join([*entries, f"Next page: {following}\n"]))
        return answer.header("link", f'<{following}>; rel="next"')

    async def _entry(self, request: SiteRequest, shelf: Shelf, branch: Branch) -> str:
        store, blobs, snapshot = self._store, request.blobs, request.snapshot
        given = await material(store, blobs, snapshot, shelf.place, shelf.contents, branch, coloured=False)
        return await beside(page_entry, given, request.address.public)

    async def _shelves(self, snapshot: Snapshot, places: list[Place]) -> list[Shelf]:
        async def read(unit: Unit) -> list[Shelf]:
            return [
                Shelf(place, await contents_at(unit, snapshot, place.space.id, place.site_space)) for place in places
            ]

        shelves = await self._store.read(read)
        for shelf in shelves:
            # Found out here, so that threads only read it.
            readable(shelf.contents)
        return shelves

    def _finish(self, key: str, answer: Answer) -> Answer:
        answer.etag = f'"{key}"'.encode()
        answer.header("cache-control", REVALIDATE)
        return self._kept.put(FINISHED, key, answer)


def robots(snapshot: Snapshot, base: str, public: str) -> str:
    """robots.txt of a site whose root is the path `base` on the host that is asked, and which is known as `public`."""
    if snapshot.site.visibility != "public":
        return "User-agent: *\nDisallow: /\n"
    closed = f"Disallow: {base}~octavo/search\nDisallow: {base}*~octavo/nav/\n"
    return f"User-agent: *\n{closed}\nSitemap: {public}sitemap.xml\n"


def shown_places(snapshot: Snapshot) -> list[Place]:
    """The spaces that visitors are led to, section by section: neither drafts nor hidden variants."""
    ordered = sorted(snapshot.shown, key=lambda one: _rank(snapshot, one))
    return [
        Place(one, snapshot.section_of(one), snapshot.spaces[one.space], snapshot.base_of(one), "")
        for one in ordered
        if not one.hidden
    ]


def _rank(snapshot: Snapshot, site_space: SiteSpace) -> int:
    return next((place for place, one in enumerate(snapshot.sections) if one.id == site_space.section), -1)


def sitemap(snapshot: Snapshot, shelves: list[Shelf], public: str) -> dict[str, str]:
    """The files of a sitemap by name: `sitemap.xml` with all pages, or with the list of `sitemap-1.xml` and so on."""
    parts: list[list[str]] = [[]]
    size = 0
    newest = [0]
    for address, updated in _indexable(snapshot, shelves, public):
        entry = f"<url><loc>{escape(address, quote=False)}</loc>{_lastmod(updated)}</url>\n"
        size += len(entry)
        if len(parts[-1]) == PART_ENTRIES or size > PART_BYTES:
            parts.append([])
            newest.append(0)
            size = len(entry)
        parts[-1].append(entry)
        newest[-1] = max(newest[-1], updated)
    if len(parts) == 1:
        return {"sitemap.xml": _xml("urlset", parts[0])}
    files = {f"sitemap-{number}.xml": _xml("urlset", part) for number, part in enumerate(parts, 1)}
    listed = [
        f"<sitemap><loc>{escape(public + name, quote=False)}</loc>{_lastmod(updated)}</sitemap>\n"
        for name, updated in zip(files, newest, strict=True)
    ]
    return {"sitemap.xml": _xml("sitemapindex", listed)} | files


def _indexable(snapshot: Snapshot, shelves: list[Shelf], public: str) -> Iterator[tuple[str, int]]:
    for shelf in shelves:
        base = public + shelf.place.base
        for branch in readable(shelf.contents):
            if indexed(snapshot, branch.page):
                yield page_href(shelf.contents, base, branch), branch.page.updated


def _lastmod(milliseconds: int) -> str:
    if not milliseconds:
        return ""
    return f"<lastmod>{datetime.fromtimestamp(milliseconds // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}</lastmod>"


def _xml(root: str, entries: list[str]) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{_XMLNS}">\n{"".join(entries)}</{root}>\n'


def llms(snapshot: Snapshot, shelves: list[Shelf], public: str, place: Place) -> str:
    """The list of pages in the form of llmstxt.org; `place` is that below whose base the list stands."""
    whole = not place.base
    title = snapshot.site.title if whole else ": ".join([snapshot.site.title, *_names(snapshot, place)])
    parts = [f"# {_line(title)}"]
    first = next((shelf.contents.landing for shelf in shelves), None)
    if first is not None and first.page.description:
        parts.append(f"> {_line(first.page.description)}")
    parts.append(
        "Each page below is Markdown; its address without `.md` is the page for people. "
        f"The texts of all pages: {public}{place.base}llms-full.txt"
    )
    lists: dict[tuple[str, ...], list[str]] = {}
    for shelf in shelves:
        above = _names(snapshot, shelf.place) if whole else []
        for branch in _for_agents(shelf.contents):
            lists.setdefault((*above, *_groups(shelf.contents, branch)), []).append(_entry(shelf, branch, public))
    for names, entries in lists.items():
        parts.append(f"## {_line(': '.join(names)) or 'Pages'}\n\n" + "\n".join(entries))
    return "\n\n".join(parts) + "\n"


def _for_agents(contents: Contents) -> list[Branch]:
    return [branch for branch in readable(contents) if not branch.page.no_index]


def _names(snapshot: Snapshot, place: Place) -> list[str]:
    """What tells a space from the others of the site: its section where there are several, its variant likewise."""
    names = []
    if place.section is not None and len({one.section for one in snapshot.shown}) > 1:
        names.append(place.section.title)
    if any(not one.hidden and one.id != place.site_space.id for one in snapshot.siblings(place.site_space)):
        names.append(place.site_space.title)
    return names


def _groups(contents: Contents, branch: Branch) -> list[str]:
    above = [contents.pages[key] for key in trail(contents, branch.page.parent)]
    return [page.title for page in reversed(above) if page.type == "group"]


def _entry(shelf: Shelf, branch: Branch, public: str) -> str:
    page = branch.page
    address = _escape().destination(markdown_href(public + shelf.place.base, branch))
    about = f": {_line(page.description)}" if page.description else ""
    return f"- [{_escape().markdown(' '.join(page.title.split()), linked=True)}]({address}){about}"


def _line(words: str) -> str:
    """The words as Markdown, on one line."""
    made: str = _escape().markdown(" ".join(words.split()))
    return made


@cache
def _escape() -> Any:
    """Imported with the first list, not with the server: the parser beside it costs 100 ms."""
    from octavo.content.markdown import printer_escape

    return printer_escape


def _number(asked: str) -> int:
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 0


def _key(snapshot: Snapshot, public: str, name: str) -> str:
    roots = (snapshot.revisions[one.space].root for one in snapshot.shown)
    return digest("machines", snapshot.version, *roots, public, name, snapshot.view, snapshot.visitor)
