"""What pages do beside their text: the outline, notes, filters of tables, cards, lists; each page is opened once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import Served
from tests.browser.pages import DESKTOP, PHONE, shut_off

CARDS = """(counts) => {
  const main = document.querySelector(".content");
  return counts.map((count) => {
    const grid = Object.assign(document.createElement("div"), { className: "card-grid card-grid-medium" });
    for (let at = 0; at < count; at++) grid.append(Object.assign(document.createElement("article"), { className: "card" }));
    main.append(grid);
    const rows = {};
    for (const card of grid.children) {
      const top = card.getBoundingClientRect().top;
      rows[top] = (rows[top] ?? 0) + 1;
    }
    return Object.entries(rows).sort(([one], [other]) => one - other).map(([, many]) => many);
  });
}"""


@pytest.fixture(scope="module")
def opened(served: Served, browser: Any) -> Iterator[dict[str, Any]]:
    """Pages by name: `wide`, a page of blocks on a desktop; `narrow`, the same on a phone; `tables` with a long table."""
    pages = {
        "wide": (served.own + "content/blocks", DESKTOP),
        "narrow": (served.own + "content/blocks", PHONE),
        "text": (served.own + "content/text", DESKTOP),
        "tables": (served.own + "reference/settings", PHONE),
    }
    contexts = {name: browser.new_context(**screen, reduced_motion="reduce") for name, (_, screen) in pages.items()}
    tabs = {name: context.new_page() for name, context in contexts.items()}
    for name, (url, _) in pages.items():
        shut_off(tabs[name])
        tabs[name].set_default_timeout(30_000)
        tabs[name].goto(url)
    yield tabs
    for context in contexts.values():
        context.close()


def test_only_the_section_being_read_is_unfolded(opened: dict[str, Any]) -> None:
    tab = opened["text"]
    outline = tab.locator(".outline nav > ul")
    assert outline.locator(":scope > li > a").count() >= 5
    for item in outline.locator(":scope > li:has(> ul)").all():
        current = item.locator("[aria-current]").count() > 0
        assert item.locator(":scope > ul").is_visible() == current


def test_a_bar_names_the_section_being_read(opened: dict[str, Any]) -> None:
    tab = opened["narrow"]
    bar = tab.locator(".outline-inline")
    assert bar.locator("summary").inner_text() == "On this page"
    tab.evaluate("document.getElementById('steps').scrollIntoView()")
    tab.locator(".outline-inline summary", has_text="Steps").wait_for()
    box = bar.locator("summary").bounding_box()
    assert (box["height"], round(box["y"])) == (44, 62)
    heading = tab.locator("#steps").bounding_box()
    assert heading["y"] >= box["y"] + box["height"], "a heading hides behind the bar"
    bar.locator("summary").click()
    assert bar.locator("nav").bounding_box()["height"] <= 0.6 * 760
    assert bar.locator("[aria-current]").inner_text() == "Steps"
    tab.keyboard.press("Escape")
    assert not bar.locator("nav").is_visible()


def test_the_drawer_opens_at_the_page_being_read(opened: dict[str, Any]) -> None:
    tab = opened["tables"]
    tab.locator(".menu-button").click()
    current = tab.locator(".nav [aria-current=page]").bounding_box()
    assert 60 <= current["y"] <= 700
    tab.keyboard.press("Escape")


def test_a_long_table_is_filtered_and_keeps_its_first_column(opened: dict[str, Any]) -> None:
    tab = opened["tables"]
    table = tab.locator(".table:has(tbody tr:nth-child(7))").first
    rows = table.locator("tbody tr")
    every = rows.count()
    first = table.locator("td").first
    before = first.bounding_box()["x"]
    tab.locator(".table-box").first.evaluate("box => { box.scrollLeft = 120 }")
    assert first.bounding_box()["x"] == before
    tab.locator(".table-search").first.fill("OCTAVO_SECRET")
    assert 0 < table.locator("tbody tr:visible").count() < every


def test_cards_stand_in_even_rows(opened: dict[str, Any]) -> None:
    counts = [1, 2, 3, 4, 5, 6, 7, 8, 10]
    rows = [[1], [2], [3], [2, 2], [3, 2], [3, 3], [3, 2, 2], [3, 3, 2], [3, 3, 2, 2]]
    assert opened["wide"].evaluate(CARDS, counts) == rows


def test_a_note_stands_beside_its_word(opened: dict[str, Any]) -> None:
    tab = opened["text"]
    tab.locator(".note-ref a").first.focus()
    card = tab.locator(".peek")
    card.wait_for()
    assert "A version of a space" in card.inner_text()
    assert card.bounding_box()["width"] <= 320
    tab.keyboard.press("Escape")
    assert not card.is_visible()


def test_a_link_says_where_it_leads(opened: dict[str, Any]) -> None:
    tab = opened["text"]
    link = tab.locator(".content p a[href$='content/blocks']").first
    link.scroll_into_view_if_needed()
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    link.hover()
    card = tab.locator(".peek")
    card.wait_for()
    assert card.locator("b").inner_text() == "Blocks"
    tab.mouse.move(2, 2)
    card.wait_for(state="hidden")
