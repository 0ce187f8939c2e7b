"""POST …/sites/{site}/publish and /unpublish."""

from __future__ import annotations

from tests.client import World
from tests.resources.checks import check_roles


def test_there_and_back(world: World) -> None:
    site = world.site(world.space()["id"], publish=False)
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    reply = world.api.post(path + "/publish")
    assert reply.status == 200
    assert reply.json["published"] is True
    assert reply.json["urls"]["published"].startswith("http")
    assert reply.json | {"published": False, "urls": site["urls"]} == site
    assert world.api.get(path).json == reply.json
    assert world.api.post(path + "/publish").json == reply.json
    assert world.api.post(path + "/unpublish").json == site
    assert world.api.post(path + "/unpublish").json == site
    assert world.api.get(path).json == site


def test_it_takes_admin(world: World) -> None:
    site = world.site(publish=False)
    for verb in ("publish", "unpublish"):
        path = f"/v1/orgs/{world.organization}/sites/{site['id']}/{verb}"
        check_roles(world, "admin", "POST", path, success=200)


def test_the_refused_did_not_publish(world: World) -> None:
    site = world.site(publish=False)
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    for role in ("create", "guest", None):
        assert world.api.post(path + "/publish", token=world.person(role)).status in (403, 404)
    assert world.api.get(path).json["published"] is False


def test_visitors_come_in_only_while_it_is_published(world: World) -> None:
    site = world.site(world.space()["id"])
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    address = site["urls"]["published"].removeprefix("http://octavo.test")
    assert world.api.get(address, token="").status == 200
    world.api.post(path + "/unpublish")
    assert world.api.get(address, token="").status == 404


def test_a_body_is_not_needed_and_not_read(world: World) -> None:
    site = world.site(publish=False)
    path = f"/v1/orgs/{world.organization}/sites/{site['id']}"
    reply = world.api.post(path + "/publish", {"published": False, "title": "Other"})
    assert (reply.status, reply.json["published"], reply.json["title"]) == (200, True, site["title"])
