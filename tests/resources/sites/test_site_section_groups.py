"""…/sites/{site}/section-groups, and links to elsewhere, which stand among sections and groups."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from tests.client import Reply, World
from tests.resources.checks import check_refusals, check_roles
from tests.resources.sites.building import Site, check_sound


def _together(site: Site, requests: Iterable[tuple[str, str, Any]]) -> list[Reply]:
    """Several requests at the same time."""

    async def gathered() -> list[Reply]:
        return list(await asyncio.gather(*(site.send(*one) for one in requests)))

    replies: list[Reply] = site.world.run(gathered())
    return replies


def test_a_group_takes_sections_in_the_order_given(world: World) -> None:
    site = Site(world, world.space("Guide")["id"])
    a, b, c = (site.section(title) for title in ("Aa", "Bb", "Cc"))
    made = site.group(" Products ", icon="cubes", sections=[c["id"], a["id"]])
    assert (made["object"], made["title"], made["icon"], made["draft"]) == (
        "site-section-group", "Products", "cubes", False,
    )  # fmt: skip
    assert [one["id"] for one in made["sections"]] == [c["id"], a["id"]]
    assert all(one["sectionGroup"] == made["id"] for one in made["sections"])
    assert site.tree() == ["Guide", "Bb", ["Products", "Cc", "Aa"]]
    for wrong in ("nothing", Site(world).section("Elsewhere")["id"]):
        site.ask("POST", "section-groups", {"title": "No", "sections": [b["id"], wrong]}, 404)
    assert site.tree() == ["Guide", "Bb", ["Products", "Cc", "Aa"]]


def test_who_may(world: World) -> None:
    site = Site(world)
    check_roles(world, "admin", "POST", f"{site.path}/section-groups", {"title": "Group"}, success=201)
    check_roles(world, "read", "GET", f"{site.path}/section-groups", success=200)


def test_wrong_input_names_the_field(world: World) -> None:
    site = Site(world)
    made = site.group("Group")
    cases = [({"title": ""}, "title"), ({"title": "a" * 101}, "title"), ({"title": 5}, "title"), ({"icon": 5}, "icon")]
    check_refusals(world, "PATCH", f"{site.path}/section-groups/{made['id']}", cases)
    cases = [({}, "title"), *cases[:3], ({"title": "A", "sections": "b"}, "sections")]
    check_refusals(world, "POST", f"{site.path}/section-groups", cases)


def test_groups_in_groups_never_in_themselves_and_not_too_deep(world: World) -> None:
    site = Site(world)
    chain = [site.group("1")]
    for title in "234":
        chain.append(site.group(title, parent=chain[-1]["id"]))
    assert site.tree() == [["1", ["2", ["3", ["4"]]]]]
    assert "deep" in site.ask("POST", "section-groups", {"title": "5", "parent": chain[-1]["id"]}, 400).message
    first, second = f"section-groups/{chain[0]['id']}", f"section-groups/{chain[1]['id']}"
    for inside in chain:
        site.ask("PATCH", first, {"parentSectionGroupId": inside["id"]}, 400)
    other = site.group("Other")
    site.ask("PATCH", first, {"parentSectionGroupId": other["id"]}, 400)
    site.ask("PATCH", first, {"parentSectionGroupId": "nothing"}, 404)
    moved = site.ask("PATCH", second, {"parentSectionGroupId": other["id"], "title": "II"}, 200).json
    assert (moved["sectionGroup"], moved["title"]) == (other["id"], "II")
    assert site.tree() == [["1"], ["Other", ["II", ["3", ["4"]]]]]
    assert "sectionGroup" not in site.ask("PATCH", second, {"parentSectionGroupId": None}, 200).json
    listed = site.ask("GET", "section-groups", status=200).json
    assert ([one["title"] for one in listed["items"]], listed["count"]) == (["1", "Other", "II", "3", "4"], 5)


def test_moving_into_one_another_at_once_makes_no_circle(world: World) -> None:
    site = Site(world)
    a, b = site.group("Aa")["id"], site.group("Bb")["id"]
    moves = [("PATCH", f"section-groups/{one}", {"parentSectionGroupId": other}) for one, other in ((a, b), (b, a))]
    assert sorted(reply.status for reply in _together(site, moves)) == [200, 400]


def test_what_a_deleted_group_held_takes_its_place(world: World) -> None:
    site = Site(world)
    site.section("First")
    outer = site.group("Outer")
    inner = site.group("Inner", parent=outer["id"])
    site.section("In inner", siteSectionGroupId=inner["id"])
    site.link("Beside it", parent=inner["id"])
    site.section("In outer", siteSectionGroupId=outer["id"])
    site.section("Last")
    assert site.tree() == ["First", ["Outer", ["Inner", "In inner", "Beside it"], "In outer"], "Last"]
    site.ask("DELETE", f"section-groups/{inner['id']}", status=205)
    assert site.tree() == ["First", ["Outer", "In inner", "Beside it", "In outer"], "Last"]
    site.ask("DELETE", f"section-groups/{outer['id']}", status=205)
    assert site.tree() == ["First", "In inner", "Beside it", "In outer", "Last"]
    site.ask("DELETE", f"section-groups/{outer['id']}", status=404)


def test_a_section_goes_into_a_group_and_out_of_it(world: World) -> None:
    site = Site(world)
    section, group = site.section("One")["id"], site.group("Group")
    held = site.ask("POST", f"section-groups/{group['id']}/sections", {"sectionId": section}, 201).json
    assert [one["id"] for one in held["sections"]] == [section]
    site.ask("POST", f"section-groups/{group['id']}/sections", {"sectionId": "nothing"}, 404)
    site.ask("POST", f"section-groups/{group['id']}/sections", {}, 400)
    other = site.group("Other")
    site.ask("DELETE", f"section-groups/{other['id']}/sections/{section}", status=404)
    site.ask("DELETE", f"section-groups/{group['id']}/sections/{section}", status=205)
    site.ask("DELETE", f"section-groups/{group['id']}/sections/{section}", status=404)
    assert site.tree() == [["Group"], ["Other"], "One"]


def test_a_link_stands_among_sections_and_leads_elsewhere(world: World) -> None:
    site = Site(world, world.space("Guide")["id"])
    sent = {
        "title": "Status", "url": "https://status.example.org/x?y=1", "description": "All well?", "icon": "heart",
        "condition": "visitor.claims.staff", "draft": True, "localizedTitle": {"fr": "État"},
    }  # fmt: skip
    made = site.ask("POST", "external-links", sent, 201).json
    assert made == {"object": "site-external-link", "id": made["id"], **sent}
    structure = site.structure()
    assert (structure["type"], [one["object"] for one in structure["structure"]]) == (
        "sections", ["site-section", "site-external-link"],
    )  # fmt: skip
    assert structure["structure"][1] == made
    group = site.group("Group")["id"]
    one = f"external-links/{made['id']}"
    changed = site.ask("PATCH", one, {"parent": group, "title": "State", "condition": None, "icon": None}, 200).json
    assert (changed["sectionGroup"], changed["title"]) == (group, "State")
    assert not {"condition", "icon"} & set(changed)
    assert site.tree() == ["Guide", ["Group", "State"]]
    assert "sectionGroup" not in site.ask("PATCH", one, {"parent": None}, 200).json
    site.ask("PATCH", one, {"parent": "nothing"}, 404)
    site.ask("DELETE", one, status=205)
    site.ask("DELETE", one, status=404)
    check_sound(site)


def test_links_lead_to_web_addresses_only(world: World) -> None:
    site = Site(world)
    cases = [
        ({"title": "Bad", "url": url}, "url") for url in ("javascript:alert(1)", "/x", "ftp://a.b/", "", "https://")
    ]
    cases += [({"url": "https://example.org/"}, "title"), ({"title": "No"}, "url")]
    cases += [({"title": "Bad", "url": "https://example.org/", "condition": "(("}, "condition")]
    cases += [({"title": "Bad", "url": "https://example.org/", "localizedTitle": {"xx": "a"}}, "localizedTitle")]
    check_refusals(world, "POST", f"{site.path}/external-links", cases)
    check_roles(
        world,
        "admin",
        "POST",
        f"{site.path}/external-links",
        {"title": "Ok", "url": "https://example.org/"},
        success=201,
    )


def test_everything_but_site_spaces_shares_one_order(world: World) -> None:
    site = Site(world)
    a, b = site.section("Aa"), site.section("Bb")
    link, group = site.link("Link"), site.group("Group")
    inside = site.section("Inside", siteSectionGroupId=group["id"])
    types = {"site-section": a["id"], "site-external-link": link["id"], "site-section-group": group["id"]}

    def sort(type_: str, id_: str, position: object, status: int = 200) -> None:
        site.ask("PATCH", "structure/sort", {"item": {"type": type_, "id": id_}, "position": position}, status)

    sort("site-external-link", link["id"], {"before": {"type": "site-section", "id": b["id"]}})
    assert site.tree() == ["Aa", "Link", "Bb", ["Group", "Inside"]]
    sort("site-section-group", group["id"], {"before": {"type": "site-section", "id": a["id"]}})
    assert site.tree() == [["Group", "Inside"], "Aa", "Link", "Bb"]
    sort("site-section", a["id"], {"after": {"type": "site-external-link", "id": link["id"]}})
    assert site.tree() == [["Group", "Inside"], "Link", "Aa", "Bb"]
    sort("site-section-group", group["id"], {})
    assert site.tree() == ["Link", "Aa", "Bb", ["Group", "Inside"]]
    one = {"type": "site-section", "id": b["id"]}
    for type_, id_ in types.items():
        sort(type_, id_, {"before": {"type": "site-section", "id": inside["id"]}}, 400)
        sort(type_, id_, {"before": {"type": type_, "id": id_}}, 400)
        sort(type_, id_, {"before": one, "after": one}, 400)
        sort(type_, id_, {"after": {"type": "page", "id": id_}}, 400)
        sort(type_, "nothing", {"before": one}, 404)
    sort("site-section", group["id"], {"before": one}, 404)
    assert site.tree() == ["Link", "Aa", "Bb", ["Group", "Inside"]]
    check_roles(world, "admin", "PATCH", f"{site.path}/structure/sort", {"item": one, "position": {}}, success=200)


def test_the_moves_of_old_do_the_same(world: World) -> None:
    site = Site(world)
    a, b, c = (site.section(title) for title in ("Aa", "Bb", "Cc"))
    group = site.group("Group")
    pointer = {"type": "site-section", "siteSection": a["id"]}
    moved = site.ask("POST", f"sections/{c['id']}/move", {"position": {"before": pointer}}, 200).json
    assert moved["id"] == c["id"]
    assert site.tree() == ["Cc", "Aa", "Bb", ["Group"]]
    site.ask("POST", f"sections/{c['id']}/move", {"position": {"after": pointer}}, 200)
    assert site.tree() == ["Aa", "Cc", "Bb", ["Group"]]
    site.ask("POST", f"sections/{a['id']}/move", {"position": {"after": pointer}}, 400)
    site.ask("POST", f"sections/{c['id']}/move", {"position": {"after": pointer, "before": pointer}}, 400)
    site.ask(
        "POST", f"sections/{c['id']}/move", {"position": {"after": {"type": "site-section", "siteSection": "x"}}}, 400
    )
    site.ask("POST", "sections/nothing/move", {"position": {"after": pointer}}, 404)
    ahead = {"before": {"type": "site-section", "id": a["id"]}}
    site.ask("POST", f"section-groups/{group['id']}/move", {"position": ahead}, 200)
    assert site.tree() == [["Group"], "Aa", "Cc", "Bb"]
    site.ask("POST", f"section-groups/{group['id']}/move", {}, 200)
    assert site.tree() == ["Aa", "Cc", "Bb", ["Group"]]
    site.ask("POST", f"sections/{b['id']}/move", status=200)
    assert site.tree() == ["Aa", "Cc", ["Group"], "Bb"]


def test_many_moves_at_once_keep_one_order(world: World) -> None:
    site = Site(world)
    made = [site.section(f"Section {n}")["id"] for n in range(6)]
    first = {"type": "site-section", "id": made[0]}
    replies = _together(
        site,
        (
            ("PATCH", "structure/sort", {"item": {"type": "site-section", "id": one}, "position": {"before": first}})
            for one in made[1:]
        ),
    )
    assert [reply.status for reply in replies] == [200] * 5
    assert site.sections()[-1]["id"] == made[0]
    again = made[2]
    site.ask(
        "PATCH", "structure/sort", {"item": first, "position": {"before": {"type": "site-section", "id": again}}}, 200
    )
    order = [one["id"] for one in site.sections()]
    assert order.index(made[0]) + 1 == order.index(again)
