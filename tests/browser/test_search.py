"""The search dialog in a browser: keys, marks, places in pages, recent searches, nothing found, without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Served

Open = Callable[..., Any]
SELECTED = "[role=option][aria-selected=true]"


def _search(tab: Any, words: str, key: str = "Control+k") -> None:
    tab.keyboard.press(key)
    tab.get_by_role("combobox").fill(words)


@pytest.mark.parametrize("key", ["Control+k", "Meta+k", "/"])
def test_keys_open_it_and_escape_gives_the_focus_back(served: Served, open_page: Open, key: str) -> None:
    tab = open_page(served.kitchen)
    link = tab.get_by_role("navigation").get_by_role("link", name="Tables and cards")
    link.focus()
    tab.keyboard.press(key)
    assert tab.get_by_role("combobox").evaluate("field => field === document.activeElement")
    tab.keyboard.press("Escape")
    assert not tab.locator("dialog.search").is_visible()
    assert link.evaluate("link => link === document.activeElement")


def test_a_slash_in_a_field_is_a_slash(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen)
    _search(tab, "a")
    tab.keyboard.press("/")
    assert tab.get_by_role("combobox").input_value() == "a/"


def test_results_are_grouped_by_page_and_marked(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen)
    _search(tab, "knots")
    tab.locator(".search-body mark").first.wait_for()  # until then, pages to begin with are offered
    page = tab.locator(".search-body a.page").first
    assert page.locator("b").inner_text() == "Blocks"
    assert page.locator("small").first.inner_text() == "Writing these pages"
    section = tab.locator(".search-body a.page + a.section").first
    assert section.locator("b").inner_text() == "Code"
    assert section.locator("mark").all_inner_texts() == ["knots"]


def test_what_was_meant_is_marked(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen)
    _search(tab, "knosts")
    tab.locator(".search-body mark").first.wait_for()
    assert set(tab.locator(".search-body mark").all_inner_texts()) == {"knots"}


def test_arrows_go_around(served: Served, open_page: Open) -> None:
    tab = open_page(served.own)
    _search(tab, "content")
    tab.locator(SELECTED).wait_for()
    options = tab.locator("[role=option]")
    last = options.count() - 1
    for key, at in (("ArrowUp", last), ("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0)):
        tab.keyboard.press(key)
        assert options.nth(at).get_attribute("aria-selected") == "true"
        assert tab.locator(SELECTED).count() == 1
        chosen = options.nth(at).get_attribute("id")
        assert tab.get_by_role("combobox").get_attribute("aria-activedescendant") == chosen


def test_recent_searches_are_asked_again(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen)
    for words in ("knots", "weather", "knots"):
        _search(tab, words)
        # Enter does not wait for results: it opens the first of them when they come.
        with tab.expect_navigation():
            tab.keyboard.press("Enter")
        tab.locator("dialog.search").wait_for(state="hidden")
    _search(tab, "")
    tab.locator(".search-body .recent").first.wait_for()
    assert tab.locator(".search-body .recent b").all_inner_texts() == ["knots", "weather"]
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Enter")
    tab.locator(".search-body a.page").first.wait_for()
    assert tab.get_by_role("combobox").input_value() == "weather"
    assert tab.get_by_role("combobox").evaluate("field => field === document.activeElement")


def test_nothing_found_says_what_to_do(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen)
    _search(tab, "qqqq")
    status = tab.locator(".search-status")
    status.get_by_text("Nothing found for “qqqq”").wait_for()
    assert "another spelling" in status.inner_text()
    assert not tab.locator("[role=option]").count()


def test_more_than_fits_is_a_page_of_its_own(served: Served, open_page: Open) -> None:
    tab = open_page(served.own)
    _search(tab, "octavo")
    every = tab.locator(".search-body a.all")
    every.wait_for()
    count = int("".join(filter(str.isdigit, every.inner_text())))
    assert count > tab.locator(".search-body a.page").count()
    every.click()
    tab.wait_for_url("**/~octavo/search?q=octavo")
    assert tab.locator(".results > li").count() == min(count, 20)


@pytest.mark.parametrize("width", [1440, 390])
def test_it_fits_the_screen(served: Served, open_page: Open, width: int) -> None:
    tab = open_page(served.own, viewport={"width": width, "height": 844})
    _search(tab, "configuration", "/")
    tab.locator(SELECTED).wait_for()
    box = tab.locator("dialog.search").bounding_box()
    assert box["x"] >= 0
    assert round(box["x"] + box["width"]) <= width
    assert round(box["y"] + box["height"]) <= 844
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.complaints == []


def test_without_scripts_it_is_a_page(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen, java_script_enabled=False)
    tab.locator(".search-open").click()
    tab.wait_for_url("**/~octavo/search")
    tab.locator("main input[name=q]").fill("knots")
    tab.locator("main button").click()
    tab.wait_for_url("**/~octavo/search?q=knots")
    assert tab.locator(".results mark").first.inner_text() == "knots"
    tab.locator(".results").get_by_role("link", name="Code").click()
    tab.wait_for_url("**/writing/blocks#code:~:text=knots")
