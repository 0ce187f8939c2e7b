"""What is remembered of callers and sites: the next request sees what changed, and other writes make nothing forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from octavo.jobs.work import Work
from octavo.jobs.worker import LEASE
from octavo.kernel.ids import new_id
from octavo.kernel.records.saml import SamlProvider
from octavo.store.database import sqlite
from octavo.store.database.memory import Memory
from octavo.store.database.statement import Statement
from octavo.store.shelf import count
from octavo.store.unit import Unit
from tests.client import World
from tests.conftest import FakeClock
from tests.publish.visiting import visit, write
from tests.resources.proposals import user_of


@pytest.fixture(autouse=True)
def _never_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether another process wrote is asked with every request."""
    monkeypatch.setattr(sqlite, "CHANGES_LIVE", 0)


def _callers(world: World) -> Memory[Any]:
    return world.app.api._callers._known


def _snapshots(world: World) -> Memory[Any]:
    return world.app._publisher._snapshots


def _warm(world: World, token: str, path: str) -> None:
    """Ask until the caller is remembered and noted as seen, and nothing else is left to write down."""
    for _ in range(3):
        assert world.api.get(path, token=token).status == 200
    assert world.app.api._callers.known(token) is not None


def test_whose_member_is_no_more_sees_nothing(world: World) -> None:
    path, token = f"/v1/orgs/{world.organization}", world.person("edit")
    _warm(world, token, path)
    assert world.api.delete(f"{path}/members/{user_of(world, token)}").status in (204, 205)
    assert world.api.get(path, token=token).status == 404


def test_a_lower_role_holds_from_the_next_request_on(world: World) -> None:
    path, token = f"/v1/orgs/{world.organization}", world.person("admin")
    _warm(world, token, path)
    assert world.api.patch(f"{path}/members/{user_of(world, token)}", {"role": "read"}).status == 200
    assert world.api.patch(path, {"title": "Mine"}, token=token).status == 403


def test_a_revoked_token_is_nobody_s(world: World) -> None:
    path, token = f"/v1/orgs/{world.organization}", world.person("edit")
    _warm(world, token, path)
    made = world.api.get("/v1/user/tokens", token=token).json["items"][0]
    assert world.api.delete(f"/v1/user/tokens/{made['id']}", token=token).status == 204
    assert world.api.get(path, token=token).status == 401


def test_a_grant_that_is_taken_back_gives_nothing(world: World) -> None:
    token, space = world.person("guest"), world.space()["id"]
    path, user = f"/v1/spaces/{space}", user_of(world, token)
    assert world.api.post(f"{path}/permissions", {"role": "edit", "users": [user]}).status in (200, 204, 205)
    _warm(world, token, path)
    assert world.api.post(f"{path}/change-requests", {}, token=token).status == 201
    assert world.api.patch(f"{path}/permissions/users/{user}", {"role": "read"}).status in (200, 204, 205)
    assert world.api.post(f"{path}/change-requests", {}, token=token).status == 403
    assert world.api.delete(f"{path}/permissions/users/{user}").status in (204, 205)
    assert world.api.get(path, token=token).status == 404


def test_who_leaves_a_team_has_none_of_its_grants(world: World) -> None:
    token, space = world.person("guest"), world.space()["id"]
    path, base, user = f"/v1/spaces/{space}", f"/v1/orgs/{world.organization}/teams", user_of(world, token)
    team = world.api.put(base, {"title": "Writers"}).json["id"]
    assert world.api.put(f"{base}/{team}/members/{user}").status in (200, 204)
    assert world.api.post(f"{path}/permissions", {"role": "read", "teams": [team]}).status in (200, 204, 205)
    _warm(world, token, path)
    assert world.api.delete(f"{base}/{team}/members/{user}").status in (204, 205)
    assert world.api.get(path, token=token).status == 404


def test_an_organization_that_enforces_single_sign_on_is_closed_at_once(world: World) -> None:
    path, token = f"/v1/orgs/{world.organization}", world.person("edit")
    provider = SamlProvider(id=new_id(), organization=world.organization, label="Acme", created_at=1, ready=True)
    world.run(world.house.store.write(lambda unit: unit.saml.add(provider)))
    _warm(world, token, path)

    async def enforce(unit: Unit) -> None:
        organization = await unit.people.organization(world.organization)
        assert organization is not None
        await unit.people.change_organization(organization, sso=True)

    world.run(world.house.store.write(enforce))
    assert world.api.get(path, token=token).status == 403


