"""Invite links: made, shown, changed, deleted; joining by them, also two at once."""

from __future__ import annotations

import asyncio
from typing import Any

from octavo.kernel.clock import DAY, HOUR, iso
from octavo.kernel.events import CollectionChanged, Event, SpaceChanged
from octavo.kernel.records.people import Member
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import call, check_json, check_refusals, check_roles, other_organization
from tests.resources.proposals import user_of


def _links(world: World, rest: str = "") -> str:
    return f"/v1/orgs/{world.organization}/link-invites{rest}"


def _made(world: World, **body: Any) -> dict[str, Any]:
    reply = world.api.post(_links(world), body or {"role": "edit"})
    assert reply.status == 201, reply.text
    made: dict[str, Any] = reply.json
    return made


def _join(world: World, token: str, invite: str, organization: str | None = None) -> int:
    return call(world, token, "POST", f"/v1/orgs/{organization or world.organization}/invites/{invite}").status


def _role(world: World, token: str) -> Any:
    reply = world.api.get(f"/v1/orgs/{world.organization}/members/{user_of(world, token)}")
    return reply.json["role"] if reply.status == 200 else reply.status


def test_a_link_as_it_is_made(world: World) -> None:
    reply = world.api.post(_links(world), {"role": "comment", "unknown": 1, "uses": 7, "id": "mine"})
    assert reply.status == 201
    made = reply.json
    assert (made["object"], made["role"], made["redundant"], made["uses"]) == ("invite", "comment", True, 0)
    assert made["id"] != "mine"
    assert "level" not in made
    assert reply.headers["location"] == made["urls"]["location"]
    assert made["urls"]["app"] == f"http://octavo.test/invites/{world.organization}/{made['id']}"
    assert world.api.get(_links(world, f"/{made['id']}")).json == made
    assert world.api.get(_links(world)).json["items"] == [made]
    assert _made(world, role=None)["role"] is None


def test_who_may_make_and_list_them(world: World) -> None:
    check_roles(world, "admin", "POST", _links(world), {"role": "read"}, success=201, guest=403)
    assert world.api.get(_links(world)).json["count"] == 1
    for role in ("read", "create", "guest"):
        assert call(world, world.person(role), "GET", _links(world)).json["items"] == []
    assert call(world, world.person(None), "GET", _links(world)).status == 404


def test_admins_of_a_space_or_collection_invite_to_it(world: World) -> None:
    space = world.space("Terns")["id"]
    collection = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Birds"}).json["id"]
    grace = world.person("read")
    for kind, key in (("space", space), ("collection", collection)):
        body = {"level": "edit", kind: key}
        assert call(world, grace, "POST", _links(world), body).status == 403
        assert call(world, world.person("guest"), "POST", _links(world), body).status == 404
        world.grant(grace, kind, key, "admin")
        reply = call(world, grace, "POST", _links(world), body)
        assert reply.status == 201, reply.text
        assert (reply.json["level"], reply.json[kind]["id"]) == ("edit", key)
        assert "role" not in reply.json
        assert reply.json["redundant"] is True
    mine = call(world, grace, "GET", _links(world)).json
    assert (mine["count"], world.api.get(_links(world)).json["count"]) == (2, 2)
    _made(world)
    assert call(world, grace, "GET", _links(world)).json["count"] == 2, "links to the organization are its admins'"
    one = mine["items"][0]["id"]
    assert call(world, grace, "PATCH", _links(world, f"/{one}"), {"level": "read"}).json["level"] == "read"
    assert call(world, grace, "DELETE", _links(world, f"/{one}")).status == 205


