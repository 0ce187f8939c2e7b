"""A site in the application, without a terminal: made in three steps, given two sections, two variants, a share link, styled,
published, and read as it was styled; every screen of it in both themes without a violation that axe knows."""

from __future__ import annotations

import re
from typing import Any

from tests.browser.pages import Open
from tests.browser.test_application import Installed, _check, _sign_in, fresh

__all__ = ["fresh"]


def test_a_site_is_built_styled_and_published(fresh: Installed, open_page: Open) -> None:
    for title in ("Weirs", "Weirs of old"):
        fresh.ask("POST", f"/v1/orgs/{fresh.organization}/spaces", {"title": title, "empty": True})
    tab = open_page(f"{fresh.base}/app/o/{fresh.organization}/~/sites/new", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    # Three steps: what it shows, its title, its readers.
    tab.get_by_role("checkbox", name="Mills").check()
    tab.get_by_role("button", name="Go on").click()
    tab.get_by_label("Title").fill("x")
    assert tab.get_by_role("button", name="Go on").is_disabled()
    tab.get_by_label("Title").fill("Water and wind")
    tab.get_by_role("button", name="Go on").click()
    tab.get_by_role("radio", name=re.compile("share link")).check()
    _check(tab)
    tab.get_by_role("button", name="Make and publish").click()
    tab.get_by_role("heading", name="Water and wind", level=1).wait_for()
    site = tab.url.rpartition("/sites/")[2]
    path = f"/v1/orgs/{fresh.organization}/sites/{site}"
    assert fresh.ask("GET", path)["published"] is True
    _check(tab)
    # Two sections, the second with two variants, put in order by keyboard.
    tab.get_by_role("link", name="Structure").first.click()
    _add(tab, "A section", "Weirs")
    _add(tab, "A variant", "Weirs of old", "Weirs")
    tree = tab.get_by_role("treegrid")
    tree.get_by_text("2 variants").wait_for()
    _check(tab)
    tab.get_by_role("button", name="More of Weirs", exact=True).first.click()
    tab.get_by_role("menuitem", name="Move up").click()
    tree.get_by_role("row").first.get_by_text("2 variants").wait_for()
    shown = fresh.ask("GET", f"{path}/structure")["structure"]
    assert [(one["title"], len(one["siteSpaces"])) for one in shown] == [("Weirs", 2), ("Mills", 1)]
    # A link for readers; the form says what the API says of it.
    tab.get_by_role("link", name="Audience").click()
    tab.get_by_role("button", name="New link").first.click()
    tab.get_by_label("Name").fill("x" * 51)
    tab.get_by_role("button", name="Make link").click()
    tab.get_by_text("at most 50 characters").wait_for()
    tab.get_by_label("Name").fill("Customers")
    tab.get_by_role("button", name="Make link").click()
    tab.get_by_text("Customers", exact=True).wait_for()
    _check(tab)
    link = fresh.ask("GET", f"{path}/share-links")["items"][0]["urls"]["published"]
    # The look: seen beside the form before it is saved.
    tab.get_by_role("link", name="Look").click()
    tab.get_by_label("Primary colour as #rrggbb, light theme").fill("#15803d")
    tab.get_by_label("Show a line above every page").check()
    tab.get_by_label("Words").fill("The weir is closed.")
    tab.frame_locator("iframe.look-frame").get_by_text("The weir is closed.").wait_for()
    assert fresh.ask("GET", f"{path}/customization").get("announcement") is None
    _check(tab)
    tab.get_by_role("button", name="Save").click()
    tab.get_by_text("Readers see the new look.").wait_for()
    for screen in ("Address", "Redirects", "Insights", "People", "Settings"):
        tab.get_by_role("link", name=screen).click()
        tab.get_by_role("heading", name=screen, level=1).wait_for()
        _check(tab)
    _look_at_the_people(fresh, tab)
    # What a reader with the link finds.
    reader = open_page(link)
    reader.get_by_text("The weir is closed.").wait_for()
    assert "c=15803d-3457d5" in (reader.locator("link[href*='theme.css']").get_attribute("href") or "")
    assert reader.get_by_role("navigation", name="Sections").get_by_role("link").count() == 2
    refused = "400 (Bad Request)"  # the name that was too long
    assert [one for one in tab.complaints if refused not in one] == []


def _add(tab: Any, kind: str, space: str, section: str = "") -> None:
    """By the menu of the structure."""
    tab.get_by_role("button", name="Add", exact=True).click()
    tab.get_by_role("menuitem", name=re.compile(f"^{kind}")).click()
    dialog = tab.get_by_role("dialog")
    dialog.get_by_label("Space").select_option(label=space)
    if section:
        dialog.get_by_label("Of the section").select_option(label=section)
    dialog.get_by_role("button", name="Add").click()
    dialog.wait_for(state="detached")


def _look_at_the_people(fresh: Installed, tab: Any) -> None:
    """Somebody is invited, and each screen of people is looked at."""
    base = f"{fresh.base}/app/o/{fresh.organization}/~"
    for screen in ("members", "teams", "sso", "audit", "invitations"):
        tab.goto(f"{base}/{screen}")
        tab.get_by_role("heading", level=1).wait_for()
        _check(tab)
    tab.get_by_label("E-mail addresses").fill("grace@example.org")
    tab.get_by_role("button", name="Invite").click()
    tab.get_by_role("cell", name="grace@example.org", exact=True).wait_for()
    waiting = fresh.ask("GET", f"/v1/orgs/{fresh.organization}/invites")["items"]
    assert [(one["email"], one["role"]) for one in waiting] == [("grace@example.org", "read")]
