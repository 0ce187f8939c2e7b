"""…/sites/{site}/mcp-servers."""

from __future__ import annotations

from typing import Any

from tests.client import World
from tests.resources.checks import check_json, check_refusals, check_roles

SERVER: dict[str, Any] = {
    "name": "Orders", "url": "https://mcp.example.org/", "transport": "http",
    "headers": {"Authorization": "Bearer very-secret"}, "condition": "visitor.claims.customer",
}  # fmt: skip


def _all(world: World) -> str:
    return f"/v1/orgs/{world.organization}/sites/{world.site(publish=False)['id']}/mcp-servers"


def test_a_server_is_made_read_changed_and_deleted(world: World) -> None:
    path = _all(world)
    reply = world.api.post(path, SERVER)
    assert reply.status == 201
    made = reply.json
    one = f"{path}/{made['id']}"
    assert made == SERVER | {
        "object": "site-mcp-server", "id": made["id"], "urls": {"location": f"http://octavo.test{one}"}
    }  # fmt: skip
    assert reply.headers["location"] == made["urls"]["location"]
    assert world.api.get(one).json == made
    assert world.api.get(path).json == {"items": [made], "count": 1}
    assert world.api.patch(one, {"name": "Bills"}).json == made | {"name": "Bills"}
    changed = world.api.patch(one, {"condition": None, "headers": {"X-Key": "other"}, "transport": "sse"}).json
    assert (changed["headers"], changed["transport"], "condition" in changed) == ({"X-Key": "other"}, "sse", False)
    assert world.api.get(one).json == changed
    assert world.api.delete(one).status == 205
    assert world.api.delete(one).status == 404
    assert world.api.get(path).json["items"] == []


def test_lists_are_newest_first_and_in_pages(world: World) -> None:
    path = _all(world)
    names = [str(number) for number in range(3)]
    for name in names:
        world.api.post(path, SERVER | {"name": name})
    listed = world.api.get(path).json["items"]
    assert sorted(one["name"] for one in listed) == names
    first = world.api.get(f"{path}?limit=2").json
    rest = world.api.get(f"{path}?limit=2&page={first['next']['page']}").json
    assert first["items"] + rest["items"] == listed


def test_headers_are_sealed_and_told_to_admins_alone(world: World) -> None:
    path = _all(world)
    made = world.api.post(path, SERVER).json

    async def stored(unit: Any) -> Any:
        return await unit.mcp_servers.get(made["id"])

    assert "very-secret" not in str(world.run(world.house.store.read(stored)))
    for place in (path, f"{path}/{made['id']}"):
        check_roles(world, "admin", "GET", place, success=200)
    check_roles(world, "admin", "PATCH", f"{path}/{made['id']}", {"name": "Bills"}, success=200)
    check_roles(world, "admin", "POST", path, SERVER, success=201)
    for token, status in ((world.person("create"), 403), (world.person(None), 404)):
        assert world.api.delete(f"{path}/{made['id']}", token=token).status == status
    events = world.api.get(f"/v1/orgs/{world.organization}/audit-events").text
    assert "site.mcp-server.create" in events
    assert "very-secret" not in events
    assert "very-secret" not in world.api.get(path.removesuffix("mcp-servers") + "published").text


def test_another_sites_server_is_absent(world: World) -> None:
    path, other = _all(world), _all(world)
    made = world.api.post(path, SERVER).json
    for method in ("GET", "PATCH", "DELETE"):
        assert (
            world.api.request(method, f"{other}/{made['id']}", {"name": "A"} if method == "PATCH" else None).status
            == 404
        )


def test_wrong_input_names_the_field(world: World) -> None:
    path = _all(world)
    cases: list[tuple[Any, str]] = [
        ({name: value for name, value in SERVER.items() if name != missing}, missing)
        for missing in ("name", "url", "headers")
    ]
    cases += [
        (SERVER | {"name": ""}, "name"), (SERVER | {"name": "a" * 101}, "name"), (SERVER | {"url": "ftp://a"}, "url"),
        (SERVER | {"url": "https://a.test/" + "a" * 2048}, "url"), (SERVER | {"transport": "smoke"}, "transport"),
        (SERVER | {"headers": {"a b": "c"}}, "headers"), (SERVER | {"headers": {"a": ""}}, "headers"),
        (SERVER | {"headers": {"a": "b\r\nx: y"}}, "headers"), (SERVER | {"headers": {"a": "b" * 513}}, "headers"),
        (SERVER | {"headers": {f"h{number}": "a" for number in range(21)}}, "headers"),
        (SERVER | {"condition": "visitor.("}, "condition"), (SERVER | {"condition": "a" * 1025}, "condition"),
    ]  # fmt: skip
    check_refusals(world, "POST", path, cases)
    check_json(world, "POST", path)
    made = world.api.post(path, SERVER).json
    changes = [({name: body[name]}, name) for body, name in cases if name in body]
    check_refusals(world, "PATCH", f"{path}/{made['id']}", changes)
    assert world.api.get(path).json["items"] == [made]
