"""POST /spaces/{space}/git/import and GET /spaces/{space}/git/info."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.client import World
from tests.resources.checks import MOMENT, check_json, check_refusals, check_roles

URL = "http://127.0.0.1:9/terns/field-guide.git"
"""Refused at once: a loopback address, which these settings do not allow."""


@pytest.fixture
def queued(world: World) -> Iterator[World]:
    """A world that leaves no import behind: on PostgreSQL all tests share one table of jobs."""

    async def drop(unit: Any) -> None:
        while (job := await unit.jobs.take(["git"], now=unit.now, lease_for=1000)) is not None:
            await unit.jobs.finish(job, now=unit.now, error="dropped by a test")

    yield world
    world.run(world.house.store.write(drop))


def _order(**changed: Any) -> dict[str, Any]:
    return {"url": URL, "ref": "refs/heads/main"} | changed


def test_before_the_first_operation_there_is_no_info(world: World) -> None:
    space = world.space()
    reply = world.api.get(f"/v1/spaces/{space['id']}/git/info")
    assert reply.status == 404
    assert reply.message
    assert "gitSync" not in space


def test_it_is_queued_then_reported(queued: World) -> None:
    space = queued.space()["id"]
    content = queued.api.get(f"/v1/spaces/{space}/content").json
    path = f"/v1/spaces/{space}/git"
    secret = "http://ada:s3cr%40t@127.0.0.1:9/terns/field-guide.git"
    reply = queued.api.post(path + "/import", _order(url=secret, gitInfo={"provider": "gitlab", "url": URL}))
    assert (reply.status, reply.body) == (204, b"")
    info = queued.api.get(path + "/info").json
    assert (info["url"], info["repoName"]) == (URL, "terns/field-guide")
    assert info["installationProvider"] == "gitlab"
    assert (info["operation"]["state"], info["operation"]["direction"]) == ("running", "import")
    assert re.fullmatch(MOMENT, info["updatedAt"])
    assert queued.api.get(f"/v1/spaces/{space}").json["gitSync"] == info
    queued.work()
    ended = queued.api.get(path + "/info").json
    assert ended["operation"]["state"] == "failure"
    assert ended["operation"]["message"]
    assert queued.api.get(f"/v1/spaces/{space}/content").json == content
    for text in (str(info), str(ended)):
        assert "s3cr" not in text
        assert "ada" not in text


def test_a_known_host_tells_the_provider(queued: World) -> None:
    space = queued.space()["id"]
    path = f"/v1/spaces/{space}/git"
    at = "2026-01-01T00:00:00Z"
    for url, provider in (("http://127.0.0.1:9/a.git", None), ("http://127.0.0.1:9/b.git", "github")):
        given = {} if provider is None else {"gitInfo": {"provider": provider, "url": url}}
        assert queued.api.post(path + "/import", _order(url=url, timestamp=at, **given)).status == 204
        assert queued.api.get(path + "/info").json.get("installationProvider") == provider


def test_an_older_order_does_nothing_unless_forced(queued: World) -> None:
    path = f"/v1/spaces/{queued.space()['id']}/git"
    newer, older = "http://127.0.0.1:9/newer.git", "http://127.0.0.1:9/older.git"
    at, before = "2026-03-01T12:00:00.000Z", "2026-03-01T12:59:59.999+01:00"
    assert queued.api.post(path + "/import", _order(url=newer, timestamp=at)).status == 204
    info = queued.api.get(path + "/info").json
    assert queued.api.post(path + "/import", _order(url=older, timestamp=before)).status == 204
    assert queued.api.get(path + "/info").json == info
    assert queued.api.post(path + "/import", _order(url=older, timestamp=before, force=False)).status == 204
    assert queued.api.get(path + "/info").json == info
    assert queued.api.post(path + "/import", _order(url=older, timestamp=before, force=True)).status == 204
    assert queued.api.get(path + "/info").json["url"] == older


def test_a_standalone_import_is_no_synchronisation(queued: World) -> None:
    space = queued.space()
    before = queued.api.get(f"/v1/spaces/{space['id']}").json
    assert queued.api.post(f"/v1/spaces/{space['id']}/git/import", _order(standalone=True)).status == 204
    assert queued.api.get(f"/v1/spaces/{space['id']}").json == before


@pytest.mark.parametrize("direction", ["import", "export"])
@pytest.mark.parametrize("written", ["docs", "/docs", "./docs/", "docs//.", "/./docs"])
def test_a_directory_is_kept_in_its_one_form(queued: World, direction: str, written: str) -> None:
    """Places are compared as text, and a job refuses one that begins with a slash."""
    space = queued.space()["id"]
    more = {"commitMessage": "Docs"} if direction == "export" else {}
    order = _order(repoProjectDirectory=written, **more)
    assert queued.api.post(f"/v1/spaces/{space}/git/{direction}", order).status == 204
    operation = queued.run(queued.house.store.read(lambda unit: unit.git.first(space)))
    assert operation is not None
    assert (operation.directory, operation.payload["directory"]) == ("docs", "docs")


def test_importing_takes_the_create_role(queued: World) -> None:
    space = queued.space()["id"]
    order = _order(timestamp="2020-01-01T00:00:00Z")
    queued.api.post(f"/v1/spaces/{space}/git/import", _order())
    check_roles(queued, "create", "POST", f"/v1/spaces/{space}/git/import", order, success=204)


def test_the_refused_queued_nothing(world: World) -> None:
    space = world.space()["id"]
    for role in ("read", "review", "guest", None):
        assert world.api.post(f"/v1/spaces/{space}/git/import", _order(), token=world.person(role)).status in (403, 404)
    assert world.api.get(f"/v1/spaces/{space}/git/info").status == 404


def test_every_member_reads_the_info(queued: World) -> None:
    space = queued.space()["id"]
    queued.api.post(f"/v1/spaces/{space}/git/import", _order())
    check_roles(queued, "read", "GET", f"/v1/spaces/{space}/git/info", success=200)


def test_wrong_input_names_the_field(world: World) -> None:
    path = f"/v1/spaces/{world.space()['id']}/git"
    cases = [
        ({}, "url"),
        ({"url": URL}, "ref"),
        ({"ref": "refs/heads/main"}, "url"),
        (_order(url=5), "url"),
        (_order(url=None), "url"),
        (_order(url=""), "url"),
        (_order(url="no address"), "url"),
        (_order(url="ftp://example.com/a.git"), "url"),
        (_order(url="file:///etc/passwd"), "url"),
        (_order(url="ssh://git@example.com/a.git"), "url"),
        (_order(url="git@example.com:a.git"), "url"),
        (_order(url="../local"), "url"),
        (_order(url="http://"), "url"),
        (_order(url="http://[::1"), "url"),
        (_order(url="http://example.com:99999/a.git"), "url"),
        (_order(url="https://example.com/" + "a" * 2048), "url"),
        (_order(ref="main"), "ref"),
        (_order(ref="refs/tags/v1"), "ref"),
        (_order(ref="refs/heads/"), "ref"),
        (_order(ref="refs/heads/main\n"), "ref"),
        (_order(ref=None), "ref"),
        (_order(timestamp="yesterday"), "timestamp"),
        (_order(timestamp=5), "timestamp"),
        (_order(force="yes"), "force"),
        (_order(standalone=1), "standalone"),
        (_order(repoProjectDirectory=1), "repoProjectDirectory"),
        (_order(repoProjectDirectory="../.."), "repoProjectDirectory"),
        (_order(repoProjectDirectory="docs/../../x"), "repoProjectDirectory"),
        (_order(repoTreeURL=1), "repoTreeURL"),
        (_order(repoCommitURL={}), "repoCommitURL"),
        (_order(repoCacheID=1), "repoCacheID"),
        (_order(gitInfo="github"), "gitInfo"),
        (_order(gitInfo={"provider": "sourcehut", "url": URL}), "gitInfo"),
    ]
    check_refusals(world, "POST", path + "/import", cases)
    check_json(world, "POST", path + "/import")
    assert world.api.get(path + "/info").status == 404


def test_unknown_fields_are_ignored(queued: World) -> None:
    space = queued.space()["id"]
    sent = _order(space="other", organization="other", local="/etc", sealed_url="x", directory="../..", nonsense=1)
    assert queued.api.post(f"/v1/spaces/{space}/git/import", sent).status == 204
    info = queued.api.get(f"/v1/spaces/{space}/git/info").json
    assert info["url"] == URL
    assert set(info) <= {
        "repoName", "installationProvider", "integration", "url", "updatedAt", "operation",
        "installationStatus", "installationId",
    }  # fmt: skip
