"""What the tests of imports share: a web server on this machine, and a world that may fetch from it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import FakeClock, opened_world
from tests.gateways.conftest import Page, Site, start


class Pages(dict[str, Page]):
    def __missing__(self, path: str) -> Page:
        return lambda handler: handler.send_error(404)


@pytest.fixture
def site() -> Iterator[Site]:
    """A web server that answers 404 where nothing was put."""
    running, stop = start()
    running.pages = Pages()
    yield running
    stop()


@pytest.fixture
def near(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    """A world that may fetch from this machine."""
    with opened_world(engine, clock, memory_folder, loop, allow_private_addresses=True) as world:
        yield world
