"""What nothing refers to goes after its days; what somebody refers to meanwhile, or is about to, stays."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from octavo.jobs.git import import_request, importing
from octavo.jobs.library import purge
from octavo.jobs.work import Work
from octavo.kernel.clock import DAY
from octavo.kernel.records.jobs import COLLECT
from octavo.moving import collecting
from octavo.store.content.blobs import Blobs
from tests.client import Client, World
from tests.conftest import FakeClock
from tests.processes import bootstrap, octavo
from tests.resources.library.test_transfers import _joined, other

__all__ = ["other"]

OLD, AGAIN, ABOUT, LATE = (f"the file {name}".encode() for name in ("old", "again", "about", "late"))


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_file_that_is_referred_to_again_meanwhile_stays(world: World, clock: FakeClock) -> None:
    """Three who store the same bytes anew while the collector is at work: ahead of it, between its look and its unit, and
    with bytes that are put while their row is not yet."""
    organization, blobs, store = world.organization, world.house.blobs, world.house.store
    for data in (OLD, AGAIN, ABOUT, LATE):
        world.run(_stored(world, data))
    clock.advance(2 * DAY)

    class Young(Blobs):
        """Bytes are as old as the clock of the test says; one that is looked at is put anew by somebody else."""

        ages: dict[str, int] = {}

        async def written_at(self, organization: str, blob: str) -> int | None:
            found = self.ages.get(blob, 0) if await self.get(organization, blob) is not None else None
            if blob == _name(LATE):
                # Its row is noted after the collector looked, and before it removes the old one.
                await store.write(lambda unit: unit.blobs.put(organization, {blob: len(LATE)}, unit.now))
            return found

    young = Young(blobs._store)
    young.ages[_name(ABOUT)] = clock.now
    world.run(store.write(lambda unit: unit.blobs.put(organization, {_name(AGAIN): len(AGAIN)}, unit.now)))
    job = world.run(store.write(lambda unit: collecting._taken(unit, organization=organization)))
    tools: Any = world.house.worker.tools
    work = Work(job, store, type(tools)(**{**_fields(tools), "blobs": young}), collecting.LEASE)
    assert world.run(purge.collect(work, organization)).files == 1
    kept = [world.run(blobs.get(organization, _name(data))) for data in (OLD, AGAIN, ABOUT, LATE)]
    assert kept == [None, AGAIN, ABOUT, LATE]
    for data, there in ((OLD, False), (LATE, True)):
        assert world.run(store.read(partial(_noted, organization=organization, data=data))) is there


def test_one_within_its_day_stays_and_the_command_counts(world: World, tmp_path: Any) -> None:
    organization = world.organization
    world.run(_stored(world, OLD))
    job = world.run(world.house.store.write(lambda unit: collecting._taken(unit, organization=organization)))
    ended = world.run(world.house.worker.do(Work(job, world.house.store, world.house.worker.tools, collecting.LEASE)))
    assert (ended.kind, ended.state, ended.result) == (COLLECT, "done", {"objects": 0, "files": 0})
    assert world.run(world.house.blobs.get(organization, _name(OLD))) == OLD
    bootstrap(tmp_path)
    assert octavo("blobs", "collect", "--data", tmp_path) == {"organizations": 1, "objects": 0, "files": 0}


class _Aged(Blobs):
    """Bytes are as old as the clock of the test says: at its beginning, unless they are put later."""

    def __init__(self, blobs: Blobs, world: World) -> None:
        super().__init__(blobs._store)
        self._world = world
        self._ages: dict[tuple[str, str], int] = {}
        self.putting: Callable[[], Awaitable[object]] | None = None
        """Awaited once ahead of bytes that are put."""

    async def put(self, organization: str, data: bytes) -> str:
        if self.putting is not None:
            first, self.putting = self.putting, None
            await first()
        self._ages[organization, _name(data)] = self._world.house.store.clock()
        return await super().put(organization, data)

    async def written_at(self, organization: str, blob: str) -> int | None:
        if await self.get(organization, blob) is None:
            return None
        return self._ages.get((organization, blob), 0)


def _aged(world: World, blobs: _Aged) -> Work:
    """The run of a collector that finds bytes as old as they say."""
    store, tools = world.house.store, world.house.worker.tools
    job = world.run(store.write(lambda unit: collecting._taken(unit, organization=world.organization)))
    return Work(job, store, type(tools)(**{**_fields(tools), "blobs": blobs}), collecting.LEASE)


def test_a_file_comes_back_with_its_space_while_the_collector_is_at_work(
    world: World, other: tuple[Client, str], clock: FakeClock
) -> None:
    ada = _joined(world, other[1])
    space = world.space(empty=True)["id"]
    assert world.api.patch(f"/v1/spaces/{space}", {"editMode": "live"}).status == 200
    file = {"name": "old.txt", "contentType": "text/plain", "base64": base64.b64encode(OLD).decode()}
    change = {"operation": "insert_files", "files": [file]}
    assert world.api.post(f"/v1/spaces/{space}/content", {"changes": [change]}).status == 200

    def transfer(organization: str) -> None:
        reply = world.awaited("POST", f"/v1/spaces/{space}/transfer", {"organization": organization}, ada)
        assert reply.status == 200, reply.text

    transfer(other[1])
    clock.advance(2 * DAY)
    work = _aged(world, _Aged(world.house.blobs, world))
    needed = world.run(purge._marked(work, world.organization))
    transfer(world.organization)
    world.run(purge._collect_blobs(work, world.organization, needed, clock.now - DAY))
    assert world.run(world.house.blobs.get(world.organization, _name(OLD))) == OLD


def test_a_file_that_an_import_needs_again_stays_while_it_stores_others(
    world: World, clock: FakeClock, tmp_path: Path
) -> None:
    space = world.space(empty=True)["id"]
    record = world.run(world.house.store.read(lambda unit: unit.spaces.get(space)))
    world.run(_stored(world, OLD))
    clock.advance(2 * DAY)
    blobs = _Aged(world.house.blobs, world)
    work = _aged(world, blobs)
    blobs.putting = lambda: purge.collect(work, world.organization)
    folder = tmp_path / import_request.FILES
    folder.mkdir()
    for data in (OLD, LATE):
        (folder / _name(data)).write_bytes(data)
    sizes = {_name(data): len(data) for data in (OLD, LATE)}
    world.run(importing._store_files(work, record, tmp_path, sizes))
    assert blobs.putting is None
    kept = [world.run(blobs.get(world.organization, _name(data))) for data in (OLD, LATE)]
    assert kept == [OLD, LATE]


async def _noted(unit: Any, *, organization: str, data: bytes) -> bool:
    return bool(await unit.blobs.has(organization, _name(data)))


async def _stored(world: World, data: bytes) -> None:
    await world.house.blobs.put(world.organization, data)
    sizes = {_name(data): len(data)}
    await world.house.store.write(lambda unit: unit.blobs.put(world.organization, sizes, unit.now))


def _fields(tools: Any) -> dict[str, Any]:
    return {name: getattr(tools, name) for name in tools.__dataclass_fields__}
