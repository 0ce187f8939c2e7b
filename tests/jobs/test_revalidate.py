"""A renderer of its own is told what changed, by calls that are signed."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from octavo.kernel.settings import SettingsError, load
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world

SECRET = "known to both"


class Renderer:
    """What was called, and how it answers."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 200
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.calls.append((first, headers, body))
        writer.write(f"HTTP/1.1 {self.status} X\r\ncontent-length: 2\r\n\r\n{{}}".encode())
        await writer.drain()
        writer.close()

    def tags(self) -> list[str]:
        return [tag for _, _, body in self.calls for tag in json.loads(body)["tags"]]


@contextmanager
def renderer(loop: asyncio.AbstractEventLoop) -> Iterator[Renderer]:
    made = Renderer()
    server = loop.run_until_complete(asyncio.start_server(made.answer, "127.0.0.1", 0))
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield made
    server.close()
    loop.run_until_complete(server.wait_closed())


@pytest.fixture
def shown(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[tuple[World, Renderer]]:
    with renderer(loop) as told:
        settings: dict[str, Any] = {"renderer_url": told.url + "/", "renderer_secret": SECRET}
        with opened_world(engine, clock, memory_folder, loop, **settings) as world:
            yield world, told


def test_what_changed_is_told_once_and_signed(shown: tuple[World, Renderer]) -> None:
    world, told = shown
    space = world.space("Guide")["id"]
    site = world.site(space)
    world.work()
    assert {f"space:{space}", f"site:{site['id']}"} <= set(told.tags())
    assert len(told.tags()) == len(set(told.tags()))
    for first, headers, body in told.calls:
        assert first.startswith("POST /~gitbook/revalidate ")
        assert headers["x-gitbook-signature"] == hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        assert headers["content-type"] == "application/json"


def test_a_merge_is_told(shown: tuple[World, Renderer]) -> None:
    world, told = shown
    space = world.space("Guide")["id"]
    world.work()
    path = f"/v1/spaces/{space}/change-requests"
    request = world.api.post(path, {"subject": "More"}).json["id"]
    inserted = {"operation": "insert_page", "document": {"markdown": "# New\n\nText.\n"}}
    assert world.api.post(f"{path}/{request}/content", {"changes": [inserted]}).status == 200
    told.calls.clear()
    assert world.api.post(f"{path}/{request}/merge").status == 200
    world.work()
    assert set(told.tags()) == {f"space:{space}", f"space:{space}:change-request:{request}"}


def test_a_renderer_that_refuses_is_asked_again(shown: tuple[World, Renderer], clock: FakeClock) -> None:
    world, told = shown
    told.status = 500
    space = world.space("Guide")["id"]
    world.work()
    tried = told.tags().count(f"space:{space}")
    assert tried == 1
    told.status = 200
    clock.now += 60_000
    world.work()
    assert told.tags().count(f"space:{space}") == 2
    clock.now += 3_600_000
    world.work()
    assert told.tags().count(f"space:{space}") == 2


def test_nobody_is_told_where_there_is_no_renderer(world: World) -> None:
    world.space("Guide")
    kinds = world.run(world.house.store.read(lambda unit: _kinds(unit, world.organization)))
    assert "reindex" in kinds
    assert "revalidate" not in kinds


async def _kinds(unit: Any, organization: str) -> set[str]:
    from octavo.store.database.statement import Statement

    rows = await unit.at.rows(Statement("SELECT kind FROM jobs WHERE organization = :one"), {"one": organization})
    return {row[0] for row in rows}


def test_both_settings_or_none() -> None:
    with pytest.raises(SettingsError, match="OCTAVO_RENDERER_SECRET go together"):
        load({}, renderer_url="http://renderer.test")
    with pytest.raises(SettingsError, match="must begin with http"):
        load({}, renderer_url="renderer.test", renderer_secret="x")
