"""What the tests of the look share: the pages they look at, the sizes of screens, and what they ask of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import Served

Open = Callable[..., Any]
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 760}, "has_touch": True, "is_mobile": True}
SETTLED = (
    "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"
)
"""Resolves when the typefaces are there and what follows from them is painted."""

PAGES = {
    "home": "own:",
    "long": "own:content/blocks",
    "wide": "kitchen:writing/tables",
    "blocks": "kitchen:writing/blocks",
    "text": "kitchen:writing/text",
    "pictures": "kitchen:writing/pictures",
    "updates": "kitchen:changelog",
    "tabs": "kitchen:start/getting-started/first-reading",
    "cover": "kitchen:",
    "search": "kitchen:~octavo/search?q=wind",
    "nothing found": "kitchen:~octavo/search?q=zxqv",
    "missing": "kitchen:no/such/page",
}
WEIGHED = ("home", "long", "wide", "blocks", "text", "cover")


def address(served: Served, name: str) -> str:
    """The address of one of `PAGES`."""
    site, _, path = PAGES[name].partition(":")
    return str(getattr(served, site)) + path


def shut_off(tab: Any) -> None:
    """Answer what is asked of other hosts with nothing."""
    tab.route(lambda url: not url.startswith("http://localhost"), lambda route: route.fulfill(body=""))
