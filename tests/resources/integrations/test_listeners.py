"""What happens makes a job that tells others only where somebody listens for it."""

from __future__ import annotations

import asyncio
from typing import Any

from octavo.store.database.statement import Statement
from octavo.store.unit import Unit
from tests.client import World
from tests.resources.checks import other_organization
from tests.resources.integrations.building import installed, published

_JOBS = Statement("SELECT count(*) FROM jobs WHERE organization = :organization AND kind = 'announce'")
_COMMENT = {"body": {"markdown": "Why?"}}


def _told(world: World, organization: str = "") -> int:
    """How many jobs that tell others were ever made, done ones with them."""

    async def counted(unit: Unit) -> int:
        [row] = await unit.at.rows(_JOBS, {"organization": organization or world.organization})
        return int(row[0])

    return world.run(world.house.store.read(counted))


def _hook(world: World, *events: str, **said: Any) -> str:
    body = {"title": "A", "url": "https://hooks.example.org/", "events": list(events), **said}
    reply = world.api.post(f"/v1/orgs/{world.organization}/webhooks", body)
    assert reply.status == 201, reply.text
    return f"/v1/orgs/{world.organization}/webhooks/{reply.json['id']}"


def _comment(world: World, space: str) -> None:
    assert world.api.post(f"/v1/spaces/{space}/comments", _COMMENT).status == 200


def test_nobody_listens_and_no_job_is_made(world: World) -> None:
    space = world.space()["id"]
    assert world.api.post(f"/v1/orgs/{world.organization}/sites", {"title": "Handbook"}).status == 201
    _comment(world, space)
    assert _told(world) == 0


def test_a_webhook_is_asked_for_what_it_wants_while_it_is_active(world: World) -> None:
    space = world.space()["id"]
    hook = _hook(world, "comment_posted")
    world.space("Another")  # is content that nobody wants to hear of
    assert _told(world) == 0
    _comment(world, space)
    assert _told(world) == 1
    world.api.patch(hook, {"active": False})
    _comment(world, space)
    assert _told(world) == 1
    world.api.patch(hook, {"active": True})
    world.api.delete(hook)
    _comment(world, space)
    assert _told(world) == 1


def test_an_integration_is_asked_for_what_its_scopes_open_where_it_is_installed(world: World) -> None:
    reads, nothing = published(world, scopes=["space:content:read"]), published(world)
    installed(world, nothing)
    space = world.space()["id"]
    assert _told(world) == 0
    path = installed(world, reads)
    world.space("Another")
    assert _told(world) == 1
    _comment(world, space)  # is for webhooks alone
    assert _told(world) == 1
    other = other_organization(world)["id"]
    assert world.api.post(f"/v1/orgs/{other}/spaces", {"title": "Foreign"}).status == 201
    assert _told(world, other) == 0
    assert world.api.delete(path).status in (204, 205)
    world.space("Third")
    assert _told(world) == 1


def test_a_listener_that_was_there_before_hears_of_all_that_happens_at_once(world: World) -> None:
    spaces = [world.space(f"Space {number}")["id"] for number in range(4)]

    async def comments() -> None:
        asked = [world.api.send("POST", f"/v1/spaces/{one}/comments", _COMMENT) for one in spaces * 2]
        assert [reply.status for reply in await asyncio.gather(*asked)] == [200] * 8

    async def together() -> None:
        # Comments are under way while the webhook is made; those that are sent after its answer are told in any case.
        early = asyncio.ensure_future(comments())
        body = {"title": "A", "url": "https://hooks.example.org/", "events": ["comment_posted"]}
        assert (await world.api.send("POST", f"/v1/orgs/{world.organization}/webhooks", body)).status == 201
        await comments()
        await early

    world.run(together())
    assert 8 <= _told(world) <= 16
