"""What is switched off in a copy, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.jobs.table import OUTSIDE
from octavo.kernel.clock import iso
from octavo.store.stilling import OFF, still
from tests.client import World
from tests.conftest import FakeClock, opened_world, own_engine


@pytest.fixture(params=["sqlite", "postgres"])
def world(
    request: pytest.FixtureRequest,
    loop: asyncio.AbstractEventLoop,
    sqlite_template: Path,
    clock: FakeClock,
    memory_folder: Path,
) -> Iterator[World]:
    """In a database of its own: everything in it is switched off."""
    with (
        own_engine(request.param, loop, sqlite_template) as engine,
        opened_world(engine, clock, memory_folder, loop) as made,
    ):
        yield made


def test_what_reaches_outside_is_switched_off_once(world: World) -> None:
    hook = {"title": "Hook", "url": "https://hooks.example.org/", "events": ["comment_posted"]}
    path = f"/v1/orgs/{world.organization}/webhooks"
    made = world.api.post(path, hook).json["id"]
    engine = world.house.store.engine

    first = world.run(engine.write(lambda at: still(at, 1_000, OUTSIDE)))
    assert first["webhooks"] == 1
    assert sum(first.values()) == 1 + first["jobs"]
    shown = world.api.get(f"{path}/{made}").json
    assert (shown["active"], shown["disabledReason"]) == (False, OFF)
    assert world.run(world.house.store.read(lambda unit: unit.installation.copied())) == iso(1_000)
    assert sum(world.run(engine.write(lambda at: still(at, 2_000, OUTSIDE))).values()) == 0
    assert world.api.patch(f"{path}/{made}", {"active": True}).json["active"] is True
