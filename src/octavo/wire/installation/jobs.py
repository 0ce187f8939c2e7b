"""Jobs of the whole installation, and what the last look at its health found."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records.jobs import ONCE, Job
from octavo.wire.fields import DateTime, Maybe, Shape, maybe
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

State = Literal["waiting", "running", "failed", "done"]


class JobsQuery(ListQuery, frozen=True):
    """Without a state, those that are not done."""

    state: Maybe[State] = UNSET
    kind: Annotated[str, Meta(max_length=limits.JOB_KIND_MAX)] = ""


class InstallationJob(Shape, tag_field="object", tag="installation-job", frozen=True):
    id: str
    kind: str
    state: State
    attempts: int
    created_at: DateTime
    due_at: DateTime
    can_retry: bool
    organization: Maybe[str] = UNSET
    finished_at: Maybe[DateTime] = UNSET
    error: Maybe[str] = UNSET


class HealthCheck(Shape, frozen=True):
    check: str
    state: Literal["ok", "off", "warning", "failure"]
    said: str
    todo: Maybe[str] = UNSET


class InstallationHealth(Shape, tag_field="object", tag="installation-health", frozen=True):
    state: Literal["unknown", "ok", "warning", "failure"]
    examining: bool
    checks: list[HealthCheck]
    examined_at: Maybe[DateTime] = UNSET
    error: Maybe[str] = UNSET


class HealthView(msgspec.Struct, frozen=True):
    last: Job | None
    """The last examination that ended."""
    going_on: bool


def present(job: Job, view: View) -> InstallationJob:
    """A job without what it was given: that may be somebody's."""
    return InstallationJob(
        job.id,
        job.kind,
        job.state,
        job.attempts,
        iso(job.created_at),
        iso(job.run_at),
        retryable(job),
        maybe(job.organization),
        UNSET if job.finished_at is None else iso(job.finished_at),
        maybe(job.error),
    )


def retryable(job: Job) -> bool:
    """Whether the job failed, and can be begun anew."""
    return job.state == "failed" and job.kind not in ONCE


def present_health(found: HealthView, view: View) -> InstallationHealth:
    """The worst of what was found is the state of the whole."""
    last = found.last
    if last is None:
        return InstallationHealth("unknown", found.going_on, [])
    told = (last.result or {}).get("checks", [])
    checks = [HealthCheck(one["check"], one["state"], one["said"], one["todo"] or UNSET) for one in told]
    states = {one.state for one in checks}
    worst: Literal["ok", "warning", "failure"] = (
        "failure" if "failure" in states or last.state == "failed" else "warning" if "warning" in states else "ok"
    )
    at = UNSET if last.finished_at is None else iso(last.finished_at)
    return InstallationHealth(worst, found.going_on, checks, at, maybe(last.error))
