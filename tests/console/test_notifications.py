"""The page where a person chooses what she is told of: it shows what holds, and what is chosen holds."""

from __future__ import annotations

import re

from tests.client import World
from tests.console.browsing import account, browser

PLACE = "/account/notifications"
KINDS = ("review-requested", "review", "mention", "reply", "comment", "merged", "git-failed")


def _checked(page: str) -> list[str]:
    return re.findall(r'name="list" value="([\w-]+)"[^>]* checked', page)


def _selected(page: str) -> list[str]:
    return re.findall(r'value="(\w+)" selected', page)


def test_what_is_chosen_holds(world: World) -> None:
    one = browser(world)
    one.sign_in(account(world))
    shown = one.get(PLACE)
    assert shown.status == 200
    assert (_checked(shown.text), _selected(shown.text)) == (list(KINDS), ["digest"] * len(KINDS))
    assert "sends no mail" in shown.text
    fields = {
        "list": ["mention", "gossip"],
        "email-mention": "immediate",
        "email-reply": "off",
        "email-merged": "often",
    }
    reply = one.post(PLACE, fields)
    assert (reply.status, reply.headers["location"]) == (303, PLACE + "?saved=1")
    saved = one.get(PLACE + "?saved=1").text
    assert "Saved." in saved
    assert _checked(saved) == ["mention"]
    assert _selected(saved) == ["digest", "digest", "immediate", "off", "digest", "digest", "digest"]
    other = browser(world)
    other.sign_in(account(world))
    assert _checked(other.get(PLACE).text) == list(KINDS), "nobody else's changed"


def test_it_is_behind_the_login_and_takes_no_foreign_form(world: World) -> None:
    stranger = browser(world)
    reply = stranger.get(PLACE)
    assert (reply.status, reply.headers["location"]) == (303, f"/login?next={PLACE}")
    one = browser(world)
    one.sign_in(account(world))
    one.get(PLACE)
    assert one.post(PLACE, {"list": []}, word="forged").status == 403
    assert one.post(PLACE, {"list": []}, origin="https://evil.example").status == 403
    assert _checked(one.get(PLACE).text) == list(KINDS)
    assert one.get("/account/tokens").text.count(f'href="{PLACE}"') == 1
