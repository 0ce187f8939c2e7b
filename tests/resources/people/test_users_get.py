"""GET / and GET /user."""

from __future__ import annotations

from tests.client import World


def test_the_caller(world: World) -> None:
    me = world.api.get("/v1/user")
    assert me.status == 200
    assert me.json["object"] == "user"
    assert me.json["displayName"] == "Ada Admin"
    assert me.json["email"].endswith("@example.test")
    assert me.json["urls"]["location"].endswith(f"/users/{me.json['id']}")


def test_everybody_is_somebody_else(world: World) -> None:
    tokens = [world.person(role) for role in ("read", "guest", None)]
    ids = {world.api.get("/v1/user", token=token).json["id"] for token in tokens}
    assert len(ids) == 3
    assert world.api.get("/v1/user").json["id"] not in ids


def test_the_version(world: World) -> None:
    for path in ("/v1/", "/v1"):
        reply = world.api.get(path)
        assert reply.status == 200
        assert {"version", "build"} <= set(reply.json)
