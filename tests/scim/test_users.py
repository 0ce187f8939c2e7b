"""Users by SCIM: who becomes a member, what providers send, and what ends when they say that somebody left."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo.access.people import sessions
from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.records.people import Member, Token, User
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.scim.speaking import DOMAIN, USER, Idp, token_of


@pytest.fixture
def idp(world: World) -> Idp:
    return Idp(world, token_of(world))


def _name() -> str:
    return f"u{uuid.uuid4().hex}"


def _account(world: World, address: str, **said: Any) -> tuple[str, str]:
    """An account with a token, and what it calls with."""
    user, secret = User(id=new_id(), email=address, name="Grace", **{"email_verified": 1} | said), new_token()

    async def make(unit: Any) -> None:
        await unit.people.add_user(user)
        await unit.people.add_token(Token(id=new_id(), user=user.id, hash=token_hash(secret), created_at=unit.now))

    world.run(world.house.store.write(make))
    return user.id, secret


def _elsewhere(world: World, user: str) -> str:
    """Another organization, of which the user is a member."""
    organization = str(world.api.post("/v1/orgs", {"title": "Elsewhere"}).json["id"])
    member = Member(organization=organization, user=user, role="edit", joined_at=world.house.store.clock() + 1)
    world.run(world.house.store.write(lambda unit: unit.people.add_member(member)))
    return organization


def _members(world: World) -> dict[str, Any]:
    listed = world.api.get(f"/v1/orgs/{world.organization}/members?limit=1000").json["items"]
    return {one["user"]["id"]: one for one in listed}


@pytest.fixture
def operated(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    """A world whose settings name somebody of the domain as its operator, who has no account yet."""
    with opened_world(engine, clock, memory_folder, loop, operators=[f"{_name().upper()}@{DOMAIN}"]) as made:
        yield made


def test_nobody_becomes_an_operator_by_a_provider(operated: World) -> None:
    """They are named by address, and a provider says who has which."""
    world, idp = operated, Idp(operated, token_of(operated))
    operator = world.house.settings.operators[0].lower()
    user = idp.user(_name())["id"]
    said = idp.patch(f"/Users/{user}", {"op": "replace", "path": "emails", "value": [{"value": operator}]})
    assert "an operator of this installation" in idp.refused(said, 409, "uniqueness")
    assert operator not in world.api.get(f"/v1/orgs/{world.organization}/members/{user}").text
    said = idp.ask("POST", "/Users", {"schemas": [USER], "userName": operator})
    assert "an operator of this installation" in idp.refused(said, 409, "uniqueness")
    known, _ = _account(world, operator)
    assert idp.user(operator.partition("@")[0])["id"] == known, "she has it already"


def test_somebody_comes_changes_and_goes(world: World, idp: Idp) -> None:
    name = _name()
    world.api.patch(f"/v1/orgs/{world.organization}", {"defaultRole": "read"})
    sent = {
        "name": {"givenName": "Grace", "familyName": "Hopper"},
        "externalId": "e-1",
        "title": "Admiral",
        "password": "x",
    }
    made = idp.user(name, **sent)
    at = f"/Users/{made['id']}"
    assert made["meta"]["location"] == f"http://octavo.test/scim/v2{at}"
    assert (made["userName"], made["externalId"], made["active"]) == (f"{name}@{DOMAIN}", "e-1", True)
    assert not {"title", "password"} & set(made)
    member = _members(world)[made["id"]]
    assert (member["role"], member["user"]["displayName"], member["user"]["email"]) == (
        "read", "Grace Hopper", f"{name}@{DOMAIN}")  # fmt: skip
    # Named once more by each way that providers ask.
    for asked in (f'userName eq "{name.upper()}@{DOMAIN}"', 'externalId eq "e-1"', f'emails.value eq "{name}@{DOMAIN}"',
                  f'userName sw "{name}" and active eq true', f'id eq "{made["id"]}"'):  # fmt: skip
        found = idp.ask("GET", f"/Users?filter={asked.replace(' ', '%20')}").json
        wanted = [] if "emails" in asked else [made["id"]]
        assert [one["id"] for one in found.get("Resources", [])] == wanted, asked
    idp.refused(idp.ask("POST", "/Users", {"schemas": [USER], "userName": f"{name}@{DOMAIN}"}), 409, "uniqueness")
    put = {"schemas": [USER], "userName": f"{name}@{DOMAIN}", "displayName": "Rear Admiral", "active": True,
           "emails": [{"value": f"new-{name}@{DOMAIN}", "type": "work", "primary": True}]}  # fmt: skip
    assert idp.ask("PUT", at, put).json["displayName"] == "Rear Admiral"
    shown = _members(world)[made["id"]]["user"]
    assert (shown["displayName"], shown["email"]) == ("Rear Admiral", f"new-{name}@{DOMAIN}")
    assert idp.ask("DELETE", at).status == 204
    assert made["id"] not in _members(world)
    idp.refused(idp.ask("GET", at), 404)
    idp.refused(idp.ask("DELETE", at), 404)
    for verb in ("create", "update", "remove"):
        asked = f"/v1/orgs/{world.organization}/audit-events?action=scim.user.{verb}"
        [told] = world.api.get(asked).json["items"]
        assert (told["actor"]["type"], told["target"]["id"]) == ("system", made["id"])


def test_what_providers_send_in_their_own_way(world: World, idp: Idp) -> None:
    user = idp.user(_name(), emails=[{"value": f"a@{DOMAIN}", "type": "work"}])
    at, fresh = f"/Users/{user['id']}", f"{_name()}@{DOMAIN}"
    entra = [
        {"op": "Replace", "path": "active", "value": "False"},
        {"op": "Add", "path": 'emails[type eq "work"].value', "value": fresh},
        {"op": "Add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "value": "Sea"},
    ]
    reply = idp.patch(at, *entra)
    assert reply.status == 200, reply.text
    assert (reply.json["active"], reply.json["emails"][0]["value"]) == (False, fresh)
    okta = {"op": "replace", "value": {"id": user["id"], "active": "True", "name.givenName": "Grace",
                                       'emails[type eq "home"].value': f"home-{fresh}"}}  # fmt: skip
    reply = idp.patch(at, okta)
    assert (reply.status, reply.json["active"], reply.json["name"]["givenName"]) == (200, True, "Grace"), reply.text
    assert {one["type"]: one["value"] for one in reply.json["emails"]} == {"work": fresh, "home": f"home-{fresh}"}
    for said in ({"op": "replace", "path": "active", "value": "maybe"}, {"op": "move"}, {"op": "remove"},
                 {"op": "replace", "path": "userName", "value": ""}, {"op": "add", "path": "emails[", "value": 1}):  # fmt: skip
        assert idp.patch(at, said).status == 400, said
    idp.refused(idp.ask("POST", "/Users", {"schemas": [USER], "userName": "no address"}), 400, "invalidValue")
    idp.refused(idp.ask("POST", "/Users", {"schemas": [USER], "userName": "a\u0000@b.c"}), 400, "invalidValue")
    idp.refused(idp.ask("GET", "/Users?filter=userName%20eq"), 400, "invalidFilter")
    assert world.api.request("POST", "/scim/v2/Users", body=b"{", token=idp.token).status == 400


def test_a_change_knows_what_it_changes(world: World, idp: Idp) -> None:
    user = idp.user(_name())
    at, tag = f"/Users/{user['id']}", user["meta"]["version"]
    assert idp.ask("GET", at).headers["etag"] == tag
    assert idp.ask("GET", at, if_none_match=tag).status == 304
    change = {"op": "replace", "path": "displayName", "value": "Another"}
    assert idp.patch(at, change, if_match=tag).status == 200
    idp.refused(idp.patch(at, change, if_match=tag), 412)
    # Of two at once who saw the same, one is told.
    tag = idp.ask("GET", at).json["meta"]["version"]
    body = {"schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"]}

    async def both() -> list[int]:
        sent = [
            world.api.send("PATCH", f"/scim/v2{at}", body | {"Operations": [change | {"value": name}]},
                           token=idp.token, headers={"if-match": tag})
            for name in ("One", "Other")
        ]  # fmt: skip
        return sorted(one.status for one in await asyncio.gather(*sent))

    assert world.run(both()) == [200, 412]


def test_lists_are_cut_and_sorted(world: World, idp: Idp) -> None:
    mark = _name()
    made = [idp.user(f"{mark}-{letter}", displayName=letter)["id"] for letter in "bca"]
    about = f"filter=userName%20sw%20%22{mark}%22&sortBy=displayName"
    first = idp.ask("GET", f"/Users?{about}&count=2").json
    rest = idp.ask("GET", f"/Users?{about}&count=2&startIndex=3").json
    assert (first["totalResults"], first["itemsPerPage"], rest["startIndex"], rest["itemsPerPage"]) == (3, 2, 3, 1)
    assert [one["id"] for one in first["Resources"] + rest["Resources"]] == [made[2], made[0], made[1]]
    back = idp.ask("GET", f"/Users?{about}&sortOrder=descending&attributes=userName").json["Resources"]
    assert [one["id"] for one in back] == [made[1], made[0], made[2]]
    assert not {"emails", "displayName"} & set(back[0])
    assert idp.ask("GET", "/Users?count=0").json["totalResults"] == len(_members(world))
    looked = {"schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], "filter": f'userName sw "{mark}"'}
    assert idp.ask("POST", "/Users/.search", looked).json["totalResults"] == 3


def test_accounts_are_joined_by_proven_domains_alone(world: World, idp: Idp) -> None:
    name = _name()
    said = idp.refused(idp.ask("POST", "/Users", {"schemas": [USER], "userName": f"{name}@elsewhere.test"}), 409)
    assert "has not proven that the domain elsewhere.test is its own" in said
    account, _ = _account(world, f"{name}@{DOMAIN}")
    made = idp.user(name, displayName="Grace Hopper")
    assert made["id"] == account
    # Hers alone, it follows; once she is elsewhere as herself, it does not.
    at, change = f"/Users/{account}", {"op": "replace", "path": "displayName", "value": "Grace B. Hopper"}
    assert idp.patch(at, change).status == 200
    assert _members(world)[account]["user"]["displayName"] == "Grace B. Hopper"
    _elsewhere(world, account)
    moved = {"op": "replace", "path": "emails", "value": [{"value": f"taken-{name}@{DOMAIN}"}]}
    assert idp.patch(at, change | {"value": "Somebody"}, moved).json["displayName"] == "Somebody"
    shown = _members(world)[account]["user"]
    assert (shown["displayName"], shown["email"]) == ("Grace B. Hopper", f"{name}@{DOMAIN}")
    # Nobody takes the address of another account, nor one of a domain that is not proven.
    second = f"/Users/{idp.user(_name())['id']}"
    idp.refused(idp.patch(second, moved | {"value": [{"value": f"{name}@{DOMAIN}"}]}), 409, "uniqueness")
    idp.refused(idp.patch(second, moved | {"value": [{"value": "a@elsewhere.test"}]}), 409)
    # Who came by hand is seen too, under her address.
    guest, _ = _account(world, f"{_name()}@private.test")
    member = Member(organization=world.organization, user=guest, role=None, joined_at=1)
    world.run(world.house.store.write(lambda unit: unit.people.add_member(member)))
    assert idp.ask("GET", f"/Users/{guest}").json["userName"].endswith("@private.test")
    assert idp.patch(f"/Users/{guest}", change | {"value": "Renamed"}).status == 200
    assert _members(world)[guest]["user"]["displayName"] == "Grace"


def test_who_opened_an_account_under_anothers_address_does_not_come_in_by_it(world: World, idp: Idp) -> None:
    name = _name()
    account, secret = _account(world, f"{name}@{DOMAIN}", email_verified=0)
    assert world.api.get("/v1/user", token=secret).status == 200
    assert idp.user(name)["id"] == account
    assert world.api.get("/v1/user", token=secret).status == 401


def test_who_left_is_out_at_once(world: World, idp: Idp) -> None:
    name = _name()
    account, secret = _account(world, f"{name}@{DOMAIN}")
    user = idp.user(name)["id"]

    async def begin(unit: Any) -> str:
        return (await sessions.begin(unit, account, "password"))[0]

    value = world.run(world.house.store.write(begin))
    at = f"/v1/orgs/{world.organization}"
    assert (user, world.api.get(at, token=secret).status) == (account, 200)
    assert idp.patch(f"/Users/{user}", {"op": "replace", "value": {"active": False}}).json["active"] is False
    assert world.api.get(at, token=secret).status == 401
    assert world.run(world.house.store.read(lambda unit: sessions.find(unit, value))) is None
    assert _members(world)[user]["disabled"] is True
    # Back in, she signs in anew.
    assert idp.patch(f"/Users/{user}", {"op": "replace", "path": "active", "value": True}).json["active"] is True
    assert (_members(world)[user]["disabled"], world.api.get(at, token=secret).status) == (False, 401)


def test_who_is_elsewhere_too_keeps_what_is_hers_there(world: World, idp: Idp) -> None:
    name = _name()
    account, secret = _account(world, f"{name}@{DOMAIN}")
    idp.user(name)
    elsewhere = _elsewhere(world, account)
    provider = world.api.post(f"/v1/orgs/{world.organization}/oidc", {"label": "Acme"}).json["id"]
    by_provider = new_token()
    token = Token(id=new_id(), user=account, hash=token_hash(by_provider), provider=provider, created_at=1)
    world.run(world.house.store.write(lambda unit: unit.people.add_token(token)))
    assert world.api.get("/v1/user", token=by_provider).status == 200
    assert idp.patch(f"/Users/{account}", {"op": "replace", "path": "active", "value": False}).status == 200
    assert world.api.get("/v1/user", token=by_provider).status == 401
    assert world.api.get(f"/v1/orgs/{world.organization}", token=secret).status == 404
    assert world.api.get(f"/v1/orgs/{elsewhere}", token=secret).status == 200


def test_an_organization_keeps_an_admin(world: World, idp: Idp) -> None:
    [admin] = [one["id"] for one in _members(world).values() if one["role"] == "admin"]
    said = idp.refused(idp.patch(f"/Users/{admin}", {"op": "replace", "path": "active", "value": False}), 409)
    assert "no other admin" in said
    idp.refused(idp.ask("DELETE", f"/Users/{admin}"), 409)
    assert _members(world)[admin]["disabled"] is False
    # What was refused left nothing behind.
    assert world.run(world.house.store.read(lambda unit: unit.scim.user(world.organization, admin))) is None
