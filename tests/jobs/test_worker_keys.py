"""Jobs of one key: what waits already is not asked for twice, and what arrives meanwhile is seen."""

from __future__ import annotations

import asyncio

from octavo.jobs.worker import LEASE
from octavo.kernel.records.jobs import Job
from octavo.store.unit import Store, Unit
from tests.conftest import FakeClock
from tests.jobs.test_worker import Loop, add


def test_of_a_key_one_runs_at_a_time(store: Store, loop: Loop, clock: FakeClock, kind: str) -> None:
    """What arrives while it runs is seen by another, that begins when this one is over."""

    def take() -> Job | None:
        return loop.run_until_complete(store.write(lambda unit: unit.jobs.take([kind], now=unit.now, lease_for=LEASE)))

    first = add(store, loop, kind, dedup=kind)
    running = take()
    assert running is not None
    second = add(store, loop, kind, dedup=kind)
    assert second.id != first.id
    assert take() is None
    other = add(store, loop, kind, dedup=f"{kind} another")
    assert getattr(take(), "id", None) == other.id
    loop.run_until_complete(store.write(lambda unit: unit.jobs.finish(running, now=unit.now)))
    assert getattr(take(), "id", None) == second.id
    clock.advance(LEASE + 1)
    assert {getattr(take(), "id", None) for _ in range(2)} == {second.id, other.id}, "whose worker was lost"


def test_a_job_that_a_write_relies_on_does_not_begin_before_the_write_is_seen(
    store: Store, loop: Loop, kind: str
) -> None:
    """Two processes: one writes and finds that a job waits already, the other takes that job meanwhile."""
    waiting = add(store, loop, kind, dedup=kind)
    found, go_on = asyncio.Event(), asyncio.Event()

    async def writes(unit: Unit) -> Job:
        job = await unit.jobs.add(kind, {"n": 1}, now=unit.now, organization=None, dedup=kind)
        found.set()
        if unit.at.dialect == "postgres":
            await go_on.wait()
        return job

    async def take() -> Job | None:
        return await store.write(lambda unit: unit.jobs.take([kind], now=unit.now, lease_for=LEASE))

    async def together() -> None:
        writing = asyncio.ensure_future(store.write(writes))
        await found.wait()
        early = None if store.engine.dialect == "sqlite" else await take()
        assert early is None
        go_on.set()
        relied_on = await writing
        taken = await take()
        assert taken is not None
        assert taken.id == relied_on.id == waiting.id

    loop.run_until_complete(asyncio.wait_for(together(), 30))
