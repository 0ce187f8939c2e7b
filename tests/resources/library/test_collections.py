"""Collections: made, listed, changed, moved, deleted; what is in them inherits."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.client import Client, Reply, World


def _made(world: World, title: str = "Guides", parent: str | None = None, api: Client | None = None) -> dict[str, Any]:
    body = {"title": title} | ({"parent": parent} if parent else {})
    reply = (api or world.api).post(f"/v1/orgs/{world.organization}/collections", body)
    assert reply.status == 201, reply.text
    made: dict[str, Any] = reply.json
    return made


def _client(world: World, role: str | None) -> Client:
    return Client(world.app, world.loop, world.person(role))


def _titles(api: Client, world: World, query: str = "") -> list[str]:
    reply = api.get(f"/v1/orgs/{world.organization}/collections{query}")
    assert reply.status == 200, reply.text
    return [one["title"] for one in reply.json["items"]]


def test_a_collection_as_it_is_made(world: World) -> None:
    made = _made(world)
    assert made["object"] == "collection"
    assert (made["title"], made["organization"], made["defaultLevel"]) == ("Guides", world.organization, "inherit")
    assert made["permissions"] == {"view": True, "admin": True, "viewInviteLinks": True, "create": True}
    assert "parent" not in made
    assert world.api.get(f"/v1/collections/{made['id']}").json == made
    below = _made(world, "Birds", made["id"])
    assert below["parent"] == made["id"]
    reply = world.api.post(f"/v1/orgs/{world.organization}/collections", {})
    assert (reply.status, reply.json["title"]) == (201, "Untitled")
    for wrong in ({"title": "x" * 51}, {"title": 3}, {"parent": 3}):
        assert world.api.post(f"/v1/orgs/{world.organization}/collections", wrong).status == 400
    assert world.api.post(f"/v1/orgs/{world.organization}/collections", {"parent": "nowhere"}).status == 404


def test_who_may_make_and_see_them(world: World) -> None:
    made = _made(world)
    path = f"/v1/orgs/{world.organization}/collections"
    for role, status in ((None, 404), ("guest", 403), ("review", 403), ("create", 201)):
        assert _client(world, role).post(path, {}).status == status, role
    assert _client(world, "read").get(f"/v1/collections/{made['id']}").status == 200
    for role in (None, "guest"):
        assert _client(world, role).get(f"/v1/collections/{made['id']}").status == 404
    world.api.patch(f"/v1/collections/{made['id']}", {"defaultLevel": None})
    reader = _client(world, "create")
    assert reader.get(f"/v1/collections/{made['id']}").status == 404
    assert "Guides" not in _titles(reader, world)
    token = world.person("read")
    world.grant(token, "collection", made["id"], "create")
    granted = Client(world.app, world.loop, token)
    assert _made(world, "Inner", made["id"], api=granted)["parent"] == made["id"]
    assert granted.patch(f"/v1/collections/{made['id']}", {"title": "X"}).status == 403


def test_they_are_listed_as_their_tree(world: World) -> None:
    a, b = _made(world, "A"), _made(world, "B")
    _made(world, "B1", b["id"])
    inner = _made(world, "A1", a["id"])
    _made(world, "A11", inner["id"])
    assert _titles(world.api, world) == ["A", "A1", "A11", "B", "B1"]
    assert _titles(world.api, world, "?nested=false") == ["A", "B"]
    reply = world.api.get(f"/v1/orgs/{world.organization}/collections?limit=2")
    assert (reply.json["count"], len(reply.json["items"])) == (5, 2)
    rest = world.api.get(f"/v1/orgs/{world.organization}/collections?limit=9&page={reply.json['next']['page']}")
    assert [one["title"] for one in rest.json["items"]] == ["A11", "B", "B1"]
    assert "next" not in rest.json


def test_their_spaces_are_listed_in_order(world: World) -> None:
    made = _made(world)
    first, second = (world.space(title, parent=made["id"])["id"] for title in ("One", "Two"))
    path = f"/v1/collections/{made['id']}/spaces"
    assert [one["title"] for one in world.api.get(path).json["items"]] == ["One", "Two"]
    world.api.post(f"/v1/spaces/{second}/move", {"position": {"before": {"type": "space", "space": first}}})
    assert [one["title"] for one in world.api.get(path).json["items"]] == ["Two", "One"]
    assert world.api.get(path).json["items"][0]["visibility"] == "in-collection"
    world.api.patch(f"/v1/spaces/{first}", {"defaultLevel": None})
    assert [one["title"] for one in _client(world, "read").get(path).json["items"]] == ["Two"]
    assert _client(world, None).get(path).status == 404


def test_only_what_was_sent_changes(world: World) -> None:
    made = _made(world)
    path = f"/v1/collections/{made['id']}"
    changed = world.api.patch(path, {"description": "Of birds", "id": "x", "organization": "y", "parent": made["id"]})
    assert changed.json == made | {"description": "Of birds"}
    assert world.api.patch(path, {"title": "Birds", "defaultLevel": "edit"}).json["defaultLevel"] == "edit"
    for wrong in ({"title": "x" * 51}, {"description": "x" * 101}, {"defaultLevel": "owner"}):
        assert world.api.patch(path, wrong).status == 400
    assert _client(world, "create").patch(path, {"title": "X"}).status == 403
    assert _client(world, None).patch(path, {"title": "X"}).status == 404


def test_what_a_deleted_one_held_stays_and_keeps_its_level(world: World) -> None:
    outer = _made(world, "Outer")
    made = _made(world, "Inner", outer["id"])
    world.api.patch(f"/v1/collections/{made['id']}", {"defaultLevel": "comment"})
    below = _made(world, "Below", made["id"])
    space = world.space(parent=made["id"])["id"]
    own = world.space("Own", parent=made["id"])["id"]
    world.api.patch(f"/v1/spaces/{own}", {"defaultLevel": "read"})
    gone = world.space("Deleted", parent=made["id"])["id"]
    world.api.delete(f"/v1/spaces/{gone}")
    assert _client(world, "create").delete(f"/v1/collections/{made['id']}").status == 403
    assert world.api.delete(f"/v1/collections/{made['id']}").status == 205
    assert world.api.delete(f"/v1/collections/{made['id']}").status == 404
    assert world.api.get(f"/v1/collections/{below['id']}").json | {} == below | {
        "parent": outer["id"], "defaultLevel": "comment",
    }  # fmt: skip
    moved = world.api.get(f"/v1/spaces/{space}").json
    assert (moved["parent"], moved["defaultLevel"]) == (outer["id"], "comment")
    assert world.api.get(f"/v1/spaces/{own}").json["defaultLevel"] == "read"
    assert world.api.post(f"/v1/spaces/{gone}/restore").json["parent"] == outer["id"]


def test_they_move_but_never_into_themselves(world: World) -> None:
    a, b = _made(world, "A"), _made(world, "B")
    inner = _made(world, "A1", a["id"])
    path = "/v1/collections/{}/move"
    assert world.api.post(path.format(b["id"]), {"parent": a["id"]}).json["parent"] == a["id"]
    assert _titles(world.api, world) == ["A", "A1", "B"]
    before = {"before": {"type": "collection", "collection": inner["id"]}}
    assert world.api.post(path.format(b["id"]), {"position": before}).status == 200
    assert _titles(world.api, world) == ["A", "B", "A1"]
    assert world.api.post(path.format(b["id"]), {"position": before}).status == 409
    for parent in (a["id"], inner["id"]):
        refused = world.api.post(path.format(a["id"]), {"parent": parent})
        assert (refused.status, "itself" in refused.message) == (400, True)
    assert world.api.post(path.format(b["id"]), {"parent": "nowhere"}).status == 404
    assert world.api.post(path.format(b["id"]), {"parent": None}).status == 200
    space = world.space()["id"]
    assert (
        world.api.post(path.format(b["id"]), {"position": {"after": {"type": "space", "space": space}}}).status == 200
    )
    assert _client(world, "create").post(path.format(b["id"]), {"parent": a["id"]}).status == 403
    assert _client(world, None).post(path.format(b["id"]), {"parent": a["id"]}).status == 404


def test_two_that_are_moved_into_each_other_at_once_make_no_loop(world: World) -> None:
    for _ in range(8):
        a, b = _made(world, "A")["id"], _made(world, "B")["id"]

        async def together(a: str = a, b: str = b) -> list[Reply]:
            moves = [
                world.api.send("POST", f"/v1/collections/{one}/move", json={"parent": other})
                for one, other in ((a, b), (b, a))
            ]
            return list(await asyncio.gather(*moves))

        assert sorted(reply.status for reply in world.run(together())) == [200, 400]


def test_nesting_has_a_floor(world: World) -> None:
    at = _made(world, "0")["id"]
    for depth in range(1, 32):
        at = _made(world, str(depth), at)["id"]
    reply = world.api.post(f"/v1/orgs/{world.organization}/collections", {"parent": at})
    assert (reply.status, "deep" in reply.message) == (400, True)
