"""The stage that several tests of authorization share: whatever is asked on it leaves nothing behind."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from octavo.store.database.engine import Engine
from octavo.store.database.postgres import PostgresEngine
from octavo.store.database.sqlite import SqliteEngine
from tests.conftest import FakeClock, opened_world, postgres_database
from tests.contract.stage import OPERATOR, Stage


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def stage(
    request: pytest.FixtureRequest,
    memory_folder: Path,
    loop: asyncio.AbstractEventLoop,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stage]:
    """Made once for each engine, in a database of its own: what other tests let pass or take away is not in it."""
    with ExitStack() as stack:
        engine: Engine
        if request.param == "postgres":
            engine = PostgresEngine(stack.enter_context(postgres_database(loop)), size=4)
        else:
            path = memory_folder / f"{uuid.uuid4().hex}.db"
            shutil.copyfile(request.getfixturevalue("sqlite_template"), path)
            engine = SqliteEngine(path)
        loop.run_until_complete(engine.open())
        stack.callback(lambda: loop.run_until_complete(engine.close()))
        world = stack.enter_context(opened_world(engine, FakeClock(), memory_folder, loop, operators=[OPERATOR]))
        yield Stage(world, tmp_path_factory.mktemp("stage"))
