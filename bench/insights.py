"""Insights: events taken over HTTP beside a floor, readers meanwhile, and questions beside plain SQL. A part of `python -m
bench`; by itself `python -m bench.insights [--events 20000000]`.

The floor of taking them is this process inserting the same decoded rows into DuckDB, one durable commit a batch. Questions
are compared with the plainest SQL that says the same, over the same file.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from bench import world as worlds
from bench.client import Line, Process, load, request
from bench.figures import Figure, percentile, spread, within
from bench.rounds import Bench, Scale, expect
from bench.sampling import high_water
from octavo.kernel.clock import DAY, HOUR
from octavo.kernel.records.insights import Event, Filter, Question, Term
from octavo.store.insights.asking import Aggregate, Options, Segments
from octavo.store.insights.duck import DuckEngine
from octavo.store.insights.engine import KINDS
from octavo.store.insights.office import Office
from octavo.store.insights.spool import Portion

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


_AGENTS = (
    "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1",
)
READERS = 8
_TITLE = "Insights"
_MANY = 20_000_000
"""Events from which on the budgets of questions hold."""


def insights(bench: Bench) -> None:
    """Taking events, readers meanwhile, and questions; on one database, as none of it asks it much."""
    if bench.world.engine != "sqlite":
        return
    pages = worlds.page_ids(bench.world, bench.imported())
    with _watched(bench) as (server, path):
        for batch in (100, 1_000):
            _taking(bench, server, path, batch, pages)
        _beside(bench, server, path, pages)
    _questions(bench)


@contextmanager
def _watched(bench: Bench) -> Iterator[tuple[Process, str]]:
    """A server, and where the insights of a site are."""
    world = bench.world
    server = world.server()
    try:
        line = server.line()
        body = json.dumps({"title": "Watched", "spaces": [bench.imported().space]}).encode()
        made = line.ask(
            request(f"/v1/orgs/{world.organization}/sites", world.authorized(world.admin), method="POST", body=body)
        )
        expect(made.status, 201)
        yield server, f"/v1/orgs/{world.organization}/sites/{json.loads(made.body)['id']}/insights"
    finally:
        server.end()


def _batch(number: int, size: int, pages: list[str]) -> list[dict[str, Any]]:
    """Views of pages as the program of a site would send them."""
    return [
        {
            "type": "page_view",
            "session": {
                "visitorId": f"visitor-{at % 977}", "sessionId": f"session-{at % 3001}", "userAgent": _AGENTS[at % 3],
                "language": "en", "referrer": "https://search.example/", "cookies": {},
            },
            "location": {
                "url": f"https://docs.example.org/guide/page-{at % 500}?utm_source=mail",
                "page": pages[at % 500 % len(pages)],
            },
        }
        for at in range(number * size, (number + 1) * size)
    ]  # fmt: skip


def _rows(batch: list[dict[str, Any]], now: int) -> list[Event]:
    """The same as the spool has them."""
    return [
        Event(
            organization="o", site="s", moment=now, type=one["type"], visitor=hash(one["session"]["visitorId"]) >> 1,
            session=hash(one["session"]["sessionId"]) >> 1, agent=one["session"]["userAgent"],
            url=one["location"]["url"], path="/guide/page", page=one["location"]["page"], language="en",
            referrer="https://search.example/", referrer_domain="search.example", utm_source="mail",
        )
        for one in batch
    ]  # fmt: skip


def _taking(bench: Bench, server: Process, path: str, size: int, pages: list[str]) -> None:
    """Events a second over HTTP and of the floor, in turns."""
    world, count = bench.world, max(10, 20_000 // size)
    batches = [_batch(number, size, pages) for number in range(count)]
    headers = world.authorized(world.admin)
    posts = [
        request(f"{path}/events", headers, method="POST", body=msgspec.json.encode({"events": one})) for one in batches
    ]
    rows = [_rows(one, int(time.time() * 1000)) for one in batches]
    ours, floors = [], []
    with tempfile.TemporaryDirectory(dir=world.folder) as folder:
        engine = DuckEngine(Path(folder), Options())
        engine.load(Portion("warm", 1, 0, 1, rows[0]))
        for turn in range(3):
            lines = server.lines()
            load(lines, posts, len(lines), 204)
            begun = time.perf_counter()
            load(lines, posts, count, 204)
            ours.append(count * size / (time.perf_counter() - begun))
            for line in lines:
                line.close()
            server.settle()
            begun = time.perf_counter()
            for number, some in enumerate(rows):
                engine.load(Portion("floor", turn, number, number + 1, some))
            floors.append(count * size / (time.perf_counter() - begun))
        engine.close()
    ratio = statistics.median(one / other for one, other in zip(ours, floors))
    bench.add(
        Figure(
            _TITLE, world.engine, f"events taken over HTTP, {size} a batch", f"{spread(ours).text(0)} events/s",
            ("", f"{spread(floors).text(0)} events/s"), f"{ratio:.2f} of the floor", "≥ 0.50 of the floor", ratio >= 0.5,
        )
    )  # fmt: skip


def _beside(bench: Bench, server: Process, path: str, pages: list[str]) -> None:
    """How long batches of 100 take while eight readers ask, one question after the other."""
    world = bench.world
    headers = world.authorized(world.admin)
    asked = {
        "range": "last24Hours",
        "select": [{"column": "datetime", "interval": "hour"}, {"column": "eventsCount"}, {"column": "visitorsCount"}],
        "groupBy": [{"column": "datetime", "interval": "hour"}],
    }
    question = request(f"{path}/events/aggregate", headers, method="POST", body=msgspec.json.encode(asked))
    posts = [
        request(
            f"{path}/events", headers, method="POST", body=msgspec.json.encode({"events": _batch(number, 100, pages)})
        )
        for number in range(50)
    ]
    over, failed, answered = threading.Event(), [0], [0]

    def read() -> None:
        line = server.line()
        while not over.is_set():
            reply = line.ask(question)
            failed[0] += reply.status != 200
            answered[0] += 1
        line.close()

    readers = [threading.Thread(target=read) for _ in range(READERS)]
    for one in readers:
        one.start()
    line = server.line()
    times = _posted(line, posts, 4 * bench.scale.writes)
    over.set()
    for one in readers:
        one.join()
    line.close()
    name = f"beside {READERS} readers"
    bench.add(within(_TITLE, world.engine, f"a batch of 100 {name}: median", times, "ms"))
    bench.add(
        within(
            _TITLE, world.engine, f"a batch of 100 {name}: p99 of {len(times)}", [percentile(times, 0.99)], "ms", 250
        )
    )
    bench.add(within(_TITLE, world.engine, f"failed of {answered[0]} questions", [failed[0]], "questions", 0))
    peak, cap = _owner_peak(server.pid), Options().memory / (1 << 20)
    bench.add(
        within(_TITLE, world.engine, f"peak memory of the engine, whose cap is {cap:g} MiB", [peak], "MiB", cap + 192)
    )


def _posted(line: Line, posts: list[bytes], count: int) -> list[float]:
    """Milliseconds of each of some posts, one after the other."""
    times = []
    for number in range(count):
        begun = time.perf_counter()
        expect(line.ask(posts[number % len(posts)]).status, 204)
        times.append((time.perf_counter() - begun) * 1000)
    return times


def _owner_peak(server: int) -> float:
    """The most MiB that the process of the engine ever had resident: its program and libraries count too."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "status").read_text()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if f"PPid:\t{server}\n" in status and b"insights.owner" in command:
            return high_water(status)
    raise LookupError("the server has no engine of insights")


