"""GET /orgs/{org}/sites and GET /orgs/{org}/sites/{site}."""

from __future__ import annotations

from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import ROLES, check_roles


def test_newest_first_and_as_got(world: World, clock: FakeClock) -> None:
    made = []
    for title in ("One site", "Two sites", "Three sites"):
        made.append(world.site(title=title, publish=False)["id"])
        clock.advance(5)
    path = f"/v1/orgs/{world.organization}/sites"
    listed = world.api.get(path).json
    assert [one["id"] for one in listed["items"]] == made[::-1]
    assert listed["count"] == 3
    assert "next" not in listed
    assert listed["items"][2] == world.api.get(f"{path}/{made[0]}").json


def test_filters(world: World) -> None:
    space = world.space()["id"]
    shown = world.site(space, title="Heron handbook")["id"]
    draft = world.site(title="Egret HANDBOOK", publish=False)["id"]
    world.site(title="Terns", publish=False, type="premium")
    path = f"/v1/orgs/{world.organization}/sites"
    for query, expected in (
        ("published=true", {shown}),
        ("title=handbook", {shown, draft}),
        ("title=HANDBOOK&published=false", {draft}),
        (f"space={space}", {shown}),
        ("space=nothing", set()),
        ("title=%25", set()),
        ("title=nowhere", set()),
        (f"unknown=1&space={space}", {shown}),
    ):
        listed = world.api.get(f"{path}?{query}").json
        assert {one["id"] for one in listed["items"]} == expected, query
        assert listed["count"] == len(expected)
    reply = world.api.get(path + "?published=perhaps")
    assert reply.status == 400
    assert "published" in reply.message


def test_everybody_sees_what_they_may_see(world: World) -> None:
    open_, closed = world.site(title="Open site")["id"], world.site(title="Closed site")["id"]
    path = f"/v1/orgs/{world.organization}/sites"
    assert world.api.patch(f"{path}/{closed}", {"defaultLevel": None}).json["defaultLevel"] is None
    for role in ROLES:
        listed = world.api.get(path, token=world.person(role)).json
        expected = {open_, closed} if role == "admin" else {open_}
        assert {one["id"] for one in listed["items"]} == expected
        assert listed["count"] == len(expected)
    guest = world.person("guest")
    assert world.api.get(path, token=guest).json == {"items": [], "count": 0}
    world.grant(guest, "site", closed, "read")
    assert [one["id"] for one in world.api.get(path, token=guest).json["items"]] == [closed]
    assert world.api.get(f"{path}/{closed}", token=guest).status == 200
    assert world.api.get(path, token=world.person(None)).status == 404


def test_every_member_reads_one(world: World) -> None:
    site = world.site(publish=False)["id"]
    check_roles(world, "read", "GET", f"/v1/orgs/{world.organization}/sites/{site}", success=200)
    assert world.api.get(f"/v1/orgs/{world.organization}/sites/nothing").status == 404
