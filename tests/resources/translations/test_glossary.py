"""…/translations-glossary."""

from __future__ import annotations

from typing import Any

from tests.client import World
from tests.resources.checks import check_json, check_refusals, check_roles


def _path(world: World) -> str:
    return f"/v1/orgs/{world.organization}/translations-glossary"


def _insert(**terms: str) -> dict[str, Any]:
    return {"type": "insert", "translations": terms}


def test_entries_are_inserted_changed_and_deleted_in_their_order(world: World) -> None:
    path = _path(world)
    assert world.api.put(path, {"operations": [_insert(en="page", de="Seite"), _insert(en="space")]}).status == 204
    listed = world.api.get(f"{path}?orderBy=en").json
    assert [one["translations"] for one in listed["items"]] == [{"en": "page", "de": "Seite"}, {"en": "space"}]
    page, space = listed["items"]
    assert page["object"] == "glossary-entry"
    assert page["urls"] == {"location": f"http://octavo.test{path}/{page['id']}"}
    assert world.api.get(f"{path}/{page['id']}").json == page
    # An entry without a term in the language comes last.
    assert [one["id"] for one in world.api.get(f"{path}?orderBy=de").json["items"]] == [page["id"], space["id"]]
    changes = [
        {"type": "update", "id": space["id"], "translations": {"en": "space", "fr": "espace"}},
        {"type": "delete", "id": page["id"]},
        _insert(ja="ページ"),
    ]
    assert world.api.put(path, {"operations": changes}).status == 204
    after = world.api.get(f"{path}?orderBy=en").json["items"]
    assert [one["translations"] for one in after] == [{"en": "space", "fr": "espace"}, {"ja": "ページ"}]
    assert after[0]["createdAt"] == space["createdAt"]
    assert world.api.get(f"{path}/{page['id']}").status == 404


def test_all_or_none(world: World) -> None:
    path = _path(world)
    reply = world.api.put(path, {"operations": [_insert(en="page"), {"type": "delete", "id": "missing"}]})
    assert (reply.status, "operations[1].id" in reply.message) == (400, True)
    assert world.api.get(path).json["items"] == []


def test_so_many_at_most(world: World, monkeypatch: Any) -> None:
    monkeypatch.setattr("octavo.kernel.limits.GLOSSARY_MAX", 1)
    path = _path(world)
    assert world.api.put(path, {"operations": [_insert(en="page"), _insert(en="space")]}).status == 409
    assert world.api.get(path).json["items"] == []
    assert world.api.put(path, {"operations": [_insert(en="page")]}).status == 204


def test_pages_of_the_list(world: World) -> None:
    path = _path(world)
    world.api.put(path, {"operations": [_insert(en=word) for word in ("c", "a", "b")]})
    for order in ("", "&orderBy=en"):
        whole = world.api.get(f"{path}?limit=9{order}").json["items"]
        first = world.api.get(f"{path}?limit=2{order}").json
        rest = world.api.get(f"{path}?limit=2&page={first['next']['page']}{order}").json
        assert first["items"] + rest["items"] == whole
    assert [one["translations"]["en"] for one in whole] == ["a", "b", "c"]


def test_roles_and_refusals(world: World) -> None:
    path = _path(world)
    world.api.put(path, {"operations": [_insert(en="page")]})
    one = f"{path}/{world.api.get(path).json['items'][0]['id']}"
    for place in (path, one):
        check_roles(world, "read", "GET", place, success=200, guest=403)
    check_roles(world, "create", "PUT", path, {"operations": []}, success=204, guest=403)
    cases: list[tuple[Any, str]] = [
        ({}, "operations"), ({"operations": [{"type": "insert"}]}, "translations"),
        ({"operations": [{"type": "rename", "id": "x"}]}, "type"), ({"operations": [_insert()]}, "translations"),
        ({"operations": [_insert(xx="a")]}, "operations[0]"), ({"operations": [_insert(en="")]}, "operations[0]"),
        ({"operations": [_insert(en="a\nb")]}, "operations[0]"), ({"operations": [_insert(en="x" * 256)]}, "operations[0]"),
        ({"operations": [{"type": "update", "translations": {"en": "a"}}]}, "id"),
    ]  # fmt: skip
    check_refusals(world, "PUT", path, cases)
    check_json(world, "PUT", path)
    assert world.api.get(f"{path}?orderBy=xx").status == 400
