"""GET …/sites/{site}/published and /structure."""

from __future__ import annotations

from tests.client import World
from tests.resources.checks import REQUIRED_OF_SPACE, check_roles


def test_a_flat_site(world: World) -> None:
    first, second = world.space("First")["id"], world.space("Second")["id"]
    site = world.site(first, second)
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    reply = world.api.get(path + "/published")
    assert reply.status == 200
    shown = reply.json
    assert shown["object"] == "published-content-site"
    assert shown["site"] == site
    assert shown["structure"] == world.api.get(path + "/structure").json
    assert {"site", "siteSpaces"} <= set(shown["customizations"])
    assert shown["scripts"] == []
    assert shown["structure"]["type"] == "siteSpaces"
    held = shown["structure"]["structure"]
    assert [one["space"]["id"] for one in held] == [first, second]
    for one in held:
        assert one["object"] == "site-space"
        assert {"id", "path", "title", "urls"} <= set(one)
        assert set(REQUIRED_OF_SPACE) <= set(one["space"])
        assert one["urls"]["published"].startswith(site["urls"]["published"])
    assert held[0]["default"] is True
    assert len({one["urls"]["published"] for one in held}) == 2


def test_a_site_may_be_empty(world: World) -> None:
    site = world.site(publish=False)
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    assert world.api.get(path + "/structure").json == {"type": "siteSpaces", "structure": []}


def test_every_member_reads_it(world: World) -> None:
    site = world.site(world.space()["id"])
    for name in ("published", "structure"):
        check_roles(world, "read", "GET", f"/v1/orgs/{world.organization}/sites/{site['id']}/{name}", success=200)


def test_the_embedded_space_says_what_the_caller_may_do(world: World) -> None:
    space = world.space()["id"]
    site = world.site(space)
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}/structure"
    for role in ("read", "edit", "admin"):
        token = world.person(role)
        shown = world.api.get(path, token=token).json["structure"][0]["space"]
        assert shown == world.api.get(f"/v1/spaces/{space}", token=token).json


def test_a_space_out_of_sight_is_not_embedded_as_seen(world: World) -> None:
    space = world.space("Secret plans")["id"]
    site = world.site(space, publish=False)
    world.api.patch(f"/v1/spaces/{space}", {"defaultLevel": None})
    token = world.person("read")
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}/structure"
    assert world.api.get(f"/v1/spaces/{space}", token=token).status == 404
    assert space not in world.api.get(path, token=token).text


def test_the_published_part_of_a_structure_goes_with_publication(world: World) -> None:
    site = world.site(world.space()["id"], publish=False)
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}/structure"
    assert "published" not in world.api.get(path).json["structure"][0].get("urls", {})


def test_an_unknown_share_key_changes_nothing_for_members(world: World) -> None:
    site = world.site(world.space()["id"])
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}/published"
    assert world.api.get(path + "?shareKey=nonsense").json == world.api.get(path).json
