"""The door of the application: its page and files, and the token that a session buys, which has its rights and dies with it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from octavo.access.people import sessions
from octavo.app import files
from octavo.kernel import limits
from octavo.kernel.clock import DAY, MINUTE
from octavo.kernel.ids import token_hash
from tests.client import Reply, World
from tests.console.browsing import PASSWORD, Browser, account, browser

TOKEN = "/app/~/token"
ORIGIN = "http://octavo.test"


@pytest.fixture
def one(world: World) -> Browser:
    """The browser of a member who is signed in."""
    found = browser(world)
    found.sign_in(account(world))
    return found


def _buy(one: Browser, **headers: str) -> Reply:
    return one.post(TOKEN, word="", **headers)


def _token(one: Browser) -> str:
    reply = _buy(one)
    assert reply.status == 200, reply.text
    return str(reply.json["token"])


def test_a_session_buys_a_token_that_has_its_rights(world: World, one: Browser) -> None:
    reply = _buy(one)
    assert reply.json == {"token": reply.json["token"], "expiresIn": 600}
    assert reply.headers["cache-control"] == "no-store"
    me = world.api.get("/v1/user", token=reply.json["token"])
    assert me.status == 200
    # What a limited token may not do is open to it.
    prefs = world.api.get("/v1/user/notification-preferences", token=reply.json["token"])
    assert prefs.status == 200


def test_the_token_dies_with_its_session(world: World, one: Browser) -> None:
    token = _token(one)
    assert world.api.get("/v1/user", token=token).status == 200
    one.get("/logout")
    one.post("/logout")
    assert world.api.get("/v1/user", token=token).status == 401
    assert _buy(one).status == 401


def test_the_token_ends_by_itself(world: World, one: Browser, clock: Any) -> None:
    token = _token(one)
    clock.advance(10 * MINUTE - 1)
    assert world.api.get("/v1/user", token=token).status == 200
    clock.advance(MINUTE)
    assert world.api.get("/v1/user", token=token).status == 401
    assert world.api.get("/v1/user", token=_token(one)).status == 200
    clock.advance(400 * DAY)
    assert _buy(one).status == 401, "the session is over"


def test_nobody_else_gets_one(world: World, one: Browser) -> None:
    stranger = browser(world)
    assert (_buy(stranger).status, _buy(stranger).message) == (401, "Nobody is signed in with this browser.")
    for headers in (
        {"origin": "https://evil.example"}, {"origin": "null"}, {"origin": ""}, {"origin": "http://sites.octavo.test"},
        {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"}, {"sec_fetch_site": "none"},
    ):  # fmt: skip
        reply = _buy(one, **headers)
        assert (reply.status, "pages of this installation" in reply.message) == (403, True), headers
    assert one.get(TOKEN).status == 405
    assert _buy(one, sec_fetch_site="same-origin").status == 200


def test_it_cannot_be_made_elsewhere(world: World, one: Browser) -> None:
    token = _token(one)
    # Of the last letter of a signature some bits are spare: its first letter counts whole.
    signed, signature = token.rsplit(".", 1)
    changed = f"{signed}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}"
    for forged in (changed, "ow_", "ow_x.y", token.replace("ow_", "")):
        assert world.api.get("/v1/user", token=forged).status == 401, forged


def test_what_is_done_with_it_is_told_of_the_session(world: World) -> None:
    one = browser(world)

    async def begin(unit: Any) -> str:
        held = await unit.people.token_by_hash(token_hash(world.api.token))
        return (await sessions.begin(unit, held.user, "password"))[0]

    one.cookies["octavo_session"] = world.run(world.house.store.write(begin))
    token = _token(one)
    assert world.api.post(f"/v1/orgs/{world.organization}/spaces", {"title": "By a page"}, token=token).status == 201
    [event, *_] = world.api.get(f"/v1/orgs/{world.organization}/audit-events?action=space.create").json["items"]
    assert event["source"] == "ui"


def test_the_page_runs_nothing_but_its_own_files(world: World, one: Browser) -> None:
    reply = one.get("/app/o/anything/at/all?x=1")
    policy = reply.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "{{" not in reply.text
    assert re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|style=", reply.text) is None
    for address in re.findall(r'<(?:script|link)\b[^>]*?(?:src|href)="([^"]+)"', reply.text):
        found = browser(world).get(address)
        assert (found.status, "immutable" in found.headers["cache-control"]) == (200, True), address


def test_files_are_those_of_the_build(world: World) -> None:
    for name in ("index.html", "nothing.js", "../door.py", "..%2Fdoor.py", "", "x.css"):
        assert browser(world).get(files.STATIC + name).status == 404, name


def test_who_is_signed_in_is_led_there(world: World, one: Browser) -> None:
    assert (one.get("/").status, one.get("/").headers["location"]) == (303, "/app")
    assert browser(world).get("/").status == 200
    assert browser(world).get("/app").headers["location"] == "/login"
    assert browser(world).get("/app/o/x?y=1").headers["location"] == "/login?next=/app/o/x%3Fy%3D1"


def test_it_is_on_no_other_host(world: World, one: Browser) -> None:
    assert one.get("/app", host="elsewhere.example").status == 404
    assert _buy(one, host="elsewhere.example", origin="http://elsewhere.example").status == 404
    space = world.space("Guide")
    site = world.site(space["id"])
    assert world.api.post(f"/v1/orgs/{world.organization}/sites/{site['id']}/publish").status in (200, 204)
    host = f"{site['basename']}.localhost"
    assert one.get("/app", host=host).headers.get("location") != "/app"
    assert "octavo_page" not in one.get("/app", host=host).text
    assert _buy(one, host=host, origin=f"http://{host}").status == 405


def test_what_is_committed_was_built_from_the_sources() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, str(root / "tools" / "web.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_browsers_are_listed_and_signed_out(world: World) -> None:
    address = account(world)
    here, there, third = (browser(world) for _ in range(3))
    for each in (here, there, third):
        each.sign_in(address)
    token = _token(here)
    listed = world.api.get("/v1/user/sessions", token=token).json["items"]
    assert [one["current"] for one in sorted(listed, key=lambda one: one["current"])] == [False, False, True]
    assert {one["how"] for one in listed} == {"password"}
    assert not {"hash", "token"} & set(listed[0])
    other = next(one["id"] for one in listed if not one["current"])
    stranger = world.person("admin")
    assert world.api.delete(f"/v1/user/sessions/{other}", token=stranger).status == 404
    assert world.api.delete(f"/v1/user/sessions/{other}", token=token).status == 204
    assert [here.signed_in, there.signed_in, third.signed_in].count(True) == 2
    assert world.api.delete("/v1/user/sessions", token=token).status == 204
    assert [here.signed_in, there.signed_in, third.signed_in] == [True, False, False]
    assert len(world.api.get("/v1/user/sessions", token=token).json["items"]) == 1
    assert world.api.get("/v1/user/sessions", token=stranger).json["items"] == []


def test_another_password_by_who_knows_the_one_that_holds(world: World, clock: Any) -> None:
    address = account(world)
    here, there = browser(world), browser(world)
    here.sign_in(address)
    there.sign_in(address)
    token, fresh = _token(here), "another horse and battery"
    path = "/v1/user/password"
    wrong = world.api.put(path, {"current": "not that one at all", "password": fresh}, token=token)
    assert (wrong.status, "not your password" in wrong.message) == (403, True)
    assert world.api.put(path, {"current": PASSWORD, "password": "short"}, token=token).status == 400
    assert world.api.put(path, {"current": PASSWORD, "password": fresh}, token=token).status == 204
    assert [here.signed_in, there.signed_in] == [True, False], "other browsers sign in again"
    assert there.sign_in(address).status == 403
    assert there.sign_in(address, fresh).status == 303
    # Whoever sits before an open browser does not guess on.
    for _ in range(limits.LOGINS_OF_ACCOUNT):
        world.api.put(path, {"current": "a guess of somebody", "password": fresh}, token=token)
    assert world.api.put(path, {"current": fresh, "password": PASSWORD}, token=token).status == 429
    clock.advance(limits.LOGIN_MINUTES * MINUTE)
    assert world.api.put(path, {"current": fresh, "password": PASSWORD}, token=_token(here)).status == 204
    assert world.api.put(path, {"current": "x", "password": fresh}).status == 409, "who has none is told"
    events = world.api.get(f"/v1/orgs/{world.organization}/audit-events?limit=50").json["items"]
    assert fresh not in str(events)
