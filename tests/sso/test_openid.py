"""Signing in by OpenID Connect: out and back, who comes in as what, keys that change, and signing out."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.sso.openid import CLIENT, ISSUER, SECRET, Provider, at_provider, published, trusting


def _members(world: World) -> dict[str, Any]:
    listed = world.api.get(f"/v1/orgs/{world.organization}/members?limit=1000").json["items"]
    return {one["user"].get("email", ""): one["role"] for one in listed}


def test_somebody_goes_out_comes_back_and_is_a_member(world: World) -> None:
    acme = trusting(world, defaultRole="edit")
    one, query = acme.go("/app/spaces")
    assert (query["response_type"], query["client_id"], query["code_challenge_method"]) == ("code", CLIENT, "S256")
    assert query["redirect_uri"] == f"http://octavo.test/sso/oidc/{acme.id}/callback"
    reply = acme.back(one, query)
    assert (reply.status, reply.headers["location"]) == (303, "/app/spaces")
    assert one.signed_in
    assert acme.provider.posted["redirect_uri"] == query["redirect_uri"]
    both = base64.b64decode(acme.provider.headers["authorization"].removeprefix("Basic ")).decode()
    assert both == f"{CLIENT}:{quote(SECRET, safe='')}"
    assert _members(world)[acme.provider.claims["email"]] == "edit"
    again, second = acme.sign_in()
    assert (second.status, again.signed_in) == (303, True)
    assert len([email for email in _members(world) if email == acme.provider.claims["email"]]) == 1


def test_ways_to_sign_in_name_it(world: World) -> None:
    acme = trusting(world)
    assert f"/sso/oidc/{acme.id}/start" in world.api.get(f"/sso?organization={world.organization}", token="").text
    listed = world.api.get(f"/v1/orgs/{world.organization}/sso").json["items"]
    assert {"id": acme.id, "label": "Acme", "startURL": f"http://octavo.test/sso/oidc/{acme.id}/start"} in listed
    assert acme.id not in world.api.get(f"/v1/orgs/{world.organization}/saml").text
    assert world.api.get(f"/v1/orgs/{world.organization}/saml/{acme.id}").status == 404
    shown = world.api.get(acme.base).json
    assert (shown["hasSecret"], SECRET in world.api.get(acme.base).text) == (True, False)
    acme.change(clientID="")
    assert world.api.get(acme.base).json["status"] == "pending"
    assert world.api.get(f"/sso/oidc/{acme.id}/start", token="").status == 409


def test_an_address_has_to_be_verified(world: World) -> None:
    acme = trusting(world)
    for said in (None, False, "false", 1):
        acme.provider.claims["email_verified"] = said
        one, reply = acme.sign_in()
        assert (reply.status, one.signed_in) == (403, False), said
    acme.change(trustEmail=True)
    assert acme.sign_in()[0].signed_in
    acme.provider.claims |= {"sub": "other", "email": "ada@elsewhere.test"}
    assert not acme.sign_in()[0].signed_in, "the domain is not this organization's"


def test_claims_become_roles_and_teams_at_every_sign_in(world: World) -> None:
    team = world.api.put(f"/v1/orgs/{world.organization}/teams", {"title": "Writers"}).json
    team = team.get("id") or team["items"][0]["id"]
    acme = trusting(world, roles={"a": "edit", "b": "review"}, teams={"writers": team}, defaultRole="read")
    email = acme.provider.claims["email"]
    places = f"/v1/orgs/{world.organization}/teams/{team}/members"

    def within() -> bool:
        return email in world.api.get(places).text

    for groups, role, writes in ((["a", "b", "writers"], "review", True), (["a"], "edit", False), ([], "read", False)):
        acme.provider.claims["groups"] = groups
        assert acme.sign_in()[1].status == 303
        assert (_members(world)[email], within()) == (role, writes), groups
    acme.provider.claims["groups"] = ["b", "writers"]
    acme.sign_in()
    acme.provider.claims["groups"] = None
    acme.sign_in()
    assert (_members(world)[email], within()) == ("review", True), "a claim that is not there takes nothing"
    acme.change(claim="realm_access.roles")
    acme.provider.claims["realm_access"] = {"roles": ["a"]}
    acme.sign_in()
    assert _members(world)[email] == "edit"
    for wrong in ({"teams": {"x": "nobody"}}, {"roles": {"x": "king"}}, {"issuer": "ftp://x"}, {"label": ""}):
        assert world.api.patch(acme.base, wrong).status == 400, wrong


def test_keys_change_and_are_asked_for_no_more_often_than_needed(world: World) -> None:
    acme = trusting(world)
    assert acme.sign_in()[0].signed_in
    acme.provider.keys, acme.provider.signed_by = [published("second")], "second"
    assert not acme.sign_in()[0].signed_in, "looked for a moment ago"
    acme.clock[0] += 31
    assert acme.sign_in()[0].signed_in
    asked = acme.provider.asked.count("/keys")
    acme.provider.signed_by = "third"
    for _ in range(5):
        assert not acme.sign_in()[0].signed_in
    assert acme.provider.asked.count("/keys") <= asked + 1
    acme.provider.signed_by = "second"
    acme.clock[0] += 3600
    acme.provider.keys = [published("first")]
    assert not acme.sign_in()[0].signed_in, "a key that was taken back serves no more"


@pytest.mark.parametrize("kind", ["ES256", "PS256", "EdDSA"])
def test_other_safe_signatures_do(world: World, kind: str) -> None:
    acme = trusting(world)
    acme.provider.keys, acme.provider.algorithm = [published("first", kind)], kind
    assert acme.sign_in()[0].signed_in


def test_what_the_token_does_not_say_is_asked_for(world: World) -> None:
    acme = trusting(world)
    email = acme.provider.claims["email"]
    acme.provider.claims["email"] = None
    acme.provider.claims["email_verified"] = None
    acme.provider.userinfo = {"sub": "somebody else", "email": email, "email_verified": True}
    assert not acme.sign_in()[0].signed_in
    acme.provider.userinfo["sub"] = acme.provider.claims["sub"]
    assert acme.sign_in()[0].signed_in


def test_a_provider_that_is_away_is_a_page_and_no_error(world: World) -> None:
    acme = trusting(world)
    acme.provider.status = 500
    reply = world.api.get(f"/sso/oidc/{acme.id}/start", token="")
    assert (reply.status, "could not be asked" in reply.text) == (502, True)


def test_signing_out_leads_to_the_provider_too(world: World) -> None:
    acme = trusting(world)
    one, _ = acme.sign_in()
    one.get("/logout")
    reply = one.post("/logout")
    assert reply.headers["location"] == f"/sso/oidc/{acme.id}/out"
    assert not one.signed_in
    page = one.get(reply.headers["location"]).text
    assert f"{ISSUER}/out?client_id={CLIENT}" in page


def test_enforced_it_lets_nobody_in_otherwise_and_the_operator_breaks_the_glass(world: World) -> None:
    acme = trusting(world, defaultRole="admin")
    one, _ = acme.sign_in()
    path = f"/v1/orgs/{world.organization}"
    changed = world.run(_enforce(world))
    assert changed
    assert world.api.get(path).status in (403, 404)
    assert one.signed_in

    async def off(unit: Any) -> None:
        await unit.people.change_organization(await unit.people.organization(world.organization), sso=False)

    world.run(world.house.store.write(off))
    assert world.api.get(path).status == 200


async def _enforce(world: World) -> bool:
    async def work(unit: Any) -> bool:
        record = await unit.people.organization(world.organization)
        return bool((await unit.people.change_organization(record, sso=True)).sso)

    return bool(await world.house.store.write(work))


def test_a_provider_for_the_whole_installation(
    engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> None:
    settings = {"oidc_issuer": ISSUER, "oidc_client_id": CLIENT, "oidc_label": "Acme"}
    with opened_world(engine, clock, memory_folder, loop, **settings) as world:
        provider = Provider(clock)
        at_provider(world, provider)
        from tests.console.browsing import browser
        from tests.sso.openid import Trusting

        acme = Trusting(world, provider, "installation", "", [0.0])
        provider.claims = {"sub": f"s{world.organization}", "email": f"s{world.organization}@acme.test"}
        page = browser(world).get("/login").text
        assert "/sso/oidc/installation/start" in page
        assert "Sign in with Acme" in page
        provider.claims["email_verified"] = False
        assert not acme.sign_in()[0].signed_in
        provider.claims["email_verified"] = True
        one, reply = acme.sign_in()
        assert (reply.status, one.signed_in) == (303, True)
        assert "client_secret" not in provider.posted
        assert provider.posted["client_id"] == CLIENT, "a public client"
        provider.claims["email"] = "changed@acme.test"
        assert acme.sign_in()[0].signed_in, "whom it meant before, whatever the address is now"


def test_a_provider_says_when_somebody_last_signed_in_by_it(world: World) -> None:
    acme, other = trusting(world), trusting(world)
    assert world.api.get(acme.base).json["signedInAt"] is None
    at_provider(world, acme.provider)
    one, _ = acme.sign_in()
    assert one.signed_in
    said = {
        each["id"]: each["signedInAt"] for each in world.api.get(f"/v1/orgs/{world.organization}/oidc").json["items"]
    }
    assert said[acme.id] == world.api.get(acme.base).json["signedInAt"] is not None
    assert said[other.id] is None
