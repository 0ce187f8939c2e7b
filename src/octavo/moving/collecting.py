"""`octavo blobs collect`: what nothing reaches any more goes, organization by organization."""

from __future__ import annotations

from functools import partial
from typing import Any

from octavo.jobs.work import Work
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import Conflict
from octavo.kernel.records.jobs import COLLECT, Job
from octavo.kernel.settings import Settings
from octavo.main import open_house
from octavo.moving.files import Show
from octavo.store.unit import Unit

LEASE = 15 * MINUTE
"""The command does its jobs itself; nobody else may take them meanwhile."""


async def collect(settings: Settings, show: Show) -> dict[str, Any]:
    """{organizations, objects, files}: how many were removed. The server may run meanwhile."""
    objects = files = 0
    async with open_house(settings, base="") as house:
        found = await house.store.read(lambda unit: unit.people.organizations())
        for number, organization in enumerate(found, 1):
            job = await house.store.write(partial(_taken, organization=organization.id))
            ended = await house.worker.do(Work(job, house.store, house.worker.tools, LEASE))
            if ended.state != "done" or ended.result is None:
                raise Conflict(ended.error or "what nothing reaches could not be collected")
            objects += ended.result["objects"]
            files += ended.result["files"]
            show({"step": "organizations", "done": number, "total": len(found)})
    return {"organizations": len(found), "objects": objects, "files": files}


async def _taken(unit: Unit, *, organization: str) -> Job:
    job = await unit.jobs.add(COLLECT, {}, now=unit.now, organization=organization)
    taken = await unit.jobs.lease(job, now=unit.now, lease_for=LEASE)
    assert taken is not None  # nobody else knows of it
    return taken
