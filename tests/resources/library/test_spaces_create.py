"""POST /orgs/{org}/spaces."""

from __future__ import annotations

import re

from octavo.kernel.ids import new_id
from octavo.kernel.records.library import Collection
from tests.client import World
from tests.resources.checks import (
    MOMENT,
    REQUIRED_OF_SPACE,
    check_json,
    check_refusals,
    check_roles,
    other_organization,
)


def _collection(world: World, organization: str | None = None) -> str:
    made = Collection(
        id=new_id(), organization=organization or world.organization, title="Shelf", position="a0", created_at=1
    )
    world.run(world.house.store.write(lambda unit: unit.spaces.add_collection(made)))
    return made.id


def test_it_is_served_whole_with_its_location(world: World) -> None:
    reply = world.api.post(f"/v1/orgs/{world.organization}/spaces", {"title": "Handbook", "emoji": "🦉"})
    assert reply.status == 201
    space = reply.json
    assert set(REQUIRED_OF_SPACE) <= set(space)
    assert space["object"] == "space"
    assert (space["title"], space["emoji"], space["organization"]) == ("Handbook", "1f989", world.organization)
    assert (space["visibility"], space["editMode"], space["defaultLevel"]) == ("private", "locked", "inherit")
    assert [space[n] for n in ("comments", "changeRequests", "changeRequestsOpen", "changeRequestsDraft")] == [0] * 4
    assert re.fullmatch(MOMENT, space["createdAt"])
    assert space["updatedAt"] == space["createdAt"]
    assert "deletedAt" not in space
    assert "parent" not in space
    assert reply.headers["location"] == space["urls"]["location"]
    assert world.api.get("/v1" + space["urls"]["location"].split("/v1", 1)[1]).json == space


def test_without_a_body_it_is_untitled(world: World) -> None:
    reply = world.api.post(f"/v1/orgs/{world.organization}/spaces")
    assert reply.status == 201
    assert (reply.json["title"], reply.json["emoji"]) == ("Untitled", "1f4d8")


def test_an_empty_one_has_no_page(world: World) -> None:
    space = world.space(empty=True)
    assert world.api.get(f"/v1/spaces/{space['id']}/content/pages").json == {"pages": []}
    other = world.space(empty=False)
    assert len(world.api.get(f"/v1/spaces/{other['id']}/content/pages").json["pages"]) == 1


def test_creating_takes_the_create_role(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/spaces"
    check_roles(world, "create", "POST", path, {"title": "Theirs"}, success=201, guest=403)


def test_its_maker_is_its_admin(world: World) -> None:
    token = world.person("create")
    made = world.api.post(f"/v1/orgs/{world.organization}/spaces", {"title": "Mine"}, token=token).json
    assert made["permissions"]["admin"] is True
    assert world.api.patch(f"/v1/spaces/{made['id']}", {"title": "Ours"}, token=token).status == 200
    colleague = world.person("create")
    assert world.api.patch(f"/v1/spaces/{made['id']}", {"title": "Not yours"}, token=colleague).status == 403


def test_titles_are_trimmed_and_counted_in_characters(world: World) -> None:
    assert world.space("  " + "🦉" * 50 + "\n")["title"] == "🦉" * 50


def test_wrong_input_names_the_field(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/spaces"
    check_refusals(
        world,
        "POST",
        path,
        [
            ({"title": 5}, "title"),
            ({"title": None}, "title"),
            ({"title": "a" * 51}, "title"),
            ({"title": ["a"]}, "title"),
            ({"emoji": "x" * 51}, "emoji"),
            ({"emoji": 1}, "emoji"),
            ({"parent": 7}, "parent"),
            ({"parent": "no/such id"}, "parent"),
            ({"editMode": "open"}, "editMode"),
            ({"editMode": None}, "editMode"),
            ({"language": "tlh"}, "language"),
            ({"empty": "yes"}, "empty"),
            ({"empty": 1}, "empty"),
        ],
    )
    check_json(world, "POST", path)
    assert world.api.get(path).json["count"] == 0


def test_read_only_and_unknown_fields_are_ignored(world: World) -> None:
    sent = {
        "title": "Given", "id": "chosen", "object": "site", "organization": "other", "revision": "chosen",
        "createdAt": "2001-01-01T00:00:00.000Z", "updatedAt": "2001-01-01T00:00:00.000Z",
        "deletedAt": "2001-01-01T00:00:00.000Z", "visibility": "public", "comments": 7, "changeRequests": 7,
        "permissions": {"admin": False}, "urls": {"public": "https://evil.test"}, "gitSync": {}, "nonsense": [1],
    }  # fmt: skip
    reply = world.api.post(f"/v1/orgs/{world.organization}/spaces?nonsense=1", sent)
    assert reply.status == 201
    space = reply.json
    assert space["id"] != "chosen"
    assert space["revision"] != "chosen"
    assert space["createdAt"] > "2020"
    assert (space["organization"], space["visibility"], space["comments"]) == (world.organization, "private", 0)
    assert space["permissions"]["admin"] is True
    assert {"deletedAt", "gitSync", "nonsense"}.isdisjoint(space)


def test_it_may_be_made_in_a_collection(world: World) -> None:
    shelf = _collection(world)
    space = world.space(parent=shelf)
    assert space["parent"] == shelf
    assert space["visibility"] == "in-collection"


def test_in_a_collection_the_role_there_decides(world: World) -> None:
    shelf = _collection(world)
    path, body = f"/v1/orgs/{world.organization}/spaces", {"title": "Theirs", "parent": shelf}
    reader, creator = world.person("read"), world.person("create")
    world.grant(reader, "collection", shelf, "create")
    world.grant(creator, "collection", shelf, "review")
    assert world.api.post(path, body, token=reader).status == 201
    assert world.api.post(path, body, token=creator).status == 403
    guest = world.person("guest")
    assert world.api.post(path, body, token=guest).status == 404
    world.grant(guest, "collection", shelf, "create")
    assert world.api.post(path, body, token=guest).status == 201


def test_an_unknown_parent_is_absent(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/spaces"
    for parent in ("nothing", world.space()["id"]):
        reply = world.api.post(path, {"parent": parent})
        assert reply.status in (400, 404)
        assert reply.message


def test_a_parent_of_another_organization_is_refused(world: World) -> None:
    foreign = other_organization(world)["id"]
    reply = world.api.post(f"/v1/orgs/{world.organization}/spaces", {"parent": _collection(world, foreign)})
    assert reply.status in (400, 404)
    assert world.api.get(f"/v1/orgs/{world.organization}/spaces").json["count"] == 0