def _turns(*works: Callable[[], Any], times: int = 5) -> list[list[float]]:
    """Seconds of some things, each done in turn with the others: what else the machine does is shared."""
    taken: list[list[float]] = [[] for _ in works]
    for turn in range(times + 1):
        for work, found in zip(works, taken):
            begun = time.perf_counter()
            work()
            if turn:  # the first time reads the disk
                found.append(time.perf_counter() - begun)
    return taken


def _questions(bench: Bench) -> None:
    """Questions over a year of events."""
    events = bench.scale.events
    with tempfile.TemporaryDirectory(dir=bench.world.folder) as folder:
        office = Office(Path(folder), Options(seconds=60))
        engine = office._engine
        assert isinstance(engine, DuckEngine)
        values = ", ".join(f"{_VALUES.get(name, 'NULL').format(n=events)}" for name in KINDS)
        engine._at.execute(f"INSERT INTO events SELECT {values} FROM range({events}) AS r(i)")
        engine._at.execute("CHECKPOINT")
        for name, (question, raw) in _asked().items():
            ours, floor = _turns(
                lambda: office.answer(Aggregate(question)),  # noqa: B023
                lambda: engine._at.cursor().execute(raw).fetchall(),  # noqa: B023
            )
            bench.add(_beside_plain(f"{name}, {events:,} events", ours, floor, budget=events >= _MANY))
        [taken] = _turns(lambda: office.answer(Segments("o", "s", 100)))
        bench.add(within(_TITLE, "no database", f"segments, {events:,} events", taken, "s", 1))
        office.close()


def _beside_plain(name: str, ours: list[float], floor: list[float], *, budget: bool) -> Figure:
    """A question beside plain SQL; what reading and writing it costs by itself tells for few events."""
    ratio = statistics.median(ours) / statistics.median(floor)
    figure = within(_TITLE, "no database", name, [one * 1000 for one in ours], "ms")
    plain = f"{spread([one * 1000 for one in floor]).text(1)} ms"
    figure = replace(figure, floors=("", plain), ratio=f"{ratio:.2f} times the floor")
    return replace(figure, budget="≤ 1.5 times the floor", met=ratio <= 1.5) if budget else figure


def _asked() -> dict[str, tuple[Question, str]]:
    """Questions, and the plainest SQL for each."""
    views, count = Filter(Term("eventType"), "in", ["page_view"]), Term("eventsCount")
    day, hour = Term("datetime", interval="day"), Term("datetime", interval="hour")
    whole: dict[str, Any] = {"organization": "o", "site": "s", "since": NOW - 366 * DAY, "until": NOW + 1}
    of = f"organization = 'o' AND site = 's' AND moment >= {NOW - 366 * DAY} AND moment < {NOW + 1}"
    one = Filter(Term("page"), "in", [{"page": "p7", "space": "space"}])
    return {
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


def main() -> None:
    """The part by itself: it prints its figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="octavo-bench-", dir=given.folder) as folder,
        worlds.opened("sqlite", Path(folder)) as world,
    ):
        assert world is not None  # a file is always there
        world.prepare(1)
        insights(Bench(world, Scale(events=given.events, pages=500), lambda line: print(line, flush=True)))


if __name__ == "__main__":
    main()
