"""Teams: made, listed, changed and deleted by admins; who is in them is said by their owners too."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from octavo.kernel.records.library import Grant
from tests.client import Client, Reply, World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT, call, check_json, check_refusals, check_roles, other_organization
from tests.resources.proposals import propose, user_of


def _path(world: World, team: str = "", organization: str | None = None) -> str:
    base = f"/v1/orgs/{organization or world.organization}/teams"
    return f"{base}/{team}" if team else base


def _made(world: World, title: str = "Editors", *tokens: str) -> str:
    reply = world.api.put(_path(world), {"title": title, "members": [user_of(world, token) for token in tokens]})
    assert reply.status == 201, reply.text
    key: str = reply.json["id"]
    return key


def _people(world: World, team: str) -> dict[str, str]:
    """User -> role, as listed."""
    reply = world.api.get(f"{_path(world, team)}/members")
    assert reply.status == 200, reply.text
    assert reply.json["count"] == len(reply.json["items"]) == world.api.get(_path(world, team)).json["members"]
    return {one["organization"]["id"]: one["team"]["role"] for one in reply.json["items"]}


def _titles(reply: Reply) -> list[str]:
    assert reply.status == 200, reply.text
    return [one["title"] for one in reply.json["items"]]


def _owned(world: World) -> tuple[str, str]:
    """A team, and the token of its owner, who only reads."""
    owner = world.person("read")
    team = _made(world, "Editors", owner)
    path = f"{_path(world, team)}/members/{user_of(world, owner)}"
    assert world.api.put(path, {"role": "owner"}).status == 204
    return team, owner


def test_a_team_as_it_is_made(world: World) -> None:
    grace = world.person("read")
    user = user_of(world, grace)
    reply = world.api.put(_path(world), {"title": " Editors ", "members": [user, user], "unknown": 1})
    assert reply.status == 201
    made = reply.json
    assert re.fullmatch(MOMENT, made.pop("createdAt"))
    team = made.pop("id")
    assert made == {
        "object": "team", "title": "Editors", "members": 1, "spaces": 0, "permissions": {"admin": True, "view": True},
    }  # fmt: skip
    assert _people(world, team) == {user: "member"}
    assert world.api.put(_path(world), {"title": "x" * 64}).json["members"] == 0


def test_who_may_make_and_end_them(world: World) -> None:
    check_roles(world, "admin", "PUT", _path(world), {"title": "Editors"}, success=201, guest=403)
    check_roles(world, "read", "GET", _path(world), success=200, guest=403)
    team = _made(world)
    check_roles(world, "read", "GET", _path(world, team), success=200)
    check_roles(world, "read", "GET", _path(world, team) + "/members", success=200)
    check_roles(world, "admin", "PATCH", _path(world, team), {"title": "Writers"}, success=200)
    check_roles(world, "admin", "PUT", _path(world, team) + "/members", {}, success=204)
    for role, status in ((None, 404), ("guest", 404), ("create", 403), ("admin", 204)):
        assert call(world, world.person(role), "DELETE", _path(world, team)).status == status, role
    for method in ("GET", "PATCH", "DELETE"):
        assert world.api.request(method, _path(world, team), {"title": "x"}).status == 404


def test_bad_input(world: World) -> None:
    team, stranger = _made(world), user_of(world, world.person(None))
    titles: list[tuple[Any, str]] = [
        ({}, "title"), ({"title": ""}, "title"), ({"title": " "}, "title"), ({"title": "x" * 65}, "title"),
        ({"title": None}, "title"), ({"title": 3}, "title"),
    ]  # fmt: skip
    members: list[tuple[Any, str]] = [
        ({"title": "x", "members": "all"}, "members"), ({"title": "x", "members": [stranger]}, "members[0]"),
        ({"title": "x", "members": ["nobody"]}, "members[0]"), ({"title": "x", "members": [3]}, "members"),
    ]  # fmt: skip
    check_refusals(world, "PUT", _path(world), titles + members)
    check_refusals(world, "PATCH", _path(world, team), titles)
    check_json(world, "PUT", _path(world))
    check_json(world, "PATCH", _path(world, team))
    check_json(world, "PUT", _path(world, team) + "/members")
    check_refusals(
        world, "PUT", _path(world, team) + "/members",
        [
            ({"add": ["nobody@example.test"]}, "add"), ({"add": [stranger]}, "add"), ({"add": "x"}, "add"),
            ({"remove": ["nobody"]}, "remove"), ({"memberships": {"nobody": {"role": "owner"}}}, "memberships"),
            ({"memberships": []}, "memberships"), ({"memberships": {"x": {"role": "boss"}}}, "role"),
        ],
    )  # fmt: skip
    assert world.api.get(_path(world) + "?limit=1001").status == 400
    assert world.api.get(_path(world)).json["count"] == 1, "what was refused made nothing"
    grace = user_of(world, world.person("read"))
    check_refusals(world, "PUT", f"{_path(world, team)}/members/{grace}", [({"role": "boss"}, "role")])
    assert _people(world, team) == {}


def test_they_are_listed_newest_first_and_filtered(world: World, clock: FakeClock) -> None:
    grace = world.person("edit")
    user = user_of(world, grace)
    for title in ("Editors", "Writers of Épées", "Painters"):
        clock.advance(5)
        team = _made(world, title, grace)
    assert world.api.put(f"{_path(world, team)}/members/{user}", {"role": "owner"}).status == 204
    assert _titles(world.api.get(_path(world))) == ["Painters", "Writers of Épées", "Editors"]
    assert _titles(world.api.get(_path(world) + "?title=" + quote("ÉPÉES"))) == ["Writers of Épées"]
    assert _titles(world.api.get(_path(world) + "?title=te&limit=0")) == []
    assert _titles(world.api.get(f"{_path(world)}?owner={user}")) == ["Painters"]
    admin = world.api.get("/v1/user").json["id"]
    assert len(_titles(world.api.get(f"{_path(world)}?owner={admin}"))) == 3, "admins manage all"
    assert _titles(world.api.get(f"{_path(world)}?owner=nobody")) == []
    reply = world.api.get(_path(world) + "?limit=2")
    assert reply.json["count"] == 3
    rest = world.api.get(f"{_path(world)}?limit=2&page={reply.json['next']['page']}")
    assert _titles(rest) == ["Editors"]
    assert "next" not in rest.json
    seen = {one["title"]: one["permissions"] for one in call(world, grace, "GET", _path(world)).json["items"]}
    assert seen["Painters"] == {"admin": True, "view": True}
    assert seen["Editors"] == {"admin": False, "view": True}


def test_members_as_they_are_listed(world: World) -> None:
    team, _ = _owned(world)
    guest = world.person("guest")
    world.api.put(_path(world, team) + "/members", {"add": [user_of(world, guest)]})
    space = world.space()["id"]
    world.grant(guest, "space", space, "read")
    reply = world.api.get(_path(world, team) + "/members")
    first, second = reply.json["items"]
    assert set(first) == {"organization", "team", "permissions"}
    assert (first["team"], first["permissions"]) == ({"role": "owner"}, {"view": True})
    assert (first["organization"]["object"], first["organization"]["role"]) == ("member", "read")
    assert first["organization"]["user"]["object"] == "user"
    assert (second["team"], second["organization"]["role"]) == ({"role": "member"}, None)
    assert (second["organization"]["spaces"], second["organization"]["teams"]) == (1, 1)
    page = world.api.get(_path(world, team) + "/members?limit=1").json
    rest = world.api.get(f"{_path(world, team)}/members?limit=1&page={page['next']['page']}").json
    assert page["items"] + rest["items"] == reply.json["items"]
    assert "next" not in rest


def test_who_is_in_it_is_said_by_its_owners(world: World) -> None:
    team, owner = _owned(world)
    member, other = world.person("create"), world.person("read")
    path = _path(world, team) + "/members"
    mine = user_of(world, member)
    assert call(world, owner, "PUT", path, {"add": [mine]}).status == 204
    for token, status in ((member, 403), (other, 403), (world.person("guest"), 404), (world.person(None), 404)):
        for method, where in (("PUT", path), ("PUT", f"{path}/{mine}"), ("DELETE", f"{path}/{mine}")):
            assert call(world, token, method, where, {}).status == status, (method, where)
    assert call(world, owner, "PATCH", _path(world, team), {"title": "Ours"}).status == 403
    assert call(world, owner, "DELETE", _path(world, team)).status == 403
    assert call(world, owner, "GET", f"/v1/orgs/{world.organization}").json["permissions"]["ownTeam"] is True
    assert call(world, owner, "DELETE", f"{path}/{mine}").status == 204
    assert call(world, owner, "DELETE", f"{path}/{mine}").status == 404
    elsewhere = _made(world, "Painters")
    assert call(world, owner, "PUT", _path(world, elsewhere) + "/members", {"add": [mine]}).status == 403


def test_a_guest_sees_the_teams_that_she_is_in(world: World) -> None:
    guest = world.person("guest")
    team, other = _made(world, "Editors", guest), _made(world, "Painters")
    seen = call(world, guest, "GET", _path(world, team))
    assert (seen.status, seen.json["permissions"]) == (200, {"admin": False, "view": True})
    assert call(world, guest, "GET", _path(world, other)).status == 404
    assert call(world, guest, "PUT", _path(world, team) + "/members", {}).status == 403


def test_several_at_once(world: World) -> None:
    a, b, c, d = (world.person("read") for _ in range(4))
    ids = {token: user_of(world, token) for token in (a, b, c, d)}
    email = Client(world.app, world.loop, b).get("/v1/user").json["email"]
    team = _made(world, "Editors", a)
    path = _path(world, team) + "/members"
    body = {
        "add": [email.upper(), ids[c]],
        "remove": [ids[c], ids[a]],
        "memberships": {ids[d]: {"role": "owner"}, ids[a]: {"role": "owner"}, email: {}},
    }
    assert world.api.put(path, body).status == 204
    assert _people(world, team) == {ids[b]: "member", ids[d]: "owner"}, "whoever is removed is out"
    assert world.api.put(path, {"add": [ids[d]]}).status == 204
    assert _people(world, team)[ids[d]] == "owner", "added again, the role stays"
    assert world.api.put(path, {"memberships": {ids[d]: {"role": "member"}}}).status == 204
    assert world.api.put(path, {"remove": [ids[a]]}).status == 204, "out already"
    assert _people(world, team) == {ids[b]: "member", ids[d]: "member"}
    assert world.api.put(path, {"add": [ids[a], "nobody"]}).status == 400
    assert ids[a] not in _people(world, team), "all or nothing"


def test_one_member_by_id_or_address(world: World) -> None:
    grace = world.person("read")
    user, team = user_of(world, grace), _made(world)
    email = quote(Client(world.app, world.loop, grace).get("/v1/user").json["email"])
    path = _path(world, team) + "/members"
    assert world.api.put(f"{path}/{email}").status == 204
    assert _people(world, team) == {user: "member"}
    assert world.api.put(f"{path}/{user}", {"role": "owner"}).status == 204
    assert world.api.put(f"{path}/{user}", {}).status == 204
    assert _people(world, team) == {user: "owner"}, "nothing said, nothing changed"
    assert world.api.delete(f"{path}/{email}").status == 204
    assert world.api.delete(f"{path}/{user}").status == 404
    stranger = user_of(world, world.person(None))
    for method in ("PUT", "DELETE"):
        assert world.api.request(method, f"{path}/{stranger}").status == 404
        assert world.api.request(method, f"{path}/nobody").status == 404


def test_a_team_of_another_organization_is_not_found(world: World) -> None:
    other = other_organization(world)["id"]
    reply = world.api.put(_path(world, organization=other), {"title": "Theirs"})
    team, grace = reply.json["id"], user_of(world, world.person("read"))
    for method, path in (
        ("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/members"), ("PUT", "/members"),
        ("PUT", f"/members/{grace}"), ("DELETE", f"/members/{grace}"),
    ):  # fmt: skip
        assert world.api.request(method, _path(world, team) + path, {"title": "x"}).status == 404, (method, path)
    assert world.api.get(_path(world, team, other)).json["title"] == "Theirs"
    assert world.api.put(f"{_path(world, team, other)}/members/{grace}").status == 404


def test_what_it_had_goes_with_it(world: World) -> None:
    """Its grants, the reviews asked of it, and its places; spaces are counted as long as they are there."""
    guest = world.person("guest")
    team = _made(world, "Editors", guest)
    proposal = propose(world).become("open")
    space, gone = proposal.space, world.space("Gone")["id"]
    for key in (space, gone):
        assert world.api.post(f"/v1/spaces/{key}/permissions", {"role": "read", "teams": [team]}).status == 204
    assert world.api.get(_path(world, team)).json["spaces"] == 2
    world.api.delete(f"/v1/spaces/{gone}")
    assert world.api.get(_path(world, team)).json["spaces"] == 1
    assert proposal.post("/requested-reviewers", {"users": [], "teams": [team]}).status == 200
    assert call(world, guest, "GET", f"/v1/spaces/{space}").status == 200
    assert world.api.delete(_path(world, team)).status == 204
    assert world.api.delete(_path(world, team)).status == 404
    assert call(world, guest, "GET", f"/v1/spaces/{space}").status == 404
    assert proposal.get("/requested-reviewers")["count"] == 0
    grants: list[Grant] = world.run(world.house.store.read(lambda unit: unit.grants.teams_on([space])))
    assert grants == []
    assert call(world, guest, "GET", _path(world, team)).status == 404
