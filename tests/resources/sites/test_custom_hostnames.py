"""/custom-hostnames/{hostname}, and what a site has to show for one."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest

from octavo.administration import hostname_given
from octavo.gateways import dns, web
from octavo.gateways.fakes import FakeWeb
from octavo.jobs.tidy import tidy
from octavo.kernel.clock import DAY, HOUR
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import check_roles, other_organization


class Names:
    """A domain name system in which some names say something, and hosts that answer."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.web = FakeWeb()
        self._asked: list[str] = []

    async def ask(self, name: str, servers: dns.Servers) -> list[str]:
        self._asked.append(name)
        return self.texts.get(name, [])

    def asked(self, host: str) -> int:
        """How often a host's name was asked for; tests share a database, and others ask for theirs."""
        return sum(name.endswith(host) for name in self._asked)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    made = Names()
    monkeypatch.setattr(dns, "texts", made.ask)
    monkeypatch.setattr(web, "fetch", made.web.fetch)
    return made


def _host() -> str:
    return f"docs.{uuid.uuid4().hex}.test"


def _site(world: World, title: str = "One site", organization: str | None = None) -> str:
    within = organization or world.organization
    site = world.api.post(f"/v1/orgs/{within}/sites", {"title": title}).json["id"]
    at = f"/v1/orgs/{within}/sites/{site}"
    assert world.api.post(f"{at}/publish").status == 200
    return at


def _wish(world: World, at: str, host: str) -> dict[str, Any]:
    reply = world.api.patch(at, {"hostname": host})
    assert reply.status == 200, reply.text
    world.work()
    found: dict[str, Any] = world.api.get(f"/v1/custom-hostnames/{host}").json
    return found


def _show(names: Names, shown: dict[str, Any]) -> None:
    names.texts[shown["proof"]["record"]] = ["v=spf1 -all", shown["proof"]["value"]]


def _check(world: World, host: str) -> dict[str, Any]:
    assert world.api.patch(f"/v1/custom-hostnames/{host}").status == 204
    world.work()
    found: dict[str, Any] = world.api.get(f"/v1/custom-hostnames/{host}").json
    return found


def _answers(world: World, host: str) -> bool:
    """Whether a site answers there, and whether a proxy may get a certificate: both or none."""
    page = world.api.get("/", token="", headers={"host": host}).text
    certificate = world.api.get(f"/~octavo/hosts?domain={host}", token="").status
    served = "Octavo runs here" not in page and "nothing at this address" not in page
    assert served == (certificate == 200)
    return served


def test_a_record_shows_it(world: World, names: Names) -> None:
    at, host = _site(world), _host()
    shown = _wish(world, at, host)
    secret = shown["proof"]["value"]
    assert shown == {
        "object": "custom-hostname", "hostname": host, "isActive": False, "status": "dns_no_cname",
        "target": {"type": "site", "site": at.rpartition("/")[2]},
        "urls": {"location": f"http://octavo.test/v1/custom-hostnames/{host}"},
        "proof": shown["proof"],
    }  # fmt: skip
    assert (shown["proof"]["record"], shown["proof"]["address"]) == (
        f"_octavo.{host}", f"http://{host}/.well-known/octavo-proof"
    )  # fmt: skip
    assert "There is no TXT record" in shown["proof"]["problem"]
    assert len(secret) > 30
    assert not _answers(world, host)
    names.texts[f"_octavo.{host}"] = ["something else"]
    assert "says something else" in _check(world, host)["proof"]["problem"]
    _show(names, shown)
    shown = _check(world, host)
    assert (shown["isActive"], shown["status"], "problem" in shown["proof"]) == (True, "live", False)
    assert _answers(world, host)
    assert world.api.get(at).json["urls"]["published"] == f"https://{host}/"


def test_the_host_itself_shows_it(world: World, names: Names) -> None:
    at, host = _site(world), _host()
    shown = _wish(world, at, host)
    address, secret = shown["proof"]["address"], shown["proof"]["value"]
    names.web.put(address, b"<html>")
    assert "says something else" in _check(world, host)["proof"]["problem"]
    names.web.put(address, secret.encode(), status=404)
    assert not _check(world, host)["isActive"]
    # Whoever sends everybody on proves nothing.
    names.web.answers[address] = web.Fetched(200, {}, secret.encode(), "http://elsewhere.test/")
    assert "another host" in _check(world, host)["proof"]["problem"]
    names.web.answers[address] = web.Fetched(200, {}, f"{secret}\n".encode(), f"https://{host}/proof")
    assert _check(world, host)["isActive"]
    assert _answers(world, host)


