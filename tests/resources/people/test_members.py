"""Members and guests: listed, changed, removed, and what they have."""

from __future__ import annotations

import re
from typing import Any

from octavo.kernel.clock import DAY, iso
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT, ROLES, call, check_json, check_refusals, check_roles, other_organization
from tests.resources.proposals import user_of


def _path(world: World, rest: str = "") -> str:
    return f"/v1/orgs/{world.organization}/members{rest}"


def _me(world: World) -> str:
    key: str = world.api.get("/v1/user").json["id"]
    return key


def _named(world: World, token: str, name: str) -> str:
    """Another name for somebody; the id."""
    user = user_of(world, token)
    assert call(world, token, "PATCH", f"/v1/users/{user}", {"displayName": name}).status == 200
    return user


def _names(world: World, query: str) -> list[str]:
    reply = world.api.get(_path(world, query))
    assert reply.status == 200, reply.text
    return [one["user"]["displayName"] for one in reply.json["items"]]


def test_a_member_as_it_is_served(world: World) -> None:
    grace = world.person("edit")
    member = world.api.get(_path(world, f"/{user_of(world, grace)}")).json
    assert member["object"] == "member"
    assert (member["role"], member["disabled"], member["sso"]) == ("edit", False, False)
    assert (member["spaces"], member["teams"], member["sites"]) == (0, 0, 0)
    assert re.fullmatch(MOMENT, member["joinedAt"])
    assert member["user"]["id"] == member["id"] == user_of(world, grace)
    assert "lastSeenAt" not in member
    assert world.api.get(_path(world)).json["items"][0]["object"] == "member"


def test_who_may_list_and_get(world: World) -> None:
    grace = user_of(world, world.person("edit"))
    for role in ROLES:
        token = world.person(role)
        assert call(world, token, "GET", _path(world)).status == 200
        assert call(world, token, "GET", _path(world, f"/{grace}")).status == 200
    guest = world.person("guest")
    assert call(world, guest, "GET", _path(world)).status == 403
    assert call(world, guest, "GET", _path(world, f"/{grace}")).status == 404
    own = call(world, guest, "GET", _path(world, f"/{user_of(world, guest)}"))
    assert (own.status, own.json["role"]) == (200, None)
    stranger = world.person(None)
    assert call(world, stranger, "GET", _path(world)).status == 404
    assert call(world, stranger, "GET", _path(world, f"/{grace}")).status == 404
    assert world.api.get(_path(world, f"/{user_of(world, stranger)}")).status == 404
    assert world.api.get(_path(world, "/nobody")).status == 404


def test_order_sort_role_and_search(world: World, clock: FakeClock) -> None:
    tokens = {}
    for name, role in (("Cleo", "read"), ("Bert", "edit"), ("Änne", "guest")):
        clock.advance(10)
        tokens[name] = world.person(role)
        _named(world, tokens[name], name)
    clock.advance(DAY)
    call(world, tokens["Cleo"], "GET", f"/v1/orgs/{world.organization}")
    latest = ["Änne", "Bert", "Cleo", "Ada Admin"]
    assert _names(world, "") == _names(world, "?sort=joinedAt&order=desc") == latest
    assert _names(world, "?order=asc") == latest[::-1]
    assert _names(world, "?sort=name&order=asc") == ["Ada Admin", "Bert", "Cleo", "Änne"]
    assert _names(world, "?sort=lastSeenAt")[0] in ("Cleo", "Ada Admin")
    assert _names(world, "?role=guest") == ["Änne"]
    assert _names(world, "?role=admin") == ["Ada Admin"]
    assert _names(world, "?search=BERT") == ["Bert"]
    assert _names(world, "?search=ÄNN".replace("Ä", "%C3%84")) == ["Änne"]
    assert len(_names(world, "?search=%40example.test")) == 4
    assert _names(world, "?search=nobody+at+all") == []
    for query in ("?sort=age", "?order=up", "?role=boss", "?limit=1001"):
        assert world.api.get(_path(world, query)).status == 400, query


def test_pages_in_every_order(world: World) -> None:
    for _ in range(4):
        world.person("read")
    for query in ("sort=name&order=asc", "sort=name", "sort=joinedAt", "sort=lastSeenAt&order=asc"):
        whole = [one["id"] for one in world.api.get(_path(world, f"?{query}")).json["items"]]
        seen: list[str] = []
        more = ""
        while True:
            page = world.api.get(_path(world, f"?{query}&limit=2{more}")).json
            assert page["count"] == 5
            seen += [one["id"] for one in page["items"]]
            if "next" not in page:
                break
            more = f"&page={page['next']['page']}"
        assert seen == whole, query
    token = world.api.get(_path(world, "?sort=joinedAt&limit=2")).json["next"]["page"]
    assert world.api.get(_path(world, f"?sort=name&limit=2&page={token}")).status == 400


