"""On a phone: nothing scrolls sideways, and whatever leads on is large enough for a thumb."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Served
from tests.browser.pages import PAGES, PHONE, Open, address, shut_off

LEAST = 44
SMALL = """(least) => {
  const small = [];
  const leads = ":is(.site-header, .sidebar, .outline-inline, .actions, .breadcrumbs, .page-foot, .pagination, .tab-list,"
    + " .site-footer, .nearest, .message-actions) :is(a, button, summary)";
  for (const target of document.querySelectorAll(leads)) {
    if (!target.checkVisibility()) continue;
    const box = target.getBoundingClientRect(), words = target.textContent.trim();
    // A word may be narrower than a thumb: its line is not.
    if (box.height >= least && (words || box.width >= least)) continue;
    small.push(`${target.outerHTML.slice(0, 90)} ${box.width}x${box.height}`);
  }
  return small;
}"""


def _opened(served: Served, open_page: Open, name: str) -> Any:
    tab = open_page("about:blank", **PHONE, reduced_motion="reduce")
    shut_off(tab)
    tab.goto(address(served, name))
    return tab


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_the_screen_and_what_leads_on_a_thumb(served: Served, open_page: Open, name: str) -> None:
    tab = _opened(served, open_page, name)
    for width in (390, 360):
        tab.set_viewport_size({"width": width, "height": 760})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    if tab.locator(".outline-inline summary").count():
        tab.locator(".outline-inline summary").click()
    assert tab.evaluate(SMALL, LEAST) == []
    if tab.locator(".menu-button").is_visible():
        tab.locator(".menu-button").click()
        tab.locator(".drawer-head").wait_for()
        assert tab.evaluate(SMALL, LEAST) == []


def test_a_word_without_end_breaks(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "text")
    for place in (".content p", ".content li", "h1", ".lede", ".breadcrumbs li"):
        tab.evaluate(
            "(place) => document.querySelectorAll(place).forEach((one) => one.append('Endless'.repeat(20)))", place
        )
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_title_comes_ahead_of_what_can_be_done_with_the_page(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "blocks")
    title, copy = tab.locator("h1").bounding_box(), tab.locator("[data-copy-page]").bounding_box()
    assert title["y"] + title["height"] <= copy["y"]


def test_the_page_before_comes_ahead_of_the_next(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "wide")
    before, after = tab.locator(".pagination .previous").bounding_box(), tab.locator(".pagination .next").bounding_box()
    assert (before["y"], before["x"]) < (after["y"], after["x"])
