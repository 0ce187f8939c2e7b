"""…/sites/{site}/share-links: GET, POST, PATCH and DELETE."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from octavo.kernel import limits
from tests.client import World
from tests.resources.checks import MOMENT, check_json, check_refusals, check_roles


@pytest.fixture
def path(world: World) -> str:
    return f"/v1/orgs/{world.organization}/sites/{world.site(publish=False)['id']}/share-links"


def _made(world: World, path: str, name: str = "Auditors") -> Any:
    reply = world.api.post(path, {"name": name})
    assert reply.status == 201, reply.text
    return reply.json


def test_made_changed_listed_and_deleted(world: World, path: str) -> None:
    made = _made(world, path, "  Auditors ")
    assert made["object"] == "share-link"
    assert (made["name"], made["active"]) == ("Auditors", True)
    assert re.fullmatch(MOMENT, made["createdAt"])
    assert re.search(r"/~share/[\w-]{32}/$", made["urls"]["published"])
    assert world.api.get(path).json == {"items": [made], "count": 1}
    changed = world.api.patch(f"{path}/{made['id']}", {"active": False}).json
    assert changed == made | {"active": False}
    assert world.api.patch(f"{path}/{made['id']}", {"name": "Others"}).json == changed | {"name": "Others"}
    assert world.api.patch(f"{path}/{made['id']}", {}).json == changed | {"name": "Others"}
    gone = world.api.delete(f"{path}/{made['id']}")
    assert (gone.status, gone.body) == (205, b"")
    assert world.api.get(path).json["items"] == []
    assert world.api.delete(f"{path}/{made['id']}").status == 404
    assert world.api.patch(f"{path}/{made['id']}", {"active": True}).status == 404


def test_lists_have_pages_and_can_be_searched(world: World, path: str) -> None:
    made = [_made(world, path, f"Link {number}")["id"] for number in range(5)]
    found, token = [], ""
    while True:
        page = world.api.get(f"{path}?limit=2{token}").json
        assert page["count"] == 5
        found += [one["id"] for one in page["items"]]
        if "next" not in page:
            break
        token = f"&page={page['next']['page']}"
    assert sorted(found) == sorted(made)
    assert [one["name"] for one in world.api.get(f"{path}?search=nk%203").json["items"]] == ["Link 3"]
    assert world.api.get(f"{path}?limit=1001").status == 400


def test_secrets_differ_and_are_admins_alone(world: World, path: str) -> None:
    assert len({_made(world, path)["urls"]["published"] for _ in range(20)}) == 20
    one = f"{path}/{_made(world, path)['id']}"
    check_roles(world, "admin", "GET", path, success=200)
    check_roles(world, "admin", "POST", path, {"name": "New"}, success=201)
    check_roles(world, "admin", "PATCH", one, {"active": False}, success=200)
    for role in ("create", "guest", None):
        assert world.api.delete(one, token=world.person(role)).status in (403, 404)
    assert world.api.get(path).status == 200


def test_bad_input_changes_nothing(world: World, path: str) -> None:
    names: list[tuple[Any, str]] = [
        ({}, "name"),
        ({"name": None}, "name"),
        ({"name": 5}, "name"),
        ({"name": "x" * 51}, "name"),
        ({"name": "a\u0001b"}, "name"),
    ]
    check_refusals(world, "POST", path, names)
    check_json(world, "POST", path)
    assert world.api.get(path).json["count"] == 0
    made = _made(world, path, "x" * 50)
    check_refusals(
        world, "PATCH", f"{path}/{made['id']}", [*names[1:], ({"active": "no"}, "active"), ({"active": None}, "active")]
    )
    assert world.api.get(path).json["items"] == [made]


def test_there_is_an_end_of_links_also_for_many_at_once(
    world: World, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SHARE_LINKS_MAX", 3)

    async def all_at_once() -> list[int]:
        replies = await asyncio.gather(*(world.api.send("POST", path, {"name": "x"}) for _ in range(6)))
        return sorted(reply.status for reply in replies)

    assert world.run(all_at_once()) == [201] * 3 + [409] * 3
    assert world.api.get(path).json["count"] == 3


def test_links_of_another_site_are_not_there(world: World, path: str) -> None:
    other = f"/v1/orgs/{world.organization}/sites/{world.site(title='Other')['id']}/share-links"
    made = _made(world, path)
    assert world.api.patch(f"{other}/{made['id']}", {"active": False}).status == 404
    assert world.api.delete(f"{other}/{made['id']}").status == 404
    assert world.api.get(other).json["items"] == []
    assert world.api.get(path).json["items"] == [made]
