"""The job table: work enqueued in the caller's transaction, taken by lease, finished behind a fence."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.jobs import Job
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

JOBS = Table("jobs", Job, extra=("dedup",))

_OF_KEY = "WHERE dedup = :dedup AND state = 'waiting'"
# Who relies on a job that waits holds it until what it is to find is committed: begun before, it would not see that.
_DUPLICATE = JOBS.select(_OF_KEY, postgres=_OF_KEY + " FOR KEY SHARE")
_GOING_ON = JOBS.select("WHERE dedup = :dedup AND state IN ('running', 'waiting') ORDER BY state LIMIT 1")
_HEADS = 16
"""Jobs at the head of a line that are looked at: more than have to wait there for one of their key that runs."""
# What waits stands in a line for each kind and organization. From one line to the next it is a step in an index, so that
# what is behind the heads costs nothing, however long the lines are. SQLite has to be told of the index; PostgreSQL, to look
# at each line once.
_LINES = """
WITH RECURSIVE kinds (kind) AS (
  SELECT '' UNION ALL SELECT (SELECT kind FROM jobs {indexed}
    WHERE state = 'waiting' AND kind > kinds.kind ORDER BY kind LIMIT 1)
  FROM kinds WHERE kind IS NOT NULL
), lines (kind, organization) AS (
  SELECT kind, (SELECT coalesce(organization, '') FROM jobs {indexed}
    WHERE state = 'waiting' AND jobs.kind = kinds.kind ORDER BY coalesce(organization, '') LIMIT 1)
  FROM kinds WHERE kind IN :kinds[]
  UNION ALL SELECT kind, (SELECT coalesce(organization, '') FROM jobs {indexed}
    WHERE state = 'waiting' AND jobs.kind = lines.kind AND coalesce(organization, '') > lines.organization
    ORDER BY coalesce(organization, '') LIMIT 1)
  FROM lines WHERE organization IS NOT NULL
)
SELECT head.id FROM lines {heads} WHERE NOT ((lines.kind || ' ' || lines.organization) IN :full[])
"""
_HEAD = (
    "SELECT id FROM jobs {indexed} WHERE state = 'waiting' AND kind = lines.kind"
    f" AND coalesce(organization, '') = lines.organization AND run_at <= :now ORDER BY run_at, id LIMIT {_HEADS}"
)
# Of a key one runs at a time: beside another, it would write over what that has seen.
# Fair between organizations: among what is due, the organization with the fewest running jobs goes first.
_DUE = (
    "state || '' = 'waiting'"
    " AND NOT EXISTS (SELECT 1 FROM jobs other WHERE other.dedup = jobs.dedup AND other.id <> jobs.id"
    "  AND other.state = 'running' AND other.lease_until >= :now)"
    " ORDER BY (SELECT count(*) FROM jobs busy"
    "  WHERE busy.organization = jobs.organization AND busy.state = 'running'), run_at, id"
    " LIMIT 1"
)
_INDEXED = "INDEXED BY jobs_lines"
_AT_HEAD = _LINES.format(indexed=_INDEXED, heads=f"JOIN jobs head ON head.id IN ({_HEAD.format(indexed=_INDEXED)})")
_AT_HEAD_POSTGRES = _LINES.format(indexed="", heads=f"CROSS JOIN LATERAL ({_HEAD.format(indexed='')}) head")
_NEXT = JOBS.select(
    f"WHERE id IN ({_AT_HEAD}) AND {_DUE}",
    postgres=f"WHERE id = ANY (ARRAY({_AT_HEAD_POSTGRES})) AND {_DUE} FOR UPDATE SKIP LOCKED",
)
_LOST = (
    "WHERE state = 'running' AND lease_until < :now AND kind IN :kinds[]"
    " AND NOT ((kind || ' ' || coalesce(organization, '')) IN :full[]) ORDER BY run_at, id LIMIT 1"
)
_OF_LOST = JOBS.select(_LOST, postgres=_LOST + " FOR UPDATE SKIP LOCKED")
_TAKE = Statement(
    "UPDATE jobs SET state = 'running', attempts = attempts + 1, lease = :lease, lease_until = :until WHERE id = :id"
)
_ALONE = Statement("SELECT 1 FROM jobs WHERE id = :id", postgres="SELECT 1 FROM jobs WHERE id = :id FOR UPDATE")
_BEAT = Statement(
    "UPDATE jobs SET lease_until = :until, progress = coalesce(:progress, progress)"
    " WHERE id = :id AND lease = :lease AND state = 'running'"
)
_HELD = Statement("SELECT 1 FROM jobs WHERE id = :id AND lease = :lease AND state = 'running'")
_FINISH = Statement(
    "UPDATE jobs SET state = :state, finished_at = :now, error = :error, result = :result, lease = NULL,"
    " lease_until = NULL, payload = :payload WHERE id = :id AND lease = :lease AND state = 'running'"
)
# Another of its key may have begun to wait while it ran, and of a key only one waits.
_AGAIN = Statement(
    "UPDATE jobs SET state = 'waiting', run_at = :run_at, attempts = attempts - :uncounted, error = :error,"
    " lease = NULL, lease_until = NULL,"
    " dedup = CASE WHEN EXISTS (SELECT 1 FROM jobs other WHERE other.dedup = jobs.dedup AND other.state = 'waiting')"
    " THEN NULL ELSE dedup END"
    " WHERE id = :id AND lease = :lease AND state = 'running'"
)
_SOONER = Statement("UPDATE jobs SET run_at = :run_at WHERE id = :id AND run_at > :run_at")
_WAITING = JOBS.select("WHERE kind = :kind AND organization = :organization AND state = 'waiting'")
_OLDEST_DUE = Statement("SELECT min(run_at) FROM jobs WHERE state = 'waiting'")
_NEWEST = JOBS.select(
    "WHERE state IN :states[] AND (:kind = '' OR kind = :kind) ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_PAGE = JOBS.select(
    "WHERE state IN :states[] AND (:kind = '' OR kind = :kind) AND (created_at, id) < (:before, :before_id)"
    " ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_COUNT = Statement("SELECT count(*) FROM jobs WHERE state IN :states[] AND (:kind = '' OR kind = :kind)")
_RETRY = Statement(
    "UPDATE jobs SET state = 'waiting', run_at = :now, attempts = 0, finished_at = NULL, result = NULL,"
    " dedup = CASE WHEN EXISTS (SELECT 1 FROM jobs other WHERE other.dedup = jobs.dedup AND other.state = 'waiting')"
    " THEN NULL ELSE dedup END"
    " WHERE id = :id AND state = 'failed'"
)
_COUNTS = Statement("SELECT kind, state, count(*), min(run_at) FROM jobs WHERE state <> 'done' GROUP BY kind, state")
_FAILED = Statement("SELECT kind, count(*) FROM jobs WHERE state = 'failed' AND finished_at >= :since GROUP BY kind")
_FORGET = Statement(
    "DELETE FROM jobs WHERE (state = 'done' AND finished_at < :done) OR (state = 'failed' AND finished_at < :failed)"
)


class Jobs:
    """Work to be done later."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, job: str) -> Job | None:
        return await JOBS.get(self._at, id=job)

    async def going_on(self, dedup: str) -> Job | None:
        """The job of a key that runs, else the one that waits."""
        return await JOBS.first(self._at, _GOING_ON, {"dedup": dedup})

    async def add(
        self, kind: str, payload: Json, *, now: int, organization: str | None, dedup: str | None = None, delay: int = 0
    ) -> Job:
        """Enqueue; with `dedup`, a job of that key that still waits is returned instead of a second one; it runs
        when the sooner of the two would."""
        if dedup is not None:
            waiting = await JOBS.first(self._at, _DUPLICATE, {"dedup": dedup})
            if waiting is not None:
                if waiting.run_at > now + delay:
                    await self._at.run(_SOONER, {"id": waiting.id, "run_at": now + delay})
                return waiting
        job = Job(
            id=new_id(),
            organization=organization,
            kind=kind,
            payload=payload,
            state="waiting",
            attempts=0,
            run_at=now + delay,
            created_at=now,
        )
        await JOBS.add(self._at, job, dedup=dedup)
        return job

    async def take(
        self, kinds: Sequence[str], *, now: int, lease_for: int, full: Collection[tuple[str, str]] = ()
    ) -> Job | None:
        """Lease the next due job of these kinds, or one whose worker was lost; None when there is none. `full` are kinds
        with organizations that have enough of them."""
        pairs = [f"{kind} {organization}" for kind, organization in full]
        asked = {"kinds": list(kinds), "now": now, "full": pairs}
        job = await JOBS.first(self._at, _OF_LOST, asked) or await JOBS.first(self._at, _NEXT, asked)
        return None if job is None else await self.lease(job, now=now, lease_for=lease_for)

    async def lease(self, job: Job, *, now: int, lease_for: int) -> Job | None:
        """Lease this very job, which was read or added in this unit."""
        lease = new_id()
        await self._at.rows(_ALONE, {"id": job.id})
        await self._at.run(_TAKE, {"id": job.id, "lease": lease, "until": now + lease_for})
        return await JOBS.get(self._at, id=job.id)

    async def beat(self, job: Job, *, until: int, progress: Json | None = None) -> bool:
        """Prolong the lease; False when another worker has the job now."""
        values = JOBS.values(Job(**_with(job, progress=progress)))
        return (
            await self._at.run(
                _BEAT, {"id": job.id, "lease": job.lease, "until": until, "progress": values["progress"]}
            )
            == 1
        )

    async def held(self, job: Job) -> bool:
        """Whether this worker still has the job: the fence that every unit of a job asks first."""
        return bool(await self._at.rows(_HELD, {"id": job.id, "lease": job.lease}))

    async def finish(self, job: Job, *, now: int, error: str | None = None, result: Json | None = None) -> bool:
        """Record the end, done or failed; the payload keeps no sealed parts. False behind the fence."""
        payload = {name: value for name, value in job.payload.items() if not name.startswith("sealed")}
        values = JOBS.values(Job(**_with(job, result=result, payload=payload)))
        state = "done" if error is None else "failed"
        given = {"id": job.id, "lease": job.lease, "state": state, "now": now, "error": error}
        return await self._at.run(_FINISH, given | {"result": values["result"], "payload": values["payload"]}) == 1

    async def again(self, job: Job, *, run_at: int, error: str, counts: bool = True) -> bool:
        """Put it back for another try; `counts` tells whether this one was one."""
        given = {"id": job.id, "lease": job.lease, "run_at": run_at, "error": error, "uncounted": 0 if counts else 1}
        return await self._at.run(_AGAIN, given) == 1

    async def waiting(self, kind: str, organization: str) -> list[Job]:
        """Those of a kind that an organization has, and that have not begun."""
        return await JOBS.list(self._at, _WAITING, {"kind": kind, "organization": organization})

    async def oldest_due(self) -> int | None:
        """When the job that waits longest was due."""
        found: int | None = (await self._at.rows(_OLDEST_DUE, {}))[0][0]
        return found

    async def newest(self, states: Sequence[str], kind: str, limit: int) -> list[Job]:
        """Those in one of these states, of a kind or (empty) of all, the newest first."""
        return await JOBS.list(self._at, _NEWEST, {"states": list(states), "kind": kind, "limit": limit})

    async def page(
        self, states: Sequence[str], kind: str, before: tuple[int, str], limit: int
    ) -> tuple[list[Job], int]:
        """A page of those, the newest first, behind (created, id), and how many there are."""
        asked = {"states": list(states), "kind": kind}
        page = asked | {"before": before[0], "before_id": before[1], "limit": limit}
        return await JOBS.list(self._at, _PAGE, page), await count(self._at, _COUNT, asked)

    async def retry(self, job: Job, now: int) -> bool:
        """Let one that failed begin anew; False where it is not failed any more. Its sentence stays until it ends."""
        return await self._at.run(_RETRY, {"id": job.id, "now": now}) == 1

    async def counts(self) -> list[tuple[str, str, int, int]]:
        """(kind, state, how many, when the first of them was due) of what is not done."""
        return [(row[0], row[1], row[2], row[3]) for row in await self._at.rows(_COUNTS, {})]

    async def failed_since(self, since: int) -> dict[str, int]:
        """Kind -> how many failed since then."""
        return {row[0]: row[1] for row in await self._at.rows(_FAILED, {"since": since})}

    async def forget(self, *, done: int, failed: int) -> int:
        """Remove the records of jobs that were done, or failed, before then."""
        return await self._at.run(_FORGET, {"done": done, "failed": failed})


def _with(job: Job, **changed: object) -> Json:
    return {name: getattr(job, name) for name in job.__struct_fields__} | changed
