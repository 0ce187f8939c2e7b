"""What nothing refers to goes after its days; what somebody refers to meanwhile, or is about to, stays."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

from octavo.jobs.library import purge
from octavo.jobs.work import Work
from octavo.kernel.clock import DAY
from octavo.kernel.records.jobs import COLLECT
from octavo.moving import collecting
from octavo.store.content.blobs import Blobs
from tests.client import World
from tests.conftest import FakeClock
from tests.processes import bootstrap, octavo

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


async def _noted(unit: Any, *, organization: str, data: bytes) -> bool:
    return bool(await unit.blobs.has(organization, _name(data)))


async def _stored(world: World, data: bytes) -> None:
    await world.house.blobs.put(world.organization, data)
    sizes = {_name(data): len(data)}
    await world.house.store.write(lambda unit: unit.blobs.put(world.organization, sizes, unit.now))


def _fields(tools: Any) -> dict[str, Any]:
    return {name: getattr(tools, name) for name in tools.__dataclass_fields__}
