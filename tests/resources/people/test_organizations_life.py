"""Deletion of organizations with their days of grace, and the lookup of hostnames."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from octavo.kernel.clock import DAY
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.checks import call, check_roles, other_organization
from tests.resources.proposals import user_of
from tests.resources.writing import Line


def _path(world: World, rest: str = "") -> str:
    return f"/v1/orgs/{world.organization}{rest}"


def _name() -> str:
    return "h" + uuid.uuid4().hex[:20]


def test_who_may_delete_and_restore(world: World) -> None:
    other = other_organization(world)["id"]
    for role, status in (("read", 403), ("create", 403), ("guest", 403), (None, 404)):
        token = world.person(role, other)
        assert call(world, token, "DELETE", f"/v1/orgs/{other}").status == status
        assert call(world, token, "POST", f"/v1/orgs/{other}/restore").status == 404
    assert world.api.post(f"/v1/orgs/{other}/restore").status == 404, "it is not deleted"
    create = world.person("create", other)
    assert world.api.delete(f"/v1/orgs/{other}").status == 205
    assert world.api.delete(f"/v1/orgs/{other}").status == 404
    assert call(world, create, "POST", f"/v1/orgs/{other}/restore").status == 404
    assert call(world, world.person(None), "POST", f"/v1/orgs/{other}/restore").status == 404
    restored = world.api.post(f"/v1/orgs/{other}/restore")
    assert (restored.status, restored.json["id"], restored.json["permissions"]["admin"]) == (200, other, True)
    check_roles(world, "admin", "DELETE", _path(world, "/link-invites/nothing"), success=404, guest=403)


def test_nothing_of_a_deleted_one_is_seen(world: World, clock: FakeClock) -> None:
    space = world.space("Terns")["id"]
    site = world.site(space, basename=_name())
    address = site["urls"]["published"].removeprefix("http://octavo.test")
    link = world.api.post(_path(world, "/link-invites"), {"role": "read"}).json["id"]
    grace = world.person("edit")
    paths = [_path(world), _path(world, "/members"), _path(world, "/sites"), f"/v1/spaces/{space}"]
    before = [world.api.get(path).json for path in paths]
    world.work()
    assert world.api.get(address, token="").status == 200
    assert world.api.delete(_path(world)).status == 205
    for token in (world.api.token, grace):
        assert [call(world, token, "GET", path).status for path in paths] == [404] * len(paths)
        assert call(world, token, "GET", "/v1/orgs").json == {"items": [], "count": 0}
    assert world.api.get(address, token="").status == 404
    for path in (_path(world, f"/invites/{link}"), _path(world, "/join"), _path(world, "/ping")):
        assert call(world, world.person(None), "POST", path).status == 404, path
    listed = world.api.get("/v1/orgs?deleted=true").json
    assert [one["id"] for one in listed["items"]] == [world.organization]
    assert call(world, grace, "GET", "/v1/orgs?deleted=true").json["count"] == 0
    clock.advance(7 * DAY - 1)
    assert world.api.post(_path(world, "/restore")).status == 200
    clock.advance(DAY)
    world.work()
    assert [world.api.get(path).json for path in paths][:1] == before[:1]
    assert [world.api.get(path).status for path in paths] == [200] * len(paths)
    assert world.api.get(address, token="").status == 200
    assert world.api.get("/v1/orgs?deleted=true").json["count"] == 0


def test_after_its_days_it_is_gone_and_others_stay(world: World, clock: FakeClock) -> None:
    space = world.space("Terns")["id"]
    kept = other_organization(world, "Kept")["id"]
    theirs = world.api.post(f"/v1/orgs/{kept}/spaces", {"title": "Theirs"}).json["id"]
    line = Line(world, space)
    line.write(
        {"operation": "insert_page", "document": {"markdown": "# Nests\n"}},
        {
            "operation": "insert_files",
            "files": [{"name": "a.txt", "ref": "a", "contentType": "text/plain", "base64": "YQ=="}],
        },
    )
    line.post("merge")
    world.space("Deleted before")
    deleted = world.space("Deleted before")["id"]
    world.api.delete(f"/v1/spaces/{deleted}")
    world.api.post(_path(world, "/collections"), {"title": "Birds"})
    world.api.put(_path(world, "/teams"), {"title": "T"})
    world.site(space)
    world.api.post(_path(world, "/link-invites"), {"level": "read", "space": space})
    world.api.post(_path(world, "/invites"), {"emails": [f"x-{world.organization}@example.test"]})
    world.work()
    file = world.api.get(f"/v1/spaces/{space}/content/files").json["items"][0]["downloadURL"]
    file = file.removeprefix("http://octavo.test")
    assert world.api.get(file, token="").status == 200
    assert world.api.delete(_path(world)).status == 205
    clock.advance(7 * DAY)
    world.work()
    clock.advance(60_000)
    world.work()

    async def look(unit: Any) -> list[Any]:
        return [
            await unit.people.organization_or_deleted(world.organization),
            await unit.spaces.get(space),
            await unit.spaces.get(deleted),
            await unit.objects.old(world.organization, b"", 1 << 62, 10),
            await unit.blobs.old(world.organization, "", 1 << 62, 10),
            await unit.people.whole(world.organization),
        ]

    assert world.run(world.house.store.read(look)) == [None, None, None, [], [], []]
    assert world.api.get(file, token="").status == 404
    assert world.api.post(_path(world, "/restore")).status == 404
    assert world.api.get(f"/v1/orgs/{kept}").status == 200
    assert world.api.get(f"/v1/spaces/{theirs}/content").status == 200


def test_one_that_was_restored_and_deleted_again_has_its_days_again(world: World, clock: FakeClock) -> None:
    world.api.delete(_path(world))
    clock.advance(3 * DAY)
    assert world.api.post(_path(world, "/restore")).status == 200
    clock.advance(DAY)
    assert world.api.delete(_path(world)).status == 205
    clock.advance(4 * DAY)
    world.work()
    assert world.api.post(_path(world, "/restore")).status == 200
    clock.advance(7 * DAY)
    world.work()
    assert world.api.get(_path(world)).status == 200


def test_the_organization_of_a_hostname(world: World) -> None:
    name = _name()
    path = f"/v1/subdomains/{name}"
    assert world.api.get(path).status == 404
    world.api.patch(_path(world), {"hostname": name})
    wanted = {
        "object": "subdomain", "subdomain": name, "isActive": True,
        "target": {"type": "organization", "organization": world.organization},
    }  # fmt: skip
    for token in (world.api.token, world.person("guest"), world.person(None)):
        assert call(world, token, "GET", path).json == wanted
    assert world.api.get(path, token="").status == 401
    world.api.delete(_path(world))
    assert world.api.get(path).json["isActive"] is False
    other = other_organization(world)["id"]
    assert world.api.patch(f"/v1/orgs/{other}", {"hostname": name}).status == 409, "it may come back"


def test_a_hostname_shows_the_default_content(world: World) -> None:
    space = world.space("Terns")["id"]
    site, name = world.site(space, title="Birds of the coast")["id"], _name()
    world.api.patch(_path(world), {"hostname": name})
    host = f"{name}.localhost"
    assert "Birds of the coast" not in world.api.get("/", token="", headers={"host": host}).text
    world.api.patch(_path(world), {"defaultContent": {"type": "site", "site": site}})
    world.work()
    shown = world.api.get("/", token="", headers={"host": host})
    assert (shown.status, "Birds of the coast" in shown.text) == (200, True)
    other = other_organization(world)["id"]
    basename = _name()
    assert world.api.patch(_path(world, f"/sites/{site}"), {"basename": basename}).status == 200
    assert world.api.patch(f"/v1/orgs/{other}", {"hostname": basename}).status == 409, "a site has the address"
    assert world.api.patch(_path(world), {"hostname": basename}).status == 200, "its own"
    assert world.api.get("/", token="", headers={"host": f"{basename}.localhost"}).status == 200
    world.api.delete(_path(world))
    assert world.api.get("/", token="", headers={"host": f"{basename}.localhost"}).status == 404


def test_two_organizations_take_one_hostname_at_once(world: World) -> None:
    others = [other_organization(world)["id"] for _ in range(3)]
    name = _name()

    async def together() -> list[int]:
        replies = await asyncio.gather(
            *(world.api.send("PATCH", f"/v1/orgs/{key}", {"hostname": name}) for key in (world.organization, *others))
        )
        return sorted(reply.status for reply in replies)

    assert world.run(together()) == [200, 409, 409, 409]
    assert world.api.get(f"/v1/subdomains/{name}").status == 200


def test_a_member_of_a_deleted_one_is_no_colleague(world: World) -> None:
    grace, linus = world.person("read"), world.person("read")
    path = f"/v1/users/{user_of(world, linus)}"
    assert call(world, grace, "GET", path).status == 200
    world.api.delete(_path(world))
    assert call(world, grace, "GET", path).status == 404
