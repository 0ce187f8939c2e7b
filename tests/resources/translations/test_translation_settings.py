"""…/translations and their languages."""

from __future__ import annotations

from typing import Any

from tests.client import World
from tests.resources.checks import check_json, check_refusals, check_roles, other_organization


def _all(world: World) -> str:
    return f"/v1/orgs/{world.organization}/translations"


def _space(world: World, **fields: Any) -> str:
    reply = world.api.post(f"/v1/orgs/{world.organization}/spaces", {"title": "Handbook", **fields})
    assert reply.status == 201
    return str(reply.json["id"])


def test_settings_are_made_read_changed_and_deleted(world: World) -> None:
    path = _all(world)
    reply = world.api.post(path, {"title": "  Handbook "})
    assert reply.status == 201
    made = reply.json
    one = f"{path}/{made['id']}"
    assert made["title"] == "Handbook"
    assert made["object"] == "translation-settings"
    assert made["languages"] == []
    assert made["permissions"] == {"view": True, "edit": True}
    assert made["urls"] == {"location": f"http://octavo.test{one}"}
    assert reply.headers["location"] == made["urls"]["location"]
    assert made["status"] == "pending"
    assert made["stats"] == dict.fromkeys(made["stats"], 0)
    assert world.api.get(one).json == made
    assert world.api.get(path).json == {"items": [made], "count": 1}
    space = _space(world)
    body = {
        "title": "Guide", "languages": ["fr", "de"], "source": {"space": space, "language": "en"},
        "instructions": "Be brief.\n\nBe kind.", "automatic": True,
    }  # fmt: skip
    changed = world.api.put(one, body).json
    assert {name: changed[name] for name in ("title", "languages", "source", "automatic")} == {
        name: body[name] for name in ("title", "languages", "source", "automatic")
    }
    assert changed["language"] == "fr"
    words = [node["nodes"][0]["leaves"][0]["text"] for node in changed["instructions"]["nodes"]]
    assert words == ["Be brief.", "Be kind."]
    assert world.api.put(one, {"title": "Guide"}).json == world.api.get(one).json
    assert world.api.get(one).json == changed | {"updatedAt": world.api.get(one).json["updatedAt"]}
    # What was answered may be sent back.
    again = world.api.put(one, {"title": "Guide", "instructions": changed["instructions"]}).json
    assert again["instructions"] == changed["instructions"]
    assert world.api.delete(one).status == 205
    assert world.api.delete(one).status == 404
    assert world.api.get(one).status == 404
    assert world.api.get(path).json["items"] == []


def test_languages_keep_their_instructions_while_others_come_and_go(world: World) -> None:
    path = _all(world)
    one = f"{path}/{world.api.post(path, {'title': 'A', 'languages': ['de', 'fr']}).json['id']}"
    told = world.api.put(f"{one}/languages/fr", {"instructions": {"markdown": "Vouvoyez."}})
    assert told.status == 200
    assert told.json["object"] == "translation-language-settings"
    assert told.json["urls"]["location"] == f"http://octavo.test{one}/languages/fr"
    assert world.api.put(one, {"title": "A", "languages": ["ja", "fr"]}).json["languages"] == ["ja", "fr"]
    listed = world.api.get(f"{one}/languages").json
    assert [item["language"] for item in listed["items"]] == ["ja", "fr"]
    assert listed["count"] == 2
    assert listed["items"][1] == told.json
    first = world.api.get(f"{one}/languages?limit=1").json
    rest = world.api.get(f"{one}/languages?limit=1&page={first['next']['page']}").json
    assert first["items"] + rest["items"] == listed["items"]
    assert world.api.get(f"{one}/languages/de").status == 404
    assert world.api.get(f"{one}/languages/{told.json['id']}").json == told.json


def test_lists_are_newest_first_and_in_pages(world: World) -> None:
    path = _all(world)
    for number in range(3):
        world.api.post(path, {"title": str(number)})
    listed = world.api.get(path).json["items"]
    assert sorted(one["title"] for one in listed) == ["0", "1", "2"]
    first = world.api.get(f"{path}?limit=2").json
    rest = world.api.get(f"{path}?limit=2&page={first['next']['page']}").json
    assert first["items"] + rest["items"] == listed


def test_roles(world: World) -> None:
    path = _all(world)
    one = f"{path}/{world.api.post(path, {'title': 'A', 'languages': ['de']}).json['id']}"
    for place in (path, one, f"{one}/languages", f"{one}/languages/de"):
        check_roles(world, "read", "GET", place, success=200, guest=403)
    check_roles(world, "create", "POST", path, {"title": "B"}, success=201, guest=403)
    check_roles(world, "create", "PUT", one, {"title": "B"}, success=200, guest=403)
    check_roles(world, "create", "PUT", f"{one}/languages/de", {"instructions": ""}, success=200, guest=403)
    reader = world.person("read")
    assert world.api.get(one, token=reader).json["permissions"] == {"view": True, "edit": False}
    for token, status in ((world.person("review"), 403), (world.person(None), 404), (world.person("create"), 205)):
        assert world.api.delete(one, token=token).status == status


def test_what_somebody_cannot_see_is_not_translated_for_her(world: World) -> None:
    path, creator = _all(world), world.person("create")
    private = _space(world)
    assert world.api.patch(f"/v1/spaces/{private}", {"defaultLevel": None}).status == 200
    wanted = {"title": "A", "source": {"space": private, "language": "en"}}
    assert world.api.post(path, wanted, token=creator).status == 404
    assert world.api.post(path, wanted).status == 201
    abroad = other_organization(world)["id"]
    reply = world.api.post(f"/v1/orgs/{abroad}/translations", wanted)
    assert (reply.status, "source.space" in reply.message) == (400, True)


def test_refusals(world: World) -> None:
    path = _all(world)
    space = _space(world)
    source = {"space": space, "language": "en"}
    cases: list[tuple[Any, str]] = [
        ({}, "title"), ({"title": ""}, "title"), ({"title": "   "}, "title"), ({"title": "x" * 101}, "title"),
        ({"title": 5}, "title"), ({"title": None}, "title"), ({"title": "A", "languages": ["xx"]}, "languages"),
        ({"title": "A", "languages": "de"}, "languages"), ({"title": "A", "languages": ["de", "de"]}, "languages"),
        ({"title": "A", "languages": ["en"], "source": source}, "languages"),
        ({"title": "A", "source": {"space": space}}, "language"), ({"title": "A", "automatic": "yes"}, "automatic"),
        ({"title": "A", "instructions": "x" * 10_001}, "instructions"), ({"title": "A", "instructions": 5}, "instructions"),
    ]  # fmt: skip
    check_refusals(world, "POST", path, cases)
    one = f"{path}/{world.api.post(path, {'title': 'A', 'languages': ['de']}).json['id']}"
    check_refusals(world, "PUT", one, cases)
    check_refusals(world, "PUT", f"{one}/languages/de", [({}, "instructions"), ({"instructions": 5}, "instructions")])
    check_json(world, "POST", path)
    assert world.api.get(path).json["count"] == 1
    assert world.api.get(one).json["languages"] == ["de"]
    assert world.api.post(path, {"title": "x" * 100, "unknown": 5}).status == 201


def test_an_organization_has_so_many_at_most(world: World, monkeypatch: Any) -> None:
    monkeypatch.setattr("octavo.kernel.limits.TRANSLATIONS_MAX", 1)
    path = _all(world)
    assert world.api.post(path, {"title": "A"}).status == 201
    assert world.api.post(path, {"title": "B"}).status == 409