def test_another_role(world: World) -> None:
    grace = world.person("read")
    path = _path(world, f"/{user_of(world, grace)}")
    for role in ("create", None, "comment"):
        assert world.api.patch(path, {"role": role}).json["role"] == role
        assert world.api.get(path).json["role"] == role
    assert world.api.patch(path, {}).json["role"] == "comment"
    check_refusals(
        world, "PATCH", path, [({"role": "guest"}, "role"), ({"role": 1}, "role"), ({"role": "boss"}, "role")]
    )
    check_json(world, "PATCH", path)
    check_roles(world, "admin", "PATCH", path, {"role": "comment"}, success=200, guest=404)


def test_read_only_fields_change_nothing(world: World) -> None:
    grace = world.person("read")
    path = _path(world, f"/{user_of(world, grace)}")
    before = world.api.get(path).json
    sent = {
        "id": _me(world), "object": "x", "disabled": True, "sso": True, "joinedAt": iso(0), "lastSeenAt": iso(0),
        "joined_at": 0, "spaces": 9, "teams": 9, "sites": 9, "organization": "x", "user": {"displayName": "Stolen"},
    }  # fmt: skip
    assert world.api.patch(path, sent).json == before == world.api.get(path).json
    assert call(world, grace, "PATCH", path, {"role": "admin"}).status == 403
    assert world.api.get(path).json["role"] == "read"


def test_an_organization_keeps_an_admin(world: World) -> None:
    me = _path(world, f"/{_me(world)}")
    for role in ("create", None):
        assert world.api.patch(me, {"role": role}).status == 409
    assert world.api.delete(me).status == 409
    assert world.api.patch(me, {"role": "admin"}).status == 200
    other = world.person("admin")
    assert call(world, other, "PATCH", me, {"role": "read"}).status == 200
    assert call(world, other, "DELETE", _path(world, f"/{user_of(world, other)}")).status == 409
    assert call(world, other, "DELETE", me).status == 205


def test_two_admins_who_leave_at_once(world: World) -> None:
    """One of them stays."""
    other = world.person("admin")
    ids = [_me(world), user_of(world, other)]

    async def both() -> list[int]:
        import asyncio

        replies = await asyncio.gather(
            *(
                world.api.send("DELETE", _path(world, f"/{key}"), None, token=token)
                for key, token in zip(ids, (world.api.token, other))
            )
        )
        return sorted(reply.status for reply in replies)

    assert world.run(both()) == [205, 409]


def test_who_is_removed(world: World) -> None:
    grace = world.person("create")
    user = user_of(world, grace)
    space = world.space("Hers", defaultLevel="inherit")["id"]
    world.grant(grace, "space", space, "admin")
    team = world.api.put(f"/v1/orgs/{world.organization}/teams", {"title": "T", "members": [user]}).json["id"]
    other = other_organization(world)["id"]
    request = call(world, grace, "POST", f"/v1/spaces/{space}/change-requests").json
    link = call(world, grace, "POST", f"/v1/orgs/{world.organization}/link-invites", {"level": "read", "space": space})
    assert link.status == 201, link.text
    for token, status in ((world.person("review"), 403), (world.person("guest"), 404), (world.person(None), 404)):
        assert call(world, token, "DELETE", _path(world, f"/{user}")).status == status
    assert world.api.delete(_path(world, f"/{user}")).status == 205
    assert world.api.delete(_path(world, f"/{user}")).status == 404
    assert call(world, grace, "GET", f"/v1/spaces/{space}").status == 404
    assert call(world, grace, "GET", "/v1/orgs").json["count"] == 0
    assert world.api.get(f"/v1/orgs/{world.organization}/teams/{team}").json["members"] == 0
    permissions = world.api.get(f"/v1/spaces/{space}/permissions/users").json["items"]
    assert user not in [one["user"]["id"] for one in permissions]
    kept = world.api.get(f"/v1/spaces/{space}/change-requests/{request['id']}").json
    assert kept["createdBy"]["id"] == user, "what she wrote stays"
    assert call(world, grace, "GET", f"/v1/orgs/{world.organization}/link-invites/{link.json['id']}").status == 404
    assert world.api.get(f"/v1/orgs/{other}").status == 200


