"""GET /orgs/{org}/spaces."""

from __future__ import annotations

from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import ROLES, other_organization


def test_newest_first_with_a_true_count(world: World, clock: FakeClock) -> None:
    made = []
    for title in ("One", "Two", "Three"):
        made.append(world.space(title)["id"])
        clock.advance(5)
    listed = world.api.get(f"/v1/orgs/{world.organization}/spaces").json
    assert [one["id"] for one in listed["items"]] == made[::-1]
    assert listed["count"] == 3
    assert "next" not in listed
    assert listed["items"][0] == world.api.get(f"/v1/spaces/{made[-1]}").json


def test_everybody_sees_what_they_may_see(world: World) -> None:
    world.space("Open")
    closed = world.space("Closed")["id"]
    assert world.api.patch(f"/v1/spaces/{closed}", {"defaultLevel": None}).status == 200
    granted = world.space("Granted")["id"]
    path = f"/v1/orgs/{world.organization}/spaces"
    for role in ROLES:
        listed = world.api.get(path, token=world.person(role)).json
        titles = ["Granted", "Closed", "Open"] if role == "admin" else ["Granted", "Open"]
        assert sorted(one["title"] for one in listed["items"]) == sorted(titles)
        assert listed["count"] == len(titles)
    guest = world.person("guest")
    assert world.api.get(path, token=guest).json == {"items": [], "count": 0}
    world.grant(guest, "space", granted, "read")
    listed = world.api.get(path, token=guest).json
    assert [one["id"] for one in listed["items"]] == [granted]
    assert listed["count"] == 1
    assert world.api.get(path, token=world.person(None)).status == 404


def test_pages_of_a_member_hold_what_pages_of_an_admin_hold(world: World, clock: FakeClock) -> None:
    for number in range(5):
        world.space(f"Space {number}")
        clock.advance(1)
    path = f"/v1/orgs/{world.organization}/spaces?limit=2"
    for token in (world.api.token, world.person("read")):
        seen, page = [], ""
        while True:
            listed = world.api.get(path + page, token=token).json
            seen += [one["title"] for one in listed["items"]]
            assert listed["count"] == 5
            if "next" not in listed:
                break
            page = f"&page={listed['next']['page']}"
        assert seen == [f"Space {number}" for number in (4, 3, 2, 1, 0)]


def test_only_its_own(world: World) -> None:
    world.space()
    other = other_organization(world)["id"]
    assert world.api.get(f"/v1/orgs/{other}/spaces").json == {"items": [], "count": 0}


def test_a_wrong_filter_names_itself(world: World) -> None:
    reply = world.api.get(f"/v1/orgs/{world.organization}/spaces?deleted=perhaps")
    assert reply.status == 400
    assert "deleted" in reply.message
