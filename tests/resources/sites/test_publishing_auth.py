"""…/sites/{site}/publishing/auth: GET, PATCH, and POST …/regenerate."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from tests.client import World
from tests.resources.checks import check_json, check_refusals, check_roles


@pytest.fixture
def path(world: World) -> str:
    return f"/v1/orgs/{world.organization}/sites/{world.site(publish=False)['id']}/publishing/auth"


def test_a_site_has_one_key_from_the_first_question_on(world: World, path: str) -> None:
    async def all_at_once() -> list[Any]:
        return [reply.json for reply in await asyncio.gather(*(world.api.send("GET", path) for _ in range(5)))]

    first, *others = world.run(all_at_once())
    assert first.keys() == {"object", "backend", "privateKey"}
    assert (first["object"], first["backend"]) == ("publishing-auth", "custom")
    assert re.fullmatch("[0-9a-f]{64}", first["privateKey"])
    assert all(one == first for one in others)
    assert world.api.get(path).json == first


def test_keys_are_sealed_where_they_are_kept(world: World, path: str) -> None:
    key = world.api.get(path).json["privateKey"]
    site = path.split("/")[-3]
    auth = world.run(world.house.store.read(lambda unit: unit.sites.auth(site)))
    assert key not in auth.sealed_key
    assert world.house.signer.unseal(auth.sealed_key) == key


def test_a_key_of_another_secret_is_told_of_and_can_be_replaced(world: World, path: str) -> None:
    world.api.get(path)
    site = path.split("/")[-3]

    async def spoil(unit: Any) -> None:
        await unit.sites.change_auth(await unit.sites.auth(site), sealed_key="gAAAA")

    world.run(world.house.store.write(spoil))
    assert world.api.get(path).status == 409
    assert world.api.post(f"{path}/regenerate").status == 200
    assert world.api.get(path).status == 200


def test_addresses_are_set_and_taken_away(world: World, path: str) -> None:
    body = {"backend": "custom", "fallbackURL": "https://login.example/in", "logoutURL": "http://login.example/out"}
    made = world.api.patch(path, body).json
    assert made == world.api.get(path).json
    assert {name: made[name] for name in body} == body
    less = world.api.patch(path, {"backend": "custom", "fallbackURL": None}).json
    assert less == {name: value for name, value in made.items() if name != "fallbackURL"}
    again = world.api.post(f"{path}/regenerate").json
    assert again == less | {"privateKey": again["privateKey"]}
    assert again["privateKey"] != less["privateKey"]


def test_bad_input_changes_nothing(world: World, path: str) -> None:
    before = world.api.get(path).json
    cases: list[tuple[Any, str]] = [
        ({}, "backend"),
        ({"backend": "other"}, "backend"),
        ({"backend": "integration"}, "backend"),
        ({"backend": "custom", "fallbackURL": "javascript:alert(1)"}, "fallbackURL"),
        ({"backend": "custom", "fallbackURL": "//login.example"}, "fallbackURL"),
        ({"backend": "custom", "fallbackURL": ""}, "fallbackURL"),
        ({"backend": "custom", "logoutURL": 5}, "logoutURL"),
        ({"backend": "custom", "logoutURL": "https://" + "x" * 2048}, "logoutURL"),
        ({"backend": "custom", "logoutURL": "https://a.example/ b"}, "logoutURL"),
    ]
    check_refusals(world, "PATCH", path, cases)
    check_json(world, "PATCH", path)
    assert world.api.get(path).json == before


def test_the_key_is_admins_alone(world: World, path: str) -> None:
    check_roles(world, "admin", "GET", path, success=200)
    check_roles(world, "admin", "PATCH", path, {"backend": "custom"}, success=200)
    check_roles(world, "admin", "POST", f"{path}/regenerate", success=200)
