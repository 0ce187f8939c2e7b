"""What the tests of the look share: the pages they look at, the sizes of screens, and what they ask of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Served

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="browser tests need the axe library")

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


def violations(tab: Any) -> list[tuple[str, list[str]]]:
    """What axe knows to be wrong with the page as it stands: the rule and the elements. Frames are other pages."""
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(axe.Axe().axe_script)
    # Of what is right nothing is told: to describe it took twice as long as to look.
    found = tab.evaluate(
        "axe.run({iframes: false, resultTypes: ['violations']})"
        ".then(({violations}) => violations.map(({id, nodes}) => [id, nodes.map((node) => node.html)]))"
    )
    return [(rule, elements) for rule, elements in found]


_STILL = """() => new Promise((done) => {
  let timer = setTimeout(done, 400)
  new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, 400) })
    .observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
})"""
"""Resolves when nothing of the page has changed for 400 ms; React waits up to 300 before it shows one screen after another."""


class Asked:
    """What a page asked for and was not answered yet."""

    def __init__(self, tab: Any) -> None:
        self._tab = tab
        self._waiting: set[Any] = set()
        tab.on("request", lambda asked: self._waiting.add(asked))
        for ended in ("requestfinished", "requestfailed"):
            tab.on(ended, lambda asked: self._waiting.discard(asked))

    def settle(self) -> None:
        """Wait until nothing is on its way, and nothing was shown anew for longer than React holds a screen back."""
        while True:
            self._tab.evaluate(_STILL)
            if not self._waiting:
                return
