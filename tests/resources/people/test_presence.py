"""Who is here: said by tabs, heard by others, gone by itself; to ask writes nothing."""

from __future__ import annotations

from typing import Any

from octavo.kernel import limits
from octavo.kernel.clock import SECOND
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.proposals import propose, user_of


def _here(world: World, space: str, token: str | None = None) -> list[tuple[str, Any, Any, str]]:
    reply = world.api.get(f"/v1/spaces/{space}/presence", token=token)
    assert reply.status == 200, reply.text
    return [(one["id"], one.get("changeRequest"), one.get("page"), one["doing"]) for one in reply.json["items"]]


def test_tabs_say_where_they_are_and_others_hear_of_it(world: World, clock: FakeClock) -> None:
    one = propose(world)
    space, request = one.space, one.shown
    path = f"/v1/spaces/{space}/presence"
    reader = world.person("read")
    said = world.api.put(path, {"tab": "tab-1", "page": "home"}, token=reader)
    assert (said.status, said.json["items"][0]["user"]["id"], said.json["items"][0]["doing"]) == (
        200,
        user_of(world, reader),
        "reading",
    )
    assert _here(world, space) == [("tab-1", None, "home", "reading")]
    # Elsewhere, and with another tab; the same word of somebody else is another tab.
    clock.now += SECOND
    body = {"tab": "tab-1", "changeRequest": str(request["number"]), "page": "home", "doing": "editing", "node": "a1"}
    assert world.api.put(path, body, token=reader).status == 200
    clock.now += SECOND
    assert world.api.put(path, {"tab": "tab-1"}).status == 200
    assert _here(world, space, reader) == [
        ("tab-1", request["id"], "home", "editing"),
        ("tab-1", None, None, "reading"),
    ]
    # Who says nothing is gone, and so is who says so.
    clock.now += (limits.PRESENCE_SECONDS - 1) * SECOND
    assert _here(world, space) == [("tab-1", None, None, "reading")]
    assert world.api.put(path, {"tab": "tab-1", "doing": "gone"}).json == {"items": []}
    assert world.api.put(path, {"tab": "tab-1", "doing": "gone"}).status == 200, "gone is gone"


def test_what_is_refused(world: World) -> None:
    one = propose(world)
    path = f"/v1/spaces/{one.space}/presence"
    for body in ({}, {"tab": ""}, {"tab": "a", "doing": "sleeping"}, {"tab": "a", "page": "a b"}, {"tab": "a" * 300}):
        assert world.api.put(path, body).status == 400, body
    assert world.api.put(path, {"tab": "a", "changeRequest": "99"}).status == 404
    stranger = world.person(None)
    for method, sent in (("GET", None), ("PUT", {"tab": "a"})):
        assert world.api.request(method, path, sent, token="").status == 401
        assert world.api.request(method, path, sent, token=stranger).status == 404


def test_one_person_is_not_told_of_endlessly(world: World, clock: FakeClock) -> None:
    space = propose(world).space
    for number in range(limits.PRESENCES_OF_USER + 2):
        clock.now += 1
        assert world.api.put(f"/v1/spaces/{space}/presence", {"tab": f"tab-{number}"}).status == 200
    assert [one[0] for one in _here(world, space)] == [f"tab-{at}" for at in range(2, limits.PRESENCES_OF_USER + 2)]
