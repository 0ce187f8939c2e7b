"""…/sites/{site}/adaptive-schema: GET and PUT, and GET …/template-conditions."""

from __future__ import annotations

import re
from typing import Any

import pytest

from octavo.content import conditions
from tests.client import World
from tests.publish.browsing import SCHEMA
from tests.resources.checks import MOMENT, check_json, check_roles

TEXT = {"type": "string", "description": "x"}


@pytest.fixture
def path(world: World) -> str:
    return f"/v1/orgs/{world.organization}/sites/{world.site(publish=False)['id']}/adaptive-schema"


def _schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def test_there_is_none_before_one_is_put(world: World, path: str) -> None:
    assert world.api.get(path).status == 404
    assert world.api.get(f"{path}/template-conditions").json == {"items": []}
    dialect = {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.org/claims"}
    put = world.api.put(path, {"jsonSchema": dialect | SCHEMA})
    assert put.status == 200, put.text
    assert put.json.keys() == {"object", "jsonSchema", "updatedAt"}
    assert put.json["object"] == "site-adaptive-schema"
    assert put.json["jsonSchema"] == dialect | SCHEMA
    assert re.fullmatch(MOMENT, put.json["updatedAt"])
    assert world.api.get(path).json == put.json
    assert world.api.put(path, {"jsonSchema": _schema()}).json["jsonSchema"] == _schema()
    assert world.api.get(path).json["jsonSchema"] == _schema()


def test_every_kind_of_claim(world: World, path: str) -> None:
    inner = _schema(deep={"type": "number", "description": "x"}) | {"description": "x"}
    many = {"type": "array", "description": "x", "items": TEXT}
    schema = _schema(a=TEXT, b={"type": "boolean", "description": ""}, c=many, d=inner)
    assert world.api.put(path, {"jsonSchema": schema}).status == 200


def test_what_is_no_such_schema_is_told_with_its_place(world: World, path: str) -> None:
    before = world.api.put(path, {"jsonSchema": SCHEMA}).json
    unsigned = SCHEMA["properties"]["unsigned"]
    deep: Any = TEXT
    for _ in range(6):
        deep = _schema(x=deep) | {"description": "x"}
    cases: list[tuple[Any, str]] = [
        ({}, "jsonSchema"),
        ({"jsonSchema": "{}"}, "jsonSchema"),
        ({"jsonSchema": {"type": "array"}}, "jsonSchema"),
        ({"jsonSchema": {"properties": {}, "additionalProperties": False}}, "type"),
        ({"jsonSchema": {"type": "object", "properties": {}}}, "additionalProperties"),
        ({"jsonSchema": _schema() | {"additionalProperties": True}}, "additionalProperties"),
        ({"jsonSchema": _schema() | {"required": ["a"]}}, "required"),
        ({"jsonSchema": _schema() | {"$schema": "https://json-schema.org/draft/2020-12/schema"}}, "$schema"),
        ({"jsonSchema": _schema(a={"type": "boolean"})}, "description"),
        ({"jsonSchema": _schema(a={"type": "date", "description": "x"})}, "type"),
        ({"jsonSchema": _schema(a=TEXT | {"pattern": "x"})}, "pattern"),
        ({"jsonSchema": _schema(a=TEXT | {"enum": []})}, "enum"),
        ({"jsonSchema": _schema(a=TEXT | {"enum": [1]})}, "enum"),
        ({"jsonSchema": _schema(a={"type": "array", "description": "x"})}, "items"),
        ({"jsonSchema": _schema(a={"type": "array", "description": "x", "items": unsigned})}, "items"),
        ({"jsonSchema": _schema(a={"type": "object", "description": "x", "properties": {}})}, "additionalProperties"),
        ({"jsonSchema": _schema(unsigned=unsigned | {"description": "Mine"})}, "unsigned"),
        ({"jsonSchema": _schema(unsigned=TEXT)}, "unsigned"),
        ({"jsonSchema": _schema(unsigned=unsigned | {"additionalProperties": True})}, "additionalProperties"),
        ({"jsonSchema": _schema(**{"": TEXT})}, "properties"),
        ({"jsonSchema": _schema(a=deep)}, "deep"),
        ({"jsonSchema": _schema(**{f"a{number}": TEXT for number in range(201)})}, "200"),
    ]
    for body, place in cases:
        reply = world.api.put(path, body)
        assert reply.status == 400, f"{body!r} was answered {reply.status}"
        assert place in reply.message, f"{body!r}: {reply.message!r} does not name {place}"
    check_json(world, "PUT", path)
    assert world.api.get(path).json == before


def test_conditions_that_the_schema_makes_possible_hold_for_whom_they_say(world: World, path: str) -> None:
    schema = SCHEMA | {"properties": SCHEMA["properties"] | {'odd "name': {"type": "boolean", "description": "x"}}}
    assert world.api.put(path, {"jsonSchema": schema}).status == 200
    items = world.api.get(f"{path}/template-conditions").json["items"]
    assert {"description": "beta is true", "condition": "visitor.claims.beta == true"} in items
    found = {one["condition"] for one in items}
    assert found == {
        "visitor.claims.beta == true",
        'visitor.claims.plan == "free"',
        'visitor.claims.plan == "pro"',
        'visitor.claims.groups.includes("eng")',
        'visitor.claims.groups.includes("ops")',
        'visitor.claims.unsigned.lang == "en"',
        'visitor.claims.unsigned.lang == "fr"',
        'visitor.claims["odd \\"name"] == true',
    }
    nobody = {"visitor": {"claims": {"unsigned": {}}}}
    somebody = {"beta": True, "plan": "pro", "groups": ["eng"], 'odd "name': True, "unsigned": {"lang": "fr"}}
    for one in found:
        assert conditions.check(one) is None
        assert not conditions.compile(one).holds(nobody)
    held = {one for one in found if conditions.compile(one).holds({"visitor": {"claims": somebody}})}
    assert len(held) == 5


def test_who_may(world: World, path: str) -> None:
    world.api.put(path, {"jsonSchema": _schema()})
    check_roles(world, "read", "GET", path, success=200)
    check_roles(world, "create", "PUT", path, {"jsonSchema": _schema()}, success=200)
    check_roles(world, "read", "GET", f"{path}/template-conditions", success=200)
