"""From an installation that is empty to a page that two people made: first run, publish, invite, join, propose, conflict,
review and merge, seen on the site; who else is there is seen, and a live space is written directly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.browser.conftest import chromium, running
from tests.browser.pages import Open
from tests.browser.test_application import NARROW, PASSWORD, Installed, _check, _settled, _sign_in, fresh  # noqa: F401
from tests.browser.test_writing import SEEN_WITHIN

PHONE = ((NARROW, "dark"),)


@dataclass(frozen=True)
class Empty:
    """A server that nobody has used, and the address that it wrote for whoever is first."""

    base: str
    setup: str


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Empty]:
    if chromium() is None:
        pytest.skip("no Chromium is installed")
    data = tmp_path_factory.mktemp("empty")
    with running(data) as (base, lines):
        said = next(line for line in lines if "/setup/" in line)
        yield Empty(base, f"{base}/setup/{said.rpartition('/setup/')[2].strip()}")


def _typed(tab: Any, words: str) -> None:
    text = tab.get_by_role("textbox", name="Text of the page")
    text.wait_for()
    text.press("Control+End")
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    text.press_sequentially(words)
    tab.get_by_text("Not saved yet").or_(tab.get_by_text("Saving…")).first.wait_for()
    tab.get_by_text("Saved", exact=True).wait_for()


def _merged(tab: Any) -> None:
    tab.get_by_role("button", name="Merge", exact=True).click()
    tab.get_by_role("button", name="Merge now").click()
    tab.get_by_text("It is part of what readers see.").wait_for()


def test_from_nothing_to_a_page_that_two_people_made(empty: Empty, open_page: Open) -> None:
    # The first person: an organization, a space, its first page, a site.
    ada = open_page(empty.setup, reduced_motion="reduce")
    ada.get_by_label("Name of the organization").fill("Mills")
    ada.get_by_label("Your name").fill("Ada Byron")
    ada.get_by_label("Your e-mail address").fill("ada@example.org")
    ada.get_by_label("Choose a password").fill(PASSWORD)
    ada.get_by_role("button", name="Make the organization").click()
    ada.get_by_text("Begin with a space").wait_for()
    assert ada.get_by_role("button", name="New space", exact=True).count() == 0
    _check(ada)
    ada.get_by_role("button", name="Write in a new space").click()
    ada.get_by_label("Title").fill("Handbook")
    ada.get_by_role("button", name="Make space").click()
    ada.get_by_role("button", name="Write the first page").click()
    ada.get_by_label("Title").fill("Sails")
    ada.get_by_role("button", name="Write it").click()
    _typed(ada, "Four of them turn.")
    ada.get_by_role("link", name="Done").click()
    _merged(ada)
    ada.get_by_role("link", name="Pages", exact=True).first.click()
    ada.get_by_role("button", name="Publish").click()
    ada.get_by_text("It is published").wait_for()
    home = re.match(r".*/app/o/[^/]+", ada.url)[0]  # type: ignore[index]
    handbook = re.match(r".*/s/[^/]+", ada.url)[0]  # type: ignore[index]
    site = _published(ada, home)
    # Somebody is invited, and chooses name and password.
    ada.goto(f"{home}/~/invitations")
    ada.get_by_label("E-mail addresses").fill("grace@example.org")
    ada.get_by_role("combobox", name="As").first.select_option("edit")
    ada.get_by_role("button", name="Invite").click()
    link = ada.locator(".copied code").first.inner_text()
    grace = open_page(empty.base + "/invites/" + link.rpartition("/invites/")[2], reduced_motion="reduce")
    grace.get_by_label("Your name").fill("Grace Hopper")
    grace.get_by_label("Choose a password").fill(PASSWORD)
    grace.get_by_role("button", name="Join").click()
    grace.get_by_role("list", name="Changed lately").get_by_role("link", name="Handbook").click()
    # Both have the page open: each sees the other by itself.
    ada.goto(handbook)
    grace.locator("[title='Ada Byron is here']").wait_for(timeout=SEEN_WITHIN)
    ada.locator("[title='Grace Hopper is here']").wait_for()
    # She proposes; meanwhile the same line changes.
    grace.get_by_role("button", name="Edit").click()
    _typed(grace, " Linen lasts.")
    ada.get_by_role("button", name="Edit").click()
    _typed(ada, " Canvas lasts.")
    ada.get_by_role("link", name="Done").click()
    _merged(ada)
    grace.get_by_role("link", name="Done").click()
    grace.get_by_role("button", name="Update").click()
    grace.get_by_role("button", name="Keep both").click()
    grace.get_by_role("button", name="Keep both").wait_for(state="detached")
    _check(grace)
    grace.get_by_role("button", name="Ready for review").click()
    grace.get_by_role("button", name="Ask").click()
    grace.get_by_role("menuitem", name="Ada Byron").click()
    grace.get_by_text("They are told").wait_for()
    assert grace.get_by_role("button", name="Merge", exact=True).count() == 0, "her role does not merge"
    # It waits on the home of whom she asked, who reviews and merges by keyboard alone.
    ada.goto(home)
    waiting = ada.get_by_role("list", name="Waiting for you")
    waiting.get_by_text("Grace Hopper").first.wait_for()
    _check(ada, PHONE)
    waiting.get_by_role("link", name=re.compile("Edit Sails")).first.press("Enter")
    ada.get_by_role("button", name="Review", exact=True).press("Enter")
    ada.get_by_label("What do you say?").wait_for()
    ada.keyboard.type("Both are true.")
    ada.get_by_role("button", name="Approve").press("Enter")
    ada.get_by_text("Approved", exact=True).wait_for()
    ada.get_by_role("button", name="Merge", exact=True).press("Enter")
    ada.get_by_role("button", name="Merge now").press("Enter")
    ada.get_by_text("It is part of what readers see.").wait_for()
    seen = open_page(site)
    seen.get_by_text("Linen lasts.").wait_for()
    seen.get_by_text("Canvas lasts.").wait_for()
    assert ada.complaints == grace.complaints == []


def _published(tab: Any, home: str) -> str:
    """The address of the only site, as its home tells it."""
    tab.goto(home)
    return str(tab.get_by_role("list", name="Sites").get_by_role("link", name="Open").get_attribute("href"))


def test_a_live_space_is_written_directly(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    tab = open_page(fresh.base + "/login?next=/app", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    tab.get_by_role("button", name="New space").click()
    tab.get_by_label("Title").fill("Notes")
    tab.get_by_role("button", name="Make space").click()
    tab.get_by_role("button", name="Write the first page").wait_for()
    tab.goto(tab.url + "/~/settings")
    tab.get_by_label("Directly").check()
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.get_by_text("Saved.").wait_for()
    tab.goto(tab.url.partition("/~/")[0])
    tab.get_by_role("link", name="Write the first page").click()
    tab.get_by_label("Title").fill("Today")
    tab.get_by_role("button", name="Write it").click()
    _typed(tab, "What is written is read.")
    # Somebody else writes into the page meanwhile: both texts stay.
    other = tab.context.new_page()
    other.goto(tab.url)
    other.locator("[title='Ada Byron is writing']").or_(other.get_by_text("Saved", exact=True)).first.wait_for()
    _typed(other, " At once.")
    tab.get_by_role("textbox", name="Text of the page").get_by_text("At once.").wait_for()
    # The tool that looks for violations writes styles into the editor itself: what is complained of counts until then.
    assert tab.complaints == []
    _check(tab, PHONE)
    tab.get_by_role("link", name="Done").click()
    tab.frame_locator("iframe.page-frame").get_by_text("What is written is read. At once.").wait_for()
    _settled(tab)
    assert "/~/" not in tab.url
