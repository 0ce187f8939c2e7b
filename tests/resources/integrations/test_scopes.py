"""What an integration may where it is installed: what it asks for, and the organization has agreed to."""

from __future__ import annotations

from typing import Any

from tests.client import World
from tests.resources.checks import check_refusals, other_organization
from tests.resources.integrations.building import installed, published

READ, WRITE, SEE = "space:content:read", "space:content:write", "space:metadata:read"


def _abroad(world: World, *scopes: str) -> tuple[dict[str, Any], str, str]:
    """A public integration, where it is installed in another organization on all spaces, and a space there."""
    one, abroad = published(world, visibility="public", scopes=list(scopes)), other_organization(world)["id"]
    there = installed(world, one, abroad)
    assert world.api.patch(there, {"space_selection": "all", "site_selection": "all"}).status == 200
    return one, there, world.api.post(f"/v1/orgs/{abroad}/spaces", {"title": "Foreign"}).json["id"]


def _token(world: World, one: dict[str, Any], there: str) -> str:
    token: str = world.api.post(f"{there}/tokens", token=world.acting(one["name"])).json["token"]
    return token


def test_a_version_that_asks_for_more_is_not_given_it_by_itself(world: World) -> None:
    one, there, space = _abroad(world, SEE)
    token, content = _token(world, one, there), f"/v1/spaces/{space}/content"
    assert world.api.get(there).json["scopes"] == [SEE]
    assert published(world, one["name"], visibility="public", scopes=[READ, SEE])["scopes"] == [READ, SEE]
    assert world.api.get(there).json["scopes"] == [SEE]
    refused = world.api.get(content, token=token)
    assert (refused.status, READ in refused.message) == (403, True)
    assert world.api.get(f"/v1/spaces/{space}", token=token).status == 200
    assert world.api.patch(there, {"scopes": [SEE, READ]}).json["scopes"] == [READ, SEE]
    assert world.api.get(content, token=token).status == 200
    published(world, one["name"], visibility="public", scopes=[SEE])
    assert world.api.get(content, token=token).status == 403
    # Within what was agreed to, versions come and go.
    published(world, one["name"], visibility="public", scopes=[READ, SEE])
    assert world.api.get(content, token=token).status == 200
    assert world.api.patch(there, {"scopes": []}).json["scopes"] == []
    assert world.api.get(content, token=token).status == 403


def test_who_publishes_agrees_for_the_own_organization(world: World) -> None:
    one = published(world, scopes=[SEE])
    here = installed(world, one)
    assert world.api.patch(here, {"scopes": []}).json["scopes"] == []
    published(world, one["name"], scopes=[SEE, READ])
    assert world.api.get(here).json["scopes"] == [SEE, READ]


def test_the_integration_sees_organizations_only_by_what_each_agreed_to(world: World) -> None:
    one, there, foreign = _abroad(world, SEE)
    here, own = installed(world, one), world.space()["id"]
    assert world.api.patch(here, {"space_selection": "all"}).status == 200
    abroad = world.api.get(there).json["target"]["organization"]
    published(world, one["name"], visibility="public", scopes=[SEE, READ, "openapi:read"])
    token = world.acting(one["name"])

    def seen(path: str) -> int:
        return world.api.get(path, token=token).status

    assert [seen(f"/v1/spaces/{each}") for each in (own, foreign)] == [200, 200]
    assert [seen(f"/v1/spaces/{each}/content") for each in (own, foreign)] == [200, 404]
    assert [seen(f"/v1/orgs/{each}/openapi") for each in (world.organization, abroad)] == [200, 404]
    assert world.api.patch(there, {"scopes": [SEE, READ, "openapi:read"]}).status == 200
    assert [seen(f"/v1/spaces/{foreign}/content"), seen(f"/v1/orgs/{abroad}/openapi")] == [200, 200]


def test_who_may_not_install_agrees_to_nothing(world: World) -> None:
    one, there, _ = _abroad(world, SEE)
    abroad = world.api.get(there).json["target"]["organization"]
    published(world, one["name"], visibility="public", scopes=[SEE, READ])
    both = {"scopes": [SEE, READ]}
    for acting in (world.acting(one["name"]), _token(world, one, there)):
        refused = world.api.patch(there, both, token=acting)
        assert (refused.status, "for admins" in refused.message) == (403, True)
    assert world.api.patch(there, both, token=world.person("edit", abroad)).status == 403
    assert world.api.patch(there, both, token=world.person("admin")).status == 404
    check_refusals(world, "PATCH", there, [({"scopes": [WRITE]}, WRITE), ({"scopes": ["all"]}, "scopes")])
    assert world.api.get(there).json["scopes"] == [SEE]
    assert world.api.patch(there, both, token=world.person("admin", abroad)).json["scopes"] == [SEE, READ]


def test_scripts_and_events_wait_for_agreement(world: World) -> None:
    one, there, _ = _abroad(world)
    abroad = world.api.get(there).json["target"]["organization"]
    site = world.api.post(f"/v1/orgs/{abroad}/sites", {"title": "Foreign"}).json["id"]
    scripts = f"/v1/orgs/{abroad}/sites/{site}/integration-scripts"
    published(world, one["name"], visibility="public", scopes=["site:script:inject", READ])

    def told() -> list[str]:
        world.work()
        found = world.api.get(f"/v1/integrations/{one['name']}/events", token=world.acting(one["name"])).json["items"]
        return [each["payload"]["type"] for each in found]

    assert world.api.post(f"/v1/orgs/{abroad}/spaces", {"title": "Another"}).status == 201
    assert "space_content_updated" not in told()
    assert world.api.patch(there, {"scopes": [READ]}).status == 200
    assert world.api.post(f"/v1/orgs/{abroad}/spaces", {"title": "Third"}).status == 201
    assert "space_content_updated" in told()
    tunnel = {"tunnelUrl": "https://tunnel.example", "all": True}
    assert world.api.put(f"/v1/integrations/{one['name']}/dev", tunnel).status in (200, 204)
    assert world.api.get(scripts).json == []
    assert world.api.patch(there, {"scopes": ["site:script:inject"]}).status == 200
    assert len(world.api.get(scripts).json) == 1
