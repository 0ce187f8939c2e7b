"""The page to which invitations lead: a new account, the account that there is, a link for everybody, and none."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from octavo.kernel.clock import DAY
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock
from tests.console.browsing import PASSWORD, account, browser, mailed_path, mailing


def _invited(world: World, email: str, role: str = "edit") -> str:
    """The path of the page for an address."""
    reply = world.api.post(f"/v1/orgs/{world.organization}/invites", {"emails": [email], "role": role})
    assert reply.status == 200, reply.text
    return str(reply.json["links"][0]["url"]).removeprefix("http://octavo.test")


def _linked(world: World, **body: Any) -> str:
    reply = world.api.post(f"/v1/orgs/{world.organization}/link-invites", {"role": "read", **body})
    return str(reply.json["urls"]["app"]).removeprefix("http://octavo.test")


def _names(world: World) -> dict[str, Any]:
    members = world.api.get(f"/v1/orgs/{world.organization}/members").json["items"]
    return {one["user"]["displayName"]: one["role"] for one in members}


def test_who_has_no_account_gets_one_and_is_signed_in(world: World) -> None:
    path = _invited(world, f"new-{world.organization}@example.test")
    one = browser(world)
    page = one.get(path)
    assert page.status == 200
    assert "Test organization" in page.text
    for name in ("", "  ", "x" * 65, "Nina\u202e"):
        assert one.post(path, {"name": name, "password": PASSWORD}).status == 400
    assert not one.signed_in
    one.get(path)
    assert one.post(path, {"name": "Nina <New>", "password": PASSWORD}, word="").status == 403, "no form of ours"
    one.get(path)
    reply = one.post(path, {"name": " Nina <New> ", "password": PASSWORD})
    assert (reply.status, reply.headers["location"]) == (303, "/app")
    assert one.signed_in
    assert _names(world)["Nina <New>"] == "edit"
    assert browser(world).get(path).status == 404, "it serves once"


def test_without_a_mail_server_a_new_account_chooses_a_password(world: World) -> None:
    email = f"guest-{world.organization}@example.test"
    path, one = _invited(world, email), browser(world)
    assert 'autocomplete="new-password"' in one.get(path).text
    for password in ("", "too short", "x" * 1025):
        refused = one.post(path, {"name": "Gwen", "password": password})
        assert (refused.status, "10 to 1024 characters" in refused.text) == (400, True)
    one.get(path)
    assert one.post(path, {"name": "Gwen", "password": PASSWORD}).status == 303
    assert browser(world).sign_in(email).status == 303, "she comes back by it"


def test_with_a_mail_server_nobody_chooses_one(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> None:
    with mailing(engine, clock, memory_folder, loop) as (world, _):
        path, one = _mailed(world, f"guest-{world.organization}@example.test"), browser(world)
        assert 'name="password"' not in one.get(path).text
        assert one.post(path, {"name": "Gwen"}).status == 303
        assert one.signed_in
        known = _mailed(world, account(world))
        assert browser(world).get(known).headers["location"].startswith("/login?"), "who has the mail may be told"


def _mailed(world: World, email: str) -> str:
    """The path of the page in a letter to an address."""
    other = world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"]
    assert world.api.post(f"/v1/orgs/{other}/invites", {"emails": [email], "role": "edit"}).status == 200
    return mailed_path(world, other)


def test_a_link_that_was_handed_over_tells_nobody_whether_there_is_an_account(world: World) -> None:
    """Whoever invites has the link, and is not the one whose address it is."""
    other = world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"]
    pages = []
    for email in (account(world), f"new-{other}@example.test"):
        reply = world.api.post(f"/v1/orgs/{other}/invites", {"emails": [email], "role": "review"})
        path = str(reply.json["links"][0]["url"]).removeprefix("http://octavo.test")
        shown = browser(world).get(path)
        text = re.sub(r'name="form" value="[^"]*"|/invites/[\w/%-]+|next=[\w%-]+', "", shown.text).replace(email, "")
        pages.append((shown.status, text))
    assert pages[0] == pages[1]


def test_who_has_an_account_signs_in_first(world: World) -> None:
    """A link in a mailbox is no password."""
    email = account(world)
    other = world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"]
    reply = world.api.post(f"/v1/orgs/{other}/invites", {"emails": [email], "role": "review"})
    path = str(reply.json["links"][0]["url"]).removeprefix("http://octavo.test")
    one = browser(world)
    assert "/login?next=%2Finvites%2F" in one.get(path).text
    taken = one.post(path, {"name": "Somebody else", "password": PASSWORD})
    assert taken.headers["location"].startswith("/login?next=%2Finvites%2F")
    assert not one.signed_in
    assert one.sign_in(email, next=path).headers["location"] == path
    assert email in one.get(path).text
    assert one.post(path).headers["location"] == "/app"
    assert world.api.get(f"/v1/orgs/{other}/members").json["count"] == 2
    assert one.get(path).status == 404


def test_a_link_for_everybody(world: World) -> None:
    other = world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"]
    link = world.api.post(f"/v1/orgs/{other}/link-invites", {"role": "read", "maxUses": 1}).json
    path = str(link["urls"]["app"]).removeprefix("http://octavo.test")
    one = browser(world)
    assert one.get(path).headers["location"].startswith("/login?")
    one.sign_in(account(world))
    assert "Elsewhere" in one.get(path).text
    assert one.post(path).status == 303
    assert world.api.get(f"/v1/orgs/{other}/members").json["count"] == 2
    assert browser(world).get(path).status == 404, "used up"


def test_an_invitation_of_another_address(world: World) -> None:
    path = _invited(world, f"new-{world.organization}@example.test")
    one = browser(world)
    one.sign_in(account(world))
    one.get(path)
    assert one.post(path).status == 403
    assert browser(world).get(path).status == 200


def test_links_that_lead_nowhere(world: World, clock: FakeClock) -> None:
    path, link = _invited(world, f"new-{world.organization}@example.test"), _linked(world)
    one = browser(world)
    for wrong in ("/invites/x/y", "/invites/x", "/invites/", path + "x", path.replace(world.organization, "elsewhere")):
        assert one.get(wrong).status in (303, 404), wrong
        assert one.get(wrong).headers.get("location", "/login").startswith("/login"), wrong
    world.api.patch(f"/v1/orgs/{world.organization}", {"inviteLinks": False})
    assert one.get(link).status == 404
    clock.advance(14 * DAY)
    assert one.get(path).status == 404
    one.get("/login")
    assert one.post(path, {"name": "Late", "password": PASSWORD}).status == 404
    assert "Late" not in _names(world)
