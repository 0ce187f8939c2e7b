"""The worker: leases, fences, tries, and what is written down."""

from __future__ import annotations

import asyncio

import pytest

from octavo.jobs.tidy import tidy
from octavo.jobs.work import Gone, JobBroke, JobFailed, JobKind, JobLate, Lane, Tools, Work
from octavo.jobs.worker import LEASE, Worker
from octavo.kernel import limits
from octavo.kernel.clock import DAY, HOUR
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.jobs import Job
from octavo.kernel.records.people import Organization
from octavo.kernel.settings import load
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Store
from tests.conftest import FakeClock

Loop = asyncio.AbstractEventLoop


def worker_of(store: Store, run: object, *, kind: str, tries: int = 2) -> Worker:
    kinds = {kind: JobKind(run=run, tries=tries, seconds=30, lane=Lane(2), outside=False)}  # type: ignore[arg-type]
    return Worker(store, kinds, Tools(load({}), Blobs.memory(), str))


class Rounds:
    """A worker that runs, and each time that it has nothing more to begin."""

    def __init__(self, worker: Worker) -> None:
        self._worker, self._rests = worker, asyncio.Event()
        wait = worker._woken.wait

        async def resting() -> bool:
            self._rests.set()
            return await wait()

        worker._woken.wait = resting  # type: ignore[method-assign]
        self._running = asyncio.ensure_future(worker.run())

    async def next(self) -> None:
        """Have it come round once more; the first round may have been on its way."""
        await self._rests.wait()
        self._rests.clear()
        self._worker.wake()
        await self._rests.wait()

    async def end(self) -> None:
        await self._worker.stop()
        await self._running


def add(store: Store, loop: Loop, kind: str, **options: object) -> Job:
    return loop.run_until_complete(
        store.write(lambda unit: unit.jobs.add(kind, {"n": 1}, now=unit.now, organization=None, **options))  # type: ignore[arg-type]
    )


def seen(store: Store, loop: Loop, job: Job) -> Job:
    found = loop.run_until_complete(store.read(lambda unit: unit.jobs.get(job.id)))
    assert found is not None
    return found


def test_a_job_runs_once_and_its_result_is_kept(store: Store, loop: Loop, kind: str) -> None:
    runs: list[str] = []

    async def run(work: Work) -> Json:
        runs.append(work.job.id)
        return {"answer": 42}

    job = add(store, loop, kind)
    worker = worker_of(store, run, kind=kind)
    loop.run_until_complete(worker.drain())
    loop.run_until_complete(worker.drain())
    assert runs == [job.id]
    assert (seen(store, loop, job).state, seen(store, loop, job).result) == ("done", {"answer": 42})


def test_a_lost_worker_is_replaced_and_fenced_out(store: Store, loop: Loop, clock: FakeClock, kind: str) -> None:
    async def run(work: Work) -> None:
        return None

    job = add(store, loop, kind)
    lost = loop.run_until_complete(store.write(lambda unit: unit.jobs.take([kind], now=unit.now, lease_for=LEASE)))
    assert lost is not None
    worker = worker_of(store, run, kind=kind)
    loop.run_until_complete(worker.drain())
    assert seen(store, loop, job).state == "running"
    clock.advance(LEASE + 1)
    loop.run_until_complete(worker.drain())
    assert seen(store, loop, job).state == "done"
    late = Work(lost, store, worker.tools, LEASE)

    async def nothing(unit: object) -> None:
        return None

    with pytest.raises(Gone):
        loop.run_until_complete(late.write(nothing))


def test_a_poison_job_stops_after_its_tries(store: Store, loop: Loop, clock: FakeClock, kind: str) -> None:
    async def run(work: Work) -> None:
        raise ValueError("broken")

    job = add(store, loop, kind)
    worker = worker_of(store, run, kind=kind, tries=2)
    for _ in range(4):
        loop.run_until_complete(worker.drain())
        clock.advance(120_000)
    ended = seen(store, loop, job)
    assert (ended.state, ended.attempts) == ("failed", 2)
    assert "something broke" in (ended.error or "")


def test_a_refusal_is_not_tried_again_and_its_sentence_kept(store: Store, loop: Loop, kind: str) -> None:
    async def run(work: Work) -> None:
        raise JobFailed("There is no such branch.")

    job = add(store, loop, kind)
    loop.run_until_complete(worker_of(store, run, kind=kind).drain())
    assert (seen(store, loop, job).state, seen(store, loop, job).error) == ("failed", "There is no such branch.")


