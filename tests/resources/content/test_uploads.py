"""Uploads: how much may be announced, and when what was sent goes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from octavo.kernel import limits
from octavo.kernel.clock import HOUR
from tests.client import Reply, World
from tests.conftest import FakeClock
from tests.web.requests import Sent


def _announce(world: World, size: int, token: str | None = None, organization: str | None = None) -> Reply:
    order = {"file": {"name": "a.bin", "type": "application/octet-stream", "size": size}, "kind": "import_file"}
    path = f"/v1/orgs/{organization or world.organization}/storage/upload"
    return world.api.post(path, order, token=token)


def _path(announced: Reply) -> str:
    assert announced.status == 201, announced.text
    url: str = announced.json["url"]
    return url.removeprefix("http://octavo.test")


def _kept(world: World) -> list[Path]:
    return [path for path in (world.house.settings.data / "blobs").rglob("*") if path.is_file()]


def test_what_was_uploaded_goes_after_two_hours(world: World, clock: FakeClock) -> None:
    paths = [_path(_announce(world, 4)) for _ in range(2)]
    assert world.api.put(paths[0], body=b"kept", token="").status == 204
    world.work()
    assert len(_kept(world)) == 1
    clock.advance(limits.UPLOAD_HOURS * HOUR + 1)
    world.work()
    assert _kept(world) == []


def test_a_file_that_is_too_large_is_refused_before_a_byte_of_it(world: World) -> None:
    assert _announce(world, limits.UPLOAD_MAX).status == 201
    refused = _announce(world, limits.UPLOAD_MAX + 1)
    assert (refused.status, refused.json["error"]["message"]) == (
        400,
        "file.size: the file is larger than 256 MiB, which is the most that is taken",
    )


def test_a_guest_has_so_much_room_and_no_more(world: World, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UPLOADS_OF_USER_BYTES", 100)
    monkeypatch.setattr(limits, "UPLOADS_BYTES", 150)
    one, other, third = (world.person("guest") for _ in range(3))
    for token, size, status in ((one, 60, 201), (one, 41, 429), (one, 40, 201), (other, 50, 201), (third, 1, 429)):
        reply = _announce(world, size, token)
        assert reply.status == status, reply.text
        assert status == 201 or "removed after 2 hours" in reply.message
    elsewhere = world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"]
    assert _announce(world, 100, organization=elsewhere).status == 201
    clock.advance(limits.UPLOAD_HOURS * HOUR + 1)
    world.work()
    assert _announce(world, 100, one).status == 201


def test_so_many_files_and_no_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UPLOADS_OF_USER_MAX", 3)
    assert [_announce(world, 0).status for _ in range(4)] == [201, 201, 201, 429]


def test_what_arrives_after_its_end_is_not_kept(world: World, clock: FakeClock) -> None:
    path = _path(_announce(world, 4))

    async def receive() -> Any:
        clock.advance(limits.UPLOAD_HOURS * HOUR + 1)
        return {"type": "http.request", "body": b"late", "more_body": False}

    reply = world.run(_put(world, path, receive))
    assert (reply.status, _kept(world)) == (404, [])


def test_one_file_is_sent_once_at_a_time(world: World) -> None:
    path = _path(_announce(world, 4))

    async def both() -> list[Reply]:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def slowly() -> Any:
            begun.set()
            await go_on.wait()
            return {"type": "http.request", "body": b"kept", "more_body": False}

        first = asyncio.create_task(_put(world, path, slowly))
        await begun.wait()
        second = await _put(world, path, slowly)
        go_on.set()
        return [await first, second, await _put(world, path, slowly)]

    assert [reply.status for reply in world.run(both())] == [204, 409, 204]


async def _put(world: World, path: str, receive: Any) -> Reply:
    sent = Sent()
    scope = {
        "type": "http",
        "method": "PUT",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"octavo.test"), (b"content-length", b"4")],
        "client": ("127.0.0.1", 4711),
    }
    await world.app(scope, receive, sent)
    return sent.reply
