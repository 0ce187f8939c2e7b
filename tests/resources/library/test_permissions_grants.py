"""Roles given on spaces, collections and sites: to whom, by whom, and what holds in the end."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from octavo.kernel.events import CollectionChanged, Event, SiteChanged, SpaceChanged
from octavo.main import App, House
from octavo.store.unit import Store
from tests.client import Client, World
from tests.conftest import FakeClock, as_another_process
from tests.resources.checks import (
    ROLES,
    call,
    check_json,
    check_refusals,
    check_roles,
    count_statements,
    other_organization,
)
from tests.resources.proposals import user_of

KINDS = ("space", "collection", "site")


def _resource(world: World, kind: str, **body: Any) -> str:
    """A new space, collection or site: the path that it is served at. The admin who made it was given admin."""
    base = f"/v1/orgs/{world.organization}/{kind}s"
    reply = world.api.post(base, {"title": "Handbook"} | body)
    assert reply.status == 201, reply.text
    key = reply.json["id"]
    return f"{base}/{key}" if kind == "site" else f"/v1/{kind}s/{key}"


def _team(world: World, *tokens: str, organization: str | None = None) -> str:
    members = [user_of(world, token) for token in tokens]
    reply = world.api.put(f"/v1/orgs/{organization or world.organization}/teams", {"title": "Team", "members": members})
    assert reply.status == 201, reply.text
    key: str = reply.json["id"]
    return key


def _listed(world: World, path: str, what: str) -> dict[str, str]:
    """User or team -> role, as `/users`, `/teams` or `/aggregate` serves them; without the admin of the world."""
    reply = world.api.get(f"{path}/permissions/{what}")
    assert reply.status == 200, reply.text
    items = reply.json["items"]
    assert reply.json["count"] == len(items)
    of = "team" if what == "teams" else "user"
    fields = {"permission", of} | ({"because"} if what.startswith("aggregate") else set())
    assert all(set(one) == fields and one[of]["object"] == of for one in items)
    found = {one[of]["id"]: one["permission"] for one in items}
    admin = user_of(world, world.api.token or "")
    return {key: role for key, role in found.items() if key != admin}


@pytest.mark.parametrize("kind", KINDS)
def test_roles_are_given_changed_and_taken_back(world: World, kind: str) -> None:
    path, grace, linus = (
        _resource(
            world,
            kind,
        ),
        world.person("guest"),
        world.person("guest"),
    )
    first, second, team = user_of(world, grace), user_of(world, linus), _team(world, linus)
    assert call(world, grace, "GET", path).status == 404
    body = {"role": "edit", "users": [first, first], "teams": [team]}
    assert world.api.post(f"{path}/permissions", body).status == 204
    assert _listed(world, path, "users") == {first: "edit"}
    assert _listed(world, path, "teams") == {team: "edit"}
    assert _listed(world, path, "aggregate") == {first: "edit", second: "edit"}
    for token in (grace, linus):
        assert call(world, token, "GET", path).status == 200
    assert world.api.post(f"{path}/permissions", {"role": "read", "users": [first]}).status == 204
    assert _listed(world, path, "users") == {first: "read"}, "the new role replaces the old one"
    assert world.api.patch(f"{path}/permissions/users/{first}", {"role": "comment"}).status == 204
    assert world.api.patch(f"{path}/permissions/teams/{team}", {"role": "review"}).status == 204
    assert world.api.patch(f"{path}/permissions/teams/{team}", {}).status == 204
    assert _listed(world, path, "aggregate") == {first: "comment", second: "review"}
    assert world.api.delete(f"{path}/permissions/users/{first}").status == 205
    assert world.api.delete(f"{path}/permissions/users/{first}").status == 404
    assert world.api.delete(f"{path}/permissions/teams/{team}").status == 205
    assert world.api.delete(f"{path}/permissions/teams/{team}").status == 404
    assert _listed(world, path, "aggregate") == {}
    for token in (grace, linus):
        assert call(world, token, "GET", path).status == 404


@pytest.mark.parametrize("kind", KINDS)
def test_null_takes_back(world: World, kind: str) -> None:
    path, grace = _resource(world, kind), world.person("guest")
    user, team = user_of(world, grace), _team(world, grace)
    both = {"users": [user], "teams": [team]}
    assert world.api.post(f"{path}/permissions", {"role": None} | both).status == 204, "nothing there, nothing to do"
    for _ in range(2):
        assert world.api.post(f"{path}/permissions", {"role": "read"} | both).status == 204
    assert world.api.post(f"{path}/permissions", {"role": None} | both).status == 204
    assert (_listed(world, path, "users"), _listed(world, path, "teams")) == ({}, {})
    assert world.api.post(f"{path}/permissions", {"role": "read"} | both).status == 204
    for place in (f"users/{user}", f"teams/{team}"):
        assert world.api.patch(f"{path}/permissions/{place}", {"role": None}).status == 204
        assert world.api.patch(f"{path}/permissions/{place}", {"role": None}).status == 404
    assert call(world, grace, "GET", path).status == 404


@pytest.mark.parametrize("kind", KINDS)
def test_who_may(world: World, kind: str) -> None:
    path = _resource(world, kind)
    user = user_of(world, world.person("read"))
    base = f"{path}/permissions"
    check_roles(world, "admin", "POST", base, {"role": "read", "users": [user]}, success=204)
    for what in ("users", "teams", "aggregate"):
        check_roles(world, "admin", "GET", f"{base}/{what}", success=200)
    check_roles(world, "admin", "PATCH", f"{base}/users/{user}", {"role": "edit"}, success=204)
    team = _team(world)
    world.api.post(base, {"role": "read", "teams": [team]})
    check_roles(world, "admin", "PATCH", f"{base}/teams/{team}", {"role": "edit"}, success=204)
    for place in (f"users/{user}", f"teams/{team}"):
        for role, status in ((None, 404), ("guest", 404), ("create", 403), ("admin", 205)):
            assert call(world, world.person(role), "DELETE", f"{base}/{place}").status == status, role


@pytest.mark.parametrize("kind", KINDS)
def test_an_admin_of_one_resource_gives_roles_on_it(world: World, kind: str) -> None:
    path, other = _resource(world, kind), _resource(world, kind)
    grace, user = world.person("read"), user_of(world, world.person("guest"))
    body = {"role": "admin", "users": [user]}
    assert call(world, grace, "POST", f"{path}/permissions", body).status == 403
    world.api.post(f"{path}/permissions", {"role": "admin", "users": [user_of(world, grace)]})
    assert call(world, grace, "POST", f"{path}/permissions", body).status == 204
    assert call(world, grace, "POST", f"{other}/permissions", body).status == 403


@pytest.mark.parametrize("kind", KINDS)
def test_bad_input(world: World, kind: str) -> None:
    path, user = _resource(world, kind), user_of(world, world.person("read"))
    stranger = user_of(world, world.person(None))
    foreign = _team(world, organization=other_organization(world)["id"])
    before = _listed(world, path, "aggregate")
    refused: list[tuple[Any, str]] = [
        ({}, "role"), ({"role": "read"}, "users"), ({"role": "read", "users": [], "teams": []}, "users"),
        ({"users": [user]}, "role"), ({"role": "owner", "users": [user]}, "role"), ({"role": "read", "users": 3}, "users"),
        ({"role": "inherit", "users": [user]}, "role"), ({"role": "read", "teams": [None]}, "teams"),
        ({"role": "read", "users": [user, stranger]}, "users[1]"), ({"role": None, "users": ["nobody"]}, "users[0]"),
        ({"role": "read", "users": ["a@example.test"]}, "users"), ({"role": "read", "users": [user] * 1001}, "users"),
        ({"role": "read", "users": [user], "teams": [foreign]}, "teams[0]"),
        ({"role": "read", "teams": ["nothing"]}, "teams[0]"),
    ]  # fmt: skip
    check_refusals(world, "POST", f"{path}/permissions", refused)
    check_json(world, "POST", f"{path}/permissions")
    assert _listed(world, path, "users") == {}, "all or nothing"
    assert _listed(world, path, "aggregate") == before
    world.api.post(f"{path}/permissions", {"role": "read", "users": [user]})
    check_refusals(
        world, "PATCH", f"{path}/permissions/users/{user}", [({"role": "owner"}, "role"), ({"role": 3}, "role")]
    )
    assert world.api.get(f"{path}/permissions/aggregate?role=owner").status == 400
    assert world.api.get(f"{path}/permissions/users?limit=-1").status == 400


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_elsewhere_is_not_found(world: World, kind: str) -> None:
    path, other = _resource(world, kind), _resource(world, kind)
    user, team = user_of(world, world.person("read")), _team(world)
    world.api.post(f"{other}/permissions", {"role": "read", "users": [user], "teams": [team]})
    for word in (f"users/{user}", f"teams/{team}", "users/nobody", "teams/nothing"):
        assert world.api.patch(f"{path}/permissions/{word}", {"role": "edit"}).status == 404
        assert world.api.delete(f"{path}/permissions/{word}").status == 404
    assert _listed(world, other, "users") == {user: "read"}
    nowhere = path.rsplit("/", 1)[0] + "/nowhere"
    for what in ("users", "teams", "aggregate"):
        assert world.api.get(f"{nowhere}/permissions/{what}").status == 404
    assert world.api.post(f"{nowhere}/permissions", {"role": "read", "users": [user]}).status == 404
    if kind == "site":
        foreign = path.replace(world.organization, other_organization(world)["id"])
        assert world.api.get(f"{foreign}/permissions/users").status == 404


def test_a_deleted_space_has_no_permissions(world: World) -> None:
    path = _resource(world, "space")
    world.api.delete(path)
    assert world.api.get(f"{path}/permissions/users").status == 404
    assert world.api.post(f"{path}/permissions", {"role": "read", "teams": [_team(world)]}).status == 404


def test_lists_are_by_name_and_cut(world: World) -> None:
    path = _resource(world, "space")
    users = sorted(user_of(world, world.person("read")) for _ in range(3))
    world.api.post(f"{path}/permissions", {"role": "edit", "users": users})
    everything = world.api.get(f"{path}/permissions/users").json
    assert [one["user"]["displayName"] for one in everything["items"]] == ["Ada Admin", *["Pat Person"] * 3]
    assert [one["user"]["id"] for one in everything["items"][1:]] == users
    for what in ("users", "aggregate"):
        first = world.api.get(f"{path}/permissions/{what}?limit=3").json
        assert first["count"] == 4
        rest = world.api.get(f"{path}/permissions/{what}?limit=3&page={first['next']['page']}").json
        assert [one["user"]["id"] for one in rest["items"]] == users[2:]
        assert "next" not in rest
    named = [world.api.put(f"/v1/orgs/{world.organization}/teams", {"title": title}).json for title in ("b", "A")]
    world.api.post(f"{path}/permissions", {"role": "edit", "teams": [team["id"] for team in named]})
    teams = world.api.get(f"{path}/permissions/teams").json["items"]
    assert [one["team"]["title"] for one in teams] == ["A", "b"]
    assert teams[0]["team"]["spaces"] == 1


def _stand_anywhere(world: World) -> tuple[dict[str, str], dict[str, str]]:
    """A space with much above it, and people with roles from everywhere: kind -> path, user -> token."""
    outer = _resource(world, "collection")
    inner = _resource(world, "collection", parent=outer.rsplit("/", 1)[1])
    space = _resource(world, "space", parent=inner.rsplit("/", 1)[1])
    sites = [_resource(world, "site", spaces=[space.rsplit("/", 1)[1]]) for _ in range(2)]
    tokens = [world.person(role) for role in (None, "guest", *ROLES) for _ in range(3)]
    people = {user_of(world, token): token for token in tokens}
    members = list(people)[3:]
    roles = itertools.cycle(ROLES)
    for at, path in enumerate((outer, inner, space, *sites)):
        some = members[at::7]
        team = _team(world, *(people[user] for user in members[at::6]))
        low = _team(world, *(people[user] for user in members[at::4]))
        assert (
            world.api.post(f"{path}/permissions", {"role": next(roles), "users": some, "teams": [team]}).status == 204
        )
        assert world.api.post(f"{path}/permissions", {"role": "comment", "teams": [low]}).status == 204
    world.api.patch(outer, {"defaultLevel": "create"})
    return {"space": space, "collection": inner, "site": sites[0]}, people


def _worth(permissions: dict[str, bool], kind: str) -> str | None:
    """What of a role shows in the permissions of a resource."""
    words = {"space": ("admin", "triggerGitSync", "review", "edit", "comment", "view"),
             "collection": ("admin", "create", "view"), "site": ("admin", "create", "view")}[kind]  # fmt: skip
    return next((word for word in words if permissions[word]), None)


def test_the_aggregate_is_what_everybody_meets(world: World) -> None:
    """For each of the kinds, with grants, teams, levels, sites and collections in play, and again behind a closed level."""
    paths, people = _stand_anywhere(world)
    least = {"view": "read", "comment": "comment", "edit": "edit", "review": "review", "triggerGitSync": "create",
             "create": "create", "admin": "admin"}  # fmt: skip
    for level in ("inherit", None):
        for kind, path in paths.items():
            assert world.api.patch(path, {"defaultLevel": level}).status == 200
            aggregate = _listed(world, path, "aggregate")
            assert set(aggregate) <= set(people)
            assert 5 < len(aggregate) < len(people)
            for user, token in people.items():
                reply = call(world, token, "GET", path)
                assert reply.status == (200 if user in aggregate else 404)
                if reply.status == 200:
                    met = least[_worth(reply.json["permissions"], kind) or ""]
                    shown = aggregate[user]
                    assert met == shown or (
                        kind != "space" and met == "read" and shown in ("comment", "edit", "review")
                    )
            for role in ROLES:
                filtered = _listed(world, path, f"aggregate?role={role}")
                assert filtered == {user: held for user, held in aggregate.items() if held == role}


def test_the_aggregate_takes_as_many_queries_for_many_people(world: World) -> None:
    paths, _ = _stand_anywhere(world)
    for path in paths.values():
        for what in ("users", "teams", "aggregate"):
            address = f"{path}/permissions/{what}"
            before = _queries(world, address)
            team = _team(world, *(world.person("read") for _ in range(5)))
            more = [user_of(world, world.person("edit")) for _ in range(5)]
            world.api.post(f"{path}/permissions", {"role": "read", "users": more, "teams": [team]})
            assert _queries(world, address) == before


def _queries(world: World, address: str) -> int:
    """Without those for the caller, who is remembered from one request to the next unless somebody writes."""
    fewest: int = min(world.run(count_statements(world, address)) for _ in range(3))
    return fewest


def test_many_at_once_leave_one_role(world: World) -> None:
    path, user = _resource(world, "collection"), user_of(world, world.person("guest"))

    async def together() -> list[int]:
        sent = (world.api.send("POST", f"{path}/permissions", {"role": role, "users": [user]}) for role in ROLES)
        return [reply.status for reply in await asyncio.gather(*sent)]

    assert world.run(together()) == [204] * len(ROLES)
    assert list(_listed(world, path, "users")) == [user]


def test_disabled_members_have_no_role(world: World) -> None:
    path, grace = _resource(world, "space"), world.person("edit")
    user = user_of(world, grace)
    assert _listed(world, path, "aggregate") == {user: "edit"}

    async def disable(unit: Any) -> None:
        member = await unit.people.member(world.organization, user)
        await unit.people.change_member(member, disabled=True)

    world.run(world.house.store.write(disable))
    assert _listed(world, path, "aggregate") == {}


@pytest.fixture
def other(world: World) -> Iterator[Client]:
    """The same database behind an application that remembers on its own."""
    house = world.house
    with as_another_process(house.store.engine, world.loop) as engine:
        store = Store(engine, house.store.clock)
        apart = House(house.settings, store, house.blobs, house.signer, house.worker, "http://octavo.test")
        yield Client(App(apart, works=True), world.loop)


def test_what_changes_holds_on_every_process_within_a_second(world: World, other: Client, clock: FakeClock) -> None:
    path, grace = _resource(world, "space"), world.person("guest")
    user, team = user_of(world, grace), _team(world)

    def status() -> int:
        return other.get(path, token=grace).status

    def at_once(change: Callable[[], Any], expected: int) -> None:
        change()
        assert status() == expected

    members = f"/v1/orgs/{world.organization}/teams/{team}/members/{user}"
    invite = {"role": "read", "users": [user]}
    assert status() == 404
    at_once(lambda: world.api.post(f"{path}/permissions", invite), 200)
    at_once(lambda: world.api.delete(f"{path}/permissions/users/{user}"), 404)
    world.api.post(f"{path}/permissions", {"role": "read", "teams": [team]})
    at_once(lambda: world.api.put(members), 200)
    world.api.delete(members)
    clock.advance(1000)
    assert status() == 404


@pytest.mark.parametrize(
    ("kind", "event"), [("space", SpaceChanged), ("collection", CollectionChanged), ("site", SiteChanged)]
)
def test_every_change_is_an_event(world: World, kind: str, event: type[Event]) -> None:
    path, user, team = _resource(world, kind), user_of(world, world.person("read")), _team(world)
    seen: list[Event] = []
    known = world.house.store._reactions
    world.house.store._reactions = lambda one: [*(seen.append(one) or ()), *known(one)]  # type: ignore[func-returns-value]
    base = f"{path}/permissions"
    for method, where, body in (
        ("POST", base, {"role": "read", "users": [user], "teams": [team]}),
        ("PATCH", f"{base}/users/{user}", {"role": "edit"}), ("PATCH", f"{base}/teams/{team}", {"role": "edit"}),
        ("DELETE", f"{base}/users/{user}", None), ("DELETE", f"{base}/teams/{team}", None),
    ):  # fmt: skip
        assert world.api.request(method, where, body).status in (204, 205)
    expected = event(organization=world.organization, **{kind: path.rsplit("/", 1)[1]})
    assert seen == [expected] * 5
