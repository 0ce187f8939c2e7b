"""Spaces that follow a branch: set up over the API, synchronised when asked for and now and then, against a real server."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.jobs.git import operating
from tests.client import World
from tests.conftest import FakeClock
from tests.git_compat.server import Served, git
from tests.jobs.repositories import BRANCH, Files, Repository, Written
from tests.resources.checks import check_json, check_refusals, check_roles

URL = "http://127.0.0.1:9/docs.git"
FIRST: Files = {
    "SUMMARY.md": b"# Contents\n\n* [Home](README.md)\n* [Fish](fish.md)\n",
    "README.md": b"# Home\n\nWelcome.\n",
    "fish.md": b"# Fish\n\none\n\ntwo\n\nthree\n",
}


def _connect(space: Written, url: str, **more: Any) -> dict[str, Any]:
    reply = space.world.api.put(f"{space.path}/git/connection", {"url": url, "ref": BRANCH, **more})
    assert reply.status == 200, reply.text
    made: dict[str, Any] = reply.json
    return made


def _sync(space: Written) -> dict[str, Any]:
    reply = space.world.api.post(f"{space.path}/git/sync", {})
    assert reply.status == 201, reply.text
    space.world.work()
    made: dict[str, Any] = space.world.api.get(f"{space.path}/git/operations/{reply.json['id']}").json
    return made


def test_it_is_set_up_read_changed_and_taken_away(world: World) -> None:
    space = Written(world)
    path = f"{space.path}/git/connection"
    assert world.api.get(path).status == 404
    assert world.api.post(f"{space.path}/git/sync", {}).status == 404
    made = _connect(space, "http://ada:s3cr%40t@127.0.0.1:9/docs.git", directory="./docs/", provider="gitea")
    assert (made["url"], made["username"], made["hasToken"], made["directory"]) == (URL, "ada", True, "docs")
    assert "s3cr" not in str(world.api.get(path).json)
    assert _connect(space, URL)["hasToken"], "what was given once stays"
    assert not _connect(space, URL, token=None)["hasToken"]
    _connect(space, URL, token="s3cr@t")
    assert not _connect(space, "http://elsewhere.test/docs.git")["hasToken"], "a token goes to its own host only"
    assert world.api.delete(path).status == 205
    assert world.api.delete(path).status == 404


def test_who_may(world: World) -> None:
    space = Written(world)
    path = f"{space.path}/git"
    check_roles(world, "admin", "PUT", f"{path}/connection", {"url": URL, "ref": BRANCH}, success=200)
    check_roles(world, "create", "GET", f"{path}/connection", success=200)
    check_roles(world, "create", "GET", f"{path}/operations", success=200)


def test_wrong_input_names_the_field(world: World) -> None:
    path = f"{Written(world).path}/git/connection"
    good = {"url": URL, "ref": BRANCH}
    cases = [
        ({"ref": BRANCH}, "url"),
        (good | {"url": "git://example.com/a.git"}, "url"),
        (good | {"url": "ext::sh -c id"}, "url"),
        (good | {"ref": "main"}, "ref"),
        (good | {"directory": "../x"}, "directory"),
        (good | {"first": "both"}, "first"),
        (good | {"pollMinutes": 0}, "pollMinutes"),
        (good | {"pollMinutes": 1441}, "pollMinutes"),
        (good | {"provider": "sourcehut"}, "provider"),
        (good | {"token": 5}, "token"),
    ]
    check_refusals(world, "PUT", path, cases)
    check_json(world, "PUT", path)


def test_both_sides_come_together(near: World, repository: Repository, served: Served) -> None:
    served.password = "ada:s3cr@t"
    repository.commit("Begin", FIRST)
    space = Written(near)
    _connect(space, repository.url, username="ada", token="s3cr@t")
    first = _sync(space)
    assert first["state"] == "success", first
    assert set(space.pages()) == {"readme", "fish"}
    space.edit(space.pages()["fish"], "# Fish\n\none of ours\n\ntwo\n\nthree\n")
    repository.commit("Theirs", {"fish.md": b"# Fish\n\none\n\ntwo\n\nthree of theirs\n"})
    assert _sync(space)["state"] == "success"
    both = b"# Fish\n\none of ours\n\ntwo\n\nthree of theirs\n"
    assert repository.files()["fish.md"] == both
    assert space.text(space.pages()["fish"]).encode() == both
    repository.check()
    assert "s3cr" not in str(near.api.get(f"{space.path}/git/operations").json)


def test_the_side_that_wins_first(near: World, repository: Repository) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    space.insert("# Water\n")
    _connect(space, repository.url, first="space")
    assert _sync(space)["state"] == "success"
    assert "water.md" in repository.files()
    assert repository.files()["fish.md"] == FIRST["fish.md"]


def test_an_empty_directory_does_not_empty_the_space(near: World, repository: Repository) -> None:
    repository.commit("Begin", {"src/a.py": b"x = 1\n"})
    space = Written(near, empty=True)
    space.insert("# Water\n")
    _connect(space, repository.url)
    ended = _sync(space)
    assert (ended["state"], "no page" in ended["message"]) == ("failure", True)
    assert set(space.pages()) == {"water"}


def test_it_is_looked_now_and_then(near: World, repository: Repository, clock: FakeClock) -> None:
    repository.commit("Begin", FIRST)
    space = Written(near, empty=True)
    _connect(space, repository.url, pollMinutes=5)
    clock.advance(5 * 60_000)
    near.work()
    assert set(space.pages()) == {"readme", "fish"}
    known = near.api.get(f"{space.path}/git/operations").json["count"]
    clock.advance(5 * 60_000)
    near.work()
    assert near.api.get(f"{space.path}/git/operations").json["count"] == known, "nothing to do leaves no trace"
    repository.commit("Theirs", {"fish.md": b"# Fish\n\nTheirs.\n"})
    clock.advance(5 * 60_000)
    near.work()
    assert space.text(space.pages()["fish"]) == "# Fish\n\nTheirs.\n"
    assert near.api.get(f"{space.path}/git/info").json["operation"]["state"] == "success"
    git(repository.bare, "branch", "-m", "main", "other")
    _connect(space, repository.url, pollMinutes=5, paused=True)
    clock.advance(60 * 60_000)
    near.work()
    assert near.api.get(f"{space.path}/git/info").json["operation"]["state"] == "success", "it is paused"


def test_a_look_that_fails_is_told(near: World, repository: Repository, clock: FakeClock) -> None:
    space = Written(near, empty=True)
    _connect(space, repository.url, pollMinutes=5)
    clock.advance(5 * 60_000)
    near.work()
    said = near.api.get(f"{space.path}/git/info").json["operation"]
    assert (said["state"], "empty" in said["message"]) == ("failure", True)


def test_what_takes_too_long_is_stopped(near: World, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit("Begin", {"README.md": b"# Home\n"})
    space = Written(near, empty=True)
    _connect(space, repository.url)
    monkeypatch.setattr(operating, "_LASTS", 0.0)
    last = _sync(space)
    assert (last["state"], last["message"]) == ("timeout", "It took too long and was stopped.")
    assert [one["message"] for one in last["log"]] == ["Begun.", last["message"]]
    info = near.api.get(f"{space.path}/git/info").json["operation"]
    assert (info["state"], info["message"]) == ("timeout", last["message"])
