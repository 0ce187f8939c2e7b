"""The stage that several tests of authorization share: whatever is asked on it leaves nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import FakeClock, opened_world, own_engine
from tests.contract.stage import OPERATOR, Stage


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def stage(
    request: pytest.FixtureRequest,
    sqlite_template: Path,
    memory_folder: Path,
    loop: asyncio.AbstractEventLoop,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stage]:
    """Made once for each engine, in a database of its own: what other tests let pass or take away is not in it."""
    with (
        own_engine(request.param, loop, sqlite_template) as engine,
        opened_world(engine, FakeClock(), memory_folder, loop, operators=[OPERATOR]) as world,
    ):
        yield Stage(world, tmp_path_factory.mktemp("stage"))
