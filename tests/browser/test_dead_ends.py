"""Where somebody gets stuck: an address that leads nowhere, a search that fails, a form that is refused. A sentence says what
happened and a way leads on; on a phone everything that can be done with a row is in sight."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import _octavo
from tests.browser.pages import Open
from tests.browser.test_application import NARROW, PASSWORD, Installed, _settled, _sign_in, fresh  # noqa: F401
from tests.processes import ran


@pytest.fixture
def home(fresh: Installed, open_page: Open) -> Any:  # noqa: F811
    """A tab of the admin, at home."""
    tab = open_page(f"{fresh.base}/app/o/{fresh.organization}", reduced_motion="reduce")
    _sign_in(tab, fresh.base)
    tab.get_by_role("heading", name="Mills", level=1).wait_for()
    return tab


def test_addresses_that_lead_nowhere(fresh: Installed, home: Any) -> None:  # noqa: F811
    at = f"{fresh.base}/app/o/{fresh.organization}"
    space = f"{at}/s/{fresh.space}"
    for place, words, way in (
        (f"{space}/%E0%A4%A", "There is no such page", "Go to the first page"),
        (f"{space}/~/nonsense", "There is no such page", "Go to the first page"),
        (f"{space}/~/changes/999", "There is no such change request", "All change requests"),
        (f"{space}/~/changes/999/~/edit/x", "Change request '999' was not found.", "Go home"),
        (f"{space}/~/new", "This space is written by change requests", "Go to the pages"),
        (f"{at}/c/none", "There is no such collection", "Go home"),
        (f"{at}/x/none", "Nothing is at this address", "Go home"),
        (f"{fresh.base}/app/o/none", "Organization 'none' was not found.", "Go home"),
    ):
        home.goto(place)
        home.get_by_text(words).wait_for()
        home.get_by_role("link", name=way).wait_for()
        assert home.get_by_role("button", name="Try again").count() == 0, place
    home.get_by_role("link", name="Go home").click()
    home.get_by_role("heading", name="Mills", level=1).wait_for()
    # An anchor that was mangled is no reason to hide the page.
    home.goto(f"{space}#%E0%A4%A")
    home.frame_locator("iframe.page-frame").get_by_text("Wind turns them.").wait_for()
    assert [one for one in home.complaints if "404" not in one] == []


def test_a_search_that_fails_does_not_say_that_nothing_was_found(home: Any) -> None:
    home.route(re.compile("/search"), lambda route: route.fulfill(status=500, body="busy"))
    home.keyboard.press("Control+k")
    home.get_by_role("searchbox").wait_for()
    home.keyboard.type("zqxzqx")
    home.get_by_text("Pages were not searched: The server answered 500. Try again in a moment.").wait_for()
    assert home.get_by_text("Nothing has these words.").count() == 0


def test_a_refusal_stands_beside_its_field_and_in_its_words(fresh: Installed, home: Any) -> None:  # noqa: F811
    at = f"{fresh.base}/app/o/{fresh.organization}"
    home.get_by_role("button", name="New space").click()
    home.get_by_label("Title").fill("x" * 60)
    home.get_by_role("button", name="Make space").click()
    home.get_by_text("Expected at most 50 characters.", exact=True).wait_for()
    home.goto(f"{fresh.base}/app/~/account/tokens")
    home.get_by_role("button", name="New token").click()
    label = home.get_by_label("What it is for")
    label.fill("x" * 60)
    home.get_by_role("button", name="Make token").click()
    home.get_by_text("Expected at most 50 characters.", exact=True).wait_for()
    assert label.get_attribute("aria-invalid") == "true"
    home.goto(f"{fresh.base}/app/~/account/security")
    home.get_by_label("Your password now").fill("something else altogether")
    home.get_by_label("Your new password").fill("another one altogether")
    home.get_by_role("button", name="Change the password").click()
    home.get_by_text("It is not your password.").wait_for()
    # Who is in the organization is not invited again, and the field keeps what was typed.
    home.goto(f"{at}/~/invitations")
    field = home.get_by_label("E-mail addresses")
    field.fill("ada@example.org")
    home.get_by_role("button", name="Invite", exact=True).click()
    home.get_by_text("Nobody is invited: whoever has this address is in the organization already.").wait_for()
    assert field.input_value() == "ada@example.org"
    domains = home.get_by_label("Domains", exact=True)
    domains.fill("nodot")
    home.get_by_role("button", name="Save", exact=True).click()
    home.get_by_text("'nodot' is no domain; name the whole of one, as in example.org.").wait_for()
    assert domains.input_value() == "nodot"


def test_who_may_not_write_is_told_before_the_first_letter(fresh: Installed, open_page: Open) -> None:  # noqa: F811
    """And what the API calls the right that is missing is not said."""
    names = ("--email", "rod@example.org", "--name", "Rod Reader", "--role", "read")
    _octavo(fresh.data, "user", "create", *names, "--organization", fresh.organization)
    told = ran("user", "password", "--email", "rod@example.org", "--data", fresh.data, typed=f"{PASSWORD}\n")
    assert told.returncode == 0, told.stderr
    path = f"/v1/spaces/{fresh.space}/change-requests"
    number = fresh.ask("POST", path, {"subject": "Of others"})["number"]
    one = fresh.ask("GET", f"{path}/{number}/content/pages")["pages"][0]["id"]
    at = f"{fresh.base}/app/o/{fresh.organization}"
    tab = open_page(f"{at}/s/{fresh.space}/~/changes/{number}/~/edit/{one}", reduced_motion="reduce")
    tab.get_by_label("E-mail").fill("rod@example.org")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.get_by_text("Your role on this space does not let you write.").wait_for()
    tab.get_by_role("link", name="Go to it").click()
    tab.get_by_text("Reviewers of this space merge it.").wait_for()
    tab.goto(f"{at}/~/webhooks")
    tab.get_by_text(re.compile("your role does not allow that[.]$")).wait_for()
    home = tab.get_by_role("link", name="Go home")
    assert (
        home.evaluate("one => getComputedStyle(one).textDecorationLine") == "none"
    )  # a button is no word of a sentence


def test_a_merge_with_a_conflict_leads_to_the_page(fresh: Installed, home: Any) -> None:  # noqa: F811
    at = f"/v1/spaces/{fresh.space}/change-requests"
    numbers = [fresh.ask("POST", at, {"subject": subject})["number"] for subject in ("Ours", "Theirs")]
    pages = fresh.ask("GET", f"/v1/spaces/{fresh.space}/content/pages")["pages"]
    page = next(one["id"] for one in pages if one["title"] == "Sails")
    for number, words in zip(numbers, ("Linen is kept dry.", "Linen is kept wet."), strict=True):
        document = {"markdown": f"# Sails\n\n{words}\n"}
        changes = [{"operation": "update_page", "page": page, "document": document}]
        fresh.ask("POST", f"{at}/{number}/content", {"changes": changes})
    fresh.ask("POST", f"{at}/{numbers[0]}/merge", {})
    home.goto(f"{fresh.base}/app/o/{fresh.organization}/s/{fresh.space}/~/changes/{numbers[1]}")
    home.get_by_role("button", name="Merge", exact=True).click()
    home.get_by_role("button", name="Merge now").click()
    home.get_by_text("Both sides changed the same lines in one place.").wait_for()
    home.get_by_role("link", name="Go to the page").click()
    home.get_by_role("heading", name="Sails", level=1).wait_for()
    home.frame_locator("iframe.page-frame").get_by_text("Linen is kept dry.").first.wait_for()


def test_the_records_of_a_host(fresh: Installed, home: Any) -> None:  # noqa: F811
    """A name points to the installation, and what proves it stands apart from that."""
    site = fresh.ask("GET", f"/v1/orgs/{fresh.organization}/sites")["items"][0]["id"]
    home.goto(f"{fresh.base}/app/o/{fresh.organization}/sites/{site}/~/address")
    home.get_by_label("Host", exact=True).fill("10.0.0.7")
    home.get_by_role("button", name="Go on").click()
    home.get_by_text("'10.0.0.7' is the address of a machine; name a host, as in docs.acme.com.").wait_for()
    home.get_by_label("Host", exact=True).fill("docs.mills.example")
    home.get_by_role("button", name="Go on").click()
    home.get_by_text("_octavo.docs.mills.example", exact=True).wait_for()
    shown = home.locator(".copied code").all_inner_texts()
    assert shown[0] == "localhost"
    assert not [one for one in shown if "octavo-proof" in one]
    home.get_by_text("http://docs.mills.example/.well-known/octavo-proof").wait_for()


def test_on_a_phone_what_can_be_done_is_in_sight(fresh: Installed, home: Any) -> None:  # noqa: F811
    home.set_viewport_size(NARROW["viewport"])
    home.goto(f"{fresh.base}/app/~/account/tokens")
    button = home.get_by_role("button", name="Revoke").first
    button.wait_for()
    box = button.bounding_box()
    assert box["x"] + box["width"] <= 390
    # A name is broken where it has to be, not after every few letters.
    path = f"/v1/spaces/{fresh.space}/change-requests"
    number = fresh.ask("POST", path, {"subject": "A file"})["number"]
    name = "a-picture-with-a-name-of-many-words-and-numbers-1234567890.txt"
    home.goto(f"{fresh.base}/app/o/{fresh.organization}/s/{fresh.space}/~/changes/{number}/~/files")
    file = {"name": name, "mimeType": "text/plain", "buffer": b"Sails."}
    home.get_by_label("Files to upload").set_input_files([file])
    words = home.locator(".file-name").first
    words.wait_for()
    assert words.bounding_box()["width"] >= 200
    # The tools of the editor are as large as a thumb; those that have no room are scrolled to.
    one = fresh.ask("GET", f"{path}/{number}/content/pages")["pages"][0]["id"]
    home.goto(f"{fresh.base}/app/o/{fresh.organization}/s/{fresh.space}/~/changes/{number}/~/edit/{one}")
    home.get_by_role("button", name="Bold").wait_for()
    _settled(home)
    widths = home.locator(".writing-tools .button").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert min(widths) >= 44
