"""What every resource is asked: who may call a verb, and how it refuses what is wrong."""

from __future__ import annotations

from typing import Any

from tests.client import Reply, World

ROLES = ("read", "comment", "edit", "review", "create", "admin")
"""Cumulative, weakest first."""

MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
"""Times are UTC with milliseconds."""

REQUIRED_OF_SPACE = (
    "object", "id", "title", "emoji", "visibility", "createdAt", "updatedAt", "organization", "revision",
    "defaultLevel", "comments", "changeRequests", "changeRequestsOpen", "changeRequestsDraft",
)  # fmt: skip
REQUIRED_OF_SITE = (
    "object", "id", "type", "title", "visibility", "published", "siteSpaces", "createdAt", "agentsContext",
)  # fmt: skip
REQUIRED_OF_ORGANIZATION = ("object", "id", "title", "createdAt", "emailDomains", "type", "inviteLinks", "plan")


def call(world: World, token: str, method: str, path: str, json: Any = None, **options: Any) -> Reply:
    """One request as somebody."""
    return world.api.request(method, path, json, token=token, **options)


def check_roles(
    world: World, least: str, method: str, path: str, json: Any = None, *, success: int, guest: int = 404
) -> None:
    """Members from `least` on succeed, weaker ones get 403, guests `guest`, strangers 404; an outsider changes nothing."""
    allowed = ROLES[ROLES.index(least) :]
    expected = {role: success if role in allowed else 403 for role in ROLES}
    expected["guest"] = guest
    got = {role: call(world, world.person(role), method, path, json).status for role in expected}
    assert got == expected
    stranger = call(world, world.person(None), method, path, json)
    assert stranger.status == 404
    assert stranger.message


def check_refusals(world: World, method: str, path: str, cases: list[tuple[Any, str]], **kept: Any) -> None:
    """Every body is answered 400 with a sentence that names the field."""
    for body, field in cases:
        reply = world.api.request(method, path, body)
        assert reply.status == 400, f"{body!r} was answered {reply.status} {reply.text[:300]}"
        assert field in reply.message, f"{body!r}: {reply.message!r} does not name {field}"


NO_OBJECTS = (b"[]", b'"text"', b"5", b"null", b"true")
MALFORMED = (b"{", b'{"title": "a"', b"{'title': 'a'}", b"\xff\xfe", b'{"title": "a",}', b"title=a")


def check_json(world: World, method: str, path: str) -> None:
    """Malformed JSON and what is no object is 400."""
    for raw in (*NO_OBJECTS, *MALFORMED):
        reply = world.api.request(method, path, body=raw)
        assert reply.status == 400, f"{raw!r} was answered {reply.status} {reply.text[:300]}"
        assert reply.message


def other_organization(world: World, title: str = "Another organization") -> dict[str, Any]:
    """A second organization of the same admin."""
    reply = world.api.post("/v1/orgs", {"title": title})
    assert reply.status == 201, reply.text
    made: dict[str, Any] = reply.json
    return made


async def count_statements(world: World, path: str) -> int:
    """How many queries a request makes."""
    engine = world.house.store.engine
    counted = 0
    read = engine.read

    async def counting(work: Any) -> Any:
        async def inside(at: Any) -> Any:
            rows = at.rows

            async def count(statement: Any, values: Any) -> Any:
                nonlocal counted
                counted += 1
                return await rows(statement, values)

            at.rows = count
            return await work(at)

        return await read(inside)

    engine.read = counting  # type: ignore[method-assign]
    try:
        assert (await world.api.send("GET", path)).status == 200
    finally:
        del engine.read
    return counted
