"""Nothing on a page keeps anybody from using it: axe finds no violation, in either theme, closed or open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.browser.conftest import Served
from tests.browser.pages import DESKTOP, PAGES, PHONE, SETTLED, Open, address, shut_off, violations
from tests.profiles import DEEP

Wrong = list[tuple[str, list[str]]]
THEMES = ("light", "dark")
LOOKS = ((PHONE, THEMES), (DESKTOP, THEMES)) if DEEP else ((PHONE, THEMES[1:]), (DESKTOP, THEMES[:1]))
"""Screens and what they are looked at in: each theme once a day, each on each in the long profile."""


def _violations_in_themes(tab: Any, themes: Sequence[str] = THEMES) -> dict[str, Wrong]:
    """Of the page as it stands, by theme."""
    found: dict[str, Wrong] = {}
    grounds = set()
    for theme in themes:
        tab.emulate_media(color_scheme=theme)
        grounds.add(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
        found[theme] = violations(tab)
    assert len(grounds) == len(themes), "the theme did not change"
    return found


NONE: dict[str, Wrong] = {"light": [], "dark": []}


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_use_a_page(served: Served, open_page: Open, name: str) -> None:
    tab = open_page("about:blank", **PHONE, reduced_motion="reduce")
    shut_off(tab)
    tab.goto(address(served, name))
    for screen, themes in LOOKS:
        tab.set_viewport_size(screen["viewport"])
        tab.evaluate(SETTLED)
        assert _violations_in_themes(tab, themes) == {theme: [] for theme in themes}, screen


def _drawer(tab: Any) -> None:
    tab.get_by_role("button", name="Open navigation").click()
    tab.locator(".drawer-head").wait_for()


def _search(tab: Any) -> None:
    tab.get_by_role("button", name="Search").first.click()
    tab.keyboard.type("wind")
    tab.locator(".search-body mark").first.wait_for()  # until then, pages to begin with are offered


def _menus(tab: Any) -> None:
    for summary in tab.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.click()


OPENED: dict[str, Callable[[Any], None]] = {"drawer": _drawer, "search": _search, "menus": _menus}


@pytest.mark.parametrize("what", OPENED)
def test_everybody_can_use_what_opens(served: Served, open_page: Open, what: str) -> None:
    tab = open_page("about:blank", **PHONE, reduced_motion="reduce")
    shut_off(tab)
    tab.goto(address(served, "blocks"))
    OPENED[what](tab)
    assert _violations_in_themes(tab) == NONE


def test_axe_finds_what_is_wrong(served: Served, open_page: Open) -> None:
    tab = open_page(address(served, "text"))
    tab.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<img src=\"/x.png\">')")
    assert [rule for rule, _ in violations(tab)] == ["image-alt"]
