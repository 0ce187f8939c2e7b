"""Reading a site in a browser: navigation, search, themes, tabs, copying, small screens, no scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Served
from tests.profiles import DEEP

Open = Callable[..., Any]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value; })
    .observe({ type: "layout-shift", buffered: true });
  document.fonts.ready.then(() => requestAnimationFrame(() => setTimeout(() => done(sum), 60)));
})"""
VIOLATIONS = """document.addEventListener("securitypolicyviolation", (event) => {
  console.error("policy: " + location.pathname + " " + event.violatedDirective + " " + event.blockedURI + " " + event.sample);
});"""


def _addresses(tab: Any) -> list[str]:
    found: list[str] = tab.eval_on_selector_all(".nav a", "links => links.map((link) => link.href)")
    here = tab.url.split("/sites/")[0]
    return sorted({one.partition("#")[0] for one in found if one.startswith(here)})


def test_links_of_the_navigation_lead_on(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen)
    tab.get_by_role("navigation", name="Table of contents").get_by_role("link", name="Tables and cards").click()
    tab.wait_for_url("**/writing/tables")
    assert tab.locator("h1").inner_text() == "Tables and cards"
    assert tab.locator(".nav [aria-current=page]").inner_text() == "Tables and cards"
    tab.get_by_role("link", name="Next").click()
    tab.wait_for_url("**/reference/interfaces")
    tab.go_back()
    assert tab.locator("h1").inner_text() == "Tables and cards"


def test_a_branch_of_the_navigation_opens_and_stays_open(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen)
    below = tab.locator(".nav").get_by_role("link", name="Unpack and mount")
    toggle = tab.get_by_role("button", name="Pages in Set up")
    assert (below.is_visible(), toggle.get_attribute("aria-expanded")) == (False, "false")
    toggle.click()
    assert (below.is_visible(), toggle.get_attribute("aria-expanded")) == (True, "true")
    tab.goto(served.kitchen + "changelog")
    assert below.is_visible()


def test_search_by_keyboard_lands_on_the_place(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen)
    tab.keyboard.press("Control+k")
    field = tab.get_by_role("combobox")
    assert field.evaluate("field => field === document.activeElement")
    # At once: what the word's beginning finds may come first, and what is found then is selected anew.
    tab.keyboard.insert_text("knots")
    tab.locator('[role=option] b:has-text("Code")').wait_for()
    tab.keyboard.press("ArrowDown")
    assert tab.locator("[role=option][aria-selected=true] b").inner_text() == "Code"
    chosen = tab.locator("[role=option][aria-selected=true]").get_attribute("id")
    assert field.get_attribute("aria-activedescendant") == chosen
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/writing/blocks#code:~:text=knots")
    top = tab.locator("#code").evaluate("heading => heading.getBoundingClientRect().top")
    # The word that was asked for is in the middle of the window, its heading above it.
    assert 0 <= top < 450
    tab.keyboard.press("/")
    tab.locator(".search-body .recent").wait_for()
    assert tab.locator(".search-body .recent b").inner_text() == "knots"
    tab.keyboard.press("Escape")
    assert not tab.locator("dialog.search").is_visible()


