"""Sites that many tests only read: made once for each engine."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from octavo.store.database.engine import Engine
from octavo.store.database.sqlite import SqliteEngine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.publish.visiting import Visitor, visit

KITCHEN_SINK = Path(__file__).parents[1] / "content" / "kitchen_sink"
OWN = Path(__file__).parents[2] / "docs"


@contextmanager
def _kept(kind: str, request: pytest.FixtureRequest) -> Iterator[World]:
    """An application that lives as long as the session: only add to it."""
    loop, folder = request.getfixturevalue("loop"), request.getfixturevalue("memory_folder")
    engine: Engine
    if kind == "postgres":
        engine = request.getfixturevalue("postgres_engine")
    else:
        path = folder / f"{uuid.uuid4().hex}.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
        engine = SqliteEngine(path)
        loop.run_until_complete(engine.open())
    with opened_world(engine, FakeClock(), folder, loop) as made:
        yield made
    if kind == "sqlite":
        loop.run_until_complete(engine.close())


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def kitchen(request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """The published kitchen sink on each engine; never changed."""
    with _kept(request.param, request) as world:
        yield visit(world, KITCHEN_SINK)


@pytest.fixture(scope="session")
def corpus_site(request: pytest.FixtureRequest, corpus: Path) -> Iterator[Visitor]:
    """The published corpus; never changed."""
    with _kept("sqlite", request) as world:
        yield visit(world, corpus)


@pytest.fixture(scope="session")
def own_site(request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Octavo's own documentation, published; never changed."""
    with _kept("sqlite", request) as world:
        yield visit(world, OWN)
