"""The worker: takes jobs by lease, runs them, records what became of them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Mapping

from octavo.jobs.tidy import tidy
from octavo.jobs.work import Gone, JobBroke, JobFailed, JobKind, JobLate, NotYet, Tools, Work
from octavo.kernel import traces
from octavo.kernel.clock import MINUTE, SECOND
from octavo.kernel.figures import written
from octavo.kernel.records import Json
from octavo.kernel.records.jobs import Job
from octavo.store.unit import Store

LEASE = 30 * SECOND
BEAT = 10 * SECOND
TIDY = 60 * MINUTE
_log = logging.getLogger("octavo.jobs")


class Outcomes:
    """How the runs of jobs ended in this process: `done`, `failed`, or `again`, to be tried once more."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def note(self, job: Job, outcome: str) -> None:
        """One more."""
        self._counts[job.kind, outcome] += 1
        traces.say(octavo__job__outcome=outcome)
        if outcome == "failed":
            traces.fail()

    def text(self) -> str:
        """As Prometheus reads it."""
        told = [({"kind": kind, "outcome": how}, float(n)) for (kind, how), n in sorted(self._counts.items())]
        return written("octavo_jobs_ended_total", "counter", "Runs of jobs by how they ended, in this process", told)


class Worker:
    """Runs as many jobs at a time as their lanes have slots, until it is stopped; a lost worker's jobs are taken over when
    its lease ends."""

    def __init__(self, store: Store, kinds: Mapping[str, JobKind], tools: Tools) -> None:
        self._store = store
        self._kinds = kinds
        self.tools = tools
        self._woken = asyncio.Event()
        self._running: dict[asyncio.Task[None], Job] = {}
        self._ending = False
        self.beaten_at = store.clock()
        """When the loop last came round; readiness looks at it."""
        self._tidied_at = 0
        self.outcomes = Outcomes()

    def wake(self) -> None:
        """There may be work; called after a commit."""
        self._woken.set()

    async def run(self) -> None:
        """Work until `stop`."""
        while not self._ending:
            self.beaten_at = self._store.clock()
            self._woken.clear()
            await self._tidy()
            while not self._ends():
                job = await self._take()
                if job is None:
                    break
                if self._ends():
                    # `stop` came meanwhile, and waits for nothing that begins now.
                    await self._give_back(job)
                    break
                task = asyncio.create_task(self._do(job), name=f"job {job.kind}")
                self._running[task] = job
                task.add_done_callback(self._done)
            # Not by `wait_for`: until Python 3.12 it forgets that it was cancelled when the worker is woken at the same time.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.tools.settings.job_poll):
                    await self._woken.wait()

    def _ends(self) -> bool:
        return self._ending

    async def _tidy(self) -> None:
        now = self._store.clock()
        if now < self._tidied_at + TIDY:
            return
        self._tidied_at = now
        try:
            await tidy(self._store, self.tools.settings)
        except Exception:
            _log.exception("what has expired could not be removed; the next hour tries again")

    async def stop(self, *, grace: float = 10.0) -> None:
        """Take no more; give running jobs `grace` seconds, then leave them to the next worker."""
        self._ending = True
        self._woken.set()
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def drain(self) -> None:
        """Run everything that is due now, one after the other: for command lines and tests."""
        while (job := await self._take()) is not None:
            await self._do(job)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self._woken.set()

    async def _take(self) -> Job | None:
        """The next job for which there is a slot."""
        running = Counter(self._kinds[job.kind].lane for job in self._running.values())
        of = Counter((self._kinds[job.kind].lane, job.organization or "") for job in self._running.values())
        kinds = sorted(name for name, kind in self._kinds.items() if running[kind.lane] < kind.lane.slots)
        full = [
            (name, organization)
            for (lane, organization), count in of.items()
            if lane.each is not None and count >= lane.each
            for name in kinds
            if self._kinds[name].lane is lane
        ]
        if not kinds:
            return None
        return await self._store.write(lambda unit: unit.jobs.take(kinds, now=unit.now, lease_for=LEASE, full=full))

    async def _do(self, job: Job) -> None:
        with traces.span(f"job {job.kind}", "consumer", octavo__job=job.id, octavo__job__attempt=job.attempts):
            await self._run_and_record(Work(job, self._store, self.tools, LEASE))

    async def do(self, work: Work) -> Job:
        """Run one job that was taken; returns its record as it then is. It never raises for what the job does."""
        await self._run_and_record(work)
        found = await self._store.read(lambda unit: unit.jobs.get(work.job.id))
        return found or work.job

    async def _run_and_record(self, work: Work) -> None:
        job, kind = work.job, self._kinds[work.job.kind]
        if job.attempts > kind.tries:
            await self._end(work, f"given up after {kind.tries} tries: the worker was lost each time")
            return
        beat = asyncio.create_task(self._beat(work))
        try:
            async with asyncio.timeout(kind.seconds):
                result = await kind.run(work)
            await self._store.write(lambda unit: unit.jobs.finish(job, now=unit.now, result=result))
            self.outcomes.note(job, "done")
        except Gone:
            _log.warning("a job was taken over by another worker", extra={"job": job.id, "kind": job.kind})
        except JobFailed as failure:
            await self._end(work, str(failure), broken=False)
        except JobBroke as failure:
            await self._end(work, str(failure), late=isinstance(failure, JobLate))
        except NotYet as failure:
            _log.warning("a job is tried again later", extra=_told(work, str(failure)))
            await self._once_more(work, kind, str(failure), str(failure))
        except TimeoutError:
            await self._end(work, f"it took longer than {kind.seconds} seconds and was stopped", late=True)
        except asyncio.CancelledError:
            await asyncio.shield(self._give_back(job))
            raise
        except Exception as error:
            _log.exception("a job failed", extra={"job": job.id, "kind": job.kind, "attempt": job.attempts})
            last = f"something broke here ({type(error).__name__}); the log has it under job {job.id}"
            await self._once_more(work, kind, str(error)[:500], last)
        finally:
            beat.cancel()

    async def _once_more(self, work: Work, kind: JobKind, sentence: str, last: str) -> None:
        """Put the job back, or end it with the `last` word when it had all its tries."""
        attempts, pauses = work.job.attempts, kind.pauses
        if attempts >= kind.tries:
            await self._end(work, last)
        else:
            await self._again(work.job, pauses[min(attempts, len(pauses)) - 1], sentence)

    async def _end(self, work: Work, sentence: str, *, broken: bool = True, late: bool = False) -> None:
        """Record that it failed; `broken` where what was asked for is not the reason, `late` where time is."""
        _log.warning("a job ended without success", extra=_told(work, sentence))
        kind = self._kinds[work.job.kind]
        if kind.failed is not None:
            with contextlib.suppress(Gone):
                await kind.failed(work, sentence)
        result: Json | None = {"broken": True} | ({"late": True} if late else {}) if broken else None
        await self._store.write(lambda unit: unit.jobs.finish(work.job, now=unit.now, error=sentence, result=result))
        self.outcomes.note(work.job, "failed")

    async def _again(self, job: Job, delay: int, error: str) -> None:
        await self._store.write(lambda unit: unit.jobs.again(job, run_at=unit.now + delay, error=error))
        self.outcomes.note(job, "again")

    async def _give_back(self, job: Job) -> None:
        """To the next worker, at once: that this one is stopped is no try."""
        error = "the worker was stopped"
        await self._store.write(lambda unit: unit.jobs.again(job, run_at=unit.now, error=error, counts=False))

    async def _beat(self, work: Work) -> None:
        while True:
            await asyncio.sleep(BEAT / 1000)
            await work.beat()


def _told(work: Work, sentence: str) -> dict[str, object]:
    return {"job": work.job.id, "kind": work.job.kind, "error": sentence}
