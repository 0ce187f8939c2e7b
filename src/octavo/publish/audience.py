"""What a visitor without claims may see."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.content import conditions
from octavo.content.revision import Page
from octavo.history.contents import Contents
from octavo.history.evaluate import anybody
from octavo.site.snapshot import Snapshot


def open_to_visitor(contents: Contents, page: Page) -> bool:
    """Whether a visitor may see the page and what stands above it; a condition that cannot be decided hides it."""
    return all(_holds(contents, contents.pages[key]) for key in trail(contents, page.id))


def indexed(snapshot: Snapshot, page: Page) -> bool:
    """Whether search engines may show the page."""
    return snapshot.site.visibility == "public" and not page.no_index and not page.no_robots_index


def in_navigation(contents: Contents, page: Page) -> bool:
    """Whether the page and what stands above it are in the table of contents."""
    return all(shown(contents, contents.pages[key]) for key in trail(contents, page.id))


def shown(contents: Contents, page: Page) -> bool:
    """Whether the entry is shown where the one above it is; computed ones lead nowhere until their source is read."""
    return page.type != "computed" and not page.hidden and _holds(contents, page)


def trail(contents: Contents, page: str | None) -> Iterator[str]:
    """The page and the entries above it, inside out."""
    while page is not None and page in contents.pages:
        yield page
        page = contents.pages[page].parent


def _holds(contents: Contents, page: Page) -> bool:
    if not page.condition:
        return True
    return conditions.compile(page.condition).holds(anybody(contents.root.variables, page.variables))
