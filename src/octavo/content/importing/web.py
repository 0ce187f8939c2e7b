"""Pages that were fetched one by one, and which of a website's addresses to fetch."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from octavo.content.importing.html import links, soup_of
from octavo.content.importing.model import Found, Kind, Refused, Target
from octavo.content.importing.tree import natural
from octavo.content.layout import paths

PAGES_MAX = 50
"""Of one website."""
DEEPEST = 8
"""Links that are followed from the first page, one behind the other."""
SITEMAPS_MAX = 5
AGENT = "Octavo"
_LOC = re.compile(r"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)")
_INDEX = re.compile(r"/index\.html?$")
_PAGE = re.compile(r"/[^/.]*$|\.(?:html?|php|aspx?|md)$|/[^/]*\.\d[^/]*$", re.IGNORECASE)
"""Paths that may be of a page: anything else has the ending of a file."""


class Fetched:
    """An origin of pages and files by their addresses; `lost` are those that were asked for in vain."""

    def __init__(self, pages: list[Found], bodies: Mapping[str, bytes], files: Mapping[str, bytes], lost: int) -> None:
        self.pages, self.lost = pages, lost
        self._bodies, self._files = bodies, files
        self._keys = {identity(key): key for key in bodies}

    def read(self, key: str) -> bytes:
        held = self._bodies.get(key, self._files.get(key))
        if held is None:
            raise Refused("The address was not fetched.")
        return held

    def find(self, page: str, href: str) -> Target | str | None:
        try:
            whole, anchor = urldefrag(urljoin(page, href))
            key = self._keys.get(identity(whole))
        except ValueError:
            return None
        if key is not None:
            return Target(key, unquote(anchor))
        if whole in self._files:
            return Target(whole)
        return whole + (f"#{anchor}" if anchor else "")


def one_page(url: str, kind: Kind, body: bytes, files: Mapping[str, bytes], lost: int) -> Fetched:
    """A single page; its pictures by their addresses."""
    name = unquote(posixpath.basename(urlsplit(url).path))
    return Fetched([Found(url, kind, paths.titled(paths.stem(name)))], {url: body}, files, lost)


def identity(url: str) -> str:
    """What addresses of the same page have in common."""
    parts = urlsplit(url)
    path = _INDEX.sub("/", parts.path).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}" + (f"?{parts.query}" if parts.query else "")


@dataclass
class Rules:
    """What a website allows: `robots` is its robots.txt, empty where there is none."""

    robots: str = ""

    def __post_init__(self) -> None:
        self._parser = RobotFileParser()
        self._parser.parse(self.robots.splitlines())

    def allows(self, url: str) -> bool:
        return self._parser.can_fetch(AGENT, url)

    def sitemaps(self) -> list[str]:
        return self._parser.site_maps() or []


class Crawl:
    """Which pages to fetch: those below the first one's path, as far as links and the sitemap lead."""

    def __init__(self, asked: str, first: str, rules: Rules) -> None:
        """`asked` is the address that was given, `first` the one that answered."""
        self._origin = _origin(first)
        path = _prefix(urlsplit(asked).path)
        self._prefix = path if urlsplit(first).path.startswith(path) else _prefix(urlsplit(first).path)
        self._rules, self._first = rules, first
        self._known: dict[str, tuple[str, int]] = {}
        self._taken: set[str] = set()
        self._keys: dict[str, str] = {}
        self.bodies: dict[str, bytes] = {}
        self._offer(first, 0)

    @property
    def found(self) -> int:
        """Pages that are known to be there."""
        return len(self._known)

    def offer(self, urls: Iterable[str], depth: int = 1) -> None:
        """Addresses that something leads to."""
        for url in urls:
            self._offer(url, depth)

    def wanted(self, most: int) -> list[str]:
        """Addresses to fetch next; empty when the crawl is over."""
        room = min(most, PAGES_MAX - len(self._taken))
        open_ = [(depth, url) for key, (url, depth) in self._known.items() if key not in self._taken]
        chosen = [url for _, url in sorted(open_, key=lambda one: one[0])[: max(0, room)]]
        self._taken.update(identity(url) for url in chosen)
        return chosen

    def took(self, asked: str, answered: str, body: bytes) -> None:
        """A page came: what it links to is offered. One that lies elsewhere, or came already, is no page."""
        depth = self._known[identity(asked)][1]
        same = identity(answered)
        if same != identity(asked):
            del self._known[identity(asked)]
            if not self._within(answered) or same in self._keys:
                return
            self._known[same] = (answered, depth)
            self._taken.add(same)
        self._keys[same] = answered
        self.bodies[answered] = body
        if depth < DEEPEST:
            try:
                self.offer(links(soup_of(body), answered), depth + 1)
            except Refused:
                return

    def gone(self, url: str) -> None:
        """An address that is no page after all."""
        self._known.pop(identity(url), None)

    def pages(self) -> list[Found]:
        """The pages that came: the first one, then by path, each below the nearest one whose path leads to it."""
        keys = sorted(self.bodies, key=lambda url: (url != self._first, [natural(one) for one in _steps(url)]))
        by_path = {tuple(_steps(url)): url for url in keys if url != self._first}
        made: list[Found] = []
        for url in keys:
            steps = _steps(url)
            above = (by_path.get(tuple(steps[:end])) for end in range(len(steps) - 1, 0, -1))
            parent = None if url == self._first else next((one for one in above if one), None)
            made.append(Found(url, "html", paths.titled(unquote(steps[-1])) if steps else "Home", parent))
        return made

    def _offer(self, url: str, depth: int) -> None:
        bare = url.partition("#")[0]
        if self._within(bare) and identity(bare) not in self._known and identity(bare) not in self._taken:
            self._known[identity(bare)] = (bare, depth)

    def _within(self, url: str) -> bool:
        try:
            parts = urlsplit(url)
            mine = parts.scheme in ("http", "https") and _origin(url) == self._origin and not parts.query
        except ValueError:
            return False
        below = parts.path.startswith(self._prefix) or parts.path + "/" == self._prefix
        return mine and below and _PAGE.search(parts.path or "/") is not None and self._rules.allows(url)


def sitemap(text: str) -> tuple[list[str], list[str]]:
    """(pages, further sitemaps) of a sitemap."""
    named = [found.replace("&amp;", "&") for found in _LOC.findall(text)]
    further = "<sitemapindex" in text[:2000]
    return ([], named) if further else (named, [])


def _steps(url: str) -> list[str]:
    return [step for step in _INDEX.sub("/", urlsplit(url).path).split("/") if step]


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _prefix(path: str) -> str:
    """The path below which pages belong to the same documentation as the one at `path`."""
    if path.endswith("/") or not path:
        return path or "/"
    folder, name = posixpath.split(path)
    return (folder.rstrip("/") + "/") if "." in name else path + "/"
