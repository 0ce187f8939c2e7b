"""What goes wrong while somebody writes, and really does: nothing is lost, and a sentence says what happened and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.browser.conftest import _octavo, playwright
from tests.browser.test_application import PASSWORD, Installed, fresh  # noqa: F401
from tests.browser.test_writing import Draft, _edit, _is_saved, _saved, _typed
from tests.processes import ran
from tests.resources.handbook import png

TEXT = "# Sails\n\nFour of them turn.\n"
PARAGRAPH = "Wind turns the sails of every mill on the hill. " * 20
LARGEST = 256 << 20


@dataclass
class Desk:
    """Grace writes at it: one browser for all of her misfortunes, in which she is signed in."""

    world: Installed
    """As the admin."""
    own: Installed
    """As Grace."""
    context: Any
    tab: Any

    def signs_in(self, tab: Any) -> None:
        tab.get_by_label("E-mail").fill("grace@example.org")
        tab.get_by_label("Password").fill(PASSWORD)
        tab.get_by_role("button", name="Sign in").click()
        tab.wait_for_url(re.compile("/app/o/"))

    def signed_out(self) -> None:
        """Every browser of hers, elsewhere."""
        self.own.ask("DELETE", "/v1/user/sessions")

    def is_given(self, role: str) -> None:
        path = f"/v1/orgs/{self.world.organization}/members"
        (grace,) = (one for one in self.world.ask("GET", path)["items"] if one["user"]["displayName"] == "Grace Hopper")
        self.world.ask("PATCH", f"{path}/{grace['id']}", {"role": role})

    def edits(self, markdown: str = TEXT) -> tuple[Draft, str, Any]:
        """(change request, page, its text in the editor, with the cursor at its end)"""
        draft, page, text = _edit(self.world, self.tab, markdown)
        text.press("Control+End")
        return draft, page, text

    def copied(self) -> str:
        self.tab.get_by_role("button", name="Copy what you typed").click()
        self.tab.get_by_text("What you typed is copied.").first.wait_for()
        return str(self.tab.evaluate("navigator.clipboard.readText()"))


@pytest.fixture(scope="module")
def seated(fresh: Installed, browser: Any) -> Iterator[Desk]:  # noqa: F811
    names = ("--email", "grace@example.org", "--name", "Grace Hopper", "--role", "edit")
    made = _octavo(fresh.data, "user", "create", *names, "--organization", fresh.organization)
    told = ran("user", "password", "--email", "grace@example.org", "--data", fresh.data, typed=f"{PASSWORD}\n")
    assert told.returncode == 0, told.stderr
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(30_000)  # a machine that is busy is no mistake of a page
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk = Desk(fresh, replace(fresh, token=made["token"]), context, context.new_page())
    desk.tab.goto(fresh.base + "/app")
    desk.signs_in(desk.tab)
    yield desk
    context.close()


@pytest.fixture
def desk(seated: Desk) -> Desk:
    """With a tab of its own: what one misfortune leaves is not in the way of the next."""
    seated.tab.close(run_before_unload=False)
    seated.tab = seated.context.new_page()
    return seated


def test_a_role_is_taken(desk: Desk) -> None:
    draft, page, text = desk.edits()
    desk.is_given("read")
    text.press_sequentially(" Held.")
    desk.tab.get_by_text(
        re.compile("your role does not allow that.* What you typed is kept in this browser. Ask somebody who manages")
    ).wait_for()
    desk.tab.get_by_role("button", name="Try again").click()
    desk.tab.locator(".writing-said", has_text=re.compile("^Not saved$")).wait_for()
    assert desk.copied() == "# Sails\n\nFour of them turn. Held."
    assert draft.text(page) == TEXT
    desk.is_given("edit")
    desk.tab.get_by_role("button", name="Try again").click()
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. Held.\n")


def _ends_meanwhile(desk: Desk, words: str) -> Any:
    """Her session ends before what she typed is sent; the window that says so."""
    # Without a connection nothing is sent too early, however slow the machine is.
    desk.context.set_offline(True)
    desk.tab.keyboard.insert_text(words)
    desk.tab.get_by_text("The server cannot be reached.").wait_for()
    desk.signed_out()
    desk.context.set_offline(False)
    over = desk.tab.get_by_role("alertdialog", name="Your session is over")
    over.get_by_text("Sign in again in another tab, then go on here.").wait_for()
    desk.tab.get_by_text("Your session is over. What you typed is kept in this browser, and sent as soon as").wait_for()
    return over


def test_a_session_ends(desk: Desk) -> None:
    """Whoever signs in again in another tab goes on here."""
    draft, page, text = desk.edits()
    over = _ends_meanwhile(desk, " Dark.")
    over.get_by_role("button", name="Go on").click()
    over.get_by_text("Nobody is signed in with this browser yet.").wait_for()
    assert draft.text(page) == TEXT
    with desk.context.expect_page() as opened:
        over.get_by_role("link", name="Sign in").click()
    desk.signs_in(opened.value)
    opened.value.close()
    # Tries go on by themselves, and may have been quicker than she is.
    desk.tab.evaluate("[...document.querySelectorAll('[role=alertdialog] button')].at(-1)?.click()")
    over.wait_for(state="detached")
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. Dark.\n")
    text.press("Control+End")
    text.press_sequentially(" Light.")
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. Dark. Light.\n")


def test_a_tab_is_closed_after_its_session(desk: Desk) -> None:
    """The text is there when she signs in again, on the page where she was."""
    draft, page, _ = desk.edits()
    _ends_meanwhile(desk, " Dark.")
    desk.tab.close(run_before_unload=False)
    desk.tab = desk.context.new_page()
    desk.tab.goto(f"{draft.app}/~/edit/{page}")
    desk.signs_in(desk.tab)
    desk.tab.get_by_text("What you typed here before was not saved. It is here again.").wait_for()
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. Dark.\n")


def test_the_connection_is_lost(desk: Desk) -> None:
    draft, page, text = desk.edits()
    desk.context.set_offline(True)
    text.press_sequentially(" Far.")
    desk.tab.get_by_text("The server cannot be reached. What you typed is kept in this browser").wait_for()
    text.press_sequentially(" Away.")
    desk.context.set_offline(False)
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. Far. Away.\n")


def test_who_is_done_while_it_saves(desk: Desk) -> None:
    """The last words go after the others, from a page that is not on the screen any more."""
    draft, page, text = desk.edits()
    held: list[Any] = []
    desk.tab.route("**/content?*", lambda route: route.continue_() if held else held.append(route))
    text.press_sequentially(" One.")
    desk.tab.get_by_text("Saving…").wait_for()
    text.press_sequentially(" Last.")
    desk.tab.get_by_role("link", name="Done").click()
    desk.tab.wait_for_url(re.compile("/~/changes$"))
    held[0].continue_()
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. One. Last.\n")


def test_somebody_rests_while_naming_a_page(desk: Desk) -> None:
    draft, page, _ = desk.edits()
    title = desk.tab.get_by_role("textbox", name="Title")
    title.fill("Getting ")
    _saved(desk.tab)
    title.press_sequentially("started")
    _saved(desk.tab)
    assert [one["title"] for one in draft.pages() if one["id"] == page] == ["Getting started"]
    title.fill("")
    desk.tab.get_by_text("Not saved yet").wait_for()
    _is_saved(desk.tab)
    assert title.input_value() == ""
    title.blur()
    assert title.input_value() == "Getting started"


def test_what_was_typed_before_is_discarded_late(desk: Desk) -> None:
    """What others wrote meanwhile stays."""
    draft, page, _ = desk.edits()
    desk.context.set_offline(True)
    desk.tab.keyboard.insert_text(" Dark.")
    desk.tab.get_by_text("The server cannot be reached.").wait_for()
    # A tab that is closed has its connection back before it is gone, and sends what it holds: this one crashes.
    with desk.tab.expect_event("crash"), suppress(playwright.Error):
        desk.tab.goto("chrome://crash")
    desk.tab.close()
    desk.context.set_offline(False)
    desk.tab = desk.context.new_page()
    text = draft.open(desk.tab, page)
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. Dark.\n")
    draft.write(page, "# Sails\n\nFour of them turn. Dark.\n\nWritten by others.\n")
    text.get_by_text("Written by others.").wait_for()
    desk.tab.get_by_role("button", name="Discard it").click()
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn.\n\nWritten by others.\n")
    text.get_by_text("Dark.").wait_for(state="detached")
    text.get_by_text("Written by others.").wait_for()


def test_undo_in_the_source_takes_back_ones_own(desk: Desk) -> None:
    draft, page, _ = desk.edits()
    desk.tab.get_by_role("button", name="Source").click()
    source = desk.tab.get_by_role("textbox", name=re.compile("^Source of the page"))
    source.wait_for()
    source.press("Control+End")
    _typed(desk.tab, source, "Mine.")
    draft.write(page, "# Sails\n\nOthers.\n\nFour of them turn.\nMine.\n")
    source.get_by_text("Others.").wait_for()
    source.press("Control+z")
    # The line feed at the end is the server's.
    draft.comes_to(desk.tab, page, "# Sails\n\nOthers.\n\nFour of them turn.\n\n")
    desk.tab.get_by_role("button", name="Visual").click()
    desk.tab.get_by_role("textbox", name="Text of the page").wait_for()


def test_a_page_is_deleted(desk: Desk) -> None:
    draft, page, text = desk.edits()
    desk.world.ask("POST", f"{draft.path}/content", {"changes": [{"operation": "delete_page", "page": page}]})
    text.press_sequentially(" Gone.")
    desk.tab.get_by_text(
        "Somebody deleted this page meanwhile. What you typed is kept in this browser. Copy it, and paste it where"
    ).wait_for()
    assert desk.copied() == "# Sails\n\nFour of them turn. Gone."


def test_a_file_is_too_large(desk: Desk) -> None:
    """Its sentence, and nothing else changes; none of its bytes is sent."""
    draft, page, text = desk.edits()
    large = desk.world.data / "large.png"
    with large.open("wb") as sparse:
        sparse.truncate(LARGEST + 1)
    sent: list[str] = []
    desk.tab.on("request", lambda asked: sent.append(asked.method) if "/uploads/" in asked.url else None)
    desk.tab.get_by_label("Files").set_input_files(large)
    desk.tab.get_by_text("The file is larger than 256 MiB, which is the most that is taken.").wait_for()
    desk.tab.locator(".uploading").wait_for(state="detached")
    text.press_sequentially(" Still.")
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. Still.\n")
    assert sent == []


def test_somebody_goes_elsewhere_while_a_file_is_on_its_way(desk: Desk) -> None:
    """The picture is in the text all the same, where it was put."""
    draft, page, text = desk.edits()
    picture = desk.world.data / "mill.png"
    picture.write_bytes(png(8, 8))
    held: list[Any] = []
    desk.tab.route("**/uploads/**", lambda route: held.append(route))
    with desk.tab.expect_request("**/uploads/**"):
        desk.tab.get_by_label("Files").set_input_files(picture)
    desk.tab.locator(".uploading").wait_for()
    desk.tab.get_by_role("link", name="Home").first.click()
    text.wait_for(state="detached")
    assert draft.text(page) == TEXT
    held.pop().continue_()
    draft.comes_to(
        desk.tab,
        page,
        re.compile(re.escape(TEXT) + '\n<figure><img src="[^"]+" alt=""><figcaption></figcaption></figure>\n'),
    )


def test_two_megabytes_are_pasted(desk: Desk) -> None:
    """They are more than a page holds: they stay in the editor, and what remains when they are taken out again is saved."""
    draft, page, text = desk.edits()
    desk.tab.evaluate("(text) => navigator.clipboard.writeText(text)", f"{PARAGRAPH}\n\n" * 2100)
    text.press("Control+v")
    # Within the notice: to find a sentence, all text of what is looked through is read, and two megabytes take seconds.
    desk.tab.get_by_role("alert").get_by_text(
        "The text of a page is limited to 1024 KiB: divide it into several pages. What you typed is kept in this browser."
    ).wait_for()
    assert text.evaluate("(text) => text.textContent.length") > 2_000_000
    assert draft.text(page) == TEXT
    text.press("Control+z")
    text.press_sequentially(" Less.")
    draft.comes_to(desk.tab, page, "# Sails\n\nFour of them turn. Less.\n")
