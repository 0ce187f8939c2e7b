"""Sites that many tests only read: made once for each engine."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.store.engine import Engine
from octavo.store.sqlite import SqliteEngine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.publish.visiting import Visitor, visit

KITCHEN_SINK = Path(__file__).parents[1] / "content" / "kitchen_sink"


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def kept_world(
    request: pytest.FixtureRequest, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[World]:
    """An application on each engine that lives as long as the session: only add to it."""
    if request.param == "postgres":
        engine: Engine = request.getfixturevalue("postgres_engine")
    else:
        path = memory_folder / f"{uuid.uuid4().hex}.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        engine = SqliteEngine(path)
        loop.run_until_complete(engine.open())
    with opened_world(engine, FakeClock(), memory_folder, loop) as made:
        yield made
    if request.param == "sqlite":
        loop.run_until_complete(engine.close())


@pytest.fixture(scope="session")
def kitchen(kept_world: World) -> Visitor:
    """The published kitchen sink; never changed."""
    return visit(kept_world, KITCHEN_SINK)


@pytest.fixture(scope="session")
def corpus_site(kept_world: World, corpus: Path) -> Visitor:
    """The published corpus; never changed."""
    return visit(kept_world, corpus)
