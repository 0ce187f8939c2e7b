"""The installation for those who run it: numbers, accounts, jobs begun anew, health by a job; for nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo.access.people.mail import mail
from octavo.gateways.fakes import FakeMail
from octavo.kernel.letters import Occasion
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world

OPERATOR = "ada.operator@example.test"


@pytest.fixture
def run_by_ada(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[tuple[World, str]]:
    """A world whose settings name an operator who is in no organization, and her token."""
    with opened_world(engine, clock, memory_folder, loop, operators=[OPERATOR.upper()]) as world:
        token = world.person(None)
        user = world.api.get("/v1/user", token=token).json["id"]

        async def name(unit: Any) -> None:
            await unit.people.change_user(await unit.people.user(user), email=OPERATOR)

        world.run(world.house.store.write(name))
        yield world, token


def test_an_address_that_nobody_showed_to_be_hers_makes_no_operator(run_by_ada: tuple[World, str]) -> None:
    world, token = run_by_ada
    assert world.api.get("/v1/installation", token=token).status == 403
    assert world.api.get("/v1/", token=token).json["permissions"] == {"operate": False}
    _prove(world, token)
    assert world.api.get("/v1/", token=token).json["permissions"] == {"operate": True}
    assert world.api.get("/v1/installation", token=token).status == 200
    refused = world.api.get("/v1/installation")
    assert refused.status == 403, "an admin of an organization runs no installation"
    assert "OCTAVO_OPERATORS" in refused.message


def test_a_token_that_an_organizations_provider_stands_behind_makes_no_operator(run_by_ada: tuple[World, str]) -> None:
    world, token = run_by_ada
    _prove(world, token)

    user = world.api.get("/v1/user", token=token).json["id"]

    async def provided(unit: Any) -> None:
        [held] = await unit.people.tokens_of(user)
        await unit.people.revoke_token(held.id)
        await unit.people.add_token(
            type(held)(**{n: getattr(held, n) for n in held.__struct_fields__} | {"provider": "p"})
        )

    world.run(world.house.store.write(provided))
    assert world.api.get("/v1/user", token=token).status == 200
    assert world.api.get("/v1/installation", token=token).status == 403


def test_what_there_is_is_counted_and_searched(run_by_ada: tuple[World, str]) -> None:
    world, token = run_by_ada
    _prove(world, token)
    before = world.api.get("/v1/installation", token=token).json
    world.space("One")
    world.site(title="Shown")
    world.person("read")
    after = world.api.get("/v1/installation", token=token).json
    told = {
        name: after[name] - before[name] for name in ("organizations", "users", "spaces", "sites", "publishedSites")
    }
    assert told == {"organizations": 0, "users": 1, "spaces": 1, "sites": 1, "publishedSites": 1}
    assert after["mail"] == {"sends": False, "failed": before["mail"]["failed"]}
    assert "secret" not in str(after)
    found = _all(world, "/v1/installation/organizations?limit=2", token)
    own = next(one for one in found if one["id"] == world.organization)
    assert (own["people"], own["spaces"], own["sites"]) == (2, 1, 1)
    admin = world.api.get("/v1/user").json
    [one] = world.api.get(f"/v1/installation/users?search={admin['email'].upper()}", token=token).json["items"]
    assert (one["user"]["id"], one["organizations"], one["verified"]) == (admin["id"], 1, True)
    assert world.api.get("/v1/installation/users?search=%25%5F%25", token=token).json["items"] == [], (
        "words, no pattern"
    )
    assert world.api.get(f"/v1/installation/users?search={'x' * 257}", token=token).status == 400


def test_a_job_that_failed_begins_anew_and_one_with_forgotten_words_does_not(run_by_ada: tuple[World, str]) -> None:
    world, token = run_by_ada
    _prove(world, token)
    space = world.space("Read again")["id"]
    letter = Occasion(to="nobody@example.test", about="trial", told={"base": "words in confidence"})

    async def fail(unit: Any) -> tuple[str, str]:
        [told] = await unit.emit(mail(world.house.signer.seal, letter))
        job = await unit.jobs.add("relink", {"space": space}, now=unit.now, organization=world.organization)
        for id_ in (job.id, told):
            leased = await unit.jobs.lease(await unit.jobs.get(id_), now=unit.now, lease_for=1000)
            await unit.jobs.finish(leased, now=unit.now, error="the disk was full")
        return job.id, told

    job, told = world.run(world.house.store.write(fail))
    failed = {one["id"]: one for one in _all(world, "/v1/installation/jobs?state=failed&limit=1", token)}
    assert (failed[job]["error"], failed[job]["canRetry"], failed[told]["canRetry"]) == (
        "the disk was full",
        True,
        False,
    )
    assert "confidence" not in str(failed)
    retry = f"/v1/installation/jobs/{job}/retry"
    again = world.api.post(retry, token=token)
    assert (again.status, again.json["state"], again.json["attempts"]) == (200, "waiting", 0)
    assert world.api.post(retry, token=token).status == 409
    world.work()
    [done] = [one for one in _all(world, "/v1/installation/jobs?state=done&kind=relink", token) if one["id"] == job]
    assert done["attempts"] == 1
    assert world.api.post(f"/v1/installation/jobs/{told}/retry", token=token).status == 409
    assert world.api.post("/v1/installation/jobs/nothing/retry", token=token).status == 404
    assert world.api.get("/v1/installation/jobs?state=odd", token=token).status == 400


def test_health_is_what_a_job_found_and_requests_ask_nobody(
    run_by_ada: tuple[World, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world, token = run_by_ada
    _prove(world, token)
    path, asked = "/v1/installation/health", []

    async def names(settings: Any) -> list[Any]:
        asked.append(settings)
        return []

    monkeypatch.setattr("octavo.jobs.installation.checks._names", names)
    wished = world.api.post(path, token=token)
    assert (wished.status, wished.json["examining"]) == (202, True)
    assert world.api.post(path, token=token).status == 202, "of several wishes one waits"
    assert not asked, "no request looks for anybody outside"
    world.work()
    told = world.api.get(path, token=token).json
    assert len(asked) == 1
    assert (told["examining"], told["state"]) == (False, _worst(told))
    states = {one["check"]: one["state"] for one in told["checks"]}
    assert (states["storage"], states["mail"], states["database"]) == ("ok", "off", "ok")
    assert all(one["todo"] for one in told["checks"] if one["state"] in ("warning", "failure"))


def test_a_letter_to_try_mail_goes_to_the_operator_alone(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> None:
    named = "eve.operator@example.test"
    sends = {"smtp_host": "mail.test", "mail_from": "docs@example.test"}
    with opened_world(engine, clock, memory_folder, loop, operators=[named], **sends) as world:
        token = world.person(None)
        user = world.api.get("/v1/user", token=token).json["id"]

        async def name(unit: Any) -> None:
            await unit.people.change_user(await unit.people.user(user), email=named, email_verified=unit.now)

        world.run(world.house.store.write(name))
        post = FakeMail()
        object.__setattr__(world.house.worker.tools, "mailer", post)
        assert world.api.get("/v1/installation", token=token).json["mail"]["sends"] is True
        assert world.api.post("/v1/installation/test-mail", token=token).status == 204
        world.work()
        assert [one.to for one in post.sent if one.subject == "Octavo sends mail"] == [named]


def _prove(world: World, token: str) -> None:
    user = world.api.get("/v1/user", token=token).json["id"]

    async def work(unit: Any) -> None:
        await unit.people.change_user(await unit.people.user(user), email_verified=unit.now)

    world.run(world.house.store.write(work))


def _all(world: World, path: str, token: str) -> list[dict[str, Any]]:
    found, page = [], ""
    while True:
        told = world.api.get(path + page, token=token).json
        found += told["items"]
        if "next" not in told:
            return found
        page = f"&page={told['next']['page']}"


def _worst(told: dict[str, Any]) -> str:
    states = {one["state"] for one in told["checks"]}
    return "failure" if "failure" in states else "warning" if "warning" in states else "ok"
