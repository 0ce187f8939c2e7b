"""Tokens of the caller: list, create, get, revoke; what a limited one may do."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from octavo.api.routes import OPERATIONS
from octavo.kernel import limits
from octavo.kernel.clock import DAY, LAST, iso
from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.operation import SCOPES, UNLIMITED
from octavo.kernel.records.people import Token
from octavo.main import App, House
from octavo.store.database.memory import LIVES
from octavo.store.unit import Store
from tests.client import Client, Reply, World
from tests.conftest import FakeClock, as_another_process
from tests.resources.checks import MOMENT, check_json, check_refusals

ALL = "/v1/user/tokens"


def _make(world: World, token: str | None = None, **body: Any) -> Reply:
    return world.api.post(ALL, body, token=token)


def _made(world: World, token: str | None = None, **body: Any) -> dict[str, Any]:
    reply = _make(world, token, **body)
    assert reply.status == 201, reply.text
    made: dict[str, Any] = reply.json
    return made


def test_a_token_as_it_is_made(world: World, clock: FakeClock) -> None:
    ends = iso(clock() + DAY)
    reply = _make(world, label="  Nightly import ", scopes=["space:read", "space:read", "site:read"], expiresAt=ends)
    assert reply.status == 201
    made = reply.json
    secret, key = made.pop("token"), made.pop("id")
    assert re.fullmatch(r"octavo_[\w-]{43}", secret)
    assert re.fullmatch(MOMENT, made.pop("createdAt"))
    location = made.pop("urls")["location"]
    assert reply.headers["location"] == location
    assert made == {
        "object": "api-token", "label": "Nightly import", "scopes": ["site:read", "space:read"], "expiresAt": ends,
    }  # fmt: skip
    got = world.api.get(location.removeprefix("http://octavo.test"))
    assert (got.status, got.json["id"], "token" in got.json) == (200, key, False)
    assert world.api.get("/v1/user", token=secret).json == world.api.get("/v1/user").json
    assert re.fullmatch(MOMENT, world.api.get(f"{ALL}/{key}").json["lastUsedAt"])
    plain = _made(world)
    assert plain["label"] == ""
    assert not {"scopes", "expiresAt", "lastUsedAt"} & plain.keys()


@pytest.mark.parametrize("ends", ["9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59-14:00"])
def test_a_token_lasts_until_the_end_of_time_at_most(world: World, ends: str) -> None:
    made = _made(world, expiresAt=ends)
    assert made["expiresAt"] == "9999-12-31T23:59:59.999Z"

    async def beyond(unit: Any) -> None:
        """As was written before."""
        token = Token(id=new_id(), user=user, hash=token_hash(new_token()), created_at=unit.now, expires_at=LAST + 1)
        await unit.people.add_token(token)

    user = world.api.get("/v1/user").json["id"]
    world.run(world.house.store.write(beyond))
    listed = world.api.get(ALL)
    assert listed.status == 200
    assert [one["expiresAt"] for one in listed.json["items"] if "expiresAt" in one] == [made["expiresAt"]] * 2


def test_they_are_the_caller_s_alone_and_newest_first(world: World, clock: FakeClock) -> None:
    for label in ("first", "second"):
        clock.advance(5)
        _made(world, label=label)
    listed = world.api.get(ALL).json
    assert [one["label"] for one in listed["items"]] == ["second", "first", "bootstrap"]
    assert listed["count"] == 3
    assert "octavo_" not in str(listed)
    page = world.api.get(ALL + "?limit=2").json
    assert [one["label"] for one in world.api.get(f"{ALL}?page={page['next']['page']}").json["items"]] == ["bootstrap"]
    stranger = world.person("admin")
    assert world.api.get(ALL, token=stranger).json["count"] == 1
    key = listed["items"][0]["id"]
    for method in ("GET", "DELETE"):
        assert world.api.request(method, f"{ALL}/{key}", token=stranger).status == 404
        assert world.api.request(method, f"{ALL}/{key}", token="").status == 401
        assert world.api.request(method, f"{ALL}/nothing").status == 404
    assert world.api.get(ALL).json["count"] == 3
    assert world.api.get(ALL + "?limit=1001").status == 400


def test_bad_input(world: World, clock: FakeClock) -> None:
    check_refusals(
        world, "POST", ALL,
        [
            ({"label": "x" * (limits.TOKEN_LABEL_MAX + 1)}, "label"), ({"label": 3}, "label"), ({"label": None}, "label"),
            ({"scopes": []}, "scopes"), ({"scopes": ["space"]}, "scopes"), ({"scopes": [UNLIMITED]}, "scopes"),
            ({"scopes": "space:read"}, "scopes"), ({"scopes": None}, "scopes"),
            ({"expiresAt": iso(clock())}, "expiresAt"), ({"expiresAt": "2030-01-01"}, "expiresAt"),
            ({"expiresAt": "2030-01-01T00:00:00"}, "expiresAt"), ({"expiresAt": 5}, "expiresAt"),
        ],
    )  # fmt: skip
    check_json(world, "POST", ALL)
    assert world.api.get(ALL).json["count"] == 1, "what was refused made nothing"
    others = {"id": "mine", "token": "octavo_mine", "user": "u", "lastUsedAt": iso(0), "hash": "x", "provider": "p"}
    taken = world.api.post(ALL, others).json
    assert taken["id"] != "mine"
    assert taken["token"] != "octavo_mine"
    assert "lastUsedAt" not in taken


def test_there_are_only_so_many(world: World) -> None:
    made = [_made(world)["id"] for _ in range(limits.TOKENS_MAX - 1)]
    assert _make(world).status == 409
    assert world.api.delete(f"{ALL}/{made[0]}").status == 204
    assert _make(world).status == 201


def test_a_revoked_token_is_worth_nothing(world: World) -> None:
    made = _made(world)
    assert world.api.get("/v1/user", token=made["token"]).status == 200
    reply = world.api.delete(f"{ALL}/{made['id']}")
    assert (reply.status, reply.body) == (204, b"")
    assert world.api.get("/v1/user", token=made["token"]).status == 401
    assert world.api.delete(f"{ALL}/{made['id']}").status == 404
    own = _made(world)
    assert world.api.delete(f"{ALL}/{own['id']}", token=own["token"]).status == 204, "a token may revoke itself"
    assert world.api.get("/v1/user", token=own["token"]).status == 401


def test_another_process_takes_it_for_less_than_a_second(world: World, clock: FakeClock) -> None:
    """Two applications with engines of their own on one database; on PostgreSQL the second cannot see the first's writes."""
    house = world.house
    with as_another_process(house.store.engine, world.loop) as engine:
        store = Store(engine, clock)
        other = Client(
            App(House(house.settings, store, house.blobs, house.signer, house.worker, house.base), works=True),
            world.loop,
        )
        made = _made(world)
        assert other.get("/v1/user", token=made["token"]).status == 200
        assert world.api.delete(f"{ALL}/{made['id']}").status == 204
        clock.advance(LIVES)
        assert LIVES < 1000
        assert other.get("/v1/user", token=made["token"]).status == 401