def test_bad_input(world: World) -> None:
    space = world.space()["id"]
    cases: list[tuple[Any, str]] = [
        ({}, "role"), ({"role": "guest"}, "role"), ({"role": 1}, "role"), ({"level": "read"}, "role"),
        ({"space": space}, "level"), ({"level": "boss", "space": space}, "level"), ({"level": "read", "space": 3}, "space"),
        ({"level": "read", "space": space, "collection": "x"}, "collection"),
        ({"role": "read", "level": "read", "space": space}, "role"),
        ({"role": "read", "maxUses": 0}, "maxUses"), ({"role": "read", "maxUses": "2"}, "maxUses"),
        ({"role": "read", "expiresAt": "tomorrow"}, "expiresAt"), ({"role": "read", "expiresAt": iso(0)}, "expiresAt"),
        ({"role": "read", "expiresAt": "2099-01-01T00:00:00"}, "expiresAt"),
    ]  # fmt: skip
    check_refusals(world, "POST", _links(world), cases)
    check_json(world, "POST", _links(world))
    assert world.api.post(_links(world), {"level": "read", "space": "nothing"}).status == 404
    elsewhere = other_organization(world)["id"]
    theirs = world.api.post(f"/v1/orgs/{elsewhere}/spaces", {"title": "Theirs"}).json["id"]
    assert world.api.post(_links(world), {"level": "read", "space": theirs}).status == 404
    one = _made(world)["id"]
    wrong: list[tuple[Any, str]] = [
        ({"role": "boss"}, "role"), ({"level": "read"}, "level"), ({"maxUses": 0}, "maxUses"),
        ({"expiresAt": iso(0)}, "expiresAt"),
    ]  # fmt: skip
    check_refusals(world, "PATCH", _links(world, f"/{one}"), wrong)
    check_json(world, "PATCH", _links(world, f"/{one}"))
    assert world.api.get(_links(world)).json["count"] == 1


def test_a_link_lasts_until_the_end_of_time_at_most(world: World) -> None:
    for ends in ("9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59-14:00"):
        assert _made(world, role="read", expiresAt=ends)["expiresAt"] == "9999-12-31T23:59:59.999Z"
    assert world.api.get(_links(world)).json["count"] == 2


def test_a_link_is_changed_and_deleted_by_admins(world: World, clock: FakeClock) -> None:
    path = _links(world, f"/{_made(world)['id']}")
    check_roles(world, "admin", "PATCH", path, {"role": "review"}, success=200, guest=403)
    ends = iso(clock.now + DAY)
    changed = world.api.patch(path, {"expiresAt": ends, "maxUses": 3}).json
    assert (changed["role"], changed["expiresAt"], changed["maxUses"]) == ("review", ends, 3)
    lifted = world.api.patch(path, {"expiresAt": None, "maxUses": None}).json
    assert {"expiresAt", "maxUses"}.isdisjoint(lifted)
    sent = {
        "id": "chosen", "object": "x", "redundant": False, "uses": 99, "createdAt": iso(0), "createdBy": "x",
        "space": world.space()["id"], "organization": "x", "urls": {},
    }  # fmt: skip
    assert world.api.patch(path, sent).json == lifted == world.api.get(path).json
    for role in ("create", "guest"):
        assert call(world, world.person(role), "DELETE", path).status == 403
    assert call(world, world.person(None), "DELETE", path).status == 404
    assert world.api.delete(path).status == 205
    assert world.api.delete(path).status == 404
    assert world.api.get(path).status == world.api.patch(path, {}).status == 404


def test_joining(world: World) -> None:
    link, grace = _made(world, role="edit")["id"], world.person(None)
    shown = call(world, grace, "GET", _links(world, f"/{link}"))
    assert (shown.status, shown.json["redundant"], shown.json["role"]) == (200, False, "edit")
    assert call(world, grace, "GET", f"/v1/orgs/{world.organization}").status == 404
    reply = call(world, grace, "POST", f"/v1/orgs/{world.organization}/invites/{link}")
    assert (reply.status, reply.json) == (200, {"organization": world.organization})
    assert _role(world, grace) == "edit"
    assert call(world, grace, "GET", f"/v1/orgs/{world.organization}").status == 200
    assert call(world, grace, "GET", _links(world, f"/{link}")).json["redundant"] is True
    assert _join(world, grace, link) == 200, "again, it gives nothing more"
    assert world.api.get(_links(world, f"/{link}")).json["uses"] == 1
    guest = _made(world, role=None)["id"]
    linus = world.person(None)
    assert _join(world, linus, guest) == 200
    assert _role(world, linus) is None
    assert _join(world, linus, link) == 200
    assert _role(world, linus) == "edit", "more than before"


def test_a_link_never_takes_anything_away(world: World) -> None:
    link = _made(world, role="read")["id"]
    for role in ("comment", "create", "admin"):
        token = world.person(role)
        assert _join(world, token, link) == 200
        assert _role(world, token) == role
    assert world.api.get(_links(world, f"/{link}")).json["uses"] == 0


