"""Letters about notifications are ended by the word in them: by a button of a mail program, or on a page."""

from __future__ import annotations

import pytest

from tests.client import World
from tests.console.browsing import browser
from tests.resources.proposals import user_of

PREFERENCES = "/v1/user/notification-preferences"
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def path(world: World) -> str:
    return "/unsubscribe/" + world.house.signer.write_unsubscribe(user_of(world, world.api.token or ""))


def _emails(world: World) -> list[str]:
    return sorted({kind["email"] for kind in world.api.get(PREFERENCES).json["kinds"].values()})


def test_a_mail_program_ends_them_by_itself(world: World, path: str) -> None:
    """As RFC 8058 has it: a POST of that one field, without cookies, from nowhere."""
    world.api.patch(PREFERENCES, {"kinds": {"reply": {"email": "immediate", "list": False}}})
    sent = {"body": b"List-Unsubscribe=One-Click", "headers": FORM, "token": ""}
    done = world.api.request("POST", path, **sent)
    assert (done.status, "no more letters" in done.text) == (200, True)
    assert _emails(world) == ["off"]
    kinds = world.api.get(PREFERENCES).json["kinds"]
    assert (kinds["reply"]["list"], kinds["comment"]["list"]) == (False, True), "lists stay as they are"
    assert world.api.request("POST", path, **sent).status == 200
    told = world.api.get(f"/v1/orgs/{world.organization}/audit-events?limit=1000").json["items"]
    assert [one["action"] for one in told].count("user.notification-preferences.update") == 2


def test_a_look_at_the_link_ends_nothing_and_a_button_does(world: World, path: str) -> None:
    person = browser(world)
    page = person.get(path)
    assert (page.status, "<button" in page.text) == (200, True)
    assert _emails(world) == ["digest"]
    assert person.post(path).status == 200
    assert _emails(world) == ["off"]


def test_words_that_are_none(world: World, path: str) -> None:
    for wrong in (path[:-1], path + "x", "/unsubscribe/", "/unsubscribe/x", path + "/x"):
        for method in ("GET", "POST"):
            assert world.api.request(method, wrong, token="", headers=FORM, body=b"").status in (303, 404), wrong
    assert _emails(world) == ["digest"]


def test_somebody_who_is_gone(world: World) -> None:
    carol = world.person("comment")
    path = "/unsubscribe/" + world.house.signer.write_unsubscribe(user_of(world, carol))
    assert world.api.request("DELETE", f"/v1/users/{user_of(world, carol)}", token=carol).status in (204, 205)
    assert world.api.request("GET", path, token="").status == 404
