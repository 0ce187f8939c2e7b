"""…/sites/{site}/site-spaces: added, listed, changed, moved, copied, deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from tests.client import Reply, World
from tests.resources.checks import ROLES, check_json, check_refusals, check_roles, other_organization
from tests.resources.sites.building import Site, check_sound


def _together(site: Site, requests: Iterable[tuple[str, str, Any]]) -> list[Reply]:
    """Several requests at the same time."""

    async def gathered() -> list[Reply]:
        return list(await asyncio.gather(*(site.send(*one) for one in requests)))

    replies: list[Reply] = site.world.run(gathered())
    return replies


def test_the_first_one_of_a_site_is_its_default(world: World) -> None:
    site = Site(world, publish=True)
    space = world.space("Birds")["id"]
    made = site.ask("POST", "site-spaces", {"spaceId": space}, 201).json
    assert (made["object"], made["title"], made["path"], made["default"]) == ("site-space", "Birds", "birds", True)
    assert (made["draft"], made["hidden"], made["space"]["id"]) == (False, False, space)
    assert "section" not in made
    second = site.ask("POST", "site-spaces", {"spaceId": space, "title": "Birds again", "draft": True}, 201).json
    assert (second["title"], second["path"], second["default"], second["draft"]) == (
        "Birds again", "birds-again", False, True,
    )  # fmt: skip
    third = site.ask("POST", "site-spaces", {"spaceId": space}, 201).json
    assert third["path"] == "birds-2"
    assert site.structure() == {"type": "siteSpaces", "structure": site.spaces()}
    assert [one["id"] for one in site.spaces()] == [made["id"], second["id"], third["id"]]
    assert world.api.get(site.path).json["siteSpaces"] == 3
    check_sound(site)


def test_it_goes_to_a_section_else_to_the_default_one(world: World) -> None:
    site = Site(world)
    first, second = site.section("First"), site.section("Second")
    assert site.space("Here")["section"] == first["id"]
    assert site.space("There", sectionId=second["id"])["section"] == second["id"]
    site.ask("POST", "site-spaces", {"spaceId": None, "sectionId": "nothing"}, 404)
    site.ask("POST", "site-spaces", {"spaceId": None, "sectionId": Site(world).section("Foreign")["id"]}, 404)
    check_sound(site)


def test_beside_groups_and_links_it_comes_into_a_section(world: World) -> None:
    """The navigation has everything that the site shows."""
    site = Site(world)
    site.link("Elsewhere")
    made = site.space("Guide")
    assert site.tree() == ["Guide", "Elsewhere"]
    assert made["section"] == site.sections()[0]["id"]
    check_sound(site)


def test_who_may(world: World) -> None:
    site = Site(world)
    check_roles(world, "create", "POST", f"{site.path}/site-spaces", {"spaceId": None}, success=201)
    check_roles(world, "read", "GET", f"{site.path}/site-spaces", success=200)
    one = site.spaces()[0]["id"]
    check_roles(world, "admin", "PATCH", f"{site.path}/site-spaces/{one}", {"path": "other"}, success=200)
    space = world.space("Closed")["id"]
    world.api.patch(f"/v1/spaces/{space}", {"defaultLevel": "review"})
    token = world.person("create")
    site.ask("POST", "site-spaces", {"spaceId": space}, 403, token=token)
    foreign = world.api.post(f"/v1/orgs/{other_organization(world)['id']}/spaces", {"title": "Foreign"}).json["id"]
    assert "spaceId" in site.ask("POST", "site-spaces", {"spaceId": foreign}, 400).message
    assert "spaceId" in site.ask("PATCH", f"site-spaces/{one}", {"spaceId": foreign}, 400).message
    site.ask("POST", "site-spaces", {"spaceId": "nothing"}, 404)


def test_a_guest_of_the_site_makes_no_space_of_the_organization(world: World) -> None:
    site = Site(world)
    guest = world.person("guest")
    world.grant(guest, "site", site.id, "create")
    assert "createContent" in site.ask("POST", "site-spaces", {"spaceId": None}, 403, token=guest).message
    assert site.spaces() == []


def test_what_the_caller_does_not_see_is_not_there(world: World) -> None:
    site = Site(world, world.space("Open")["id"], world.space("Closed")["id"])
    closed = site.spaces()[1]
    world.api.patch(f"/v1/spaces/{closed['space']['id']}", {"defaultLevel": None})
    token = world.person("read")
    world.grant(token, "site", site.id, "admin")
    assert [one["title"] for one in site.ask("GET", "site-spaces", status=200, token=token).json["items"]] == ["Open"]
    for method, body in (("PATCH", {"path": "x"}), ("DELETE", None)):
        site.ask(method, f"site-spaces/{closed['id']}", body, 404, token=token)
    world.api.delete(f"/v1/spaces/{closed['space']['id']}")
    assert [one["title"] for one in site.spaces()] == ["Open"]
    assert world.api.get(site.path).json["siteSpaces"] == 1
    site.ask("DELETE", f"site-spaces/{site.space('Passing')['id']}", status=205)
    assert world.api.get(site.path).json["siteSpaces"] == 1
    site.ask("DELETE", f"site-spaces/{closed['id']}", status=404)
    world.api.post(f"/v1/spaces/{closed['space']['id']}/restore")
    assert [one["title"] for one in site.spaces()] == ["Open", "Closed"]
    assert world.api.get(site.path).json["siteSpaces"] == 2


def test_lists_by_default_and_by_page(world: World) -> None:
    site = Site(world)
    first, second = site.section("First"), site.section("Second")
    site.space("Third", sectionId=second["id"])
    site.space("Fourth", sectionId=first["id"])
    titles = ["First", "Fourth", "Second", "Third"]
    assert [one["title"] for one in site.spaces()] == titles
    # The site has one default; what a section shows first is said where the section is told of.
    assert [one["title"] for one in site.spaces() if one["default"]] == ["First"]
    assert [one["title"] for one in site.spaces("?default=true")] == ["First"]
    assert [one["title"] for one in site.spaces("?default=false&shareKey=nonsense")] == ["Fourth", "Second", "Third"]
    shown = [[one["title"] for one in section["siteSpaces"] if one["default"]] for section in site.sections()]
    assert shown == [["First"], ["Second"]]
    site.ask("PATCH", "", {"defaultSiteSection": second["id"]}, status=200)
    assert [one["title"] for one in site.spaces("?default=true")] == ["Second"]
    site.ask("PATCH", "", {"defaultSiteSection": first["id"]}, status=200)
    page = site.ask("GET", "site-spaces?limit=3", status=200).json
    assert ([one["title"] for one in page["items"]], page["count"]) == (titles[:3], 4)
    rest = site.ask("GET", f"site-spaces?limit=3&page={page['next']['page']}", status=200).json
    assert [one["title"] for one in rest["items"]] == titles[3:]
    site.ask("GET", "site-spaces?default=perhaps", status=400)


def test_every_field_can_be_changed(world: World) -> None:
    site = Site(world, world.space("Birds")["id"], publish=True)
    other = world.space("Other birds")["id"]
    one = f"site-spaces/{site.spaces()[0]['id']}"
    sent = {"path": "v2", "condition": "visitor.claims.beta", "hidden": True, "draft": True}
    changed = site.ask("PATCH", one, sent, 200).json
    assert {name: changed[name] for name in sent} == sent
    [page] = world.api.get(f"/v1/spaces/{other}/content/pages").json["pages"]
    changed = site.ask("PATCH", one, {"spaceId": other, "pageId": page["id"], "condition": None}, 200).json
    assert (changed["space"]["id"], changed["pageId"], changed["title"]) == (other, page["id"], "Birds")
    assert "condition" not in changed
    assert "pageId" not in site.ask("PATCH", one, {"pageId": None}, 200).json
    cases = [
        ({"path": "llms.txt"}, "path"), ({"path": "a/b"}, "path"), ({"path": ""}, "path"), ({"hidden": 1}, "hidden"),
        ({"condition": "(("}, "condition"), ({"spaceId": None}, "spaceId"), ({"pageId": "nothing"}, "pageId"),
    ]  # fmt: skip
    check_refusals(world, "PATCH", f"{site.path}/{one}", cases)
    check_json(world, "PATCH", f"{site.path}/{one}")


def test_another_space_makes_nobody_its_admin(world: World) -> None:
    space, own = world.space("Terns")["id"], world.space("Own")["id"]
    site = Site(world, own)
    token = world.person("create")
    world.grant(token, "site", site.id, "admin")
    one = f"site-spaces/{site.spaces()[0]['id']}"
    assert "admin of the space" in site.ask("PATCH", one, {"spaceId": space}, 403, token=token).message
    assert site.spaces()[0]["space"]["id"] == own


def test_paths_are_free_among_siblings(world: World) -> None:
    site = Site(world, world.space("One")["id"], world.space("Two")["id"])
    two = f"site-spaces/{site.spaces()[1]['id']}"
    site.ask("PATCH", two, {"path": "ONE"}, 409)
    assert site.ask("PATCH", two, {"path": "two"}, 200).json["path"] == "two"
    elsewhere = site.section("Elsewhere")
    inside = site.space("One", sectionId=elsewhere["id"])
    assert inside["path"] == "one"
    check_sound(site)


def test_the_next_one_is_the_default_when_that_is_deleted(world: World) -> None:
    site = Site(world, *(world.space(title)["id"] for title in ("Aa", "Bb", "Cc")))
    a, b, c = (one["id"] for one in site.spaces())
    assert world.api.patch(site.path, {"defaultSiteSpace": b}).status == 200
    site.ask("DELETE", f"site-spaces/{b}", status=205)
    site.ask("DELETE", f"site-spaces/{b}", status=404)
    assert [(one["id"], one["default"]) for one in site.spaces()] == [(a, False), (c, True)]
    site.ask("DELETE", f"site-spaces/{c}", status=205)
    site.ask("DELETE", f"site-spaces/{a}", status=205)
    assert site.structure() == {"type": "siteSpaces", "structure": []}


def test_the_last_one_of_a_section_goes_with_the_section(world: World) -> None:
    site = Site(world)
    made = site.section("Guides")
    one = made["siteSpaces"][0]["id"]
    assert "delete the section" in site.ask("DELETE", f"site-spaces/{one}", status=409).message
    second = site.space("Second", sectionId=made["id"])
    site.ask("DELETE", f"site-spaces/{one}", status=205)
    assert [(space["id"], space["default"]) for space in site.sections()[0]["siteSpaces"]] == [(second["id"], True)]


def test_moves_stay_among_siblings(world: World) -> None:
    site = Site(world)
    section = site.section("Guides")
    made = [section["siteSpaces"][0]["id"], *(site.space(title)["id"] for title in ("Bb", "Cc"))]
    foreign = site.section("Other")["siteSpaces"][0]["id"]

    def order() -> list[str]:
        return [one["id"] for one in site.sections()[0]["siteSpaces"]]

    def to(word: str, one: str) -> object:
        return {"position": {word: {"type": "site-space", "siteSpace": one}}}

    moved = site.ask("POST", f"site-spaces/{made[2]}/move", to("before", made[0]), 200).json
    assert moved["id"] == made[2]
    assert order() == [made[2], made[0], made[1]]
    site.ask("POST", f"site-spaces/{made[2]}/move", to("after", made[0]), 200)
    assert order() == [made[0], made[2], made[1]]
    site.ask("POST", f"site-spaces/{made[0]}/move", status=200)
    assert order() == [made[2], made[1], made[0]]
    for wrong in (foreign, made[0], "nothing"):
        assert "position.before" in site.ask("POST", f"site-spaces/{made[0]}/move", to("before", wrong), 400).message
    both = {"position": {word: {"type": "site-space", "siteSpace": made[1]} for word in ("before", "after")}}
    site.ask("POST", f"site-spaces/{made[0]}/move", both, 400)
    sort = {"item": {"type": "site-space", "id": made[0]}, "position": {"after": {"type": "site-space", "id": made[2]}}}
    assert site.ask("PATCH", "structure/sort", sort, 200).json["id"] == made[0]
    assert order() == [made[2], made[0], made[1]]
    sort["position"] = {"after": {"type": "site-section", "id": section["id"]}}
    site.ask("PATCH", "structure/sort", sort, 400)


def test_a_copy_stands_beside_it_with_the_same_content(world: World) -> None:
    site = Site(world, world.space("Birds")["id"])
    old = site.spaces()[0]
    made = site.ask("POST", f"site-spaces/{old['id']}/duplicate", {"draft": True}, 201).json
    assert (made["title"], made["default"], made["draft"]) == ("Birds (copy)", False, True)
    assert made["space"]["id"] != old["space"]["id"]
    pages = [world.api.get(f"/v1/spaces/{one['space']['id']}/content/pages").json["pages"] for one in (old, made)]
    assert [page["id"] for page in pages[0]] == [page["id"] for page in pages[1]]
    assert world.api.get(f"/v1/spaces/{made['space']['id']}").json["permissions"]["admin"] is True
    assert site.ask("POST", f"site-spaces/{old['id']}/duplicate", status=201).json["draft"] is False
    check_roles(world, "create", "POST", f"{site.path}/site-spaces/{old['id']}/duplicate", {}, success=201)
    check_sound(site)


def test_who_may_not_create_in_the_collection_of_the_space_may_not_copy_it(world: World) -> None:
    """Whatever she sees of it: she asked for a space, and nothing that she asked for is absent."""
    shelf = world.api.post(f"/v1/orgs/{world.organization}/collections", {"title": "Shelf", "defaultLevel": None})
    space = world.space(parent=shelf.json["id"])["id"]
    site = Site(world, space)
    path = f"{site.path}/site-spaces/{site.spaces()[0]['id']}/duplicate"
    for role in (None, *ROLES):
        person = world.person("guest")
        world.grant(person, "site", site.id, "create")
        world.grant(person, "space", space, "create")
        if role is not None:
            world.grant(person, "collection", shelf.json["id"], role)
        reply = world.api.post(path, {}, token=person)
        assert reply.status == (201 if role in ("create", "admin") else 403), (role, reply.text)
        assert shelf.json["id"] not in reply.text or reply.status == 201


def test_the_default_is_one_whoever_asks_at_once(world: World) -> None:
    site = Site(world)
    replies = _together(site, (("POST", "site-spaces", {"spaceId": None, "title": "Same"}) for _ in range(8)))
    assert [reply.status for reply in replies] == [201] * 8, [reply.text[:200] for reply in replies]
    check_sound(site)
    made = [one["id"] for one in site.spaces()]
    mixed = [("DELETE", f"site-spaces/{one}", None) for one in made[:5]]
    mixed += [("PATCH", f"site-spaces/{one}", {"path": "wanted"}) for one in made[5:]]
    statuses = [reply.status for reply in _together(site, mixed)]
    assert statuses[:5] == [205] * 5
    assert sorted(statuses[5:]) == [200, 409, 409]
    check_sound(site)


def test_a_space_that_is_removed_for_good_leaves_a_sound_site(world: World) -> None:
    site = Site(world)
    section, other = site.section("Guides"), site.section("Other")
    second = site.space("Second", sectionId=section["id"])
    for gone in (section["siteSpaces"][0]["space"]["id"], other["siteSpaces"][0]["space"]["id"]):
        assert world.api.delete(f"/v1/spaces/{gone}").status == 205
    world.house.store.clock.now += 8 * 24 * 3600 * 1000  # type: ignore[attr-defined]
    world.work()
    assert [one["id"] for one in site.sections()] == [section["id"]]
    assert [(one["id"], one["default"]) for one in site.spaces()] == [(second["id"], True)]
    assert world.api.get(site.path).json["siteSpaces"] == 1


def test_a_template_fills_an_empty_site_only(world: World) -> None:
    site = Site(world)
    site.ask("POST", "template", status=403, token=world.person("create"))
    made = site.ask("POST", "template", status=200).json
    assert made == site.structure()
    assert site.tree() == ["Documentation", "Changelog"]
    for one in site.spaces():
        assert world.api.get(f"/v1/spaces/{one['space']['id']}/content/pages").json["pages"][0]["documentId"]
    site.ask("POST", "template", status=409)
    check_sound(site)
    linked = Site(world)
    linked.link("Elsewhere")
    linked.ask("POST", "template", status=409)
