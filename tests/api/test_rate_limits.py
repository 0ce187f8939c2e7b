"""Allowances: how many requests a token, or an address without one, may make in a minute."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from octavo.store.database.engine import Engine
from octavo.web.pace import KEPT, Pacer
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.metering import Metering

MINUTE = 60_000
Open = Callable[..., World]


@pytest.fixture
def opened(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Open]:
    """opened(rate_limit_token=…): a world with those settings, at the beginning of a minute."""
    clock.advance(MINUTE - clock() % MINUTE)
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(opened_world(engine, clock, memory_folder, loop, **settings))


def test_every_answer_tells_what_is_left(opened: Open, clock: FakeClock) -> None:
    world = opened(rate_limit_token=5)
    left = []
    for _ in range(5):
        reply = world.api.get("/v1/user")
        assert reply.status == 200
        assert reply.headers["x-ratelimit-limit"] == "5"
        assert int(reply.headers["x-ratelimit-reset"]) * 1000 == clock() - clock() % MINUTE + MINUTE
        left.append(int(reply.headers["x-ratelimit-remaining"]))
    assert left == [4, 3, 2, 1, 0]


def test_beyond_it_is_429_until_the_window_ends(opened: Open, clock: FakeClock) -> None:
    world = opened(rate_limit_token=2)
    clock.advance(15_000)
    assert [world.api.get("/v1/user").status for _ in range(4)] == [200, 200, 429, 429]
    reply = world.api.get("/v1/user")
    assert reply.headers["x-ratelimit-remaining"] == "0"
    assert reply.headers["x-ratelimit-limit"] == "2"
    assert "45" in reply.message
    clock.advance(44_999)
    assert world.api.get("/v1/user").status == 429
    clock.advance(1)
    fresh = world.api.get("/v1/user")
    assert fresh.status == 200
    assert fresh.headers["x-ratelimit-remaining"] == "1"


def test_tokens_do_not_draw_on_one_another(opened: Open) -> None:
    world = opened(rate_limit_token=1)
    other = world.person("read")
    assert world.api.get("/v1/user").status == 200
    assert world.api.get("/v1/user").status == 429
    assert world.api.get("/v1/user", token=other).status == 200


def test_refused_requests_changed_nothing(opened: Open) -> None:
    world = opened(rate_limit_token=1)
    space, other = world.space(), world.person("admin")
    assert world.api.patch(f"/v1/spaces/{space['id']}", {"title": "Late"}).status == 429
    assert world.api.get(f"/v1/spaces/{space['id']}", token=other).json["title"] == space["title"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/v1/spaces/nothing", None, 404), ("POST", "/v1/orgs", {"title": 5}, 400),
        ("GET", "/v1/nothing", None, 404), ("DELETE", "/v1/user", None, 405),
    ],
)  # fmt: skip
def test_errors_tell_it_and_count_too(opened: Open, method: str, path: str, body: Any, status: int) -> None:
    world = opened(rate_limit_token=10)
    before = int(world.api.get("/v1/user").headers["x-ratelimit-remaining"])
    reply = world.api.request(method, path, body)
    assert reply.status == status
    assert reply.headers["x-ratelimit-limit"] == "10"
    assert int(reply.headers["x-ratelimit-remaining"]) == before - 1


def test_an_address_without_a_token_has_its_own(opened: Open) -> None:
    world = opened(rate_limit_address=2)
    got = [world.api.get("/v1/user", token="", address="203.0.113.5") for _ in range(3)]
    assert [reply.status for reply in got] == [401, 401, 429]
    assert [reply.headers["x-ratelimit-limit"] for reply in got] == ["2"] * 3
    assert world.api.get("/v1/user", token="", address="203.0.113.6").status == 401
    assert world.api.get("/v1/user", address="203.0.113.5").status == 200


def test_guessing_tokens_is_paced_by_address(opened: Open) -> None:
    world = opened(rate_limit_address=3)
    got = [world.api.get("/v1/user", token=f"guess-{n}", address="203.0.113.7").status for n in range(5)]
    assert got == [401, 401, 401, 429, 429]


def test_guesses_beyond_the_allowance_are_not_looked_up(opened: Open) -> None:
    """Or whoever guesses has the database work as before. Tokens that were valid go on, from the same address too."""
    world = opened(rate_limit_address=3)
    there, late = world.person("read"), world.person("read")
    address = "203.0.113.8"
    assert world.api.get("/v1/user", token=there, address=address).status == 200
    metering = Metering(world.house.store.engine)
    world.house.store.engine = metering
    got = [world.api.get("/v1/user", token=f"guess-{n}", address=address).status for n in range(30)]
    assert got == [401] * 3 + [429] * 27
    assert len(metering.units) == 6
    assert world.api.get("/v1/user", token=there, address=address).status == 200
    assert world.api.get("/v1/user", token=late, address=address).status == 429
    assert world.api.get("/v1/user", token=late, address="203.0.113.9").status == 200
    assert world.api.get("/v1/user", token=late, address=address).status == 200, "it is known now"


def test_many_others_reset_nobodys_count(clock: FakeClock) -> None:
    pacer = Pacer(clock)
    for _ in range(10):
        pacer.spend("busy", 5)
    for number in range(KEPT + 10):
        pacer.spend(f"other-{number}", 5)
        if number % 1000 == 0:
            pacer.spend("busy", 5)
    assert pacer.spent("busy") > 60
    assert pacer.spent("other-1") == 0, "who came once and long ago makes room"
    assert pacer.spent(f"other-{KEPT}") == 1


def test_forwarded_addresses_count_only_from_trusted_proxies(opened: Open) -> None:
    world = opened(rate_limit_address=1, trusted_proxies=["10.0.0.1"])

    def ask(address: str, forwarded: str) -> int:
        return world.api.get("/v1/user", token="", address=address, headers={"x-forwarded-for": forwarded}).status

    assert [ask("10.0.0.1", "203.0.113.1"), ask("10.0.0.1", "203.0.113.2"), ask("10.0.0.1", "203.0.113.1")] == [
        401,
        401,
        429,
    ]
    assert ask("10.0.0.1", "198.51.100.9, 203.0.113.1") == 429
    assert [ask("203.0.113.50", "203.0.113.8"), ask("203.0.113.50", "203.0.113.9")] == [401, 429]


def test_what_is_not_the_api_is_not_paced(opened: Open) -> None:
    world = opened(rate_limit_address=1, rate_limit_token=1)
    for path in ("/healthz", "/openapi.json", "/docs/"):
        for _ in range(3):
            reply = world.api.get(path, token="")
            assert reply.status == 200
            assert "x-ratelimit-limit" not in reply.headers


def test_the_defaults(opened: Open) -> None:
    world = opened()
    assert world.api.get("/v1/user").headers["x-ratelimit-limit"] == "6000"
    assert world.api.get("/v1/user", token="").headers["x-ratelimit-limit"] == "600"
