"""…/sites/{site}/sections: added, listed, changed, moved, deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from tests.client import Reply, World
from tests.resources.checks import check_json, check_refusals, check_roles, other_organization
from tests.resources.sites.building import Site, check_sound


def _together(site: Site, requests: Iterable[tuple[str, str, Any]]) -> list[Reply]:
    """Several requests at the same time."""

    async def gathered() -> list[Reply]:
        return list(await asyncio.gather(*(site.send(*one) for one in requests)))

    replies: list[Reply] = site.world.run(gathered())
    return replies


def test_the_first_section_of_a_flat_site_finds_what_was_there_in_a_default_one(world: World) -> None:
    site = Site(world, world.space("Guide")["id"], world.space("Guide v1")["id"], publish=True)
    before = {one["id"]: one["urls"]["published"] for one in site.spaces()}
    made = site.section("Reference")
    assert (made["object"], made["title"], made["path"], made["default"]) == (
        "site-section", "Reference", "reference", False,
    )  # fmt: skip
    structure = site.structure()
    assert structure["type"] == "sections"
    first, second = structure["structure"]
    assert (first["title"], first["path"], first["default"]) == ("Guide", "guide", True)
    assert [one["title"] for one in first["siteSpaces"]] == ["Guide", "Guide v1"]
    assert all(one["section"] == first["id"] for one in first["siteSpaces"])
    assert second == made
    assert {one["id"]: one["urls"]["published"] for one in first["siteSpaces"]} == before
    assert first["urls"]["published"] == site.ask("GET", "", status=None).json.get("urls", {}).get(
        "published", first["urls"]["published"]
    )
    check_sound(site)


def test_it_takes_title_and_icon_of_its_space(world: World) -> None:
    site = Site(world)
    space = world.space("Birds", emoji="🐦")
    made = site.ask("POST", "sections", {"spaceId": space["id"], "title": None, "icon": None}, 201)
    assert (made.json["title"], made.json["path"], made.json["default"]) == ("Birds", "birds", True)
    assert "icon" not in made.json
    [shown] = made.json["siteSpaces"]
    assert (shown["space"]["id"], shown["default"], shown["section"]) == (space["id"], True, made.json["id"])
    other = site.ask("POST", "sections", {"spaceId": space["id"], "title": "Other", "icon": "bird"}, 201).json
    assert (other["title"], other["icon"], other["default"]) == ("Other", "bird", False)


def test_a_blank_space_is_made_and_is_the_caller_s(world: World) -> None:
    site = Site(world)
    made = site.section("New things")
    space = made["siteSpaces"][0]["space"]
    assert (space["title"], space["permissions"]["admin"]) == ("New things", True)
    assert len(world.api.get(f"/v1/spaces/{space['id']}/content/pages").json["pages"]) == 1
    assert site.ask("POST", "sections", {"spaceId": None}, 201).json["title"] == "Untitled"
    assert site.ask("POST", "sections", {"spaceId": None}, 201).json["path"] == "untitled-2"


def test_it_opens_a_page_of_the_space_only(world: World) -> None:
    site = Site(world)
    space = world.space("Birds")["id"]
    [page] = world.api.get(f"/v1/spaces/{space}/content/pages").json["pages"]
    body = {"spaceId": space, "pageId": page["id"]}
    assert site.ask("POST", "sections", body, 201).json["siteSpaces"][0]["pageId"] == page["id"]
    assert "pageId" in site.ask("POST", "sections", {"spaceId": space, "pageId": "nothing"}, 400).message
    assert "pageId" in site.ask("POST", "sections", {"spaceId": None, "pageId": page["id"]}, 400).message


def test_who_may_add_one(world: World) -> None:
    site = Site(world)
    check_roles(world, "create", "POST", f"{site.path}/sections", {"spaceId": None}, success=201)
    closed = world.space("Closed")["id"]
    world.api.patch(f"/v1/spaces/{closed}", {"defaultLevel": "edit"})
    token = world.person("create")
    assert site.ask("POST", "sections", {"spaceId": closed}, 403, token=token).message
    world.api.patch(f"/v1/spaces/{closed}", {"defaultLevel": None})
    site.ask("POST", "sections", {"spaceId": closed}, 404, token=token)
    foreign = world.api.post(f"/v1/orgs/{other_organization(world)['id']}/spaces", {"title": "Foreign"}).json["id"]
    site.ask("POST", "sections", {"spaceId": foreign}, 400)
    site.ask("POST", "sections", {"spaceId": "nothing"}, 404)
    elsewhere = Site(world).group("Elsewhere")["id"]
    site.ask("POST", "sections", {"spaceId": None, "siteSectionGroupId": elsewhere}, 404)


def test_nobody_gets_more_on_a_space_by_it_than_who_adds_it_has(world: World) -> None:
    """What a site says counts for spaces that inherit: neither the caller nor somebody else is made an admin by this."""
    space = world.space("Terns")["id"]
    site = Site(world)
    maker, friend = world.person("create"), world.person("read")
    world.grant(maker, "site", site.id, "create")
    added = site.ask("POST", "sections", {"spaceId": space}, 201, token=maker).json
    site.ask("DELETE", f"sections/{added['id']}", status=205)
    world.grant(friend, "site", site.id, "admin")
    assert "admin of the space" in site.ask("POST", "sections", {"spaceId": space}, 403, token=maker).message
    assert site.sections() == []
    assert world.api.get(f"/v1/spaces/{space}", token=friend).json["permissions"]["admin"] is False
    world.grant(maker, "space", space, "admin")
    site.ask("POST", "sections", {"spaceId": space}, 201, token=maker)


def test_wrong_input_names_the_field(world: World) -> None:
    site = Site(world)
    cases = [
        ({}, "spaceId"),
        ({"spaceId": 5}, "spaceId"),
        ({"spaceId": None, "title": "a"}, "title"),
        ({"spaceId": None, "title": "a" * 129}, "title"),
        ({"spaceId": None, "icon": "a" * 51}, "icon"),
        ({"spaceId": None, "draft": "yes"}, "draft"),
        ({"spaceId": None, "template": {"id": "a"}}, "template"),
    ]
    check_refusals(world, "POST", f"{site.path}/sections", cases)
    check_json(world, "POST", f"{site.path}/sections")
    assert site.structure() == {"type": "siteSpaces", "structure": []}


def test_every_field_can_be_changed(world: World) -> None:
    site = Site(world)
    made = site.section("Guides")
    sent = {
        "title": "Handbook", "path": "Hand_book.v1", "icon": "book", "description": "All of it",
        "condition": "visitor.claims.staff", "draft": True, "localizedTitle": {"de": "Handbuch"},
        "localizedDescription": {"de": "Alles"},
    }  # fmt: skip
    changed = site.ask("PATCH", f"sections/{made['id']}", sent, 200).json
    assert {name: changed[name] for name in sent} == sent
    assert site.sections() == [changed]
    nothing = dict.fromkeys(("icon", "description", "condition", "localizedTitle", "localizedDescription"))
    cleared = site.ask("PATCH", f"sections/{made['id']}", nothing, 200).json
    assert not set(nothing) & set(cleared)
    assert site.ask("PATCH", f"sections/{made['id']}", {}, 200).json == cleared


def test_paths_are_free_and_possible(world: World) -> None:
    site = Site(world, world.space("Guide")["id"])
    old = site.space("Old guide")
    made = site.section("Reference")
    one = f"sections/{made['id']}"
    for path in ("a/b", "", "a b", "~octavo", "llms.txt", "LLMS-full.txt", "sitemap.xml", "sitemap-3.xml", "robots.txt",
                 "favicon.ico", "..", ".", "page.md", "50%", "a\\b", "é" * 101):  # fmt: skip
        assert "path" in site.ask("PATCH", one, {"path": path}, 400).message, path
    for path in ("guide", "GUIDE", old["path"], "old-GUIDE"):
        site.ask("PATCH", one, {"path": path}, 409)
    site.ask("PATCH", f"site-spaces/{old['id']}", {"path": "reference"}, 409)
    assert site.ask("PATCH", one, {"path": "références"}, 200).json["path"] == "références"
    assert site.ask("PATCH", f"site-spaces/{old['id']}", {"path": "reference"}, 200).json["path"] == "reference"
    check_sound(site)


def test_a_condition_that_cannot_be_read_is_refused(world: World) -> None:
    site = Site(world)
    one = f"sections/{site.section('Guides')['id']}"
    for condition in ("visitor.claims.", "a = 1", "((", "x" * 1025):
        assert "condition" in site.ask("PATCH", one, {"condition": condition}, 400).message
    assert "condition" not in site.ask("PATCH", one, {"condition": ""}, 200).json


def test_its_default_site_space_is_one_of_its_own(world: World) -> None:
    site = Site(world)
    made, other = site.section("Guides"), site.section("Other")
    second = site.space("Second", sectionId=made["id"])
    one = f"sections/{made['id']}"
    changed = site.ask("PATCH", one, {"defaultSiteSpace": second["id"]}, 200).json
    assert [space["default"] for space in changed["siteSpaces"]] == [False, True]
    for word in (other["siteSpaces"][0]["id"], "nothing"):
        assert "defaultSiteSpace" in site.ask("PATCH", one, {"defaultSiteSpace": word}, 400).message
    check_sound(site)


def test_another_section_becomes_the_default_one_where_no_path_is_in_the_way(world: World) -> None:
    site = Site(world)
    first, second = site.section("Guides"), site.section("Other")
    variant = site.space("guides", sectionId=second["id"])
    assert variant["path"] == "guides"
    reply = world.api.patch(site.path, {"defaultSiteSection": second["id"]})
    assert reply.status == 409, reply.text
    site.ask("PATCH", f"site-spaces/{variant['id']}", {"path": "v1"}, 200)
    assert world.api.patch(site.path, {"defaultSiteSection": second["id"]}).status == 200
    assert {one["id"]: one["default"] for one in site.sections()} == {first["id"]: False, second["id"]: True}
    assert world.api.patch(site.path, {"defaultSiteSection": "nothing"}).status == 400
    check_sound(site)


def test_deleting_takes_its_site_spaces_and_leaves_its_spaces(world: World) -> None:
    site = Site(world, world.space("Guide")["id"])
    made = site.section("Reference")
    space = made["siteSpaces"][0]["space"]["id"]
    site.ask("DELETE", f"sections/{made['id']}", status=205)
    site.ask("DELETE", f"sections/{made['id']}", status=404)
    assert world.api.get(f"/v1/spaces/{space}").status == 200
    assert world.api.get(site.path).json["siteSpaces"] == 1
    [left] = site.sections()
    site.ask("DELETE", f"sections/{left['id']}", status=205)
    assert site.structure() == {"type": "siteSpaces", "structure": []}
    assert world.api.get(site.path).json["siteSpaces"] == 0


def test_the_section_after_a_deleted_default_one_is_the_default(world: World) -> None:
    site = Site(world)
    a, b, c = (site.section(title) for title in ("Aa", "Bb", "Cc"))
    assert world.api.patch(site.path, {"defaultSiteSection": b["id"]}).status == 200
    # In the section that follows something stands in the way of the first one's path.
    site.space("Aa", sectionId=c["id"])
    site.ask("DELETE", f"sections/{b['id']}", status=205)
    shown = site.sections()
    assert [(one["id"], one["default"]) for one in shown] == [(a["id"], False), (c["id"], True)]
    assert {one["path"] for one in shown[1]["siteSpaces"]}.isdisjoint({"aa"})
    check_sound(site)
    site.ask("DELETE", f"sections/{c['id']}", status=205)
    assert [one["default"] for one in site.sections()] == [True]


def test_lists_are_in_order_and_paged(world: World) -> None:
    site = Site(world)
    group = site.group("Group")
    titles = ["One", "Two", "Three", "Four"]
    made = [site.section(title) for title in titles]
    site.ask("PATCH", f"sections/{made[0]['id']}", {"siteSectionGroupId": group["id"]}, 200)
    assert [one["title"] for one in site.sections()] == titles
    first = site.ask("GET", "sections?limit=3&shareKey=nonsense", status=200).json
    assert ([one["title"] for one in first["items"]], first["count"]) == (titles[:3], 4)
    rest = site.ask("GET", f"sections?limit=3&page={first['next']['page']}", status=200).json
    assert [one["title"] for one in rest["items"]] == titles[3:]
    assert "next" not in rest
    assert site.ask("GET", "sections?limit=0", status=200).json == {"count": 4, "items": []}


def test_sections_added_at_once_have_one_default_and_different_paths(world: World) -> None:
    site = Site(world, world.space("Guide")["id"])
    body = {"spaceId": None, "title": "Same"}
    replies = _together(site, (("POST", "sections", body) for _ in range(8)))
    assert [reply.status for reply in replies] == [201] * 8, [reply.text[:200] for reply in replies]
    assert len(site.sections()) == 9
    check_sound(site)


def test_sections_deleted_at_once_leave_one_default(world: World) -> None:
    site = Site(world)
    made = [site.section(title) for title in ("Aa", "Bb", "Cc", "Dd", "Ee")]
    replies = _together(site, (("DELETE", f"sections/{one['id']}", None) for one in made[:4]))
    assert [reply.status for reply in replies] == [205] * 4
    check_sound(site)
    twice = _together(site, [("DELETE", f"sections/{made[4]['id']}", None)] * 3)
    assert sorted(reply.status for reply in twice) == [205, 404, 404]
