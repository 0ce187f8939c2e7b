"""The tree of pages in a browser: put in order by mouse, by keyboard and by menu, and nothing wrong with it meanwhile."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.pages import Open
from tests.browser.test_application import NARROW, Installed, _check, _settled, _sign_in, fresh  # noqa: F401

TITLES = ("Rivers", "Roads", "Stones", "Cloth")


@pytest.fixture
def tab(fresh: Installed, open_page: Open) -> Any:  # noqa: F811
    """A change request with six pages, one below another, in the application."""
    path = f"/v1/spaces/{fresh.space}/change-requests"
    request = fresh.ask("POST", path, {"subject": "In order"})
    made = [{"operation": "insert_page", "document": {"markdown": f"# {title}\n\nWords.\n"}} for title in TITLES]
    fresh.ask("POST", f"{path}/{request['number']}/content", {"changes": made})
    tab = open_page(f"{fresh.base}/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    tab.goto(f"{request['urls']['app']}/rivers")
    tab.get_by_role("button", name="Move Rivers").wait_for(state="attached")  # whose role it is to put pages in order
    tab.content = f"{path}/{request['number']}/content/pages"
    return tab


def _order(fresh: Installed, tab: Any) -> list[Any]:  # noqa: F811
    def titles(pages: list[Any]) -> list[Any]:
        return [[one["title"], *titles(one.get("pages", []))] if one.get("pages") else one["title"] for one in pages]

    return titles(fresh.ask("GET", tab.content)["pages"])


def _changes(tab: Any) -> Any:
    """Until the server has answered: the tree shows what was done before."""
    return tab.expect_response(lambda one: one.request.method == "POST" and "/content?" in one.url)


def _drag(tab: Any, one: str, other: str, part: float) -> None:
    """By mouse, onto a part of the height of another row."""
    box = tab.get_by_role("row", name=other).bounding_box()
    tab.get_by_role("row", name=one).get_by_text(one).hover()
    tab.mouse.down()
    for step in (0.5, part, part):
        tab.mouse.move(box["x"] + 90, box["y"] + box["height"] * step)
    _settled(tab)
    with _changes(tab):
        tab.mouse.up()
    tab.get_by_text(re.compile(f"^Moved {one}")).first.wait_for()


def test_pages_are_dragged_to_where_they_belong(fresh: Installed, tab: Any) -> None:  # noqa: F811
    assert _order(fresh, tab) == ["Mills", "Sails", *TITLES]
    _drag(tab, "Cloth", "Sails", 0.5)
    tab.get_by_role("button", name="Open or close Sails").wait_for()
    assert _order(fresh, tab) == ["Mills", ["Sails", "Cloth"], "Rivers", "Roads", "Stones"]
    _drag(tab, "Stones", "Mills", 0.05)
    assert _order(fresh, tab) == ["Stones", "Mills", ["Sails", "Cloth"], "Rivers", "Roads"]
    _drag(tab, "Mills", "Roads", 0.95)
    assert _order(fresh, tab) == ["Stones", ["Sails", "Cloth"], "Rivers", "Roads", "Mills"]
    # Nothing stands below itself; and what is held above a closed row for a while opens it.
    box = tab.get_by_role("row", name="Sails").bounding_box()
    tab.get_by_role("row", name="Mills").get_by_text("Mills").hover()
    tab.mouse.down()
    tab.mouse.move(box["x"] + 90, box["y"] + 20)
    tab.mouse.move(box["x"] + 90, box["y"] + 17)
    tab.locator(".tree-row.goal").wait_for()
    tab.get_by_role("row", name="Cloth").wait_for()
    tab.keyboard.press("Escape")
    tab.mouse.up()
    tab.locator(".tree-row.held").wait_for(state="detached")
    assert _order(fresh, tab) == ["Stones", ["Sails", "Cloth"], "Rivers", "Roads", "Mills"]
    assert tab.complaints == []


def test_pages_are_put_in_order_by_keyboard_and_by_menu(fresh: Installed, tab: Any) -> None:  # noqa: F811
    row = tab.get_by_role("row", name="Rivers")
    row.focus()
    with _changes(tab):
        tab.keyboard.press("Alt+ArrowDown")
    tab.get_by_text("Moved Rivers").first.wait_for()
    assert row.evaluate("(row) => row === document.activeElement")
    assert _order(fresh, tab) == ["Mills", "Sails", "Roads", "Rivers", "Stones", "Cloth"]
    # The handle: Enter takes hold, arrows choose, Enter puts it there.
    for key in ("ArrowRight", "Enter", "End"):
        tab.keyboard.press(key)
    tab.get_by_text("after Cloth", exact=True).wait_for()
    with _changes(tab):
        tab.keyboard.press("Enter")
    tab.get_by_text("Rivers is put after Cloth.").wait_for()
    tab.get_by_role("row").last.get_by_text("Rivers").wait_for()
    tab.get_by_text("Moved Rivers").first.wait_for()
    assert _order(fresh, tab) == ["Mills", "Sails", "Roads", "Stones", "Cloth", "Rivers"]
    assert tab.evaluate("document.activeElement.ariaLabel") == "Move Rivers"
    # The menu at the end of a row.
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    tab.get_by_role("menu", name="What to do with Rivers").wait_for()
    with _changes(tab):
        tab.get_by_role("menuitem", name="Move below the one before").click()
    tab.get_by_role("button", name="Open or close Cloth").wait_for()
    assert _order(fresh, tab) == ["Mills", "Sails", "Roads", "Stones", ["Cloth", "Rivers"]]
    assert tab.complaints == []
    _check(tab)


def test_a_tree_on_a_phone(fresh: Installed, tab: Any) -> None:  # noqa: F811
    tab.set_viewport_size(NARROW["viewport"])
    tab.get_by_role("button", name="Pages").click()
    tab.get_by_role("row", name="Stones").wait_for()
    _check(tab, ((NARROW, "light"), (NARROW, "dark")))
    tab.set_viewport_size(NARROW["viewport"])
    tab.get_by_role("row", name="Stones").click()
    tab.wait_for_url(re.compile("/stones$"))
    tab.get_by_role("row", name="Stones").wait_for(state="detached")


def test_the_way_to_an_open_page_opens_with_it_and_may_be_closed(fresh: Installed, tab: Any) -> None:  # noqa: F811
    ids = {one["title"]: one["id"] for one in fresh.ask("GET", tab.content)["pages"]}
    made = [
        {"operation": "insert_page", "into": ids[title], "document": {"markdown": f"# Below {title.lower()}\n"}}
        for title in ("Rivers", "Roads")
    ]
    fresh.ask("POST", tab.content.removesuffix("/pages"), {"changes": made})
    tab.reload()
    tab.get_by_role("row", name="Below rivers").click()
    tab.wait_for_url(re.compile("/rivers/below-rivers$"))
    close = tab.get_by_role("button", name="Open or close Rivers")
    close.click()
    tab.get_by_role("row", name="Below rivers").wait_for(state="detached")
    close.click()
    tab.get_by_role("row", name="Below rivers").wait_for()
    close.click()
    # Gone to by a link, the way to another page is open.
    tab.go_back()
    tab.go_forward()
    tab.wait_for_url(re.compile("/rivers/below-rivers$"))
    tab.get_by_role("row", name="Below rivers").wait_for()
    assert tab.complaints == []
