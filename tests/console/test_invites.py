"""The page to which invitations lead: a new account, the account that there is, a link for everybody, and none."""

from __future__ import annotations

from typing import Any

from octavo.kernel.clock import DAY
from tests.client import World
from tests.conftest import FakeClock
from tests.console.browsing import account, browser


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
    for name in ("", "  ", "x" * 65):
        assert one.post(path, {"name": name}).status == 400
    assert not one.signed_in
    one.get(path)
    assert one.post(path, {"name": "Nina <New>"}, word="").status == 403, "no form of ours"
    one.get(path)
    reply = one.post(path, {"name": " Nina <New> "})
    assert (reply.status, reply.headers["location"]) == (303, "/account/tokens")
    assert one.signed_in
    assert _names(world)["Nina <New>"] == "edit"
    assert browser(world).get(path).status == 404, "it serves once"


def test_who_has_an_account_signs_in_first(world: World) -> None:
    """A link in a mailbox is no password."""
    email = account(world)
    other = world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"]
    reply = world.api.post(f"/v1/orgs/{other}/invites", {"emails": [email], "role": "review"})
    path = str(reply.json["links"][0]["url"]).removeprefix("http://octavo.test")
    one = browser(world)
    shown = one.get(path)
    assert shown.status == 303
    assert shown.headers["location"].startswith("/login?next=%2Finvites%2F")
    one.get("/login")
    assert one.post(path, {"name": "Somebody else"}).headers["location"].startswith("/login?")
    assert not one.signed_in
    assert one.sign_in(email, next=path).headers["location"] == path
    assert email in one.get(path).text
    assert one.post(path).headers["location"] == "/account/tokens"
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
    assert one.post(path, {"name": "Late"}).status == 404
    assert "Late" not in _names(world)
