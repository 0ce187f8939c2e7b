"""Jobs that wait: of a key only one, which runs when the soonest would; the next one is found whatever else waits."""

from __future__ import annotations

import asyncio

from octavo.kernel.ids import new_id
from octavo.kernel.records.jobs import Job
from octavo.store.unit import Store, Unit
from tests.conftest import FakeClock
from tests.store.steps import steps_of

Loop = asyncio.AbstractEventLoop


def test_the_sooner_of_two(store: Store, loop: Loop, clock: FakeClock) -> None:
    kind, key = f"test {new_id()}", new_id()

    async def add(unit: Unit, delay: int) -> Job:
        return await unit.jobs.add(kind, {}, now=unit.now, organization=None, dedup=key, delay=delay)

    first = loop.run_until_complete(store.write(lambda unit: add(unit, 60_000)))
    for delay, run_at in ((90_000, 60_000), (10_000, 10_000), (20_000, 10_000)):
        again = loop.run_until_complete(store.write(lambda unit, delay=delay: add(unit, delay)))  # type: ignore[misc]
        assert again.id == first.id
        seen = loop.run_until_complete(store.read(lambda unit: unit.jobs.get(first.id)))
        assert seen is not None
        assert seen.run_at == clock.now + run_at


def test_one_that_is_put_back_beside_another_of_its_key(store: Store, loop: Loop) -> None:
    kind, key = f"test {new_id()}", new_id()

    async def add(unit: Unit) -> Job:
        return await unit.jobs.add(kind, {}, now=unit.now, organization=None, dedup=key)

    async def take(unit: Unit) -> Job | None:
        return await unit.jobs.take([kind], now=unit.now, lease_for=60_000)

    loop.run_until_complete(store.write(add))
    running = loop.run_until_complete(store.write(take))
    assert running is not None
    other = loop.run_until_complete(store.write(add))
    assert other.id != running.id
    assert loop.run_until_complete(store.write(lambda unit: unit.jobs.again(running, run_at=unit.now, error="No.")))
    taken = [loop.run_until_complete(store.write(take)) for _ in range(3)]
    assert {job.id for job in taken if job is not None} == {running.id, other.id}


def test_the_next_job_is_found_without_a_look_at_all_that_wait(store: Store, loop: Loop) -> None:
    async def add(unit: Unit, count: int) -> None:
        for at in range(count):
            await unit.jobs.add("letter", {"n": at}, now=unit.now, organization=None, dedup=f"{count} {at}")

    async def take(unit: Unit) -> None:
        assert await unit.jobs.take(["letter", "other"], now=unit.now, lease_for=1000) is not None

    steps = steps_of(take)
    loop.run_until_complete(store.write(lambda unit: add(unit, 50)))
    few = loop.run_until_complete(store.write(steps))
    loop.run_until_complete(store.write(lambda unit: add(unit, 2_000)))
    assert loop.run_until_complete(store.write(steps)) < 1.5 * few
