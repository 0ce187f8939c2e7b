"""Requests at the same time: what must be unique stays unique, and nobody is told that something broke."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Awaitable, Iterable

from tests.client import Reply, World


def _together(world: World, requests: Iterable[Awaitable[Reply]]) -> list[Reply]:
    async def gathered() -> list[Reply]:
        return list(await asyncio.gather(*requests))

    replies: list[Reply] = world.run(gathered())
    return replies


def test_sites_with_one_title_get_distinct_basenames(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/sites"
    title = f"Same {uuid.uuid4().hex}"
    replies = _together(world, (world.api.send("POST", path, {"title": title}) for _ in range(20)))
    assert Counter(reply.status for reply in replies) == {201: 20}, [
        reply.text for reply in replies if reply.status != 201
    ]
    assert len({reply.json["basename"] for reply in replies}) == 20
    assert world.api.get(path).json["count"] == 20


def test_also_in_different_organizations(world: World) -> None:
    organizations = [world.api.post("/v1/orgs", {"title": f"Number {n}"}).json["id"] for n in range(10)]
    title = f"Same {uuid.uuid4().hex}"
    replies = _together(
        world, (world.api.send("POST", f"/v1/orgs/{one}/sites", {"title": title}) for one in organizations)
    )
    assert Counter(reply.status for reply in replies) == {201: 10}, [
        reply.text for reply in replies if reply.status != 201
    ]
    assert len({reply.json["basename"] for reply in replies}) == 10


def _one_wins(world: World, paths: list[str], field: str, value: str) -> None:
    replies = _together(world, (world.api.send("PATCH", path, {field: value}) for path in paths))
    assert Counter(reply.status for reply in replies) == {200: 1, 409: len(paths) - 1}, [
        reply.text[:200] for reply in replies
    ]
    assert all(field in reply.message for reply in replies if reply.status == 409)
    assert [world.api.get(path).json.get(field) for path in paths].count(value) == 1


def test_one_site_gets_a_hostname(world: World) -> None:
    base = f"/v1/orgs/{world.organization}/sites"
    paths = [f"{base}/{world.site(title=f'Site {n}', publish=False)['id']}" for n in range(8)]
    _one_wins(world, paths, "hostname", f"docs.{uuid.uuid4().hex}.test")


def test_one_site_gets_a_basename(world: World) -> None:
    base = f"/v1/orgs/{world.organization}/sites"
    paths = [f"{base}/{world.site(title=f'Site {n}', publish=False)['id']}" for n in range(8)]
    _one_wins(world, paths, "basename", uuid.uuid4().hex)


def test_one_organization_gets_a_hostname(world: World) -> None:
    paths = [f"/v1/orgs/{world.api.post('/v1/orgs', {'title': f'Number {n}'}).json['id']}" for n in range(8)]
    _one_wins(world, paths, "hostname", "h" + uuid.uuid4().hex[:20])


def test_changes_of_different_fields_do_not_undo_one_another(world: World) -> None:
    space = world.space()["id"]
    fields = {"title": "Renamed", "emoji": "1f680", "editMode": "live", "defaultLevel": "comment", "language": "fr"}
    requests = (world.api.send("PATCH", f"/v1/spaces/{space}", {name: value}) for name, value in fields.items())
    assert [reply.status for reply in _together(world, requests)] == [200] * len(fields)
    shown = world.api.get(f"/v1/spaces/{space}").json
    assert {name: shown[name] for name in fields} == fields


def test_spaces_made_together_are_all_there(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/spaces"
    replies = _together(world, (world.api.send("POST", path, {"title": f"Space {n}"}) for n in range(20)))
    assert Counter(reply.status for reply in replies) == {201: 20}
    listed = world.api.get(path).json
    assert {one["id"] for one in listed["items"]} == {reply.json["id"] for reply in replies}
    assert listed["count"] == 20


def test_publishing_and_unpublishing_end_in_one_of_both(world: World) -> None:
    site = world.site(publish=False)["id"]
    path = f"/v1/orgs/{world.organization}/sites/{site}"
    requests = (world.api.send("POST", f"{path}/{verb}") for _ in range(5) for verb in ("publish", "unpublish"))
    assert {reply.status for reply in _together(world, requests)} == {200}
    shown = world.api.get(path).json
    assert shown["published"] is ("published" in shown["urls"])
