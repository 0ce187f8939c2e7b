"""What of a space's content a visitor sees: whoever answers visitors reads contents through `seen`."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.content.revision import Page
from octavo.history.contents import Contents
from octavo.site.snapshot import Snapshot
from octavo.site.visitor import Visitor, holds
from octavo.store.kept import Kind

_CLOSED: Kind[tuple[str, ...]] = Kind("pages that somebody does not see", lambda keys: 80 + 80 * len(keys))
_SEEN: Kind[Contents] = Kind("contents as somebody sees them", lambda contents: contents.weight)


def seen(contents: Contents, visitor: Visitor) -> Contents:
    """The contents without the pages that the visitor may not see, what is below them, and entries that lead to them.

    Those of whom the same is known share one answer, and so do those who see the same pages.
    """
    if not contents.conditional:
        return contents
    known = visitor.known(contents.reads)
    closed = contents.derived.get(_CLOSED, known)
    if closed is None:
        variables = contents.root.variables
        found = (
            one for one in contents.conditional if not holds(one.condition, visitor.scope(variables, one.variables))
        )
        closed = contents.derived.put(_CLOSED, tuple(sorted(page.id for page in found)), known)
    if not closed:
        return contents
    made = contents.derived.get(_SEEN, closed)
    return made if made is not None else contents.derived.put(_SEEN, contents.without(closed), closed)


def indexed(snapshot: Snapshot, page: Page) -> bool:
    """Whether search engines may show the page."""
    return snapshot.site.visibility == "public" and not page.no_index and not page.no_robots_index


def in_navigation(contents: Contents, page: Page) -> bool:
    """Whether the page and what stands above it are in the table of contents."""
    return all(shown(contents.pages[key]) for key in trail(contents, page.id))


def shown(page: Page) -> bool:
    """Whether the entry is shown where the one above it is; computed ones lead nowhere until their source is read."""
    return page.type != "computed" and not page.hidden


def trail(contents: Contents, page: str | None) -> Iterator[str]:
    """The page and the entries above it, inside out."""
    while page is not None and page in contents.pages:
        yield page
        page = contents.pages[page].parent
