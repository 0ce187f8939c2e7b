"""Waiting for a job that a request asked for: at the API, and where sites are visited."""

from __future__ import annotations

import asyncio

from octavo.kernel.errors import BadRequest, TookTooLong, Unavailable
from octavo.kernel.events import Event
from octavo.kernel.records import Json
from octavo.store.unit import NOBODY, Provenance, Store


async def done(store: Store, event: Event, seconds: float, provenance: Provenance = NOBODY) -> Json:
    """Emit an event that asks for one job, and wait for it: its result.

    Raises BadRequest with the job's sentence when it failed by what was asked for, Unavailable where that is not the
    reason, TookTooLong after `seconds`, where the job goes on, and for one that was stopped as it took longer than it may.
    """
    [job] = await store.write(lambda unit: unit.emit(event), provenance)
    pause = 0.01
    deadline = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < deadline:
        record = await store.read(lambda unit: unit.jobs.get(job))
        if record is not None and record.late:
            raise TookTooLong(f"{record.error} (job {job})")
        if record is None or record.broken:
            raise Unavailable((record and record.error) or "the work was given up; try again")
        if record.state == "failed":
            raise BadRequest(record.error or "the work was given up")
        if record.state == "done":
            return record.result or {}
        await asyncio.sleep(pause)
        pause = min(pause * 1.5, 0.25)
    raise TookTooLong(f"this takes longer than {seconds:.0f} seconds; the work goes on as job {job}, ask again later")
