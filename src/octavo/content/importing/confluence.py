"""Exports of Confluence: a space as HTML pages whose table of contents is `index.html`, with attachments beside them."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from octavo.content.importing.archive import Archive
from octavo.content.importing.html import soup_of
from octavo.content.importing.model import Found, Refused, Target
from octavo.content.importing.tree import Addresses, by_outline, kind_of
from octavo.content.layout.summary import Entry

if TYPE_CHECKING:
    from bs4 import Tag

_DEEPEST = 100


class Confluence:
    """The pages of an exported space in the order of its table of contents."""

    lost = 0

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._addresses = Addresses(archive.names)
        found = [path for path in archive.names if posixpath.basename(path) == "index.html"]
        if not found:
            raise Refused("The archive is no export of a Confluence space as HTML: it has no index.html.")
        self._contents = min(found, key=lambda path: (path.count("/"), path))
        folder = posixpath.dirname(self._contents)
        held = [
            Found(path, "html", posixpath.basename(path).removesuffix(".html"))
            for path in archive.names
            if kind_of(path) == "html" and posixpath.dirname(path) == folder and path != self._contents
        ]
        entries = _entries(soup_of(archive.read(self._contents)).find("body"))
        named = by_outline(entries, held, self._target)
        # The text of a page does not hold its title; the table of contents does.
        inside = {entry.href for entry in _every(entries)}
        self.pages = [_titled(page, named=posixpath.basename(page.key) in inside) for page in named]
        if not held:
            raise Refused("The export of the Confluence space holds no pages.")

    def read(self, key: str) -> bytes:
        return self._archive.read(key)

    def find(self, page: str, href: str) -> Target | str | None:
        found = self._addresses.find(page, href)
        return None if isinstance(found, Target) and found.key == self._contents else found

    def _target(self, href: str) -> Target | None:
        found = self._addresses.find(self._contents, href)
        return found if isinstance(found, Target) else None


def _titled(page: Found, *, named: bool) -> Found:
    return Found(page.key, page.kind, page.title, page.parent, titled=named)


def _entries(body: object, depth: int = 0) -> list[Entry]:
    """The nested lists of the table of contents."""
    from bs4 import Tag  # costs a tenth of a second, which only imports should pay

    made: list[Entry] = []
    if not isinstance(body, Tag) or depth > _DEEPEST:
        return made
    for item in _items(body):
        link = next((a for a in item.find_all("a", href=True) if a.find_parent("li") is item), None)
        below = [entry for inner in item.find_all("ul", recursive=False) for entry in _entries(inner, depth + 1)]
        if link is None:
            made += below
        else:
            title = " ".join(link.get_text(" ", strip=True).split())
            made.append(Entry(title, 1, str(link["href"]), children=below))
    return made


def _items(body: Tag) -> list[Tag]:
    """The outermost items of lists below an element."""
    above = body.find_parent("li")
    return [item for item in body.find_all("li") if item.find_parent("li") is above]


def _every(entries: list[Entry]) -> list[Entry]:
    return [one for entry in entries for one in (entry, *_every(entry.children))]
