"""The served `permissions` and 403 never disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from octavo.kernel.ids import new_id
from octavo.kernel.records.library import Collection
from tests.client import Reply, World

ROLES = ("read", "comment", "edit", "review", "create", "admin")


@pytest.fixture
def quiet(world: World) -> Iterator[World]:
    """A world that leaves no import behind: on PostgreSQL all tests share one table of jobs."""

    async def drop(unit: Any) -> None:
        while (job := await unit.jobs.take(["git"], now=unit.now, lease_for=1000)) is not None:
            await unit.jobs.finish(job, now=unit.now, error="dropped by a test")

    yield world
    world.run(world.house.store.write(drop))


def _check(given: dict[str, bool], word: str, reply: Reply, role: str) -> None:
    """Allowed means success; not allowed means 403."""
    if given[word]:
        assert reply.status < 300, f"{role} has {word}: {reply.status} {reply.text[:200]}"
    else:
        assert reply.status == 403, f"{role} lacks {word}: {reply.status} {reply.text[:200]}"


def test_of_a_space(quiet: World) -> None:
    space = quiet.space()["id"]
    path = f"/v1/spaces/{space}"
    order = {"url": "http://127.0.0.1:9/a.git", "ref": "refs/heads/main"}
    for role in ROLES:
        token = quiet.person("guest")
        quiet.grant(token, "space", space, role)
        given = quiet.api.get(path, token=token).json["permissions"]
        for read in ("", "/content", "/content/pages", "/content/files"):
            _check(given, "view", quiet.api.get(path + read, token=token), role)
        _check(given, "admin", quiet.api.patch(path, {"title": "Renamed"}, token=token), role)
        _check(given, "triggerGitSync", quiet.api.post(path + "/git/import", order, token=token), role)
        _check(given, "edit", quiet.api.post(path + "/change-requests", {}, token=token), role)
        number = quiet.api.post(path + "/change-requests").json["number"]
        one = f"{path}/change-requests/{number}"
        for read in ("", "/requested-reviewers", "/reviews", "/contributors", "/content"):
            _check(given, "view", quiet.api.get(one + read, token=token), role)
        _check(given, "edit", quiet.api.patch(one, {"subject": "Renamed"}, token=token), role)
        _check(given, "edit", quiet.api.post(one + "/update", token=token), role)
        _check(given, "review", quiet.api.post(one + "/reviews", {"status": "approved"}, token=token), role)
        _check(given, "merge", quiet.api.post(one + "/merge", token=token), role)


def test_of_a_site(world: World) -> None:
    site = world.site(world.space()["id"])["id"]
    path = f"/v1/orgs/{world.organization}/sites/{site}"
    for role in ROLES:
        token = world.person("guest")
        world.grant(token, "site", site, role)
        given = world.api.get(path, token=token).json["permissions"]
        for read in ("", "/structure", "/published"):
            _check(given, "view", world.api.get(path + read, token=token), role)
        _check(given, "view", world.api.post(path + "/search", {"query": "a"}, token=token), role)
        _check(given, "admin", world.api.post(path + "/publish", token=token), role)
        _check(given, "admin", world.api.post(path + "/unpublish", token=token), role)
        _check(given, "admin", world.api.patch(path, {"title": "Renamed"}, token=token), role)


def test_of_an_organization(world: World) -> None:
    path = f"/v1/orgs/{world.organization}"
    verbs: dict[str, Callable[[str], Reply]] = {
        "createContent": lambda token: world.api.post(path + "/spaces", {"title": "Made"}, token=token),
        "admin": lambda token: world.api.patch(path, {"title": "Renamed"}, token=token),
    }
    for role in (*ROLES, "guest"):
        token = world.person(role)
        given = world.api.get(path, token=token).json["permissions"]
        for word, verb in verbs.items():
            _check(given, word, verb(token), role)
        _check(given, "createContent", world.api.post(path + "/sites", {"title": "Made"}, token=token), role)


def test_of_a_collection(world: World) -> None:
    shelf = Collection(id=new_id(), organization=world.organization, title="Shelf", position="a0", created_at=1)
    world.run(world.house.store.write(lambda unit: unit.spaces.add_collection(shelf)))
    for role in ROLES:
        token = world.person("guest")
        world.grant(token, "collection", shelf.id, role)
        reply = world.api.post(f"/v1/orgs/{world.organization}/spaces", {"parent": shelf.id}, token=token)
        assert reply.status == (201 if role in ("create", "admin") else 403), role
