"""PATCH /spaces/{space}."""

from __future__ import annotations

from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import check_json, check_refusals, check_roles


def test_only_what_was_sent_changes(world: World, clock: FakeClock) -> None:
    before = world.space("Handbook", emoji="🦉")
    path = f"/v1/spaces/{before['id']}"
    clock.advance(1500)
    reply = world.api.patch(path, {"title": " Manual "})
    assert reply.status == 200
    after = reply.json
    assert after["title"] == "Manual"
    assert after["updatedAt"] > before["updatedAt"]
    assert after | {"title": "Handbook", "updatedAt": before["updatedAt"]} == before
    assert world.api.get(path).json == after


def test_each_field(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}"
    for field, value in (
        ("emoji", "1f680"), ("editMode", "live"), ("editMode", "locked"), ("defaultLevel", "comment"),
        ("defaultLevel", None), ("defaultLevel", "inherit"), ("language", "pt-br"),
    ):  # fmt: skip
        assert world.api.patch(path, {field: value}).json[field] == value
        assert world.api.get(path).json[field] == value
    assert world.api.patch(path, {"emoji": None}).json["emoji"] == "1f4d8"


def test_an_emoji_is_taken_in_any_form_and_answered_as_code_points(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}"
    for given, answered in (
        ("🚀", "1f680"), ("1f680", "1f680"), ("1F680", "1f680"), ("rocket", "1f680"), (":heart:", "2764-fe0f"),
        ("❤", "2764-fe0f"), ("👨‍👩‍👧", "1f468-200d-1f469-200d-1f467"), ("1f468-200d-1f469-200d-1f467",) * 2,
    ):  # fmt: skip
        reply = world.api.patch(path, {"emoji": given})
        assert (reply.status, reply.json["emoji"]) == (200, answered), given
        assert world.api.get(path).json["emoji"] == answered
    refused = world.api.patch(path, {"emoji": "no such thing"})
    assert (refused.status, refused.message[:29]) == (400, "emoji: 'no such thing' is no ")


def test_nothing_sent_changes_nothing(world: World) -> None:
    space = world.space()
    reply = world.api.patch(f"/v1/spaces/{space['id']}", {})
    assert reply.status == 200
    assert reply.json | {"updatedAt": ""} == space | {"updatedAt": ""}


def test_settings_take_admin(world: World) -> None:
    space = world.space()
    check_roles(world, "admin", "PATCH", f"/v1/spaces/{space['id']}", {"title": "Renamed"}, success=200)


def test_the_refused_changed_nothing(world: World) -> None:
    space = world.space()
    path = f"/v1/spaces/{space['id']}"
    for role in ("guest", None, "create"):
        world.api.patch(path, {"title": "Stolen", "defaultLevel": "admin"}, token=world.person(role))
    assert world.api.get(path).json == space


def test_who_was_granted_admin_changes_it(world: World) -> None:
    space = world.space()
    guest = world.person("guest")
    world.grant(guest, "space", space["id"], "admin")
    assert world.api.patch(f"/v1/spaces/{space['id']}", {"title": "Theirs"}, token=guest).json["title"] == "Theirs"


def test_wrong_input_names_the_field(world: World) -> None:
    space = world.space()
    path = f"/v1/spaces/{space['id']}"
    check_refusals(
        world,
        "PATCH",
        path,
        [
            ({"title": None}, "title"),
            ({"title": 1}, "title"),
            ({"title": "a" * 51}, "title"),
            ({"emoji": "x" * 51}, "emoji"),
            ({"emoji": {}}, "emoji"),
            ({"editMode": "thawed"}, "editMode"),
            ({"editMode": None}, "editMode"),
            ({"defaultLevel": "owner"}, "defaultLevel"),
            ({"defaultLevel": 3}, "defaultLevel"),
            ({"defaultLevel": "Read"}, "defaultLevel"),
            ({"language": "xx"}, "language"),
            ({"mergeRules": 1}, "mergeRules"),
            ({"mergeRules": {"type": "nonsense"}}, "mergeRules"),
            ({"title": "Good", "editMode": "bad"}, "editMode"),
        ],
    )
    check_json(world, "PATCH", path)
    assert world.api.get(path).json == space


def test_read_only_and_unknown_fields_are_ignored(world: World) -> None:
    space = world.space()
    path = f"/v1/spaces/{space['id']}"
    sent = {
        "id": "chosen", "object": "x", "organization": "other", "parent": "other", "revision": "chosen",
        "createdAt": "2001-01-01T00:00:00.000Z", "deletedAt": "2001-01-01T00:00:00.000Z", "visibility": "public",
        "comments": 7, "changeRequestsOpen": 7, "permissions": {"admin": False}, "urls": {}, "gitSync": {"url": "x"},
        "position": "zz", "default_level": "admin", "nonsense": 1,
    }  # fmt: skip
    reply = world.api.patch(path, sent)
    assert reply.status == 200
    assert reply.json | {"updatedAt": ""} == space | {"updatedAt": ""}
    assert world.api.get(f"/v1/orgs/{world.organization}/spaces").json["count"] == 1