def test_members_and_guests_leave_by_themselves(world: World) -> None:
    for role in ("read", "create", "guest"):
        token = world.person(role)
        path = _path(world, f"/{user_of(world, token)}")
        assert call(world, token, "DELETE", path).status == 205
        assert call(world, token, "DELETE", path).status == 404


def test_the_spaces_of_a_member(world: World, clock: FakeClock) -> None:
    grace = world.person("read")
    path = _path(world, f"/{user_of(world, grace)}/spaces")
    spaces = []
    for title in ("First", "Second", "Closed"):
        clock.advance(5)
        spaces.append(world.space(title)["id"])
    world.grant(grace, "space", spaces[1], "review")
    assert world.api.patch(f"/v1/spaces/{spaces[2]}", {"defaultLevel": None}).status == 200

    def seen(query: str = "", token: str | None = None) -> list[tuple[str, str]]:
        reply = call(world, token or world.api.token, "GET", path + query)
        assert reply.status == 200, reply.text
        return [(one["space"]["title"], one["permission"]) for one in reply.json["items"]]

    assert seen() == [("Second", "review"), ("First", "read")] == seen(token=grace)
    assert seen("?order=asc") == [("First", "read"), ("Second", "review")]
    page = world.api.get(path + "?limit=1").json
    assert page["count"] == 2
    assert seen(f"?limit=1&page={page['next']['page']}") == [("First", "read")]
    assert page["items"][0]["space"]["permissions"]["admin"] is True, "the caller's own, not the member's"
    assert call(world, grace, "GET", path).json["items"][0]["space"]["permissions"]["admin"] is False
    assert call(world, world.person("create"), "GET", path).status == 403
    assert call(world, world.person(None), "GET", path).status == 404
    assert world.api.get(_path(world, "/nobody/spaces")).status == 404


def test_the_teams_of_a_member(world: World, clock: FakeClock) -> None:
    grace = world.person("read")
    user = user_of(world, grace)
    teams = f"/v1/orgs/{world.organization}/teams"
    made: dict[str, Any] = {}
    for title in ("Editors", "Writers"):
        clock.advance(5)
        made[title] = world.api.put(teams, {"title": title, "members": [user]}).json["id"]
    world.api.put(teams, {"title": "Others"})
    world.api.put(f"{teams}/{made['Writers']}/members/{user}", {"role": "owner"})
    path = _path(world, f"/{user}/teams")
    for token in (world.api.token, grace, world.person("read")):
        items = call(world, token, "GET", path).json["items"]
        assert [(one["team"]["title"], one["member"]) for one in items] == [
            ("Writers", {"role": "owner"}),
            ("Editors", {"role": "member"}),
        ]
    assert [one["team"]["title"] for one in world.api.get(path + "?title=EDIT").json["items"]] == ["Editors"]
    assert call(world, world.person("guest"), "GET", path).status == 404


def test_when_somebody_was_last_seen(world: World, clock: FakeClock) -> None:
    grace = world.person("read")
    path = _path(world, f"/{user_of(world, grace)}")
    call(world, grace, "GET", "/v1/user")
    assert "lastSeenAt" not in world.api.get(path).json, "she asked for nothing of this organization"
    space = world.space()["id"]
    call(world, grace, "GET", f"/v1/spaces/{space}")
    assert world.api.get(path).json["lastSeenAt"] == iso(clock.now)
    before = clock.now
    clock.advance(60_000)
    call(world, grace, "GET", f"/v1/spaces/{space}")
    assert world.api.get(path).json["lastSeenAt"] == iso(before), "true within minutes"
    reply = call(world, grace, "POST", f"/v1/orgs/{world.organization}/ping")
    assert (reply.status, reply.json["lastSeenAt"]) == (200, iso(clock.now))
    assert world.api.get(path).json["lastSeenAt"] == iso(clock.now)
    clock.advance(DAY)
    call(world, grace, "GET", f"/v1/orgs/{world.organization}")
    assert world.api.get(path).json["lastSeenAt"] == iso(clock.now)
    assert call(world, world.person(None), "POST", f"/v1/orgs/{world.organization}/ping").status == 404


def test_a_member_is_counted_as_one_of_single_sign_on(world: World) -> None:
    grace = world.person("read")
    path = f"/v1/orgs/{world.organization}/members/{user_of(world, grace)}"
    assert world.api.get(path).json["sso"] is False
    check_roles(world, "admin", "POST", f"{path}/sso", success=200)
    assert world.api.get(path).json["sso"] is True
    assert world.api.post(f"{path}/sso").json == world.api.get(path).json
    assert (
        world.api.post(f"/v1/orgs/{world.organization}/members/{user_of(world, world.person(None))}/sso").status == 404
    )
