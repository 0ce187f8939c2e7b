"""Who may what, and why: the rule that is named is the one that decides, and the role is that of the matrix."""

from __future__ import annotations

from typing import Any

from octavo.access.policy import POLICY
from octavo.kernel.records import ROLES
from tests.client import World


def _team(world: World, title: str, *users: str) -> str:
    org = f"/v1/orgs/{world.organization}"
    team: str = world.api.put(f"{org}/teams", {"title": title, "members": list(users)}).json["id"]
    return team


def test_a_team_of_five_has_five_roles_by_five_rules(world: World) -> None:
    org = f"/v1/orgs/{world.organization}"
    tokens = {"boss": world.person("admin"), "writer": world.person("read"), "editor": world.person("read"),
              "reader": world.person("comment"), "guest": world.person("guest")}  # fmt: skip
    users = {name: world.api.get("/v1/user", token=token).json["id"] for name, token in tokens.items()}
    outer = world.api.post(f"{org}/collections", {"title": "Outer"}).json["id"]
    inner = world.api.post(f"{org}/collections", {"title": "Inner", "parent": outer}).json["id"]
    space = world.space("Where", parent=inner)["id"]
    site = world.site(space, title="Shown", publish=False)["id"]
    editors, others = _team(world, "Editors", users["editor"]), _team(world, "Others", users["editor"])
    given = {
        f"/v1/spaces/{space}": {"role": "create", "users": [users["writer"]]},
        f"{org}/sites/{site}": {"role": "edit", "teams": [editors]},
        f"/v1/collections/{outer}": {"role": "review", "users": [users["guest"]]},
    }
    for place, body in given.items():
        assert world.api.post(f"{place}/permissions", body).status == 204
    assert world.api.post(f"{org}/sites/{site}/permissions", {"role": "read", "teams": [others]}).status == 204
    assert world.api.patch(f"/v1/collections/{inner}", {"defaultLevel": "comment"}).status == 200

    told = _because(world, f"/v1/spaces/{space}")
    inner_place = {"object": "collection", "id": inner, "title": "Inner"}
    expected = {
        "boss": ("admin", {"rule": "organization-role", "on": {"object": "organization", "id": world.organization}}),
        "writer": ("create", {"rule": "user", "on": {"object": "space", "id": space, "title": "Where"}}),
        "editor": (
            "edit",
            {
                "rule": "team",
                "on": {"object": "site", "id": site, "title": "Shown"},
                "teams": [{"id": editors, "title": "Editors"}],
            },
        ),
        "reader": ("comment", {"rule": "level", "on": inner_place}),
        "guest": (
            "comment",
            {
                "rule": "user",
                "on": {"object": "collection", "id": outer, "title": "Outer"},
                "limitedBy": inner_place,
            },
        ),
    }
    for name, (role, because) in expected.items():
        assert told[users[name]] == (role, {"teams": [], **because}), name
        served = world.api.get(f"/v1/spaces/{space}", token=tokens[name]).json["permissions"]
        matrix = {word: ROLES.index(role) >= ROLES.index(least) for word, least in POLICY["space"].items()}
        assert {word: served[word] for word in matrix} == matrix, name

    # On the site the same people have other roles, by other rules.
    on_site = _because(world, f"{org}/sites/{site}")
    assert on_site[users["editor"]][0] == "edit"
    assert on_site[users["reader"]][1]["rule"] == "organization-role"
    assert users["guest"] not in on_site


def test_a_place_that_the_caller_may_not_see_is_not_named(world: World) -> None:
    org = f"/v1/orgs/{world.organization}"
    secret = world.api.post(f"{org}/collections", {"title": "Secret plans"}).json["id"]
    assert world.api.patch(f"/v1/collections/{secret}", {"defaultLevel": "comment"}).status == 200
    space = world.space("Open", parent=secret)["id"]
    token, reader = world.person("guest"), world.person("read")
    world.grant(token, "space", space, "admin")
    user = world.api.get("/v1/user", token=reader).json["id"]
    told = _because(world, f"/v1/spaces/{space}", token)
    assert told[user] == ("comment", {"rule": "level", "on": {"object": "collection", "id": secret}, "teams": []})
    assert world.api.get(f"/v1/collections/{secret}", token=token).status == 404


def _because(world: World, place: str, token: str | None = None) -> dict[str, tuple[str, Any]]:
    reply = world.api.get(f"{place}/permissions/aggregate?limit=1000", token=token)
    assert reply.status == 200, reply.text
    return {one["user"]["id"]: (one["permission"], one["because"]) for one in reply.json["items"]}
