"""How much a page weighs and whether it jumps: bytes on the wire and layout shift."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Served
from tests.browser.pages import DESKTOP, PAGES, PHONE, SETTLED, WEIGHED, Open, address, shut_off

PAGE = 150_000
SCRIPT = 25_000
TRANSFERRED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .map((entry) => [new URL(entry.name).pathname, entry.initiatorType, entry.transferSize])"""
SHIFTED = """() => new Promise((done) => {
  const seen = new PerformanceObserver((list) => done(list.getEntries().reduce((sum, one) => sum + one.value, 0)));
  seen.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
})"""


def _transferred(tab: Any) -> list[tuple[str, str, int]]:
    """(path, kind, bytes with headers) of all that came from Octavo, without pictures and the drawing of diagrams."""
    drawn = ("/~octavo/diagrams.html", "/~octavo/mermaid.")
    found: list[tuple[str, str, int]] = tab.evaluate(TRANSFERRED)
    return [one for one in found if one[1] not in ("img", "iframe", "image") and not one[0].startswith(drawn)]


@pytest.mark.parametrize("name", WEIGHED)
def test_a_page_is_light(served: Served, open_page: Open, name: str) -> None:
    tab = open_page("about:blank", **DESKTOP)
    shut_off(tab)
    tab.goto(address(served, name))
    tab.evaluate(SETTLED)
    found = _transferred(tab)
    paths = [path for path, _, _ in found]
    assert any(path.endswith(".css") for path in paths), paths
    assert any(path.endswith(".woff2") for path in paths), paths
    scripts = [size for path, _, size in found if path.endswith(".js")]
    assert len(scripts) >= 3
    assert all(scripts), "a script came from the cache"
    assert sum(scripts) <= SCRIPT
    assert sum(size for _, _, size in found) <= PAGE, found


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_jumps(served: Served, open_page: Open, name: str, screen: dict[str, Any]) -> None:
    tab = open_page("about:blank", **screen)
    shut_off(tab)
    tab.goto(address(served, name))
    tab.evaluate(SETTLED)
    assert tab.evaluate(SHIFTED) == 0
