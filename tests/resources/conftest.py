"""A documentation directory imported once for each engine, for tests that only read."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.store.database.engine import Engine
from octavo.store.database.sqlite import SqliteEngine
from tests.conftest import FakeClock, opened_world
from tests.resources.handbook import Handbook, write


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def handbook(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    memory_folder: Path,
    loop: asyncio.AbstractEventLoop,
) -> Iterator[Handbook]:
    """The space that the directory became."""
    source = write(tmp_path_factory.mktemp("handbook"))
    engine: Engine
    if request.param == "postgres":
        engine = request.getfixturevalue("postgres_engine")
    else:
        path = memory_folder / "handbook.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        engine = SqliteEngine(path)
        loop.run_until_complete(engine.open())
    with opened_world(engine, FakeClock(), memory_folder, loop, rate_limit_token=1_000_000) as world:
        space = world.imported(source, title="Handbook of herons")
        assert world.api.post(f"/v1/spaces/{space}/change-requests").status == 201
        yield Handbook(world, space, world.api.get(f"/v1/spaces/{space}").json["revision"])
    if request.param == "sqlite":
        loop.run_until_complete(engine.close())