def test_a_job_of_the_same_key_waits_once(store: Store, loop: Loop, kind: str) -> None:
    first = add(store, loop, kind, dedup=f"{kind} one")
    assert add(store, loop, kind, dedup=f"{kind} one").id == first.id
    loop.run_until_complete(store.write(lambda unit: unit.jobs.take([kind], now=unit.now, lease_for=LEASE)))
    assert add(store, loop, kind, dedup=f"{kind} one").id != first.id


def test_sealed_parts_leave_the_record_at_the_end(store: Store, loop: Loop, kind: str) -> None:
    async def run(work: Work) -> None:
        assert work.job.payload["sealed_url"] == "x"

    job = loop.run_until_complete(
        store.write(lambda unit: unit.jobs.add(kind, {"sealed_url": "x"}, now=unit.now, organization=None))
    )
    loop.run_until_complete(worker_of(store, run, kind=kind).drain())
    assert seen(store, loop, job).payload == {}


def test_many_takers_never_share_a_job(store: Store, loop: Loop, kind: str) -> None:
    jobs = {add(store, loop, kind).id for _ in range(12)}

    async def race() -> list[Job | None]:
        takes = (store.write(lambda unit: unit.jobs.take([kind], now=unit.now, lease_for=LEASE)) for _ in range(20))
        return await asyncio.gather(*takes)

    taken = [job.id for job in loop.run_until_complete(race()) if job is not None]
    assert sorted(taken) == sorted(jobs)


@pytest.mark.parametrize(
    ("failure", "broken", "late"),
    [
        (JobFailed("wrong"), False, False), (JobBroke("worn"), True, False), (JobLate("slow"), True, True),
        (ValueError("odd"), True, False), (TimeoutError(), True, True),
    ],
)  # fmt: skip
def test_a_failure_says_whether_what_was_asked_for_or_time_is_the_reason(
    store: Store, loop: Loop, kind: str, failure: Exception, broken: bool, late: bool
) -> None:
    async def run(work: Work) -> None:
        raise failure

    add(store, loop, kind)
    worker = worker_of(store, run, kind=kind, tries=1)
    taken = loop.run_until_complete(worker._take())
    assert taken is not None
    ended = loop.run_until_complete(worker.do(Work(taken, store, worker.tools, LEASE)))
    assert (ended.state, ended.broken, ended.late) == ("failed", broken, late)


def test_one_that_runs_alone_waits_and_others_do_not(store: Store, loop: Loop, kind: str) -> None:
    begun: list[str] = []
    over = asyncio.Event()
    alone, other = f"{kind} alone", f"{kind} other"

    async def run(work: Work) -> None:
        begun.append(alone)
        if len(begun) == 1:
            await store.write(lambda unit: unit.jobs.add(other, {}, now=unit.now, organization=None))
            worker.wake()
        await over.wait()

    async def swift(work: Work) -> None:
        begun.append(other)
        over.set()

    kinds = {
        alone: JobKind(run=run, tries=1, seconds=30, lane=Lane(1), outside=False),
        other: JobKind(run=swift, tries=1, seconds=30, outside=False),
    }
    worker = Worker(store, kinds, Tools(load({}), Blobs.memory(), str))
    add(store, loop, alone)
    add(store, loop, alone)

    async def together() -> None:
        running = asyncio.ensure_future(worker.run())
        while len(begun) < 3:
            await asyncio.sleep(0.005)
        await worker.stop()
        await running

    loop.run_until_complete(asyncio.wait_for(together(), 30))
    assert begun == [alone, other, alone]


def test_no_more_jobs_run_at_once_than_there_are_slots(store: Store, loop: Loop, kind: str) -> None:
    begun: list[str] = []

    async def together() -> None:
        over = asyncio.Event()

        async def run(work: Work) -> None:
            begun.append(work.job.id)
            await over.wait()

        rounds = Rounds(worker_of(store, run, kind=kind))
        for _ in range(2):
            await rounds.next()
        assert len(begun) == 2
        over.set()
        while len(begun) < 3:
            await rounds.next()
        await rounds.end()

    jobs = {add(store, loop, kind).id for _ in range(3)}
    loop.run_until_complete(asyncio.wait_for(together(), 30))
    assert set(begun) == jobs


