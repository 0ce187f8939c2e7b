"""Readers rate a page where it asks them: with scripts in its place, without them on a page of its own."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator

import pytest

from tests.browser.conftest import Served
from tests.browser.pages import DESKTOP, PHONE, Open, shut_off


@pytest.fixture
def asking(served: Served) -> Iterator[str]:
    """The address of a page of a site that asks, which it does for the test alone."""
    base = served.own.partition("/sites/")[0]

    def call(method: str, path: str, body: object = None) -> dict[str, object]:
        headers = {"authorization": f"Bearer {served.token}", "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{base}/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request) as reply:
            made: dict[str, object] = json.loads(reply.read())
            return made

    [organization] = call("GET", "/orgs")["items"]  # type: ignore[misc]
    sites = call("GET", f"/orgs/{organization['id']}/sites?limit=100")["items"]
    [site] = [one for one in sites if served.own.endswith(f"/{one['basename']}/")]  # type: ignore[attr-defined]
    at = f"/orgs/{organization['id']}/sites/{site['id']}/customization"
    call("PUT", at, {"feedback": {"enabled": True}})
    yield f"{served.own}running/mail"
    call("PUT", at, {})


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_rating_is_given_in_place(asking: str, open_page: Open, screen: dict[str, object]) -> None:
    tab = open_page("about:blank", **screen)
    shut_off(tab)
    tab.goto(asking)
    box = tab.locator(".feedback")
    box.get_by_role("button", name="Partly").click()
    box.get_by_text("Thank you!").wait_for()
    assert tab.url == asking
    assert box.locator("[aria-pressed=true]").get_attribute("value") == "ok"
    box.get_by_label("What could be better?").fill("More pictures.")
    box.get_by_role("button", name="Send").click()
    box.get_by_text("your words have arrived").wait_for()
    assert tab.url == asking
    assert tab.evaluate("document.activeElement.className") == "feedback"


def test_a_rating_needs_no_script(asking: str, open_page: Open) -> None:
    tab = open_page("about:blank", **DESKTOP, java_script_enabled=False)
    shut_off(tab)
    tab.goto(asking)
    tab.get_by_role("button", name="Yes").click()
    tab.wait_for_url("**/~octavo/feedback/*?rating=good")
    tab.get_by_label("What could be better?").fill("Nothing.")
    tab.get_by_role("button", name="Send").click()
    tab.get_by_text("your words have arrived").wait_for()
    tab.get_by_role("link", name="Back to the page").click()
    tab.wait_for_url(asking)
