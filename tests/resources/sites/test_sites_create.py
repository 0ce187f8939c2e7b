"""POST /orgs/{org}/sites."""

from __future__ import annotations

import re

from tests.client import World
from tests.resources.checks import (
    MOMENT,
    REQUIRED_OF_SITE,
    check_json,
    check_refusals,
    check_roles,
    other_organization,
)


def _structure(world: World, site: str) -> list[dict[str, object]]:
    shown = world.api.get(f"/v1/orgs/{world.organization}/sites/{site}/structure").json
    assert shown["type"] == "siteSpaces"
    made: list[dict[str, object]] = shown["structure"]
    return made


def test_it_is_served_whole_with_its_location(world: World) -> None:
    reply = world.api.post(f"/v1/orgs/{world.organization}/sites", {"title": " Field guide "})
    assert reply.status == 201
    site = reply.json
    assert set(REQUIRED_OF_SITE) <= set(site)
    assert (site["object"], site["title"], site["type"]) == ("site", "Field guide", "basic")
    assert (site["visibility"], site["published"], site["agentsContext"]) == ("public", False, "included")
    assert site["siteSpaces"] == 0
    assert site["defaultLevel"] == "inherit"
    assert "published" not in site["urls"]
    assert {"hostname", "proxy", "icon"}.isdisjoint(site)
    assert re.fullmatch(MOMENT, site["createdAt"])
    assert 1 <= len(site["basename"]) <= 100
    assert reply.headers["location"] == site["urls"]["location"]
    assert world.api.get(f"/v1/orgs/{world.organization}/sites/{site['id']}").json == site


def test_without_a_body_it_is_untitled(world: World) -> None:
    reply = world.api.post(f"/v1/orgs/{world.organization}/sites")
    assert reply.status == 201
    assert reply.json["title"] == "Untitled site"


def test_the_first_space_becomes_the_default(world: World) -> None:
    first, second = world.space("First steps")["id"], world.space("Second steps")["id"]
    site = world.site(first, second, publish=False)
    assert site["siteSpaces"] == 2
    held = _structure(world, site["id"])
    assert [one["space"]["id"] for one in held] == [first, second]  # type: ignore[index]
    assert [bool(one.get("default")) for one in held] == [True, False]
    assert [one["title"] for one in held] == ["First steps", "Second steps"]
    assert [one["path"] for one in held] == ["first-steps", "second-steps"]


def test_paths_are_unique_among_siblings(world: World) -> None:
    spaces = [world.space(title)["id"] for title in ("Guide", "Guide", "guide!", "日本語", "漢字")]
    held = _structure(world, world.site(*spaces, publish=False)["id"])
    assert len({one["path"] for one in held}) == 5
    assert all(re.fullmatch(r"[^/?#\s]{1,100}", str(one["path"])) for one in held)


def test_it_may_bring_its_own_space(world: World) -> None:
    for word, pages in (("sample", True), ("empty", False)):
        reply = world.api.post(f"/v1/orgs/{world.organization}/sites", {"title": "Brings", "spaces": word})
        assert reply.status == 201
        assert reply.json["siteSpaces"] == 1
        space = _structure(world, reply.json["id"])[0]["space"]
        shown = world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"]  # type: ignore[index]
        assert bool(shown) is pages


def test_a_sample_has_something_to_read(world: World) -> None:
    site = world.site(spaces="sample", publish=False)
    space = _structure(world, site["id"])[0]["space"]["id"]  # type: ignore[index]
    page = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"][0]["id"]
    assert world.api.get(f"/v1/spaces/{space}/content/page/{page}?format=document").json["document"]["nodes"]