def test_requests_ask_nobody(world: World, names: Names) -> None:
    at, host = _site(world), _host()
    world.api.patch(at, {"hostname": host})
    world.api.patch(f"/v1/custom-hostnames/{host}")
    world.api.get(f"/v1/custom-hostnames/{host}")
    world.api.get(f"/~octavo/hosts?domain={host}", token="")
    assert names.asked(host) == 0
    world.work()
    assert names.asked(host) == 1


def test_a_wish_keeps_a_name_from_nobody_elsewhere(world: World, names: Names, clock: FakeClock) -> None:
    host, elsewhere = _host(), other_organization(world)["id"]
    squatter, owner = _site(world), _site(world, "Other site", elsewhere)
    _wish(world, squatter, host)
    # Within an organization, for a week.
    second = _site(world, "Second site")
    assert world.api.patch(second, {"hostname": host}).status == 409
    clock.advance(7 * DAY)
    assert world.api.patch(second, {"hostname": host}).status == 200
    assert world.api.patch(second, {"hostname": None}).status == 200
    _wish(world, squatter, _host())
    _wish(world, squatter, host)
    assert world.api.patch(owner, {"hostname": host}).status == 200
    world.work()
    # Each has a secret of its own: what the owner shows serves her alone.
    proof = world.run(world.house.store.read(lambda unit: unit.hostnames.of_site(owner.rpartition("/")[2])))
    assert proof is not None
    names.texts[f"_octavo.{host}"] = [proof.hostname_secret or ""]
    _drain_checks(world)
    assert world.api.get(owner).json["urls"]["published"] == f"https://{host}/"
    assert world.api.get(squatter).json["urls"]["published"] != f"https://{host}/"


def _drain_checks(world: World) -> None:
    world.run(tidy(world.house.store, world.house.settings))
    world.work()


def test_what_is_proven_is_nobody_elses(world: World, names: Names, clock: FakeClock) -> None:
    host = _host()
    late, first = _site(world, "Late site"), _site(world, "First site")
    late_wish = _wish(world, late, host)
    clock.advance(7 * DAY)
    world.api.patch(first, {"hostname": host})
    world.work()
    proof = world.run(world.house.store.read(lambda unit: unit.hostnames.of_site(first.rpartition("/")[2])))
    assert proof is not None
    names.texts[f"_octavo.{host}"] = [proof.hostname_secret or ""]
    _drain_checks(world)
    assert world.api.get(f"/v1/custom-hostnames/{host}").json["target"]["site"] == first.rpartition("/")[2]
    clock.advance(30 * DAY)
    _drain_checks(world)
    assert world.api.patch(_site(world, "Third site"), {"hostname": host}).status == 409
    # The late one shows its secret too, while the other is there.
    names.texts[f"_octavo.{host}"].append(late_wish["proof"]["value"])
    world.run(world.house.store.write(lambda unit: _ask_again(unit, late, host)))
    world.work()
    assert world.api.get(late).json["urls"]["published"] != f"https://{host}/"
    assert world.api.get(first).json["urls"]["published"] == f"https://{host}/"


async def _ask_again(unit: Any, at: str, host: str) -> None:
    from octavo.kernel.events import HostnameProofWanted

    site = at.rpartition("/")[2]
    await unit.emit(HostnameProofWanted(organization=at.split("/")[3], site=site, hostname=host))


def test_it_is_asked_again_daily_and_goes_after_a_week(world: World, names: Names, clock: FakeClock) -> None:
    at, host = _site(world), _host()
    _show(names, _wish(world, at, host))
    assert _check(world, host)["isActive"]
    asked = names.asked(host)
    _drain_checks(world)
    assert names.asked(host) == asked
    clock.advance(25 * HOUR)
    _drain_checks(world)
    assert names.asked(host) == asked + 1
    names.texts.clear()
    for _ in range(6):
        clock.advance(25 * HOUR)
        _drain_checks(world)
        assert _answers(world, host)
    shown = world.api.get(f"/v1/custom-hostnames/{host}").json
    assert (shown["isActive"], "no TXT record" in shown["proof"]["problem"]) == (True, True)
    clock.advance(25 * HOUR)
    _drain_checks(world)
    assert not _answers(world, host)
    assert world.api.get(at).json["hostname"] == host
    events = world.api.get(f"/v1/orgs/{world.organization}/audit-events").json["items"]
    assert {"site.hostname.prove", "site.hostname.lose"} <= {one["action"] for one in events}


