"""The worker: takes jobs by lease, runs them, records what became of them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping

from octavo.jobs.work import Gone, JobFailed, JobKind, Tools, Work
from octavo.kernel.clock import SECOND
from octavo.kernel.records import Job
from octavo.store.unit import Store

LEASE = 30 * SECOND
BEAT = 10 * SECOND
BACKOFF = (1 * SECOND, 10 * SECOND, 60 * SECOND)
_log = logging.getLogger("octavo.jobs")


class Worker:
    """Runs up to `slots` jobs at a time until it is stopped; a lost worker's jobs are taken over when its lease ends."""

    def __init__(self, store: Store, kinds: Mapping[str, JobKind], tools: Tools, *, slots: int = 2) -> None:
        self._store = store
        self._kinds = kinds
        self.tools = tools
        self._slots = slots
        self._woken = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()
        self._ending = False
        self.beaten_at = store.clock()
        """When the loop last came round; readiness looks at it."""

    def wake(self) -> None:
        """There may be work; called after a commit."""
        self._woken.set()

    async def run(self) -> None:
        """Work until `stop`."""
        while not self._ending:
            self.beaten_at = self._store.clock()
            self._woken.clear()
            while len(self._running) < self._slots and not self._ending:
                job = await self._take()
                if job is None:
                    break
                task = asyncio.create_task(self._do(job), name=f"job {job.kind}")
                self._running.add(task)
                task.add_done_callback(self._done)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), self.tools.settings.job_poll)

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
        self._running.discard(task)
        self._woken.set()

    async def _take(self) -> Job | None:
        kinds = sorted(self._kinds)
        return await self._store.write(lambda unit: unit.jobs.take(kinds, now=unit.now, lease_for=LEASE))

    async def _do(self, job: Job) -> None:
        await self.do(Work(job, self._store, self.tools, LEASE))

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
        except Gone:
            _log.warning("a job was taken over by another worker", extra={"job": job.id, "kind": job.kind})
        except JobFailed as failure:
            await self._end(work, str(failure))
        except TimeoutError:
            await self._end(work, f"it took longer than {kind.seconds} seconds and was stopped")
        except asyncio.CancelledError:
            await asyncio.shield(self._again(job, 0, "the worker was stopped"))
            raise
        except Exception as error:
            _log.exception("a job failed", extra={"job": job.id, "kind": job.kind, "attempt": job.attempts})
            if job.attempts >= kind.tries:
                await self._end(
                    work, f"something broke here ({type(error).__name__}); the log has it under job {job.id}"
                )
            else:
                await self._again(job, BACKOFF[min(job.attempts, len(BACKOFF)) - 1], str(error)[:500])
        finally:
            beat.cancel()

    async def _end(self, work: Work, sentence: str) -> None:
        told = {"job": work.job.id, "kind": work.job.kind, "error": sentence}
        _log.warning("a job ended without success", extra=told)
        kind = self._kinds[work.job.kind]
        if kind.failed is not None:
            with contextlib.suppress(Gone):
                await kind.failed(work, sentence)
        await self._store.write(lambda unit: unit.jobs.finish(work.job, now=unit.now, error=sentence))

    async def _again(self, job: Job, delay: int, error: str) -> None:
        await self._store.write(lambda unit: unit.jobs.again(job, run_at=unit.now + delay, error=error))

    async def _beat(self, work: Work) -> None:
        while True:
            await asyncio.sleep(BEAT / 1000)
            await work.beat()