def test_creating_takes_the_create_role(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/sites"
    check_roles(world, "create", "POST", path, {"title": "Theirs"}, success=201, guest=403)


def test_its_maker_is_its_admin(world: World) -> None:
    token = world.person("create")
    made = world.api.post(f"/v1/orgs/{world.organization}/sites", {"title": "Mine"}, token=token).json
    assert made["permissions"]["admin"] is True
    path = f"/v1/orgs/{world.organization}/sites/{made['id']}"
    assert world.api.patch(path, {"title": "Ours"}, token=token).status == 200
    assert world.api.patch(path, {"title": "Not yours"}, token=world.person("create")).status == 403


def test_spaces_must_be_within_sight(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/sites"
    closed = world.space()["id"]
    world.api.patch(f"/v1/spaces/{closed}", {"defaultLevel": None})
    token = world.person("create")
    assert world.api.post(path, {"title": "Peek", "spaces": [closed]}, token=token).status == 404
    assert world.api.post(path, {"title": "Peek", "spaces": ["nothing"]}).status == 404
    foreign = other_organization(world)["id"]
    elsewhere = world.api.post(f"/v1/orgs/{foreign}/spaces", {"title": "Foreign"}).json["id"]
    assert world.api.post(path, {"title": "Peek", "spaces": [elsewhere]}).status in (400, 404)
    assert world.api.get(path).json["count"] == 0


def test_publishing_what_one_may_only_read_is_refused(world: World) -> None:
    space = world.space()["id"]
    token = world.person("create")
    world.grant(token, "space", space, "read")
    reply = world.api.post(f"/v1/orgs/{world.organization}/sites", {"title": "Leak", "spaces": [space]}, token=token)
    assert reply.status == 403


def test_wrong_input_names_the_field(world: World) -> None:
    path = f"/v1/orgs/{world.organization}/sites"
    cases = [
        ({"title": "a"}, "title"),
        ({"title": " a "}, "title"),
        ({"title": "a" * 129}, "title"),
        ({"title": None}, "title"),
        ({"type": "free"}, "type"),
        ({"type": 1}, "type"),
        ({"visibility": "private"}, "visibility"),
        ({"visibility": None}, "visibility"),
        ({"spaces": "some"}, "spaces"),
        ({"spaces": [1]}, "spaces"),
        ({"spaces": [None]}, "spaces"),
        ({"spaces": {}}, "spaces"),
        ({"spaces": None}, "spaces"),
    ]
    check_refusals(world, "POST", path, cases)
    check_json(world, "POST", path)
    assert world.api.get(path).json["count"] == 0


def test_read_only_and_unknown_fields_are_ignored(world: World) -> None:
    sent = {
        "title": "Given", "id": "chosen", "published": True, "organization": "other", "siteSpaces": 9,
        "createdAt": "2001-01-01T00:00:00.000Z", "permissions": {}, "features": [], "urls": {}, "nonsense": 1,
    }  # fmt: skip
    reply = world.api.post(f"/v1/orgs/{world.organization}/sites", sent)
    assert reply.status == 201
    assert reply.json["id"] != "chosen"
    assert (reply.json["published"], reply.json["siteSpaces"]) == (False, 0)
    assert reply.json["features"]
    assert reply.json["createdAt"] > "2020"


def test_equal_titles_get_distinct_basenames(world: World) -> None:
    names = {world.site(title="Same title", publish=False)["basename"] for _ in range(3)}
    assert len(names) == 3


def test_showing_a_space_of_others_makes_nobody_its_admin(world: World) -> None:
    space = world.space("Terns")["id"]
    maker = world.person("create")
    path = f"/v1/orgs/{world.organization}/sites"
    made = world.api.request("POST", path, {"title": "Birds", "spaces": [space]}, token=maker)
    assert made.status == 201
    shown = world.api.get(f"/v1/spaces/{space}", token=maker).json["permissions"]
    assert (shown["admin"], shown["merge"]) == (False, True)
    assert made.json["permissions"]["admin"] is False
    assert world.api.get(f"{path}/{made.json['id']}", token=maker).json == made.json
    world.grant(maker, "space", space, "admin")
    own = world.api.request("POST", path, {"title": "Birds", "spaces": [space]}, token=maker)
    assert own.json["permissions"]["admin"] is True