def test_an_expired_token_is_worth_nothing(world: World, clock: FakeClock) -> None:
    made = _made(world, expiresAt=iso(clock() + 5000))
    assert world.api.get("/v1/user", token=made["token"]).status == 200
    clock.advance(5000)
    assert world.api.get("/v1/user", token=made["token"]).status == 401


def test_a_limited_token_gives_nothing_that_it_lacks(world: World, clock: FakeClock) -> None:
    ends = iso(clock() + DAY)
    token = _made(world, scopes=["space:read", "user:read"], expiresAt=ends)["token"]
    child = _made(world, token)
    assert (child["scopes"], child["expiresAt"]) == (["space:read", "user:read"], ends)
    less = _made(world, token, scopes=["space:read"], expiresAt=iso(clock() + 1000))
    assert (less["scopes"], less["expiresAt"]) == (["space:read"], iso(clock() + 1000))
    for body in (
        {"scopes": ["space:write"]},
        {"scopes": ["space:read", "site:read"]},
        {"expiresAt": iso(clock() + 2 * DAY)},
    ):
        reply = _make(world, token, **body)
        assert reply.status == 403
        assert reply.message
    everything = _made(world, scopes=list(SCOPES))["token"]
    assert _made(world, everything)["scopes"] == sorted(SCOPES), "all scopes are still not every right"


def test_a_limited_token_revokes_nothing_that_has_more(world: World) -> None:
    token = _made(world, scopes=["space:read", "user:read"])
    more, all_, less = _made(world, scopes=["space:write"]), _made(world), _made(world, scopes=["user:read"])
    for other in (more, all_):
        assert world.api.delete(f"{ALL}/{other['id']}", token=token["token"]).status == 403
        assert world.api.get("/v1/orgs/x", token=other["token"]).status == 404
    assert world.api.delete(f"{ALL}/{less['id']}", token=token["token"]).status == 204
    narrow = _made(world, scopes=["space:read"])
    assert world.api.get(ALL, token=narrow["token"]).status == 403, "to list takes user:read"
    assert world.api.delete(f"{ALL}/{narrow['id']}", token=narrow["token"]).status == 204


def test_only_the_hash_is_kept(world: World) -> None:
    made = _made(world)
    kept = world.run(world.house.store.read(lambda unit: unit.people.token(made["id"])))
    assert made["token"] not in str(kept)
    assert kept.hash == token_hash(made["token"])


OPEN = {
    "listSiteAdaptiveTemplateConditions",
    "getApiInformation", "getAuthenticatedUser", "getOrganizationById", "createUserAPIToken", "revokeUserAPIToken",
    "listIntegrations", "getIntegrationByName", "renderIntegrationUIWithPost", "renderIntegrationUIWithGet",
    "trackEventsInSiteById", "listSiteVisitorSegments", "createIntegrationInstallationToken", "queueIntegrationTask",
}  # fmt: skip
"""Rows that take every token, however limited, as the official ones do. Those of tokens look at its scopes themselves, and
the last two take no token of a person at all."""


def test_every_other_row_asks_a_limited_token_for_a_scope(world: World) -> None:
    """Each row is called with a token that has every scope but the row's, and with none at all."""
    assert len(SCOPES) == 29
    rows = [row for row in OPERATIONS if row.id not in OPEN and not row.anyone]
    tokens = {
        scope: _made(world, scopes=[one for one in SCOPES if one != scope])["token"]
        for scope in {row.scope for row in rows}
    }
    wrong = []
    for row in rows:
        path = "/v1" + re.sub(r"\{[^}]*\}", "x", row.path)
        reply = world.api.request(row.method, path, token=tokens[row.scope])
        if reply.status != 403 or "scope" not in reply.message:
            wrong.append((row.id, row.scope, reply.status))
    assert wrong == []


def test_rows_that_change_people_and_content_name_a_scope() -> None:
    assert [
        row.id
        for row in OPERATIONS
        if row.scope is None and row.method != "GET" and row.id not in OPEN and not row.anyone
    ] == []


@pytest.mark.parametrize("moment", [datetime(9999, 12, 31, 23, 59, 59, 999000, UTC)])
def test_far_away_ends_are_kept(world: World, moment: datetime) -> None:
    ends = iso(round(moment.timestamp() * 1000))
    assert _made(world, expiresAt=ends)["expiresAt"] == ends
