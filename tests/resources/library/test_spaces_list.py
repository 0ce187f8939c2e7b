"""GET /orgs/{org}/spaces."""

from __future__ import annotations

import uuid
from typing import Any

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


def test_lists_say_of_a_space_what_it_says_itself_whatever_becomes_of_it(world: World, clock: FakeClock) -> None:
    """They are kept as JSON, so that each is asked twice, by people of several roles."""
    api, organization = world.api, f"/v1/orgs/{world.organization}"
    collection = api.post(f"{organization}/collections", {"title": "Shelf"}).json["id"]
    space = world.space("Handbook", parent=collection)["id"]
    world.space("Another", parent=collection)
    site = world.site(space, publish=False)["id"]
    admin, reader, guest = api.token or "", world.person("read"), world.person("guest")
    world.grant(guest, "space", space, "read")

    def seen() -> list[Any]:
        made = []
        for token in (admin, reader, guest):
            alone = api.get(f"/v1/spaces/{space}", token=token).json
            for path in (f"{organization}/spaces", f"/v1/collections/{collection}/spaces") * 2:
                reply = api.get(path, token=token)
                if reply.status == 200:
                    assert [one for one in reply.json["items"] if one["id"] == space] in ([alone], [])
            made.append(alone)
        return made

    for method, path, body in (
        ("PATCH", f"/v1/spaces/{space}", {"title": "Guide", "emoji": "1f600"}),
        ("POST", f"/v1/spaces/{space}/comments", {"body": {"markdown": "Why?"}}),
        ("POST", f"/v1/spaces/{space}/change-requests", {"subject": "More"}),
        ("POST", f"{organization}/sites/{site}/publish", None),
        ("PATCH", f"{organization}/sites/{site}", {"basename": f"guide-{uuid.uuid4().hex}"}),
        ("PATCH", f"{organization}/sites/{site}", {"visibility": "unlisted"}),
        ("POST", f"{organization}/sites/{site}/unpublish", None),
        ("PATCH", f"/v1/spaces/{space}", {"defaultLevel": "edit"}),
        ("POST", f"/v1/spaces/{space}/move", {"parent": None}),
    ):
        before = seen()
        clock.advance(1000)
        assert api.request(method, path, body).status in (200, 201), path
        assert seen() != before, path
