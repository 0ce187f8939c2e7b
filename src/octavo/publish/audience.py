"""What of the content that a visitor sees is listed, and shown by search engines."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.content.revision import Page
from octavo.history.contents import Contents
from octavo.site.snapshot import Snapshot


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