def test_a_job_stays_with_its_worker_however_long_it_takes(
    store: Store, loop: Loop, clock: FakeClock, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []
    long, ends, pause = asyncio.Event(), clock.now + 3 * LEASE, asyncio.sleep

    async def passing(seconds: float) -> None:
        clock.advance(int(seconds * 1000))
        if clock.now >= ends:
            long.set()
            await asyncio.Event().wait()
        await pause(0)

    async def run(work: Work) -> None:
        runs.append(work.job.id)
        await long.wait()
        await worker_of(store, run, kind=kind).drain()

    job = add(store, loop, kind)
    monkeypatch.setattr(asyncio, "sleep", passing)
    loop.run_until_complete(worker_of(store, run, kind=kind).drain())
    assert (runs, seen(store, loop, job).state) == ([job.id], "done")


def test_what_has_expired_is_looked_for_once_an_hour(store: Store, loop: Loop, clock: FakeClock, kind: str) -> None:
    async def run(work: Work) -> None:
        return None

    job = add(store, loop, kind)
    worker = worker_of(store, run, kind=kind)
    loop.run_until_complete(worker.drain())

    async def there() -> bool:
        return await store.read(lambda unit: unit.jobs.get(job.id)) is not None

    async def hours() -> list[bool]:
        clock.advance(limits.DONE_JOB_DAYS * DAY - HOUR // 2)
        rounds = Rounds(worker)
        found = []
        for passed in (0, HOUR - 1, 1):
            clock.advance(passed)
            await rounds.next()
            found.append(await there())
        await rounds.end()
        return found

    assert loop.run_until_complete(asyncio.wait_for(hours(), 30)) == [True, True, False]


def test_the_record_of_a_job_goes_when_nobody_asks_for_it_any_more(
    store: Store, loop: Loop, clock: FakeClock, kind: str
) -> None:
    async def run(work: Work) -> None:
        if work.job.payload["n"] == 2:
            raise JobFailed("no")

    done = add(store, loop, kind)
    failed = loop.run_until_complete(
        store.write(lambda unit: unit.jobs.add(kind, {"n": 2}, now=unit.now, organization=None))
    )
    loop.run_until_complete(worker_of(store, run, kind=kind).drain())
    clock.advance(limits.DONE_JOB_DAYS * DAY)
    loop.run_until_complete(tidy(store, load({})))
    assert seen(store, loop, done).state == "done"
    clock.advance(1)
    loop.run_until_complete(tidy(store, load({})))
    assert loop.run_until_complete(store.read(lambda unit: unit.jobs.get(done.id))) is None
    assert seen(store, loop, failed).state == "failed"
    assert [one[1:3] for one in loop.run_until_complete(store.read(lambda unit: unit.jobs.counts()))] == [("failed", 1)]
    clock.advance((limits.FAILED_JOB_DAYS - limits.DONE_JOB_DAYS) * DAY - 1)
    loop.run_until_complete(tidy(store, load({})))
    assert seen(store, loop, failed).state == "failed"
    clock.advance(1)
    loop.run_until_complete(tidy(store, load({})))
    counts = loop.run_until_complete(store.read(lambda unit: unit.jobs.counts()))
    assert [state for _, state, _, _ in counts if state == "failed"] == [], "and the figure goes with it"


def test_a_worker_that_is_stopped_while_it_takes_a_job_gives_it_back(store: Store, loop: Loop, kind: str) -> None:
    runs: list[str] = []

    async def run(work: Work) -> None:
        runs.append(work.job.id)

    job = add(store, loop, kind)
    worker = worker_of(store, run, kind=kind)
    take = worker._take

    async def stopped_meanwhile() -> Job | None:
        found = await take()
        await worker.stop()
        return found

    worker._take = stopped_meanwhile  # type: ignore[method-assign]
    loop.run_until_complete(worker.run())
    assert (runs, seen(store, loop, job).state) == ([], "waiting")
    loop.run_until_complete(worker_of(store, run, kind=kind).drain())
    assert runs == [job.id]


def test_a_worker_that_is_woken_while_it_is_cancelled_ends(store: Store, loop: Loop, kind: str) -> None:
    async def run(work: Work) -> None:
        return None

    async def work() -> bool:
        worker = worker_of(store, run, kind=kind)
        waits = asyncio.Event()
        wait = worker._woken.wait

        async def noticed() -> bool:
            waits.set()
            return await wait()

        worker._woken.wait = noticed  # type: ignore[method-assign]
        running = asyncio.ensure_future(worker.run())
        await waits.wait()
        await asyncio.sleep(0)
        worker.wake()
        # It is told of both before it has its turn again.
        asyncio.get_running_loop().call_soon(running.cancel)
        done, _ = await asyncio.wait([running], timeout=5)
        await worker.stop()
        return running in done and running.cancelled()

    assert loop.run_until_complete(work())


def _job(store: Store, loop: Loop, kind: str, **given: object) -> Job:
    """One more, whose payload and organization may be given."""
    payload = {"n": given.pop("n", 1)}
    organization = given.pop("organization", None)
    return loop.run_until_complete(
        store.write(lambda unit: unit.jobs.add(kind, payload, now=unit.now, organization=organization, **given))  # type: ignore[arg-type]
    )


def test_a_worker_that_is_stopped_again_and_again_gives_nothing_up(store: Store, loop: Loop, kind: str) -> None:
    begun = asyncio.Event()
    stopped = 0

    async def run(work: Work) -> None:
        begun.set()
        if stopped < 5:
            await asyncio.Event().wait()

    async def stop_it() -> None:
        worker = worker_of(store, run, kind=kind, tries=2)
        begun.clear()
        running = asyncio.ensure_future(worker.run())
        await begun.wait()
        await worker.stop(grace=0)
        await running

    job = add(store, loop, kind)
    while stopped < 5:
        loop.run_until_complete(stop_it())
        given_back = seen(store, loop, job)
        assert (given_back.state, given_back.attempts) == ("waiting", 0)
        stopped += 1
    loop.run_until_complete(worker_of(store, run, kind=kind, tries=2).drain())
    assert (seen(store, loop, job).state, seen(store, loop, job).attempts) == ("done", 1)


def test_a_worker_that_dies_has_tried(store: Store, loop: Loop, clock: FakeClock, kind: str) -> None:
    async def run(work: Work) -> None:
        raise AssertionError("the third try")

    job = add(store, loop, kind)
    for _ in range(2):
        loop.run_until_complete(store.write(lambda unit: unit.jobs.take([kind], now=unit.now, lease_for=LEASE)))
        clock.advance(LEASE + 1)
    loop.run_until_complete(worker_of(store, run, kind=kind, tries=2).drain())
    assert (seen(store, loop, job).state, seen(store, loop, job).broken) == ("failed", True)


def test_what_takes_long_leaves_room_for_what_does_not(store: Store, loop: Loop, kind: str) -> None:
    """And one organization leaves room for another."""
    long, short = f"{kind} long", f"{kind} short"
    over, begun = asyncio.Event(), list[str]()

    async def stalls(work: Work) -> None:
        begun.append(str(work.job.payload["n"]))
        await over.wait()

    async def swift(work: Work) -> None:
        begun.append("short")

    organizations = [loop.run_until_complete(_organization(store)) for _ in range(2)]
    lane = Lane(2, each=1)
    kinds = {
        long: JobKind(run=stalls, tries=1, seconds=30, lane=lane, outside=False),
        short: JobKind(run=swift, tries=1, seconds=30, outside=False),
    }
    worker = Worker(store, kinds, Tools(load({}), Blobs.memory(), str))
    for at, one in enumerate((0, 0, 0, 1, 1)):
        _job(store, loop, long, n=f"{one} {at}", organization=organizations[one])
    _job(store, loop, short)

    async def together() -> None:
        running = asyncio.ensure_future(worker.run())
        while len(begun) < 3:
            await asyncio.sleep(0.005)
        # One of each organization's, whichever: they were asked for in one moment.
        assert sorted(one.partition(" ")[0] for one in begun) == ["0", "1", "short"]
        over.set()
        while len(begun) < 6:
            await asyncio.sleep(0.005)
        await worker.stop()
        await running

    loop.run_until_complete(asyncio.wait_for(together(), 30))


async def _organization(store: Store) -> str:
    made = Organization(id=new_id(), title="Birds", created_at=store.clock())
    await store.write(lambda unit: unit.people.add_organization(made))
    return made.id