def test_a_deleted_organization_is_nobody_s(world: World, tmp_path: Path) -> None:
    path, token = f"/v1/orgs/{world.organization}", world.person("edit")
    site = visit(world, write(tmp_path, {"README.md": "# Home\n"}))
    _warm(world, token, path)
    assert site.get().status == 200
    assert world.api.delete(path).status in (200, 204, 205)
    assert world.api.get(path, token=token).status == 404
    assert site.get().status == 404


def test_a_site_that_is_closed_is_closed_at_once(world: World, tmp_path: Path) -> None:
    site = visit(world, write(tmp_path, {"README.md": "# Home\n"}))
    assert site.get().status == 200
    base = f"/v1/orgs/{world.organization}/sites/{site.site['id']}"
    assert world.api.post(f"{base}/unpublish").status == 200
    assert site.get().status == 404
    assert world.api.post(f"{base}/publish").status == 200
    assert site.get().status == 200
    site.change(visibility="share-link")
    assert site.get().status == 404


def test_what_changes_nothing_of_callers_and_sites_empties_nothing(
    world: World, tmp_path: Path, clock: FakeClock
) -> None:
    """A visitor's page that stores colours of code, a beat of a job, when somebody was seen: as before, remembered."""
    path, token = f"/v1/orgs/{world.organization}", world.person("edit")
    site = visit(world, write(tmp_path, {"README.md": "# Home\n", "code.md": f"# Code\n\n```python\n{token}\n```\n"}))
    world.work()
    _warm(world, token, path)
    assert site.get().status == 200
    callers, sites = _callers(world), _snapshots(world)
    emptied = callers.emptied, sites.emptied

    # The import left colours; without them the page makes and stores them.
    world.run(world.house.store.write(lambda unit: unit.at.run(Statement("DELETE FROM cache"), {})))
    assert site.get("code").status == 200
    assert _rows(world, "cache") == 1
    other = world.person("read")  # a user and a member: these do empty what is remembered of callers
    assert world.api.get(path, token=token).status == 200
    assert (callers.emptied, sites.emptied) == (emptied[0] + 1, emptied[1])

    # Its first request is noted with the token and with the member, two writes; nobody else is forgotten for it.
    assert world.api.get(path, token=other).status == 200
    user = user_of(world, other)
    member = world.run(world.house.store.read(lambda unit: unit.people.member(world.organization, user)))
    assert member.last_seen_at == clock()
    world.run(_beat(world))
    assert world.app.api._callers.known(token) is not None
    assert world.app.api._callers.known(other) is not None
    assert site.get().status == 200
    assert (callers.emptied, sites.emptied) == (emptied[0] + 1, emptied[1])


def test_what_people_say_and_propose_closes_no_site(world: World, tmp_path: Path) -> None:
    """Their number stands in the row of the space, which no page of a site shows."""
    site = visit(world, write(tmp_path, {"README.md": "# Home\n"}))
    world.work()
    assert site.get().status == 200
    sites, base = _snapshots(world), f"/v1/spaces/{site.space}"
    emptied = sites.emptied
    assert world.api.post(f"{base}/comments", {"body": {"markdown": "So it is."}}).status in (200, 201)
    assert world.api.post(f"{base}/change-requests", {"subject": "Better"}).status in (200, 201)
    world.work()
    assert site.get().status == 200
    assert sites.emptied == emptied
    shown = world.api.get(base).json
    assert (shown["comments"], shown["changeRequests"]) == (1, 1)


def _rows(world: World, table: str) -> int:
    statement = Statement(f"SELECT count(*) FROM {table}")
    return int(world.run(world.house.store.read(lambda unit: count(unit.at, statement, {}))))


async def _beat(world: World) -> None:
    """A job is added, taken, beats and is done."""
    store = world.house.store
    await store.write(lambda unit: unit.jobs.add("a kind of the test", {}, now=unit.now, organization=None))
    job = await store.write(lambda unit: unit.jobs.take(["a kind of the test"], now=unit.now, lease_for=LEASE))
    assert job is not None
    work = Work(job, store, world.house.worker.tools, LEASE)
    work.progress["done"] = 1
    await work.beat()
    assert await store.write(lambda unit: unit.jobs.finish(job, now=unit.now))
