"""The list envelope: limits, cursors, counts, order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import World
from tests.conftest import FakeClock

LISTS = ("spaces", "sites")


def _make(world: World, kind: str, number: int, organization: str | None = None) -> str:
    path = f"/v1/orgs/{organization or world.organization}/{kind}"
    reply = world.api.post(path, {"title": f"Number {number}"})
    assert reply.status == 201, reply.text
    return str(reply.json["id"])


def _ids(listed: dict[str, Any]) -> list[str]:
    return [one["id"] for one in listed["items"]]


def _walk(world: World, path: str, limit: int) -> list[str]:
    seen, page = [], ""
    while True:
        listed = world.api.get(f"{path}?limit={limit}{page}").json
        assert len(listed["items"]) <= limit
        seen += _ids(listed)
        if "next" not in listed:
            return seen
        assert set(listed["next"]) == {"page"}
        assert listed["items"], "a page that is not the last holds something"
        page = f"&page={listed['next']['page']}"


@pytest.mark.parametrize("kind", LISTS)
def test_pages_hold_everything_once_newest_first(world: World, clock: FakeClock, kind: str) -> None:
    made = []
    for number in range(6):
        made.append(_make(world, kind, number))
        clock.advance(number % 2)  # some are made in the same millisecond
    path = f"/v1/orgs/{world.organization}/{kind}"
    whole = world.api.get(path).json
    times = [one["createdAt"] for one in whole["items"]]
    assert times == sorted(times, reverse=True)
    assert sorted(_ids(whole)) == sorted(made)
    for limit in (1, 2, 3, 5, 6, 7, 1000):
        assert _walk(world, path, limit) == _ids(whole), limit


@pytest.mark.parametrize("kind", LISTS)
def test_the_last_page_has_no_next(world: World, kind: str) -> None:
    for number in range(4):
        _make(world, kind, number)
    path = f"/v1/orgs/{world.organization}/{kind}"
    first = world.api.get(path + "?limit=2").json
    second = world.api.get(f"{path}?limit=2&page={first['next']['page']}").json
    assert set(first) == {"items", "count", "next"}
    assert set(second) == {"items", "count"}
    assert first["count"] == second["count"] == 4
    assert "next" not in world.api.get(path + "?limit=4").json


@pytest.mark.parametrize("kind", LISTS)
def test_limits(world: World, kind: str) -> None:
    for number in range(3):
        _make(world, kind, number)
    path = f"/v1/orgs/{world.organization}/{kind}"
    assert world.api.get(path + "?limit=0").json == {"items": [], "count": 3}
    assert len(world.api.get(path + "?limit=1").json["items"]) == 1
    assert len(world.api.get(path + "?limit=1000").json["items"]) == 3
    for wrong in ("1001", "-1", "abc", "1.5", "", "null", "99999999999999999999"):
        reply = world.api.get(f"{path}?limit={wrong}")
        assert reply.status == 400, wrong
        assert "limit" in reply.message


def test_the_default_is_fifty(world: World) -> None:
    for number in range(51):
        _make(world, "sites", number)
    listed = world.api.get(f"/v1/orgs/{world.organization}/sites").json
    assert (len(listed["items"]), listed["count"]) == (50, 51)
    rest = world.api.get(f"/v1/orgs/{world.organization}/sites?page={listed['next']['page']}").json
    assert len(rest["items"]) == 1


@pytest.mark.parametrize("kind", LISTS)
def test_pages_are_stable_while_rows_are_added(world: World, clock: FakeClock, kind: str) -> None:
    made = []
    for number in range(4):
        made.append(_make(world, kind, number))
        clock.advance(1)
    path = f"/v1/orgs/{world.organization}/{kind}"
    first = world.api.get(path + "?limit=2").json
    _make(world, kind, 9)
    second = world.api.get(f"{path}?limit=2&page={first['next']['page']}").json
    assert _ids(first) + _ids(second) == made[::-1]
    assert second["count"] == 5


def test_a_page_token_that_was_altered(world: World) -> None:
    for number in range(3):
        _make(world, "spaces", number)
    path = f"/v1/orgs/{world.organization}/spaces"
    token = world.api.get(path + "?limit=1").json["next"]["page"]
    middle = "B" if token[4] != "B" else "C"
    for wrong in (
        token[:-1],
        token + "x",
        token[:4] + middle + token[5:],
        token.swapcase(),
        "nonsense",
        "0",
        "e30",
        "%00",
        "🦉",
    ):
        reply = world.api.get(f"{path}?limit=1&page={wrong if wrong.isascii() else '%F0%9F%A6%89'}")
        assert reply.status == 400, wrong
        assert "page" in reply.message


def test_a_page_token_of_another_list(world: World) -> None:
    other = world.api.post("/v1/orgs", {"title": "Another"}).json["id"]
    for kind in LISTS:
        for organization in (world.organization, other):
            for number in range(2):
                _make(world, kind, number, organization)
    paths = ["/v1/orgs", *(f"/v1/orgs/{org}/{kind}" for org in (world.organization, other) for kind in LISTS)]
    tokens = {path: world.api.get(path + "?limit=1").json["next"]["page"] for path in paths}
    for mine in paths:
        for theirs in paths:
            reply = world.api.get(f"{mine}?limit=1&page={tokens[theirs]}")
            assert reply.status == (200 if mine == theirs else 400), f"{mine} with the token of {theirs}"


def test_an_empty_list(world: World) -> None:
    for kind in LISTS:
        for query in ("", "?limit=0", "?limit=1"):
            assert world.api.get(f"/v1/orgs/{world.organization}/{kind}{query}").json == {"items": [], "count": 0}
