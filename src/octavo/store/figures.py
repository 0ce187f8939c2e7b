"""What a store tells Prometheus: of this process, and of the jobs of the installation."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path

from octavo.kernel.figures import written
from octavo.store.installation import Collected, NewestBackup
from octavo.store.unit import Store, Unit


async def figures(store: Store, data: Path) -> str:
    """What is kept, how writes go, the room in the data directory, and what the database says of jobs; without an answer of
    the database within two seconds, the rest.
    """
    free = shutil.disk_usage(data).free
    parts = [written("octavo_disk_free_bytes", "gauge", "Room where the data lies", [({}, free)])]
    kept = store.kept.counts().items()
    for name, kind, means in (
        ("hits", "counter", "What was made before and asked for again"),
        ("misses", "counter", "What had to be made"),
        ("values", "gauge", "What is kept now"),
    ):
        told = [({"kind": one}, float(getattr(count, name))) for one, count in sorted(kept)]
        parts.append(written(f"octavo_kept_{name}", kind, means, told))
    parts += [
        written("octavo_kept_bytes", "gauge", "What is kept weighs", [({}, store.kept.weight)]),
        store.writes.text(),
    ]
    try:
        counts, backup, collected = await asyncio.wait_for(store.read(_asked), 2)
    except Exception:  # readiness says what is wrong with it
        return "".join(parts)
    for name, means, made in (
        ("backup", "Since the newest backup by schedule", backup),
        ("collection", "Since what nothing refers to was last collected", collected),
    ):
        since: list[tuple[dict[str, str], float]] = [] if made is None else [({}, (store.clock() - made.at) / 1000)]
        parts.append(written(f"octavo_{name}_age_seconds", "gauge", means, since))
    jobs = [({"kind": kind, "state": state}, float(number)) for kind, state, number, _ in sorted(counts)]
    parts.append(written("octavo_jobs", "gauge", "Jobs that wait, run or failed within 30 days", jobs))
    due = min((at for _, state, _, at in counts if state == "waiting"), default=None)
    age = 0.0 if due is None else max(0, store.clock() - due) / 1000
    parts.append(written("octavo_jobs_late_seconds", "gauge", "For how long the oldest job is due", [({}, age)]))
    return "".join(parts)


async def _asked(unit: Unit) -> tuple[Sequence[tuple[str, str, int, int]], NewestBackup | None, Collected | None]:
    return await unit.jobs.counts(), await unit.installation.newest_backup(), await unit.installation.collected()