def test_joining_a_space_and_a_collection(world: World) -> None:
    space = world.space("Terns", defaultLevel="inherit")["id"]
    collection = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Birds"}).json["id"]
    inside = world.space("Gulls", parent=collection)["id"]
    to_space = _made(world, level="comment", space=space)["id"]
    to_collection = _made(world, level="edit", collection=collection)["id"]
    grace = world.person(None)
    assert call(world, grace, "GET", _links(world, f"/{to_space}")).json["space"]["title"] == "Terns"
    seen: list[Event] = []
    known = world.house.store._reactions
    world.house.store._reactions = lambda one: [*(seen.append(one) or ()), *known(one)]  # type: ignore[func-returns-value]
    assert _join(world, grace, to_space) == 200
    assert _role(world, grace) is None, "a guest of the organization"
    permissions = call(world, grace, "GET", f"/v1/spaces/{space}").json["permissions"]
    assert (permissions["comment"], permissions["edit"]) == (True, False)
    assert call(world, grace, "GET", f"/v1/spaces/{inside}").status == 404
    assert _join(world, grace, to_collection) == 200
    changes = [one for one in seen if isinstance(one, SpaceChanged | CollectionChanged)]
    assert changes == [
        SpaceChanged(organization=world.organization, space=space),
        CollectionChanged(organization=world.organization, collection=collection),
    ]
    assert call(world, grace, "GET", f"/v1/spaces/{inside}").json["permissions"]["edit"] is True
    world.grant(grace, "space", space, "admin")
    assert call(world, grace, "GET", _links(world, f"/{to_space}")).json["redundant"] is True
    assert _join(world, grace, to_space) == 200
    assert call(world, grace, "GET", f"/v1/spaces/{space}").json["permissions"]["admin"] is True
    assert world.api.delete(f"/v1/spaces/{space}").status == 205
    assert _join(world, world.person(None), to_space) == 404
    assert world.api.get(_links(world)).json["count"] == 1
    assert world.api.delete(f"/v1/collections/{collection}").status == 205
    assert _join(world, world.person(None), to_collection) == 404


def test_links_that_let_nobody_in(world: World, clock: FakeClock) -> None:
    grace = world.person(None)
    soon = _made(world, role="read", expiresAt=iso(clock.now + HOUR))["id"]
    once = _made(world, role="read", maxUses=1)["id"]
    revoked = _made(world, role="read")["id"]
    world.api.delete(_links(world, f"/{revoked}"))
    clock.advance(HOUR)
    assert _join(world, grace, soon) == 409
    assert call(world, grace, "GET", _links(world, f"/{soon}")).status == 404
    assert world.api.get(_links(world, f"/{soon}")).status == 200, "for those who may change it"
    assert _join(world, world.person(None), once) == 200
    assert _join(world, grace, once) == 409
    assert _join(world, grace, revoked) == _join(world, grace, "nothing") == 404
    assert _join(world, grace, once, "nothing") == 404
    assert _join(world, grace, once, other_organization(world)["id"]) == 404
    assert world.api.patch(_links(world, f"/{once}"), {"maxUses": 2}).status == 200
    world.api.patch(f"/v1/orgs/{world.organization}", {"inviteLinks": False})
    assert _join(world, grace, once) == 409
    assert world.api.post(_links(world), {"role": "read"}).status == 409
    world.api.patch(f"/v1/orgs/{world.organization}", {"inviteLinks": True})
    assert _join(world, grace, once) == 200


def test_a_disabled_member_stays_out(world: World) -> None:
    grace = world.person("read")
    user = user_of(world, grace)

    async def disable(unit: Any) -> None:
        member = await unit.people.member(world.organization, user)
        await unit.people.change_member(member, disabled=True)

    world.run(world.house.store.write(disable))
    assert _join(world, grace, _made(world, role="edit")["id"]) == 403
    assert call(world, grace, "GET", f"/v1/orgs/{world.organization}").status == 404


def test_two_take_the_last_use_at_once(world: World) -> None:
    link = _made(world, role="read", maxUses=1)["id"]
    tokens = [world.person(None) for _ in range(4)]
    path = f"/v1/orgs/{world.organization}/invites/{link}"

    async def together() -> list[int]:
        replies = await asyncio.gather(*(world.api.send("POST", path, None, token=token) for token in tokens))
        return sorted(reply.status for reply in replies)

    assert world.run(together()) == [200, 409, 409, 409]
    assert world.api.get(_links(world, f"/{link}")).json["uses"] == 1
    assert world.api.get(f"/v1/orgs/{world.organization}/members").json["count"] == 2


