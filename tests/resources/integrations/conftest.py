"""A party outside that is told of events."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.store.database.engine import Engine
from octavo.store.database.sqlite import SqliteEngine
from tests import deno
from tests.client import World
from tests.conftest import FakeClock, opened_world


class Listener:
    """A server that keeps what it is sent, and answers as it is told."""

    def __init__(self) -> None:
        self.status = 200
        self.body = b""
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        """Path, headers, body."""
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        sent = await reader.readexactly(int(headers.get("content-length", "0")))
        self.heard.append((lines[0].split(" ")[1], headers, sent))
        start = (
            f"HTTP/1.1 {self.status} X\r\ncontent-type: application/json\r\ncontent-length: {len(self.body)}\r\n\r\n"
        )
        writer.write(start.encode() + self.body)
        writer.close()


@pytest.fixture
def listener(loop: asyncio.AbstractEventLoop) -> Iterator[Listener]:
    made = Listener()
    listening = loop.run_until_complete(asyncio.start_server(made.answer, "127.0.0.1", 0))
    made.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    yield made
    listening.close()
    loop.run_until_complete(listening.wait_closed())


@pytest.fixture
def beside(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    """A world that may reach the listener."""
    with opened_world(engine, clock, memory_folder, loop, allow_private_addresses=True) as world:
        yield world


@pytest.fixture(scope="session")
def engine_of_scripts(request: pytest.FixtureRequest) -> Path:
    """The program that runs scripts."""
    assert request.config.cache is not None
    return deno.installed(request.config.cache.mkdir("octavo-deno"))


@pytest.fixture(scope="module")
def scripted(
    engine_of_scripts: Path, sqlite_template: Path, memory_folder: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[World]:
    """A world that runs scripts, which may reach the listener and public hosts."""
    path = memory_folder / f"scripted-{uuid.uuid4().hex}.db"
    shutil.copyfile(sqlite_template, path)
    engine = SqliteEngine(path)
    loop.run_until_complete(engine.open())
    told = {"deno": str(engine_of_scripts), "script_hosts": ["127.0.0.1", "10.*", "169.254.*"], "script_seconds": 2.0}
    # No server is there to wake the worker that `asked` starts.
    told["job_poll"] = 0.02
    with opened_world(
        engine, FakeClock(), memory_folder, loop, allowed_hosts=["127.0.0.1"], script_memory=128 << 20, **told
    ) as world:
        yield world
    loop.run_until_complete(engine.close())
