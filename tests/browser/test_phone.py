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
        tab.locator(".outline-inline summary .icon").first.click()
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


HEAD = """() => {
  const box = (place) => document.querySelector(place).getBoundingClientRect();
  const tags = document.querySelector(".page-header .tags");
  return { title: box("h1").top, text: box(".content > *").top,
           tags: tags ? tags.getBoundingClientRect().height : 0 };
}"""


@pytest.mark.parametrize("name", ["text", "blocks", "long"])
def test_title_and_text_begin_near_the_top(served: Served, open_page: Open, name: str) -> None:
    tab = _opened(served, open_page, name)
    tab.set_viewport_size({"width": 390, "height": 844})
    head = tab.evaluate(HEAD)
    assert head["title"] <= 120
    assert head["text"] - head["tags"] <= 216
    assert tab.locator(".breadcrumbs").is_visible()
    assert tab.locator("[data-copy-page]").first.is_visible()


def test_the_outline_stands_beside_the_way_here_and_becomes_a_bar(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "long")
    way = tab.locator(".breadcrumbs").bounding_box()
    mark = tab.locator(".outline-inline summary .icon").first.bounding_box()
    assert way["x"] + way["width"] <= mark["x"]
    assert abs(way["y"] + way["height"] / 2 - mark["y"] - mark["height"] / 2) <= 4
    tab.locator(".breadcrumbs a").click(trial=True)
    tab.locator("[data-copy-page]").first.click(trial=True)
    tab.locator(".outline-inline summary .icon").first.click()
    assert tab.locator(".outline-inline nav").is_visible()
    tab.locator(".outline-inline summary .icon").first.click()
    assert not tab.locator(".outline-inline summary span").bounding_box()["width"] > 1
    tab.evaluate("scrollTo(0, 900)")
    tab.locator(".outline-inline[data-here]").wait_for()
    assert tab.locator(".outline-inline summary span").bounding_box()["width"] > 1


def test_short_code_is_not_broken_between_lines(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "long")
    codes = ".content p > code.whole"
    assert "{% endhint %}" in tab.locator(codes).all_text_contents()
    for width in range(330, 400, 10):
        tab.set_viewport_size({"width": width, "height": 844})
        lines = tab.evaluate(
            "(codes) => [...document.querySelectorAll(codes)].map((one) => one.getClientRects().length)", codes
        )
        assert set(lines) <= {0, 1}
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_what_is_to_do_stands_beside_its_box(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "long")
    box, words = tab.locator(".task input").first.bounding_box(), tab.locator(".task-body").first.bounding_box()
    assert words["y"] <= box["y"] <= box["y"] + box["height"] <= words["y"] + words["height"]


def test_the_page_before_comes_ahead_of_the_next(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "wide")
    before, after = tab.locator(".pagination .previous").bounding_box(), tab.locator(".pagination .next").bounding_box()
    assert (before["y"], before["x"]) < (after["y"], after["x"])


def test_a_tap_shows_a_note_beside_its_word(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "text")
    tab.locator(".annotated").first.tap()
    assert "In joules" in tab.locator(".peek").inner_text()
    tab.locator("h1").tap()
    tab.locator(".peek").wait_for(state="hidden")


def test_a_day_says_how_long_ago_it_was(served: Served, open_page: Open) -> None:
    tab = _opened(served, open_page, "text")
    assert tab.locator("[data-day]").inner_text().endswith("· today")
