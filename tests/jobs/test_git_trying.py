"""A repository is asked with credentials before a space follows it: over the API, against a real server."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.client import Reply, World
from tests.git_compat.server import Served, git
from tests.jobs.repositories import BRANCH, Repository, Written
from tests.resources.checks import check_refusals, check_roles


def _tried(space: Written, **body: Any) -> Reply:
    async def together() -> Reply:
        asked = asyncio.ensure_future(space.world.api.send("POST", f"{space.path}/git/try", body))
        while not (await asyncio.wait({asked}, timeout=0.01))[0]:
            await space.world.house.worker.drain()
        return asked.result()

    reply: Reply = space.world.run(together())
    return reply


def test_branches_and_rights_are_told(near: World, repository: Repository, served: Served) -> None:
    served.password = "ada:s3cr@t"
    repository.commit("First", {"README.md": b"# Home\n"})
    git(repository.bare, "branch", "next", "main")
    space = Written(near)
    known = {"username": "ada", "token": "s3cr@t"}
    assert _tried(space, url=repository.url, **known).json == {"branches": ["main", "next"], "writable": True}
    for wrong in ({}, {"username": "ada", "token": "another"}):
        reply = _tried(space, url=repository.url, **wrong)
        assert reply.status == 400, reply.text
        assert "127.0.0.1" in reply.message
    assert "no repository" in _tried(space, url=served.url("none.git"), **known).message
    # The token that is kept is used for its own host, and never for another.
    body = {"url": repository.url, "ref": BRANCH, **known}
    assert near.api.put(f"{space.path}/git/connection", body).status == 200
    assert _tried(space, url=repository.url).json["writable"]
    asked = len(served.asked)
    assert _tried(space, url=repository.url.replace("127.0.0.1", "localhost")).status == 400
    assert all(said is None for _, said in served.asked[asked:])
    # One that takes no pushes is readable all the same.
    git(repository.bare, "config", "http.receivepack", "false")
    told = _tried(space, url=repository.url).json
    assert (told["branches"], told["writable"]) == (["main", "next"], False)
    assert "writing" in told["message"]


def test_what_is_wrong_and_who_may(world: World) -> None:
    path = f"{Written(world).path}/git/try"
    cases: list[tuple[Any, str]] = [
        ({}, "url"),
        ({"url": "ssh://git@example.org/docs.git"}, "url"),
        ({"url": "file:///etc"}, "url"),
        ({"url": "https://example.org/a.git", "token": 5}, "token"),
    ]
    check_refusals(world, "POST", path, cases)
    check_roles(world, "admin", "POST", path, {"url": "ssh://git@example.org/docs.git"}, success=400)
