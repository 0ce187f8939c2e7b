"""Redirects of a site: which one an address meets, where it leads, and whether it would lead back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import msgspec

from octavo.content.revision import Branch
from octavo.history.contents import Contents, contents_of
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.records import Json
from octavo.kernel.records.sites import SiteRedirect, SiteSpace
from octavo.site.addresses import page_path, within
from octavo.site.seeing import seen
from octavo.site.snapshot import Snapshot
from octavo.store.unit import Unit

_KEPT = "-._~+"


class Met(msgspec.Struct, frozen=True):
    """A redirect that an address meets, and what of the address the wildcard stands for."""

    redirect: SiteRedirect
    rest: str


def normal(path: str) -> str:
    """A path below the site's in its one writing: a slash in front, none at the end, no escape where none is needed.

    >>> normal("Old%20page/")
    '/Old%20page'
    """
    return "/" + quote(unquote(path).strip("/"), safe=f"/{_KEPT}")


def normal_source(source: str) -> str:
    """The same of a source, which may end with a wildcard."""
    stem = source.rstrip("*")
    mark = "*" if stem != source else ""
    return normal(stem) + ("/" if mark and stem.endswith("/") else "") + mark


def candidates(path: str) -> Iterator[str]:
    """The sources that a path meets, the closest first."""
    yield path
    for end in range(len(path), 1, -1):
        yield path[:end] + "*"


class Rules:
    """Redirects that hold, by their sources."""

    def __init__(self, redirects: Iterable[SiteRedirect]) -> None:
        self.by_source = {one.source: one for one in redirects if not one.draft}
        self._longest = max((len(source) for source in self.by_source), default=0)

    def meet(self, path: str) -> Met | None:
        """The closest one that a path in its one writing meets."""
        found = self.by_source.get(path)
        if found is not None:
            return Met(found, "")
        for source in candidates(path):
            if len(source) <= self._longest and source in self.by_source:
                return Met(self.by_source[source], path[len(source) - 1 :])
        return None


async def met_by(unit: Unit, site: str, path: str) -> Met | None:
    """The redirect of a site that a path below its own meets."""
    asked = normal(path)
    if asked == "/" or len(asked) > limits.REDIRECT_SOURCE_MAX:
        return None
    return Rules((await unit.redirects.of_sources(site, candidates(asked))).values()).meet(asked)


class Leads:
    """Where redirects of one site lead; contents of spaces are read once."""

    def __init__(self, unit: Unit, snapshot: Snapshot, base: str, *, visiting: bool = False) -> None:
        """`base` is the address of the site, with a slash at the end: whole, or its path. `visiting` has nothing lead to
        where the snapshot's visitor may not be: the address of a page is made of its title."""
        self._unit = unit
        self._snapshot = snapshot.narrowed() if visiting else snapshot
        self._visitor = snapshot.visitor if visiting else None
        self._base = base
        self._contents: dict[str, Contents] = {}

    async def address(self, destination: Json) -> str | None:
        """The address of a destination; None where there is nothing any more."""
        site = self._snapshot
        match destination["kind"]:
            case "external":
                return str(destination["url"])
            case "site-section":
                section = next((one for one in site.sections if one.id == destination["siteSectionId"]), None)
                path = None if section is None else "" if section.default else page_path(section.path) + "/"
            case "site-space":
                place = self._site_space(destination["siteSpaceId"])
                path = None if place is None else site.base_of(place)
            case _:
                path = await self._page(destination["siteSpaceId"], destination["pageId"])
        return None if path is None else self._base + path

    async def target(self, met: Met) -> str | None:
        """Where an address that met a redirect leads."""
        address = await self.address(met.redirect.destination)
        if address is None or not met.redirect.capture_wildcard or not met.rest:
            return address
        return with_rest(address, met.rest)

    async def stored(self, sent: Json, field: str = "destination") -> Json:
        """A destination as it is kept. Raises NotFound for what the site has not, BadRequest for a path without page."""
        match sent["kind"]:
            case "site-section":
                if all(one.id != sent["siteSectionId"] for one in self._snapshot.sections):
                    raise absent("section", sent["siteSectionId"])
            case "site-space":
                if self._site_space(sent["siteSpaceId"]) is None:
                    raise absent("site-space", sent["siteSpaceId"])
            case "site-page":
                place = self._site_space(sent["siteSpaceId"])
                if place is None:
                    raise absent("site-space", sent["siteSpaceId"])
                if sent["pageId"] not in (await self._contents_of(place.space)).by_id:
                    raise absent("page", sent["pageId"])
            case "path":
                return await self._at_path(sent, field)
        return sent

    async def require_end(self, rules: Rules, redirect: SiteRedirect) -> None:
        """Raises BadRequest for a redirect that leads back to where somebody came from, also by way of others."""
        path: str | None = redirect.source.replace("*", "x")
        seen: set[str] = set()
        while path is not None:
            if path in seen or len(seen) > limits.REDIRECT_HOPS:
                way = " → ".join([*sorted(seen)[:5], path[:100]])
                raise BadRequest(f"destination: this leads round in a circle, by way of {way}")
            seen.add(path)
            met = rules.meet(path)
            if met is None:
                return
            path = self._own_path(await self.target(met))

    def _own_path(self, address: str | None) -> str | None:
        """The path of an address below the site's; None for one elsewhere."""
        if address is None or not address.startswith(self._base):
            return None
        return normal(urlsplit(address[len(self._base) :]).path)

    def _site_space(self, word: str) -> SiteSpace | None:
        site = self._snapshot
        return next((one for one in site.site_spaces if one.id == word and one.space in site.spaces), None)

    async def _page(self, word: str, page: str) -> str | None:
        place = self._site_space(word)
        contents = None if place is None else await self._contents_of(place.space)
        branch = None if contents is None else contents.by_id.get(page)
        if place is None or contents is None or branch is None:
            return None
        return self._snapshot.base_of(place) + path_in(contents, branch, place.page)

    async def _at_path(self, sent: Json, field: str) -> Json:
        shown = [one for one in self._snapshot.site_spaces if one.space == sent["spaceId"]]
        if not shown or shown[0].space not in self._snapshot.spaces:
            raise BadRequest(f"{field}.spaceId: the site does not show space {sent['spaceId']!r}")
        contents = await self._contents_of(shown[0].space)
        path = sent["path"].strip("/").lower()
        branch = contents.by_path.get(path) if path else begins_with(contents, shown[0].page)
        if branch is None:
            raise BadRequest(f"{field}.path: the space has no page at {sent['path'][:100]!r}")
        return {"kind": "site-page", "siteSpaceId": shown[0].id, "pageId": branch.page.id}

    async def _contents_of(self, space: str) -> Contents:
        if space not in self._contents:
            contents = await contents_of(self._unit, self._snapshot.revisions[space])
            self._contents[space] = contents if self._visitor is None else seen(contents, self._visitor.of(space))
        return self._contents[space]


def begins_with(contents: Contents, first: str | None) -> Branch | None:
    """What a site-space begins with: the page `first` where it names one, or else what the root of the space shows."""
    named = contents.by_id.get(first or "")
    return contents.landing if named is None or named.page.type != "document" else named


def path_in(contents: Contents, branch: Branch, first: str | None) -> str:
    """The path of a page below that of a site-space, which begins with `first`."""
    begins = begins_with(contents, first)
    return "" if begins is not None and begins.page.id == branch.page.id else page_path(branch.path)


def with_rest(address: str, rest: str) -> str:
    """An address with what a wildcard stood for behind its path.

    >>> with_rest("https://example.org/new?a=1", "b/c")
    'https://example.org/new/b/c?a=1'
    >>> with_rest("https://example.org/new", "../../b")
    'https://example.org/new/b'
    """
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{within(rest).lstrip('/')}"))
