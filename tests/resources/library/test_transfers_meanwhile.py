"""A space goes to another organization between what is made ahead of a unit and the unit: what is written is there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from octavo.history import ahead
from tests.client import Client, World
from tests.metering import Metering
from tests.resources.library.test_transfers import _joined, other
from tests.resources.writing import Line

__all__ = ["other"]
NESTS = "# Nests\n\nOf cormorants.\n"


@pytest.fixture
def space(world: World) -> str:
    """A live space with a page, Nests."""
    made: str = world.space("Terns", empty=True)["id"]
    assert world.api.patch(f"/v1/spaces/{made}", {"editMode": "live"}).status == 200
    line = Line(world, made)
    line.insert(NESTS)
    line.post("merge")
    world.work()
    return made


@pytest.fixture
def ada(world: World, other: tuple[Client, str], monkeypatch: pytest.MonkeyPatch) -> Client:
    """Admin of both organizations; what she makes is put ahead of its unit, all but the last object."""
    monkeypatch.setattr(ahead, "PUT", 1)
    return _joined(world, other[1])


def _transfer(world: World, ada: Client, space: str, organization: str) -> Callable[[], Awaitable[None]]:
    async def go() -> None:
        worker = asyncio.ensure_future(world.house.worker.run())
        reply = await ada.send("POST", f"/v1/spaces/{space}/transfer", {"organization": organization})
        worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await worker
        assert reply.status == 200, reply.text

    return go


@pytest.fixture
def meanwhile(world: World, other: tuple[Client, str], ada: Client, space: str) -> Callable[..., Any]:
    """Sends a request of hers, during which the space is transferred ahead of the last unit."""

    def send(path: str, body: Any = None) -> Any:
        metering = Metering(world.house.store.engine)
        world.house.store.engine = metering
        metering.let_in = _transfer(world, ada, space, other[1])
        reply = ada.post(f"/v1/spaces/{space}/{path}", body)
        assert metering.let_in is None
        assert reply.status in (200, 201), reply.text
        return reply.json

    return send


def _texts(client: Client, content: str) -> dict[str, str]:
    pages = client.get(f"{content}/pages").json["pages"]
    found = (client.get(f"{content}/page/{page['id']}?format=markdown").json for page in pages)
    return {one["title"]: one["markdown"] for one in found}


@pytest.mark.parametrize("word", ["merge", "update"])
def test_what_is_joined_is_there(
    world: World, other: tuple[Client, str], space: str, meanwhile: Callable[..., Any], word: str
) -> None:
    line = Line(world, space)
    line.insert("# Eggs\n\nBlue.\n")
    added = {"operation": "insert_page", "document": {"markdown": "# Homes\n"}}
    assert world.api.post(f"/v1/spaces/{space}/content", {"changes": [added]}).status == 200
    assert meanwhile(f"{_place(line)}/{word}")["result"] == word
    content = f"/v1/spaces/{space}/content" if word == "merge" else f"{line.path}/content"
    assert set(_texts(other[0], content)) == {"Nests", "Homes", "Eggs"}


def _place(line: Line) -> str:
    return "/".join(line.path.split("/")[4:])


def test_what_is_restored_is_there(
    world: World, other: tuple[Client, str], space: str, meanwhile: Callable[..., Any]
) -> None:
    before = world.api.get(f"/v1/spaces/{space}").json["revision"]
    page = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"][0]["id"]
    moved = {"operation": "update_page", "page": page, "slug": "eyries"}
    assert world.api.post(f"/v1/spaces/{space}/content", {"changes": [moved]}).status == 200
    assert meanwhile(f"revisions/{before}/restore")["type"] == "rollback"
    assert _texts(other[0], f"/v1/spaces/{space}/content") == {"Nests": NESTS}


def test_files_that_are_written_are_there(
    world: World, other: tuple[Client, str], space: str, meanwhile: Callable[..., Any]
) -> None:
    file = {"name": "a.txt", "contentType": "text/plain", "base64": "YQ=="}
    meanwhile("content", {"changes": [{"operation": "insert_files", "files": [file]}]})
    bea, _ = other
    made = bea.get(f"/v1/spaces/{space}/content/files").json["items"][0]
    assert bea.get(made["downloadURL"].removeprefix("http://octavo.test"), token="").body == b"a"
