"""Whom a token stands for: nobody, where it or its account has come to its end."""

from __future__ import annotations

from typing import Any

import pytest

from octavo.access.caller import Caller
from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.records.people import Token, User
from tests.client import World
from tests.conftest import FakeClock
from tests.resources.integrations.building import installed, published
from tests.resources.proposals import user_of

LIFE = 1000


@pytest.mark.parametrize(("passed", "status"), [(LIFE - 1, 200), (LIFE, 401)])
def test_a_token_serves_until_the_moment_that_it_ends_at(
    world: World, clock: FakeClock, passed: int, status: int
) -> None:
    user, word = user_of(world, world.person("read")), new_token()

    async def give(unit: Any) -> None:
        ends = unit.now + LIFE
        token = Token(id=new_id(), user=user, hash=token_hash(word), created_at=unit.now, scopes=None, expires_at=ends)
        await unit.people.add_token(token)

    world.run(world.house.store.write(give))
    clock.advance(passed)
    assert world.api.get("/v1/user", token=word).status == status


def test_a_token_that_an_account_being_deleted_still_has_is_nobody_s(world: World) -> None:
    grace = world.person("read")
    user = user_of(world, grace)

    async def delete(unit: Any) -> None:
        await unit.people.change_user(await unit.people.user(user), deleted_at=unit.now)

    world.run(world.house.store.write(delete))
    assert world.api.get("/v1/user", token=grace).status == 401


@pytest.mark.parametrize(("verified", "operates"), [(0, False), (1, True)])
def test_an_address_that_was_shown_before_times_were_noted_makes_an_operator(verified: int, operates: bool) -> None:
    user = User(id="u", email="Ada@example.test", name="Ada", email_verified=verified)
    caller = Caller(user, {}, {}, Token(id="t", user="u", hash=""), operators=frozenset({"ada@example.test"}))
    assert caller.operates is operates


def test_tokens_of_integrations_and_of_installations_are_counted_apart(world: World) -> None:
    one, two = published(world), published(world)
    installation = installed(world, one).rsplit("/", 1)[1]
    installed(world, two)
    tokens = [world.acting(one["name"]), world.acting(two["name"]), world.acting(one["name"], installation)]
    shown = [world.api.get("/v1/integrations", token=token).headers["x-ratelimit-remaining"] for token in tokens]
    assert len({*shown}) == 1, "none was counted with another"
