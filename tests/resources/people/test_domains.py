"""Domains of addresses: claimed by several, won by whoever shows the record, lost when it stays away."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import quote

import pytest

from octavo.gateways import dns
from octavo.gateways.failures import Unreachable
from octavo.jobs.tidy import tidy
from tests.client import World
from tests.conftest import FakeClock

DAY = 24 * 3_600_000


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str] | None]:
    """What names say; None = nobody answers for it."""
    said: dict[str, list[str] | None] = {}

    async def ask(name: str, servers: dns.Servers) -> list[str]:
        found = said.get(name, [])
        if found is None:
            raise Unreachable(f"The domain name system did not answer for {name}.")
        return found

    monkeypatch.setattr(dns, "texts", ask)
    return said


def _claim(world: World, domain: str, organization: str | None = None) -> dict[str, Any]:
    reply = world.api.post(f"/v1/orgs/{organization or world.organization}/domains", {"domain": domain})
    assert reply.status == 201, reply.text
    made: dict[str, Any] = reply.json
    return made


def _domain() -> str:
    return f"{uuid.uuid4().hex}.example"


def _look(world: World) -> None:
    world.run(tidy(world.house.store, world.house.settings))
    world.work()


def test_a_domain_is_claimed_and_proven(world: World, texts: dict[str, list[str] | None]) -> None:
    domain = _domain()
    base = f"/v1/orgs/{world.organization}/domains"
    made = _claim(world, domain.upper())
    assert (made["domain"], made["status"], made["record"]["type"]) == (domain, "pending", "TXT")
    assert made["record"]["name"] == f"_octavo.{domain}"
    world.work()
    assert world.api.get(f"{base}/{domain}").json["problem"] == f"There is no TXT record of _octavo.{domain}."
    texts[made["record"]["name"]] = ["octavo-domain=of somebody else"]
    assert world.api.post(f"{base}/{domain}/check").status == 202
    world.work()
    assert world.api.get(f"{base}/{domain}").json["problem"].endswith("says something else.")
    texts[made["record"]["name"]] = ["v=spf1 -all", made["record"]["value"]]
    world.api.post(f"{base}/{domain}/check")
    world.work()
    shown = world.api.get(f"{base}/{domain}").json
    assert (shown["status"], "problem" in shown, "foundAt" in shown) == ("proven", False, True)
    assert domain in world.api.get(f"/v1/orgs/{world.organization}").json["emailDomains"]
    assert [one["domain"] for one in world.api.get(base).json["items"]] == [domain]
    for body, status in (({"domain": domain}, 409), ({"domain": "com"}, 400), ({"domain": "a@b.c"}, 400), ({}, 400)):
        assert world.api.post(base, body).status == status, body
    assert world.api.delete(f"{base}/{domain}").status == 204
    assert world.api.get(f"{base}/{domain}").status == 404
    assert domain not in world.run(
        world.house.store.read(lambda unit: unit.people.verified_domains(world.organization))
    )
    # Claimed again, it is to be proven again, by another word.
    assert _claim(world, domain)["record"]["value"] != made["record"]["value"]


def test_a_domain_of_another_language_is_asked_for_as_zones_have_it(
    world: World, texts: dict[str, list[str] | None]
) -> None:
    made = _claim(world, "हिन्दी.भारत")
    assert (made["domain"], made["record"]["name"]) == ("हिन्दी.भारत", "_octavo.xn--j2bd4cyah0f.xn--h2brj9c")
    texts[made["record"]["name"]] = [made["record"]["value"]]
    world.work()
    assert world.api.get(f"/v1/orgs/{world.organization}/domains/{quote(made['domain'])}").json["status"] == "proven"


def test_several_claim_and_who_shows_the_record_has_it(world: World, texts: dict[str, list[str] | None]) -> None:
    domain = _domain()
    other = str(world.api.post("/v1/orgs", {"title": "Other"}).json["id"])
    _claim(world, domain)
    record = _claim(world, domain, other)["record"]
    texts[record["name"]] = [record["value"]]
    world.work()
    states = [world.api.get(f"/v1/orgs/{one}/domains/{domain}").json["status"] for one in (world.organization, other)]
    assert states == ["pending", "proven"]


def test_a_record_that_stays_away_loses_the_domain(
    world: World, texts: dict[str, list[str] | None], clock: FakeClock
) -> None:
    domain = _domain()
    at = f"/v1/orgs/{world.organization}/domains/{domain}"
    record = _claim(world, domain)["record"]
    texts[record["name"]] = [record["value"]]
    world.work()
    # Slips are forgiven for a week from when it was last there, also those of the domain name system.
    for day, said in ((1, None), (3, []), (6, None)):
        clock.advance((day if day == 1 else 2 if day == 3 else 3) * DAY + 1)
        texts[record["name"]] = said
        _look(world)
        shown = world.api.get(at).json
        assert (shown["status"], "problem" in shown) == ("proven", True), day
    clock.advance(2 * DAY)
    _look(world)
    assert world.api.get(at).json["status"] == "pending"
    texts[record["name"]] = [record["value"]]
    clock.advance(DAY + 1)
    _look(world)
    assert world.api.get(at).json["status"] == "proven"
    told = world.api.get(f"/v1/orgs/{world.organization}/audit-events?limit=100").json["items"]
    assert [one["action"] for one in told if one["target"]["type"] == "domain"].count("organization.domain.prove") == 2
    assert "organization.domain.lose" in {one["action"] for one in told}


def test_the_operators_word_needs_no_record(world: World, texts: dict[str, list[str] | None]) -> None:
    domain = _domain()
    world.run(world.house.store.write(lambda unit: unit.people.verify_domain(world.organization, domain, unit.now)))
    at = f"/v1/orgs/{world.organization}/domains/{domain}"
    shown = world.api.get(at).json
    assert (shown["status"], "record" in shown) == ("proven", False)
    assert world.api.post(f"{at}/check").status == 409
    assert world.api.delete(at).status == 204
    assert world.api.get(at).status == 404
