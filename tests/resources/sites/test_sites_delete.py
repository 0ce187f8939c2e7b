"""DELETE /orgs/{org}/sites/{site}."""

from __future__ import annotations

import asyncio
import uuid

from octavo.store.database.statement import Statement
from tests.client import Client, World
from tests.resources.checks import check_roles
from tests.resources.sites.building import Site


def _filled(world: World) -> Site:
    site = Site(world, world.space("Guide")["id"], publish=True)
    group = site.group("Group")
    site.section("Reference", siteSectionGroupId=group["id"])
    site.link("Elsewhere", parent=group["id"])
    return site


def test_it_goes_with_all_that_is_its_own_and_the_spaces_stay(world: World) -> None:
    site = _filled(world)
    spaces = [one["space"]["id"] for one in site.spaces()]
    assert {world.api.get(f"/v1/spaces/{one}").json["visibility"] for one in spaces} == {"public"}
    visitor = Client(world.app, world.loop)
    address = f"/sites/{site.record['basename']}/"
    assert visitor.get(address).status == 200
    assert world.api.delete(site.path).status == 205
    assert world.api.delete(site.path).status == 404
    assert world.api.get(site.path).status == 404
    assert site.ask("GET", "sections").status == 404
    assert visitor.get(address).status == 404
    for one in spaces:
        shown = world.api.get(f"/v1/spaces/{one}").json
        assert (shown["visibility"], "published" in shown["urls"]) == ("private", False)

    async def left(at: object) -> list[str]:
        tables = ("sites", "site_sections", "site_section_groups", "site_spaces", "site_external_links", "grants")
        return [
            table
            for table in tables
            for _ in await at.rows(  # type: ignore[attr-defined]
                Statement(f"SELECT 1 FROM {table} WHERE {_OWNER.get(table, 'site')} = :site"), {"site": site.id}
            )
        ]

    assert world.run(world.house.store.engine.read(left)) == []


_OWNER = {"sites": "id", "grants": "resource"}


def test_what_was_given_on_it_counts_no_more(world: World) -> None:
    space = world.space("Guide")["id"]
    site = Site(world, space)
    guest = world.person("guest")
    world.grant(guest, "site", site.id, "edit")
    assert world.api.get(f"/v1/spaces/{space}", token=guest).status == 200
    assert world.api.delete(site.path).status == 205
    assert world.api.get(f"/v1/spaces/{space}", token=guest).status == 404


def test_the_organization_shows_it_no_more(world: World) -> None:
    site = _filled(world)
    organization = f"/v1/orgs/{world.organization}"
    assert world.api.patch(organization, {"defaultContent": {"type": "site", "site": site.id}}).status == 200
    assert world.api.delete(site.path).status == 205
    assert "defaultContent" not in world.api.get(organization).json


def test_who_may(world: World) -> None:
    for role, status in (("create", 403), ("guest", 404), (None, 404), ("admin", 205)):
        site = Site(world)
        assert world.api.delete(site.path, token=world.person(role)).status == status, role
    check_roles(world, "read", "GET", Site(world).path, success=200)


def test_its_name_is_free_again(world: World) -> None:
    title = f"Guide {uuid.uuid4().hex}"
    site = Site(world, title=title)
    name = site.record["basename"]
    assert world.api.delete(site.path).status == 205
    assert Site(world, title=title).record["basename"] == name


def test_one_of_two_at_once_deletes_it(world: World) -> None:
    site = _filled(world)

    async def twice() -> list[int]:
        replies = await asyncio.gather(*(world.api.send("DELETE", site.path) for _ in range(3)))
        return sorted(reply.status for reply in replies)

    assert world.run(twice()) == [205, 404, 404]
