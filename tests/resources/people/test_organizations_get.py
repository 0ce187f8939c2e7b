"""GET /orgs and GET /orgs/{org}."""

from __future__ import annotations

import re

from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import MOMENT, REQUIRED_OF_ORGANIZATION, ROLES, other_organization


def test_it_is_served_whole(world: World) -> None:
    shown = world.api.get(f"/v1/orgs/{world.organization}").json
    assert set(REQUIRED_OF_ORGANIZATION) <= set(shown)
    assert shown["object"] == "organization"
    assert (shown["id"], shown["title"]) == (world.organization, "Test organization")
    assert (shown["type"], shown["plan"]) == ("business", "enterprise_2024")
    assert shown["trial"]["status"] == "notapplicable"
    assert shown["internal_isOnNewTrial"] is True
    assert shown["emailDomains"] == []
    assert re.fullmatch(MOMENT, shown["createdAt"])
    assert shown["urls"]["location"].endswith(f"/v1/orgs/{world.organization}")
    assert {"hostname", "defaultContent", "customHostname", "blocked", "useCase"}.isdisjoint(shown)


def test_who_belongs_there_reads_it(world: World) -> None:
    path = f"/v1/orgs/{world.organization}"
    for role in (*ROLES, "guest"):
        assert world.api.get(path, token=world.person(role)).status == 200
    stranger = world.api.get(path, token=world.person(None))
    assert stranger.status == 404
    assert world.api.get("/v1/orgs/nothing").status == 404


def test_permissions_grow_with_the_role(world: World) -> None:
    path = f"/v1/orgs/{world.organization}"
    shown = {role: world.api.get(path, token=world.person(role)).json["permissions"] for role in (*ROLES, "guest")}
    words = {
        "view", "admin", "ownTeam", "createContent", "createOpenAPISpec", "ingestConversations", "viewBilling",
        "listMembers", "listTeams", "listIntegrations",
    }  # fmt: skip
    assert all(words <= set(given) for given in shown.values())
    assert {role for role, given in shown.items() if given["createContent"]} == {"create", "admin"}
    assert {role for role, given in shown.items() if given["createOpenAPISpec"]} == {"create", "admin"}
    assert {role for role, given in shown.items() if given["admin"]} == {"admin"}
    weaker: set[str] = set()
    for role in ROLES:
        held = {word for word, given in shown[role].items() if given}
        assert weaker <= held
        weaker = held


def test_what_is_served_may_be_viewed(world: World) -> None:
    """A 200 whose permissions say that it may not be viewed would disagree with itself."""
    for role in (*ROLES, "guest"):
        reply = world.api.get(f"/v1/orgs/{world.organization}", token=world.person(role))
        assert reply.json["permissions"]["view"] is (reply.status == 200), role


def test_the_list_holds_the_callers_own_newest_first(world: World, clock: FakeClock) -> None:
    clock.advance(10)
    newer = other_organization(world, "Newer")["id"]
    listed = world.api.get("/v1/orgs").json
    assert [one["id"] for one in listed["items"]] == [newer, world.organization]
    assert listed["count"] == 2
    assert "next" not in listed
    assert listed["items"][1] == world.api.get(f"/v1/orgs/{world.organization}").json
    member = world.api.get("/v1/orgs", token=world.person("read")).json
    assert [one["id"] for one in member["items"]] == [world.organization]
    assert world.api.get("/v1/orgs", token=world.person("guest")).json["count"] == 1
    assert world.api.get("/v1/orgs", token=world.person(None)).json == {"items": [], "count": 0}


def test_pages_of_the_list(world: World, clock: FakeClock) -> None:
    clock.advance(10)
    newer = other_organization(world, "Newer")["id"]
    first = world.api.get("/v1/orgs?limit=1").json
    assert [one["id"] for one in first["items"]] == [newer]
    second = world.api.get(f"/v1/orgs?limit=1&page={first['next']['page']}").json
    assert [one["id"] for one in second["items"]] == [world.organization]
    assert "next" not in second
