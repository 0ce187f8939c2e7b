"""A space goes to another organization while a job makes something of its content: what is written then is there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from octavo.history import ahead
from octavo.history import importing as content_importing
from octavo.history import joining as history_joining
from octavo.jobs.git import importing
from octavo.jobs.translations import asking
from octavo.jobs.translations import joining as translation_joining
from tests.client import Client, World
from tests.conftest import FakeClock
from tests.jobs.repositories import BRANCH, Repository, Written
from tests.jobs.test_git_connection import FIRST, _connect, _sync
from tests.resources.content.test_content_import import png, zipped
from tests.resources.content.test_import_runs import begin, uploaded
from tests.resources.library.test_transfers import _joined, other
from tests.resources.writing import Line
from tests.translating import Studio

__all__ = ["other"]


Behind = Callable[[object, str, str], list[str]]
"""Has a space go to the other organization, once, right behind a function of a module; the list is filled when it went."""


@pytest.fixture
def world(near: World) -> World:
    return near


@pytest.fixture
def behind(world: World, other: tuple[Client, str], monkeypatch: pytest.MonkeyPatch) -> Behind:
    monkeypatch.setattr(ahead, "PUT", 1)
    ada = _joined(world, other[1])

    async def transfer(space: str) -> None:
        worker = asyncio.ensure_future(world.house.worker.run())
        reply = await ada.send("POST", f"/v1/spaces/{space}/transfer", {"organization": other[1]})
        worker.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await worker
        assert reply.status == 200, reply.text

    def behind(module: object, name: str, space: str) -> list[str]:
        inner = getattr(module, name)
        gone: list[str] = []

        async def then(*given: Any, **named: Any) -> Any:
            made = await inner(*given, **named)
            if not gone:
                gone.append(space)
                await transfer(space)
            return made

        monkeypatch.setattr(module, name, then)
        return gone

    return behind


def _texts(client: Client, space: str) -> dict[str, str]:
    """Title -> text of every page of primary content."""
    content = f"/v1/spaces/{space}/content"
    pages = client.get(f"{content}/pages").json["pages"]
    found = (client.get(f"{content}/page/{page['id']}?format=markdown").json for page in pages)
    return {one["title"]: one["markdown"] for one in found}


def _divided(world: World, repository: Repository) -> Written:
    """A space that follows a branch, with an edit of its own, and one on the branch."""
    repository.commit("First", FIRST)
    space = Written(world, empty=True)
    _connect(space, repository.url)
    assert _sync(space)["state"] == "success"
    space.edit(space.pages()["fish"], "# Fish\n\none\n\ntwo\n\nours\n")
    repository.commit("Second", {"README.md": b"# Home\n\nTheirs.\n"})
    return space


def test_what_a_branch_and_a_space_come_to_is_there(
    world: World, other: tuple[Client, str], repository: Repository, behind: Behind
) -> None:
    space = _divided(world, repository)
    gone = behind(history_joining, "bring", space.id)
    assert world.api.post(f"{space.path}/git/sync", {}).status == 201
    world.work()
    assert gone
    texts = _texts(other[0], space.id)
    assert ("Theirs." in texts["Home"], "ours" in texts["Fish"]) == (True, True)


@pytest.mark.parametrize("joined", [True, False])
def test_what_a_branch_holds_is_not_written_where_it_is_not(
    world: World, other: tuple[Client, str], repository: Repository, behind: Behind, joined: bool
) -> None:
    space = _divided(world, repository)
    gone = behind(importing, "root_of", space.id)
    if joined:
        assert world.api.post(f"{space.path}/git/sync", {}).status == 201
    else:
        assert world.api.post(f"{space.path}/git/import", {"url": repository.url, "ref": BRANCH}).status == 204
    world.work()
    assert gone
    assert set(_texts(other[0], space.id)) == {"Home", "Fish"}
    assert world.run(world.house.store.read(lambda unit: unit.revisions.roots(world.organization))) == []


def test_a_translation_does_not_write_into_a_space_that_went(
    world: World, other: tuple[Client, str], behind: Behind, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "PAUSES", (0.0, 0.0))
    studio = Studio(world, clock)
    studio.run()
    made = studio.result["space"]
    studio.edit(studio.pages(studio.space)["begin-here"]["id"], "* A key", "* A golden key")
    gone = behind(translation_joining, "_joined", made)
    assert studio.run()["status"] == "completed"
    assert gone
    assert "golden" not in str(_texts(other[0], made))
    assert studio.result["space"] != made, "a new one where the source is"
    assert "golden" in str(_texts(world.api, studio.result["space"]))


ARCHIVE = {"a.md": b"# Terns\n\n![](a.png)\n", "a.png": png()}


def test_an_import_is_not_written_where_its_files_are_not(
    world: World, other: tuple[Client, str], behind: Behind
) -> None:
    space = world.space(empty=True)["id"]
    ada = _joined(world, other[1])
    line = Line(world, space)
    gone = behind(content_importing, "prepare", space)
    body = {"key": uploaded(world, zipped(ARCHIVE)), "source": "zip"}
    reply = world.awaited("POST", f"{line.path}/content/import", body, ada)
    assert gone
    assert (reply.status, reply.message) == (400, "key: not a key of an upload to this organization")
    assert other[0].get(f"{line.path}/content/files").json["items"] == []


def test_a_run_of_an_import_says_that_the_space_went(world: World, other: tuple[Client, str], behind: Behind) -> None:
    space = world.space(empty=True)["id"]
    gone = behind(content_importing, "prepare", space)
    source = {"type": "file", "files": [uploaded(world, zipped(ARCHIVE))], "format": "zip"}
    run = begin(world, source, client=_joined(world, other[1]), space=space)
    world.work()
    assert gone
    shown = other[0].get(f"/v1/orgs/{other[1]}/imports/{run['id']}").json
    assert (shown["status"], "went to another organization" in str(shown)) == ("failed", True), shown
    assert other[0].get(f"/v1/spaces/{space}/change-requests").json["items"] == []
