"""PATCH /orgs/{org}/sites/{site}."""

from __future__ import annotations

import uuid

from tests.client import World
from tests.resources.checks import check_json, check_refusals, check_roles


def _at(world: World, site: dict[str, object]) -> str:
    return f"/v1/orgs/{world.organization}/sites/{site['id']}"


def test_only_what_was_sent_changes(world: World) -> None:
    before = world.site(publish=False)
    path = _at(world, before)
    reply = world.api.patch(path, {"title": " Manuals "})
    assert reply.status == 200
    assert reply.json == before | {"title": "Manuals"}
    assert world.api.get(path).json == reply.json
    assert world.api.patch(path, {}).json == reply.json


def test_each_field(world: World) -> None:
    path = _at(world, world.site(publish=False))
    unique = uuid.uuid4().hex
    for field, value in (
        ("visibility", "unlisted"), ("visibility", "share-link"), ("visibility", "visitor-auth"),
        ("visibility", "public"), ("agentsContext", "excluded"), ("agentsContext", "included"),
        ("adaptiveContent", {"enabled": True}), ("adaptiveContent", {"enabled": False}), ("basename", unique),
        ("defaultLevel", "read"), ("defaultLevel", None), ("defaultLevel", "inherit"),
        ("hostname", f"docs.{unique}.test"),
    ):  # fmt: skip
        reply = world.api.patch(path, {field: value})
        assert reply.status == 200, f"{field}: {reply.text}"
        assert reply.json[field] == value
        assert world.api.get(path).json[field] == value
    assert "hostname" not in world.api.patch(path, {"hostname": None}).json


def test_a_proxy_is_a_host_and_a_path(world: World) -> None:
    path = _at(world, world.site())
    shown = world.api.patch(path, {"proxy": "acme.com/docs"}).json["proxy"]
    assert shown["origin"] == "https://acme.com/docs"
    assert shown["target"].startswith("http")
    assert "proxy" not in world.api.patch(path, {"proxy": None}).json


def test_the_default_space_may_be_another(world: World) -> None:
    first, second = world.space("First")["id"], world.space("Second")["id"]
    site = world.site(first, second, publish=False)
    path = _at(world, site)
    held = world.api.get(path + "/structure").json["structure"]
    assert world.api.patch(path, {"defaultSiteSpace": held[1]["id"]}).status == 200
    held = world.api.get(path + "/structure").json["structure"]
    assert {one["space"]["id"]: bool(one.get("default")) for one in held} == {first: False, second: True}
    other = world.site(first, title="Other site", publish=False)
    foreign = world.api.get(_at(world, other) + "/structure").json["structure"][0]["id"]
    for wrong in (foreign, "nothing", first):
        assert world.api.patch(path, {"defaultSiteSpace": wrong}).status in (400, 404)
    assert world.api.patch(path, {"defaultSiteSection": "nothing"}).status in (400, 404)
    assert world.api.get(path + "/structure").json["structure"] == held


def test_basenames_and_hostnames_belong_to_one(world: World) -> None:
    one, other = world.site(title="One site", publish=False), world.site(title="Other site", publish=False)
    unique = uuid.uuid4().hex
    for field, value in (("basename", unique), ("hostname", f"docs.{unique}.test")):
        assert world.api.patch(_at(world, one), {field: value}).status == 200
        assert world.api.patch(_at(world, one), {field: value}).status == 200
        reply = world.api.patch(_at(world, other), {field: value, "title": "Half done"})
        assert reply.status == 409
        assert field in reply.message
    assert world.api.get(_at(world, other)).json == other


def test_settings_take_admin(world: World) -> None:
    check_roles(world, "admin", "PATCH", _at(world, world.site(publish=False)), {"title": "Renamed"}, success=200)


def test_paths_stay_when_titles_change(world: World) -> None:
    site = world.site(world.space("Guide")["id"], publish=False)
    path = _at(world, site)
    held = world.api.get(path + "/structure").json["structure"]
    world.api.patch(path, {"title": "Renamed"})
    assert world.api.get(path).json["basename"] == site["basename"]
    world.api.patch(f"/v1/spaces/{held[0]['space']['id']}", {"title": "Renamed"})
    assert world.api.get(path + "/structure").json["structure"][0]["path"] == held[0]["path"]


def test_wrong_input_names_the_field(world: World) -> None:
    site = world.site(publish=False)
    label = "a" * 64
    cases = [
        ({"title": "a"}, "title"),
        ({"title": " a "}, "title"),
        ({"title": "a" * 129}, "title"),
        ({"title": None}, "title"),
        ({"visibility": "private"}, "visibility"),
        ({"visibility": None}, "visibility"),
        ({"basename": ""}, "basename"),
        ({"basename": "a" * 101}, "basename"),
        ({"basename": "a/b"}, "basename"),
        ({"basename": None}, "basename"),
        ({"hostname": "two.labels"}, "hostname"),
        ({"hostname": "Upper.example.test"}, "hostname"),
        ({"hostname": "192.168.0.1"}, "hostname"),
        ({"hostname": "-a.example.test"}, "hostname"),
        ({"hostname": "a-.example.test"}, "hostname"),
        ({"hostname": f"{label}.example.test"}, "hostname"),
        ({"hostname": "docs.example.test\n"}, "hostname"),
        ({"hostname": "docs.example.test:80"}, "hostname"),
        ({"hostname": "a." * 260 + "test"}, "hostname"),
        ({"hostname": 1}, "hostname"),
        ({"proxy": "acme.com"}, "proxy"),
        ({"proxy": "https://acme.com/docs"}, "proxy"),
        ({"proxy": "acme.com/" + "a" * 512}, "proxy"),
        ({"proxy": {"origin": "acme.com/docs"}}, "proxy"),
        ({"adaptiveContent": {}}, "adaptiveContent"),
        ({"adaptiveContent": True}, "adaptiveContent"),
        ({"adaptiveContent": {"enabled": "no"}}, "adaptiveContent"),
        ({"agentsContext": "none"}, "agentsContext"),
        ({"defaultLevel": "owner"}, "defaultLevel"),
        ({"defaultSiteSpace": 1}, "defaultSiteSpace"),
        ({"defaultSiteSpace": None}, "defaultSiteSpace"),
        ({"defaultSiteSection": []}, "defaultSiteSection"),
    ]
    check_refusals(world, "PATCH", _at(world, site), cases)
    check_json(world, "PATCH", _at(world, site))
    assert world.api.get(_at(world, site)).json == site


def test_read_only_and_unknown_fields_are_ignored(world: World) -> None:
    site = world.site(publish=False)
    sent = {
        "id": "chosen", "object": "x", "organization": "other", "published": True, "siteSpaces": 9, "type": "premium",
        "createdAt": "2001-01-01T00:00:00.000Z", "permissions": {}, "features": [], "urls": {}, "ads": {},
        "agents_context": "excluded", "nonsense": 1,
    }  # fmt: skip
    reply = world.api.patch(_at(world, site), sent)
    assert reply.status == 200
    assert reply.json == site == world.api.get(_at(world, site)).json
