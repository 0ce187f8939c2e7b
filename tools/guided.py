"""The screens that the guides show, as a small team has them: where they are, what is waited for, and how large they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from playwright.sync_api import Page
from seeded import Team, outside, published

SIZE = {"width": 1120, "height": 700}
WIDE = {"width": 1440, "height": 900}
"""Where a form and its preview stand beside one another."""


def photographs(tab: Page, at: Team, taken: Callable[[Page], bytes]) -> Iterator[tuple[str, bytes]]:
    """(name, PNG) of each; whoever opened the tab is signed in as the admin."""
    published(at)
    tab.set_viewport_size(SIZE)  # type: ignore[arg-type]
    home = f"{at.base}/app/o/{at.organization}"
    site = f"{home}/sites/{at.site}"
    for name, place, words in (
        ("structure", f"{site}/~/structure", "2 variants"),
        ("audience", f"{site}/~/audience", "Customers"),
        ("insights", f"{site}/~/insights?range=last7Days", "As a table"),
        ("members", f"{home}/~/members", "Grace Hopper"),
        ("audit", f"{home}/~/audit", "Ada Byron"),
    ):
        tab.goto(place)
        tab.locator(f"text={words} >> visible=true").first.wait_for()
        yield f"guide-{name}", taken(tab)
    yield "guide-look", _look(tab, site, taken)
    yield "guide-git", _git(tab, f"{home}/s/{at.space}", taken)
    yield "guide-import", _import(tab, home, taken)
    yield "guide-installation", _installation(tab, at, taken)
    outside(at)
    tab.set_viewport_size(WIDE)  # type: ignore[arg-type]
    yield "guide-translations", _translation(tab, home, taken)
    yield "guide-openapi", _versions(tab, home, taken)
    yield "guide-webhooks", _webhook(tab, home, taken)
    tab.goto(f"{home}/~/sso")
    tab.get_by_role("heading", name="Acme").wait_for()
    yield "guide-sso", taken(tab)


def _look(tab: Page, site: str, taken: Callable[[Page], bytes]) -> bytes:
    """Styled, and not saved yet: the page beside the form shows it."""
    tab.set_viewport_size(WIDE)  # type: ignore[arg-type]
    tab.goto(f"{site}/~/look")
    tab.get_by_label("Primary colour as #rrggbb, light theme").fill("#15803d")
    tab.get_by_label("Show a line above every page").check()
    tab.get_by_label("Words").fill("Version 2 is out.")
    tab.frame_locator("iframe.look-frame").get_by_text("Version 2 is out.").wait_for()
    tab.evaluate("scrollTo(0, 0)")
    picture = taken(tab)
    tab.set_viewport_size(SIZE)  # type: ignore[arg-type]
    return picture


def _git(tab: Page, space: str, taken: Callable[[Page], bytes]) -> bytes:
    tab.goto(f"{space}/~/settings/git")
    tab.get_by_label("Address of the repository").fill("https://git.example.org/mills/handbook.git")
    for _ in range(2):
        tab.get_by_role("button", name="Go on").click()
    tab.get_by_label("Branches and pull requests become change requests").check()
    tab.get_by_role("heading", name=re.compile("Step 3")).scroll_into_view_if_needed()
    return taken(tab)


def _import(tab: Page, home: str, taken: Callable[[Page], bytes]) -> bytes:
    tab.goto(home)
    tab.get_by_role("button", name="Import").first.click()
    tab.get_by_role("radio", name=re.compile("On the web")).check()
    tab.get_by_label("Address", exact=True).fill("https://docs.example.com/guide/")
    return taken(tab)


def _installation(tab: Page, at: Team, taken: Callable[[Page], bytes]) -> bytes:
    tab.goto(f"{at.base}/app/~/installation")
    tab.get_by_role("button", name="Look now").click()
    tab.get_by_role("row", name=re.compile("a file was written, read and removed")).wait_for()
    return taken(tab)


def _translation(tab: Page, home: str, taken: Callable[[Page], bytes]) -> bytes:
    """As it is asked for: no translator is there."""
    tab.goto(f"{home}/~/translations")
    tab.get_by_role("button", name="New translation").first.click()
    tab.get_by_label("Into").select_option("de")
    return taken(tab)


def _versions(tab: Page, home: str, taken: Callable[[Page], bytes]) -> bytes:
    """What changed between two versions."""
    tab.goto(f"{home}/~/openapi")
    tab.get_by_text("In use").wait_for()
    tab.get_by_role("button", name="Versions").click()
    tab.get_by_role("button", name="What changed").first.click()
    tab.get_by_role("dialog").get_by_text("/wheels").first.wait_for()
    return taken(tab)


def _webhook(tab: Page, home: str, taken: Callable[[Page], bytes]) -> bytes:
    tab.goto(f"{home}/~/webhooks")
    tab.get_by_role("button", name="New webhook").first.click()
    tab.get_by_label("Title").fill("Deployments")
    tab.get_by_label("Address").fill("https://hooks.example.org/octavo")
    return taken(tab)
