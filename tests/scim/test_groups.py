"""Groups by SCIM are teams that nobody changes by hand; and who may speak SCIM at all."""

from __future__ import annotations

import uuid

import pytest

from tests.client import World
from tests.scim.speaking import GROUP, Idp, token_of


@pytest.fixture
def idp(world: World) -> Idp:
    return Idp(world, token_of(world))


def _name() -> str:
    return f"g{uuid.uuid4().hex}"


def _in(world: World, team: str) -> set[str]:
    listed = world.api.get(f"/v1/orgs/{world.organization}/teams/{team}/members").json["items"]
    return {one["organization"]["id"] for one in listed}


def test_a_group_is_a_team_that_follows_it(world: World, idp: Idp) -> None:
    one, two, three = (idp.user(_name())["id"] for _ in range(3))
    name = f"{_name()} {'long ' * 12}"
    group = idp.group(name, one, two, externalId="g-1")
    at, team = f"/Groups/{group['id']}", f"/v1/orgs/{world.organization}/teams/{group['id']}"
    assert {member["value"] for member in group["members"]} == {one, two}
    assert group["members"][0]["$ref"].startswith("http://octavo.test/scim/v2/Users/")
    shown = world.api.get(team).json
    assert (shown["title"], shown["managedBy"], shown["members"]) == (name[:64].strip(), "scim", 2)
    # As Entra and Okta add and remove.
    for operation, after in (
        ({"op": "Add", "path": "members", "value": [{"value": three, "display": "Three"}]}, {one, two, three}),
        ({"op": "Remove", "path": "members", "value": [{"value": one}]}, {two, three}),
        ({"op": "remove", "path": f'members[value eq "{two}"]'}, {three}),
        ({"op": "add", "value": {"members": [{"value": one}]}}, {one, three}),
        ({"op": "replace", "path": "members", "value": [{"value": two}]}, {two}),
    ):
        assert idp.patch(at, operation).status == 204, operation
        assert _in(world, group["id"]) == after, operation
    new = _name()
    assert idp.patch(at, {"op": "replace", "value": {"id": group["id"], "displayName": new}}).status == 204
    assert world.api.get(team).json["title"] == new
    [held] = idp.ask("GET", f"/Users/{two}").json["groups"]
    assert (held["value"], held["display"]) == (group["id"], new)
    asked = f"/Groups?filter=displayName%20eq%20%22{new.upper()}%22&excludedAttributes=members"
    [found] = idp.ask("GET", asked).json["Resources"]
    assert (found["id"], "members" in found) == (group["id"], False)
    belongs = f"/Groups?filter=id%20eq%20%22{group['id']}%22%20and%20members%20eq%20%22{two}%22"
    assert idp.ask("GET", belongs).json["totalResults"] == 1
    idp.refused(idp.ask("POST", "/Groups", {"schemas": [GROUP], "displayName": new}), 409, "uniqueness")
    stranger = {"op": "add", "path": "members", "value": [{"value": "nobody"}]}
    assert "no member 'nobody'" in idp.refused(idp.patch(at, stranger), 400, "invalidValue")
    assert idp.ask("DELETE", at).status == 204
    assert world.api.get(team).status == 404


def test_such_a_team_is_not_changed_by_hand(world: World, idp: Idp) -> None:
    user = idp.user(_name())["id"]
    team = f"/v1/orgs/{world.organization}/teams/{idp.group(_name(), user)['id']}"
    tries = (
        ("PATCH", team, {"title": "Another"}),
        ("DELETE", team, None),
        ("PUT", f"{team}/members", {"remove": [user]}),
        ("PUT", f"{team}/members/{user}", {"role": "owner"}),
        ("DELETE", f"{team}/members/{user}", None),
    )
    for method, path, body in tries:
        reply = world.api.request(method, path, body)
        assert (reply.status, "change the group there" in reply.message) == (409, True), (method, path)
    # Teams made by hand are none of the identity provider's, and without a token for SCIM all are people's again.
    own = world.api.put(f"/v1/orgs/{world.organization}/teams", {"title": _name()}).json["id"]
    idp.refused(idp.ask("GET", f"/Groups/{own}"), 404)
    for one in world.api.get(f"/v1/orgs/{world.organization}/scim/tokens").json["items"]:
        assert world.api.delete(f"/v1/orgs/{world.organization}/scim/tokens/{one['id']}").status == 204
    idp.refused(idp.ask("GET", "/Groups"), 401)
    assert "managedBy" not in world.api.get(team).json
    assert world.api.patch(team, {"title": "Another"}).status == 200


def test_only_a_token_for_it_speaks_scim(world: World) -> None:
    base = f"/v1/orgs/{world.organization}/scim/tokens"
    made = world.api.post(base, {"label": "Directory"}).json
    assert (made["baseURL"], made["object"]) == ("http://octavo.test/scim/v2", "scim-token")
    assert made["token"] not in world.api.get(base).text
    idp = Idp(world, made["token"])
    assert idp.ask("GET", "/Users").status == 200
    assert "lastUsedAt" in world.api.get(base).json["items"][0]
    for token in ("", "octavo_unknown", str(world.api.token)):
        reply = Idp(world, token).ask("GET", "/Users")
        idp.refused(reply, 401)
        assert reply.headers["www-authenticate"].startswith("Bearer")
    assert world.api.get("/v1/user", token=made["token"]).status == 401
    past = world.api.post(base, {"expiresAt": "2020-01-01T00:00:00Z"})
    assert (past.status, "expiresAt" in past.message) == (400, True)
    [told] = world.api.get(f"/v1/orgs/{world.organization}/audit-events?action=scim-token.create").json["items"]
    assert (told["target"]["type"], told["target"]["label"]) == ("scim-token", "Directory")
    # The organization is the token's: nothing of another one is there.
    other = World(world.house, world.app, world.loop)
    user, group = idp_of(other).user(_name())["id"], idp_of(other).group(_name())["id"]
    for path in (f"/Users/{user}", f"/Groups/{group}"):
        idp.refused(idp.ask("GET", path), 404)
        idp.refused(idp.ask("DELETE", path), 404)
        idp.refused(idp.patch(path, {"op": "replace", "path": "displayName", "value": "Mine"}), 404)
    for method, path, status in (
        ("GET", "/Nothing", 404),
        ("PUT", "/Users", 405),
        ("POST", "/Bulk", 501),
        ("GET", "/Me", 501),
    ):
        assert idp.ask(method, path, {}).status == status, path


def idp_of(world: World) -> Idp:
    """Another organization's."""
    return Idp(world, token_of(world))
