"""Bearer tokens: who calls, and for how long."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.records.people import Token
from tests.client import World
from tests.conftest import FakeClock

MINUTE = 60_000


def _id(world: World, secret: str) -> str:
    found = world.run(world.house.store.read(lambda unit: unit.people.token_by_hash(token_hash(secret))))
    return str(found.id)


def _another(world: World, secret: str, **given: Any) -> str:
    """A second token of the same user."""
    fresh = new_token()

    async def work(unit: Any) -> None:
        held = await unit.people.token_by_hash(token_hash(secret))
        token = Token(id=new_id(), user=held.user, hash=token_hash(fresh), created_at=unit.now, **given)
        await unit.people.add_token(token)

    world.run(world.house.store.write(work))
    return fresh


@pytest.mark.parametrize(
    "header",
    [
        None, "", "Bearer", "Bearer ", "Basic YTpi", "Bearer nothing", "Bearer octavo_nothing", "bearer\tx",
        "Bearer " + "a" * 5000, "Bearer Ã¼", "Token x",
    ],
)  # fmt: skip
def test_no_token_or_a_wrong_one(world: World, header: str | None) -> None:
    headers = {} if header is None else {"authorization": header}
    for method, path in (("GET", "/v1/user"), ("POST", "/v1/orgs"), ("GET", f"/v1/orgs/{world.organization}")):
        reply = world.api.request(method, path, token="", headers=headers)
        assert reply.status == 401
        assert reply.headers["www-authenticate"].startswith("Bearer")
        assert reply.message


def test_the_scheme_is_written_in_any_case(world: World) -> None:
    for scheme in ("Bearer", "bearer", "BEARER"):
        headers = {"authorization": f"{scheme} {world.api.token}"}
        assert world.api.get("/v1/user", token="", headers=headers).status == 200


def test_a_token_elsewhere_than_in_the_header_is_none(world: World) -> None:
    for path in (f"/v1/user?access_token={world.api.token}", f"/v1/user?token={world.api.token}"):
        assert world.api.get(path, token="").status == 401
    assert world.api.get("/v1/user", token="", headers={"cookie": f"token={world.api.token}"}).status == 401


def test_every_operation_needs_a_token(world: World) -> None:
    described = world.api.get("/openapi.json", token="").json
    for path, methods in described["paths"].items():
        for method in methods:
            if method in ("get", "post", "put", "patch", "delete") and {} not in methods[method].get("security", ()):
                reply = world.api.request(method.upper(), path.replace("{", "").replace("}", ""), token="")
                assert reply.status == 401, f"{method} {path}"


def test_a_token_ends_on_time(world: World, clock: FakeClock) -> None:
    token = _another(world, world.api.token or "", expires_at=clock() + 10 * MINUTE)
    assert world.api.get("/v1/user", token=token).status == 200
    clock.advance(10 * MINUTE - 1)
    assert world.api.get("/v1/user", token=token).status == 200
    clock.advance(1)
    reply = world.api.get("/v1/user", token=token)
    assert reply.status == 401
    assert reply.headers["www-authenticate"].startswith("Bearer")
    assert world.api.get("/v1/user").status == 200


def test_a_revoked_token_ends_at_once(world: World) -> None:
    token = _another(world, world.api.token or "")
    assert world.api.get("/v1/user", token=token).status == 200
    word = _id(world, token)
    assert world.run(world.house.store.write(lambda unit: unit.people.revoke_token(word)))
    assert world.api.get("/v1/user", token=token).status == 401
    assert world.api.get("/v1/user").status == 200


def test_the_last_use_is_noted(world: World, clock: FakeClock) -> None:
    token = _another(world, world.api.token or "")
    word = _id(world, token)

    def used() -> int | None:
        found = world.run(world.house.store.read(lambda unit: unit.people.token(word)))
        return None if found is None else found.last_used_at

    assert used() is None
    world.api.get("/v1/user", token=token)
    first = used()
    assert first == clock()
    clock.advance(10 * MINUTE)
    world.api.get("/v1/user", token=token)
    assert used() == clock()


def test_a_narrow_token_does_only_what_it_is_for(world: World) -> None:
    space = world.space()["id"]
    token = _another(world, world.api.token or "", scopes=["space:read"])
    assert world.api.get(f"/v1/spaces/{space}", token=token).status == 200
    assert world.api.get("/v1/user", token=token).status == 200
    for method, path, body in (
        ("PATCH", f"/v1/spaces/{space}", {"title": "Renamed"}),
        ("GET", f"/v1/orgs/{world.organization}/sites", None),
        ("POST", "/v1/orgs", {"title": "Made"}),
    ):
        reply = world.api.request(method, path, body, token=token)
        assert reply.status == 403
        assert reply.message


def test_a_token_is_not_kept_in_clear(world: World) -> None:
    token = world.api.token or ""
    found = world.run(world.house.store.read(lambda unit: unit.people.token_by_hash(token_hash(token))))
    assert token not in str(found)
