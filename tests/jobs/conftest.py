"""A world that may speak with this machine, and a repository behind a real Git server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.kernel.ids import new_id
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.git_compat.conftest import served as served  # a fixture here too
from tests.git_compat.server import Served
from tests.jobs.repositories import Repository


@pytest.fixture
def near(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    with opened_world(engine, clock, memory_folder, loop, allowed_hosts=["127.0.0.1"]) as world:
        yield world


@pytest.fixture
def repository(tmp_path: Path, served: Served) -> Repository:
    return Repository(tmp_path, served)


@pytest.fixture
def kind() -> str:
    """A kind of this test alone: the PostgreSQL database is shared by the tests of a worker."""
    return f"test {new_id()}"
