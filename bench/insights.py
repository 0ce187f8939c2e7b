"""Insights measured by themselves: `python -m bench.insights [--events 20000000]`; prints one line of JSON a figure.

Queries are compared with the plainest SQL that says the same, over the same file; ingestion over HTTP with the same process
appending the same rows to DuckDB, one durable commit a batch.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from octavo.kernel.clock import DAY, HOUR
from octavo.kernel.records.insights import Event, Filter, Question, Term
from octavo.store.insights.asking import Aggregate, Options, Segments
from octavo.store.insights.duck import DuckEngine
from octavo.store.insights.engine import KINDS
from octavo.store.insights.office import Office
from octavo.store.insights.spool import Portion, Writer

NOW = 1_800_000_000_000
_VALUES = {
    "organization": "'o'",
    "site": "'s'",
    "moment": f"({NOW} - (365 * {DAY}::BIGINT * i) // {{n}})::BIGINT",
    "type": "CASE WHEN i % 5 = 0 THEN 'search_type_query' ELSE 'page_view' END",
    "visitor": "(hash(i // 7) & 9223372036854775807)::BIGINT % 2000000",
    "session": "(hash(i // 3) & 9223372036854775807)::BIGINT % 6000000",
    "context": "'site'",
    "page": "'p' || (hash(i) % 5000)",
    "space": "'space'",
    "path": "'/p' || (hash(i) % 5000)",
    "authenticated": "false",
    "claims": """'{{"plan":"' || ['free', 'pro', 'team'][1 + (hash(i // 7) % 3)::INT] || '"}}'""",
}


def _timed(work: Callable[[], Any], times: int = 5) -> float:
    work()
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def queries(events: int) -> None:
    """Four questions over a year of events."""
    with tempfile.TemporaryDirectory() as folder:
        office = Office(Path(folder), Options(memory=2 << 30, seconds=60))
        engine = office._engine
        assert isinstance(engine, DuckEngine)
        values = ", ".join(f"{_VALUES.get(name, 'NULL').format(n=events)}" for name in KINDS)
        engine._at.execute(f"INSERT INTO events SELECT {values} FROM range({events}) AS r(i)")
        engine._at.execute("CHECKPOINT")
        views, count = Filter(Term("eventType"), "in", ["page_view"]), Term("eventsCount")
        day, hour = Term("datetime", interval="day"), Term("datetime", interval="hour")
        whole: dict[str, Any] = {"organization": "o", "site": "s", "since": NOW - 366 * DAY, "until": NOW + 1}
        of = f"organization = 'o' AND site = 's' AND moment >= {NOW - 366 * DAY} AND moment < {NOW + 1}"
        one = Filter(Term("page"), "in", [{"page": "p7", "space": "space"}])
        asked = {
            "views a day over a year": (
                Question(**whole, select=[day, count], group=[day], where=[views], order=day),
                f"SELECT moment // {DAY}, count(*) FROM events WHERE {of} AND type = 'page_view' GROUP BY 1 ORDER BY 1",
            ),
            "visitors an hour of one page": (
                Question(**whole, select=[hour, Term("visitorsCount")], group=[hour], where=[one], order=hour),
                f"SELECT moment // {HOUR}, count(DISTINCT visitor) FROM events WHERE {of} AND page = 'p7'"
                " AND space = 'space' GROUP BY 1 ORDER BY 1",
            ),
            "top 50 pages": (
                Question(
                    **whole, select=[Term("page"), count], group=[Term("page")], order=count, descending=True, limit=50
                ),
                f"SELECT page, space, count(*) FROM events WHERE {of} GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 50",
            ),
        }
        for name, (question, raw) in asked.items():
            ours = _timed(lambda: office.answer(Aggregate(question)))  # noqa: B023
            floor = _timed(lambda: engine._at.cursor().execute(raw).fetchall())  # noqa: B023
            _say(name, events=events, seconds=round(ours, 3), raw=round(floor, 3), ratio=round(ours / floor, 2))
        _say("segments", events=events, seconds=round(_timed(lambda: office.answer(Segments("o", "s", 100)), 3), 3))
        office.close()


def spool(batch: int, batches: int) -> None:
    """Durable batches into the spool, one after the other, beside durable commits of the same rows."""
    rows = [
        Event(
            organization="o", site="s", moment=NOW + n, type="page_view", visitor=n, session=n, agent="curl/8", page="p"
        )
        for n in range(batch)
    ]
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer(Path(folder) / "spool", 1 << 30)
        engine = DuckEngine(Path(folder), Options())

        async def append() -> float:
            begun = time.perf_counter()
            for _ in range(batches):
                await writer.append(rows)
            return time.perf_counter() - begun

        ours = asyncio.run(append())
        begun = time.perf_counter()
        for number in range(batches):
            engine.load(Portion("floor", 1, number, number + 1, rows))
        floor = time.perf_counter() - begun
        per = batch * batches
        _say("durable", batch=batch, spool=round(per / ours), engine=round(per / floor), unit="events a second")
        writer.close()
        engine.close()


def _say(name: str, **figures: Any) -> None:
    print(json.dumps({"what": name} | figures), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=1_000_000)
    size = parser.parse_args().events
    for one in (100, 1_000):
        spool(one, 20)
    queries(size)