def test_the_chosen_theme_is_kept(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen, color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(ground)
    tab.locator("[data-theme-switch]").click()
    assert tab.evaluate(ground) == light
    tab.locator("[data-theme-switch]").click()
    dark = tab.evaluate(ground)
    assert dark != light
    tab.goto(served.kitchen + "writing/text")
    assert tab.evaluate(ground) == dark
    tab.goto(served.own)
    assert tab.evaluate(ground) == dark
    tab.locator("[data-theme-switch]").click()
    tab.reload()
    assert tab.evaluate(ground) == light


def test_tabs_answer_arrow_keys_and_are_remembered(served: Served, open_page: Open) -> None:
    path = served.kitchen + "start/getting-started/first-reading"
    tab = open_page(path)
    first = tab.get_by_role("tab", name="Linux")
    assert first.get_attribute("aria-selected") == "true"
    assert tab.get_by_text("/dev/ttyUSB0").is_visible()
    first.focus()
    tab.keyboard.press("ArrowRight")
    second = tab.get_by_role("tab", name="macOS")
    assert second.get_attribute("aria-selected") == "true"
    assert second.evaluate("tab => tab === document.activeElement")
    assert tab.get_by_text("cu.usbserial").is_visible()
    assert not tab.get_by_text("/dev/ttyUSB0").is_visible()
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("ArrowLeft")
    assert tab.get_by_role("tab", name='The "other" ones').get_attribute("aria-selected") == "true"
    second.click()
    tab.reload()
    assert tab.get_by_role("tab", name="macOS").get_attribute("aria-selected") == "true"


def test_code_is_copied(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen + "writing/blocks", permissions=["clipboard-read", "clipboard-write"])
    frame = tab.locator(".code-block[data-language=python]")
    frame.hover()
    frame.get_by_role("button", name="Copy code").click()
    tab.get_by_text("Copied").wait_for(state="attached")
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines() == [
        "def knots(metres_per_second: float) -> float:",
        "    return metres_per_second * 1.943844",
    ]


def test_the_drawer_of_a_phone(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen + "writing/text", **PHONE)
    link = tab.locator(".nav").get_by_role("link", name="Tables and cards")
    assert not link.is_visible()
    button = tab.get_by_role("button", name="Open navigation")
    button.click()
    assert link.is_visible()
    assert tab.locator("main").evaluate("main => main.inert")
    tab.keyboard.press("Escape")
    link.wait_for(state="hidden")
    assert button.evaluate("button => button === document.activeElement")
    button.click()
    link.click()
    tab.wait_for_url("**/writing/tables")


def test_everything_is_read_without_scripts(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen + "start/getting-started/first-reading", java_script_enabled=False)
    for text in ("/dev/ttyUSB0", "cu.usbserial", "The light turns green.", '"place"'):
        assert tab.get_by_text(text).first.is_visible(), text
    assert not tab.locator("[data-theme-switch]").is_visible()
    tab.get_by_role("button", name="Search", exact=True).first.click()
    tab.wait_for_url("**/~octavo/search")
    tab.get_by_role("main").get_by_role("searchbox").fill("knots")
    tab.keyboard.press("Enter")
    tab.get_by_role("link", name="Code").first.click()
    tab.wait_for_url("**/writing/blocks#code")
    assert tab.locator("pre.mermaid").is_visible()


def test_a_phone_without_scripts_has_its_navigation(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen + "writing/text", java_script_enabled=False, **PHONE)
    tab.get_by_role("button", name="Open navigation").click()
    link = tab.locator(".nav").get_by_role("link", name="Tables and cards")
    assert link.is_visible()
    link.click()
    tab.wait_for_url("**/writing/tables")


@pytest.mark.parametrize(("site", "every"), [("kitchen", 1), ("own", 1 if DEEP else 5)])
def test_no_page_complains_or_jumps(served: Served, open_page: Open, site: str, every: int) -> None:
    """No error in the console, no violation of the policy, no layout shift, on any page of two sites.

    The kitchen sink has every kind of content; of the other one, every fifth page does outside of deep runs.
    """
    tab = open_page("about:blank")
    tab.context.add_init_script(VIOLATIONS)
    tab.route(re.compile(r"^https://"), lambda route: route.fulfill(body=""))
    tab.goto(getattr(served, site))
    addresses = _addresses(tab)
    assert len(addresses) >= 9
    for address in addresses[::every]:
        tab.goto(address)
        assert tab.evaluate(SHIFT) == 0, address
        assert tab.complaints == [], address


def test_diagrams_are_drawn(served: Served, open_page: Open) -> None:
    tab = open_page(served.kitchen + "writing/blocks")
    drawing = tab.locator(".diagram svg")
    drawing.wait_for()
    assert "Mast" in drawing.text_content()
    assert not [one for one in tab.complaints if "policy" in one.lower()]
