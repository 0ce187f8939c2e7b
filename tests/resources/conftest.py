"""A documentation directory imported once for each engine, for tests that only read; and the command line `@gitbook/cli`."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.store.database.engine import Engine
from octavo.store.database.sqlite import SqliteEngine
from tests.conftest import FakeClock, opened_world
from tests.processes import bootstrap, serving
from tests.resources import terminal as command_line
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


@pytest.fixture(scope="session")
def gitbook_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.getbasetemp()
    # The processes of one run have their folders in one of the run's.
    return command_line.installed(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture
def terminal(gitbook_program: Path, tmp_path: Path) -> Iterator[command_line.Terminal]:
    """Of Ada, the admin, who logged in to `octavo serve`."""
    made = bootstrap(tmp_path / "data")
    folder = tmp_path / "work"
    folder.mkdir()
    with serving(tmp_path / "data", OCTAVO_LOG_LEVEL="error") as (_, address):
        known = command_line.Terminal(gitbook_program, folder, address, made["token"], made["organization"])
        known.run("auth", "--token", known.token, "--endpoint", address)
        yield known