def test_one_person_joins_twice_at_once(world: World) -> None:
    link, token = _made(world, role="read")["id"], world.person(None)
    path = f"/v1/orgs/{world.organization}/invites/{link}"

    async def together() -> list[int]:
        replies = await asyncio.gather(*(world.api.send("POST", path, None, token=token) for _ in range(4)))
        return [reply.status for reply in replies]

    assert world.run(together()) == [200] * 4
    assert world.api.get(_links(world, f"/{link}")).json["uses"] == 1


def test_pages_of_the_list(world: World, clock: FakeClock) -> None:
    made = []
    for _ in range(3):
        clock.advance(5)
        made.append(_made(world, role="read")["id"])
    first = world.api.get(_links(world, "?limit=2")).json
    rest = world.api.get(_links(world, f"?limit=2&page={first['next']['page']}")).json
    assert [one["id"] for one in first["items"] + rest["items"]] == made[::-1]
    assert "next" not in rest


def test_who_lost_a_role_does_not_come_back_by_a_link_of_her_own(world: World) -> None:
    grace, space = world.person("admin"), world.space("Terns")["id"]
    made = call(world, grace, "POST", _links(world), {"role": "admin"}).json["id"]
    me = user_of(world, grace)
    _change_user(world, me, deleted_at=1)
    assert _join(world, world.person("read"), made) == 409, "whose account is being deleted invites nobody"
    _change_user(world, me, deleted_at=None)
    world.api.patch(f"/v1/orgs/{world.organization}/members/{me}", {"role": "read"})
    assert _join(world, grace, made) == 409
    assert _join(world, world.person("read"), made) == 409
    assert _role(world, grace) == "read"
    world.grant(grace, "space", space, "admin")
    to_space = call(world, grace, "POST", _links(world), {"level": "admin", "space": space}).json["id"]
    assert _join(world, world.person("read"), to_space) == 200
    world.api.delete(f"/v1/spaces/{space}/permissions/users/{user_of(world, grace)}")
    assert _join(world, grace, to_space) == 409
    assert call(world, grace, "GET", f"/v1/spaces/{space}").json["permissions"]["admin"] is False
    collection = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Birds"}).json["id"]
    world.grant(grace, "collection", collection, "admin")
    to_shelf = call(world, grace, "POST", _links(world), {"level": "read", "collection": collection}).json["id"]
    assert _join(world, world.person("guest"), to_shelf) == 200
    world.api.delete(f"/v1/collections/{collection}/permissions/users/{user_of(world, grace)}")
    assert _join(world, world.person("guest"), to_shelf) == 409


def test_who_raises_a_link_and_loses_the_role_does_not_come_back_by_it(world: World) -> None:
    """A link that somebody else made gives what its last changer may give, and no longer than that."""
    space = world.space()["id"]
    world.api.patch(f"/v1/spaces/{space}", {"defaultLevel": None})
    former = world.person("guest")
    world.grant(former, "space", space, "admin")
    link = _made(world, space=space, level="read")["id"]
    assert call(world, former, "PATCH", _links(world, f"/{link}"), {"level": "admin"}).status == 200
    user = user_of(world, former)
    assert world.api.delete(f"/v1/orgs/{world.organization}/members/{user}").status == 205
    assert _join(world, former, link) in (404, 409)
    assert call(world, former, "GET", f"/v1/spaces/{space}").status == 404
    second = _made(world, space=space, level="read")["id"]
    world.grant(former, "space", space, "admin")
    world.run(world.house.store.write(lambda unit: _guest(unit, world.organization, user)))
    assert call(world, former, "PATCH", _links(world, f"/{second}"), {"level": "admin"}).status == 200
    assert world.api.delete(f"/v1/spaces/{space}/permissions/users/{user}").status == 205
    assert _join(world, former, second) == 409
    assert call(world, former, "GET", f"/v1/spaces/{space}").status == 404
    assert call(world, world.person(None), "PATCH", _links(world, f"/{second}"), {"level": "read"}).status == 404
    assert world.api.patch(_links(world, f"/{second}"), {"level": "comment"}).status == 200
    assert _join(world, world.person(None), second) == 200, "whoever may give it lifts it"


def _change_user(world: World, user: str, **changes: Any) -> None:
    async def work(unit: Any) -> None:
        await unit.people.change_user(await unit.people.user(user), **changes)

    world.run(world.house.store.write(work))


async def _guest(unit: Any, organization: str, user: str) -> None:
    await unit.people.add_member(Member(organization=organization, user=user, role=None, joined_at=unit.now))
