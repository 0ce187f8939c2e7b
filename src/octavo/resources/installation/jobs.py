"""Jobs of the whole installation for its operators: what waits, runs and failed, begun anew; and the installation's health."""

from __future__ import annotations

from msgspec import UNSET

from octavo.kernel.errors import Conflict, absent
from octavo.kernel.events import ExaminationWanted
from octavo.kernel.operation import UNLIMITED, Nothing, reads, writes
from octavo.kernel.records.jobs import EXAMINE, Job
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import Place
from octavo.resources.rules import OPERATORS
from octavo.wire.installation import jobs as wire
from octavo.wire.installation.jobs import HealthView, JobsQuery, retryable

_NOT_DONE = ("waiting", "running", "failed")


class AtJob(Place, frozen=True):
    job: str


async def list_jobs(call: Call, at: Nothing, query: JobsQuery) -> Slice[Job]:
    """Newest first; what jobs were given is not told."""
    states = _NOT_DONE if query.state is UNSET else (query.state,)
    found, total = await call.unit.jobs.page(states, query.kind, call.newest_behind(query), query.limit + 1)
    return call.listing(found, total, query, lambda one: (one.created_at, one.id))


async def retry(call: Call, at: AtJob, takes: Nothing) -> Job:
    """One that failed waits again, as if it had never been tried."""
    job = await call.unit.jobs.get(at.job)
    if job is None:
        raise absent("job", at.job)
    if job.state != "failed":
        raise Conflict(f"the job is {job.state}: only one that failed is begun anew")
    if not retryable(job):
        raise Conflict(f"a job of the kind {job.kind} is not begun anew: what it was told in confidence is forgotten")
    if not await call.unit.jobs.retry(job, call.now):
        raise Conflict("somebody else has begun the job anew")
    again = await call.unit.jobs.get(at.job)
    assert again is not None  # this unit has just written it
    return again


async def get_health(call: Call, at: Nothing, takes: Nothing) -> HealthView:
    """What the last examination found, which `examineInstallation` asks for; the request itself looks at nothing."""
    last = await call.unit.jobs.newest(("done", "failed"), EXAMINE, 1)
    return HealthView(last[0] if last else None, await call.unit.jobs.going_on(EXAMINE) is not None)


async def examine(call: Call, at: Nothing, takes: Nothing) -> HealthView:
    """A job looks at everything that `octavo doctor` does, and asks mail server, names and proxy; of several wishes one
    waits."""
    await call.unit.emit(ExaminationWanted(user=call.caller.user.id))
    return await get_health(call, at, takes)


OPERATIONS = (
    reads("listInstallationJobs", "/installation/jobs", list_jobs, listed(wire.present),
          needs=OPERATORS, scope=UNLIMITED, summary="List the jobs of the installation"),
    writes("POST", "retryInstallationJob", "/installation/jobs/{job}/retry", retry, wire.present,
           needs=OPERATORS, scope=UNLIMITED, audit="installation.job.retry", about=lambda job: job,
           summary="Begin a job anew that failed"),
    reads("getInstallationHealth", "/installation/health", get_health, wire.present_health,
          needs=OPERATORS, scope=UNLIMITED, summary="Get what the last look at the installation's health found"),
    writes("POST", "examineInstallation", "/installation/health", examine, wire.present_health, status=202,
           needs=OPERATORS, scope=UNLIMITED, audit="installation.examine",
           summary="Have the installation's health looked at"),
)  # fmt: skip