def test_the_operators_word_needs_no_proof(world: World, names: Names, clock: FakeClock) -> None:
    at, host = _site(world), _host()
    site = at.rpartition("/")[2]
    world.run(world.house.store.write(lambda unit: hostname_given(unit, site, host)))
    shown = world.api.get(f"/v1/custom-hostnames/{host}").json
    assert (shown["isActive"], "proof" in shown) == (True, False)
    clock.advance(30 * DAY)
    _drain_checks(world)
    assert names.asked(host) == 0
    assert _answers(world, host)
    assert world.api.patch(f"/v1/custom-hostnames/{host}").status == 400


def test_a_hostname_is_taken_away(world: World, names: Names) -> None:
    at, host = _site(world), _host()
    _show(names, _wish(world, at, host))
    _check(world, host)
    assert world.api.delete(f"/v1/custom-hostnames/{host}").status == 205
    assert world.api.delete(f"/v1/custom-hostnames/{host}").status == 404
    assert not _answers(world, host)
    assert "hostname" not in world.api.get(at).json
    # Whoever asks for it next shows another secret.
    assert _wish(world, _site(world, "Other site"), host)["isActive"] is False


def test_a_wish_given_up_meanwhile_is_not_served(world: World, names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    at, host = _site(world), _host()
    world.api.patch(at, {"hostname": host})
    secret = world.api.get(f"/v1/custom-hostnames/{host}").json["proof"]["value"]
    seen = names.ask

    async def ask(name: str, servers: dns.Servers) -> list[str]:
        await world.api.send("PATCH", at, {"hostname": None})
        await seen(name, servers)
        return [secret]

    monkeypatch.setattr(dns, "texts", ask)
    world.work()
    assert not _answers(world, host)
    assert world.api.get(f"/v1/custom-hostnames/{host}").status == 404


def test_two_wishes_at_once(world: World, names: Names) -> None:
    host, ats = _host(), [_site(world, f"Site {number}") for number in range(2)]

    async def both() -> list[int]:
        send = world.api.send
        return [one.status for one in await asyncio.gather(*(send("PATCH", at, {"hostname": host}) for at in ats))]

    assert sorted(world.run(both())) == [200, 409]
    proofs = world.run(world.house.store.read(lambda unit: unit.hostnames.asked_for(host)))
    names.texts[f"_octavo.{host}"] = [one.hostname_secret or "" for one in proofs]
    world.work()
    published = [world.api.get(at).json["urls"]["published"] for at in ats]
    assert published.count(f"https://{host}/") == 1


def test_only_admins_of_the_site_see_it(world: World, names: Names) -> None:
    at, host = _site(world), _host()
    _wish(world, at, host)
    check_roles(world, "admin", "GET", f"/v1/custom-hostnames/{host}", success=200)
    check_roles(world, "admin", "PATCH", f"/v1/custom-hostnames/{host}", success=204)
    for token, status in ((world.person("create"), 403), (world.person(None), 404)):
        assert world.api.delete(f"/v1/custom-hostnames/{host}", token=token).status == status
    assert world.api.get(f"/v1/custom-hostnames/{_host()}").status == 404


def test_a_proxy_asks_for_hosts(world: World) -> None:
    asked = "/~octavo/hosts"
    site = world.site(world.space()["id"])
    assert world.api.get(f"{asked}?domain=octavo.test", token="").status == 200
    assert world.api.get(f"{asked}?domain={site['basename']}.localhost", token="").status == 200
    for other in ("", "?domain=", "?domain=nobody.localhost", "?domain=example.org"):
        assert world.api.get(asked + other, token="").status == 404
    assert world.api.get(
        f"{asked}?domain=octavo.test", token="", headers={"host": f"{site['basename']}.localhost"}
    ).status == 404  # fmt: skip
