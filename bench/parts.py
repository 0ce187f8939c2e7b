"""The parts of the measurement, each a function of a prepared installation."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

import msgspec

from bench import world as worlds
from bench.client import Line, Process, Refused, free_port, load, request
from bench.figures import Figure, paired, percentile, within
from bench.floors import Entry
from bench.recording import record, write_plan
from bench.world import Import, World
from octavo.main import engine_of
from octavo.store.unit import Store, Unit

BASE = "http://localhost:8000"
RATIO = {
    "sqlite": {"space": 0.60, "spaces": 0.50, "markdown": 0.50, "document": 0.60, "comments": 0.55, "comment": 0.75},
    "postgres": {"space": 0.75, "spaces": 0.50, "markdown": 0.60, "document": 0.70, "comments": 0.55, "comment": 0.85},
}
"""The least that floor 2 may be of what the application takes."""
FIRST_REPLY = {"sqlite": 0.40, "postgres": 0.45}
"""Seconds of CPU."""
LIST = 100


@dataclass
class Scale:
    """How much is measured."""

    rounds: int = 11
    requests: int = 1000
    spaces: int = 100
    pages: int = 2000
    """Of the generated repository."""
    fresh: int = 9
    """Processes in which pages are rendered for the first time."""
    cold: int = 40
    """Such pages in each of them."""
    starts: int = 9
    imports: int = 3
    """Of the corpus."""
    pace: float = 0.004
    """Seconds between two requests beside an import."""


@dataclass
class Bench:
    """What the parts share: the installation, the scale, what was imported, the figures so far."""

    world: World
    scale: Scale
    say: Callable[[str], None]
    figures: list[Figure] = field(default_factory=list)
    generated: Import | None = None

    @property
    def source(self) -> Path:
        return worlds.generated(self.world.folder, self.scale.pages)

    def imported(self) -> Import:
        """The generated repository, imported when it is first needed."""
        if self.generated is None:
            self.generated = self.world.import_directory(self.source, "Generated")
        return self.generated

    def add(self, figure: Figure) -> None:
        self.figures.append(figure)
        words = (figure.engine, figure.name, figure.value, *figure.floors, figure.ratio, figure.budget, figure.verdict)
        self.say("   ".join(word for word in words if word))


@dataclass(frozen=True)
class Case:
    """A kind of request: its paths, its headers, and the shape that its answers are encoded from."""

    name: str
    paths: Sequence[str]
    headers: dict[str, str]
    shape: str = ""
    least: float | None = None
    most: float | None = None
    status: int = 200
    method: str = "GET"
    body: bytes = b""


def api(bench: Bench) -> None:
    """Requests of the API beside both floors."""
    world = bench.world
    admin, member = world.authorized(world.admin), world.authorized(world.member)
    spaces = [f"/v1/spaces/{space}" for space in world.spaces]
    pages = [f"/v1/spaces/{bench.imported().space}/content/page/{page}" for page in _page_ids(world, bench.imported())]
    least = RATIO[world.engine]
    cases = (
        Case("GET space, as admin", spaces, admin, "space", least["space"]),
        Case("GET space, as member with the role read", spaces, member, "space", least["space"]),
        Case(
            f"GET list of {LIST} spaces",
            [f"/v1/orgs/{world.organization}/spaces?limit={LIST}"],
            admin,
            "spaces",
            least["spaces"],
        ),
        Case(
            "GET page by id, Markdown", [f"{page}?format=markdown" for page in pages], admin, "page", least["markdown"]
        ),
        Case(
            "GET page by id, document", [f"{page}?format=document" for page in pages], admin, "page", least["document"]
        ),
        *_comment_cases(bench),
    )
    server = world.server()
    try:
        _beside_floors(bench, server, cases, "API")
        bench.add(within("Process", world.engine, "memory after these requests", [server.memory()], "MiB", 90))
    finally:
        server.end()


def _comment_cases(bench: Bench) -> tuple[Case, Case]:
    """A list of comments on many pages, some of them answered; and one more comment on another space."""
    world, made = bench.world, bench.imported()
    admin, path = world.authorized(world.admin), f"/v1/spaces/{made.space}/comments"
    pages = _page_ids(world, made)
    worlds.discuss(world, made.space, pages, LIST)
    other = f"/v1/spaces/{world.spaces[0]}/comments"
    least = RATIO[world.engine]
    body = msgspec.json.encode({"body": {"markdown": "How long does that take, and where is it written?"}})
    return (
        Case(f"GET list of {LIST} comments", [f"{path}?limit={LIST}"], admin, "comments", least["comments"]),
        Case("POST comment", [other], admin, "comment", least["comment"], method="POST", body=body),
    )


def published(bench: Bench) -> None:
    """Published pages: rendered for the first time in a process, kept, and unchanged."""
    world, scale, made = bench.world, bench.scale, bench.imported()
    browser = {"Accept-Encoding": "gzip"}
    paths = [made.site + path for path in worlds.page_paths(bench.source, scale.cold * scale.fresh)]
    cold: list[float] = []
    for at in range(scale.fresh):
        server = world.server()
        line = server.line()
        first, *others = (request(path, browser) for path in paths[at :: scale.fresh])
        _expect(line.ask(first).status, 200)
        server.settle()
        for one in others:
            cold.append(_cpu_of(server, line, one) * 1000)
        line.close()
        server.end()
    engine = world.engine
    bench.add(within("Published site", engine, "page, cold", cold, "ms", 5))
    bench.add(within("Published site", engine, "page, cold, p95", [percentile(cold, 0.95)], "ms", 20))
    few = paths[:: max(1, len(paths) // 50)]
    server = world.server()
    try:
        tagged = browser | {"If-None-Match": _tag(server, few[0], browser)}
        cases = (
            Case("page, kept", few, browser, most=0.5),
            Case("page, 304", few[:1], tagged, most=0.2, status=304),
        )
        _beside_floors(bench, server, cases, "Published site")
        bench.add(within("Process", engine, "memory after these pages", [server.memory()], "MiB", 90))
    finally:
        server.end()


def imports(bench: Bench) -> None:
    """`octavo import --publish` of the corpus and of the generated repository, from the start of its process."""
    world = bench.world
    corpus = worlds.corpus(world.folder)
    sources: list[tuple[str, Path, int, float | None]] = [
        (f"generated, {bench.scale.pages} pages", bench.source, 1, None)
    ]
    if corpus is not None and bench.scale.imports:
        sources.append(("corpus", corpus, bench.scale.imports, 10.0))
    for name, source, times, most in sources:
        done = [world.import_directory(source, f"Import {at}") for at in range(times)]
        told = f"import of the {name}" + (f", {done[0].pages} pages" if most else "")
        bench.add(within("Import", world.engine, told, [one.seconds for one in done], "s", most))
        bench.add(within("Import", world.engine, f"{told}: pace", [one.pages / one.seconds for one in done], "pages/s"))
        bench.add(within("Import", world.engine, f"{told}: CPU of all its processes", [one.cpu for one in done], "s"))
        again = [world.import_directory(source, "Again", one.space) for one in done]
        bench.add(
            within(
                "Import", world.engine, f"{told}, again: pace", [one.pages / one.seconds for one in again], "pages/s"
            )
        )
        bench.add(within("Import", world.engine, f"{told}, again: CPU", [one.cpu for one in again], "s"))
    _reading(bench)


def _reading(bench: Bench) -> None:
    """The reading of an import alone, into objects and highlighted code, by the processes that it takes."""
    if bench.world.engine != "sqlite":
        return  # the database has no part in it
    done = [worlds.read_directory(bench.source) for _ in range(3)]
    for name, value, unit, least in (
        ("pace", [one.pages / one.seconds for one in done], "pages/s", 1000.0),
        ("CPU of 1,000 pages", [one.cpu * 1000 / one.pages for one in done], "s", None),
    ):
        told = f"reading of {bench.scale.pages} pages: {name}"
        found = within("Import", "no database", told, value, unit)
        bench.add(found if least is None else replace(found, budget=f"≥ {least:g} {unit}", met=median(value) >= least))


def beside(bench: Bench) -> None:
    """How long GET space takes while the same installation imports the generated repository."""
    world = bench.world
    server, worker = world.server(), world.worker()
    try:
        line = server.line()
        requests = [request(f"/v1/spaces/{space}", world.authorized(world.admin)) for space in world.spaces]
        for one in requests:
            _expect(line.ask(one).status, 200)
        calm = _alone(line, requests, bench.scale.pace)
        times = asyncio.run(_while_importing(bench, line, requests))
    finally:
        server.end()
        if worker is not None:
            worker.end()
    for name, values in (("alone", calm), ("beside an import", times)):
        most = None if values is calm else 50
        tail = f"GET space {name}: p99 of {len(values)}"
        bench.add(within("Latency", world.engine, f"GET space {name}: median", values, "ms"))
        bench.add(within("Latency", world.engine, tail, [percentile(values, 0.99)], "ms", most))
        bench.add(within("Latency", world.engine, f"GET space {name}: longest", [max(values)], "ms"))


def start(bench: Bench) -> None:
    """From nothing to the first reply; then what the process holds, and what its description costs."""
    world = bench.world
    first, waited, memory, described = [], [], [], []
    ask = request(f"/v1/spaces/{world.spaces[0]}", world.authorized(world.admin))
    for _ in range(bench.scale.starts):
        server = world.server()
        line = server.line()
        _expect(line.ask(ask).status, 200)
        first.append(server.cpu())
        waited.append(time.perf_counter() - server.started)
        memory.append(server.memory())
        server.settle()
        described.append(_cpu_of(server, line, request("/openapi.json")) * 1000)
        line.close()
        server.end()
    engine = world.engine
    bench.add(within("Process", engine, "CPU from start to first reply", first, "s", FIRST_REPLY[engine]))
    bench.add(within("Process", engine, "wall time from start to first reply", waited, "s"))
    bench.add(within("Process", engine, "memory at first reply", memory, "MiB", 90))
    bench.add(within("Process", engine, "OpenAPI document, built and sent", described, "ms", 50))


PARTS = {"start": start, "api": api, "published": published, "beside": beside, "imports": imports}


def _beside_floors(bench: Bench, server: Process, cases: Sequence[Case], part: str) -> None:
    """Add the figures of some cases: interleaved rounds of the application, floor 1 and floor 2, in changing order."""
    settings = bench.world.settings
    known = [
        asyncio.run(record(settings, BASE, case.paths, case.headers, case.shape, case.method, case.body))
        for case in cases
    ]
    # The floors know each case under a prefix of its own: the same path may be asked for by different people.
    entries = {f"/{at}{path}": entry for at, one in enumerate(known) for path, entry in one.items()}
    with _floors(bench, entries) as floors:
        processes = [server, *floors]
        for at, case in enumerate(cases):
            plain = [request(path, case.headers, method=case.method, body=case.body) for path in case.paths]
            prefixed = [
                request(f"/{at}{path}", case.headers, method=case.method, body=case.body) for path in case.paths
            ]
            writes = case.method != "GET"
            seconds = _rounds(bench.scale, processes, [plain, prefixed, prefixed], case.status, writes)
            counted = sorted(sum(bool(step.sql) for step in entry.steps) for entry in known[at].values())
            name = f"{case.name} ({counted[len(counted) // 2]} SQL)"
            bench.add(paired(part, bench.world.engine, name, seconds, case.least, case.most))


def _rounds(
    scale: Scale, processes: Sequence[Process], requests: Sequence[Sequence[bytes]], status: int, writes: bool
) -> list[list[float]]:
    """Rounds of CPU seconds a request, one value for each process. One that `writes` works off the jobs that it was asked
    for before another one, on the same database, has its turn: SQLite lets nobody wait in a line."""
    for process, asked in zip(processes, requests):
        _cost(process, asked, 2 * len(asked), status)
        process.settle()
    seconds: list[list[float]] = []
    for at in range(scale.rounds):
        used = [0.0, 0.0, 0.0]
        for which in ((0, 1, 2), (2, 1, 0), (1, 0, 2))[at % 3]:
            used[which] = _cost(processes[which], requests[which], scale.requests, status)
            if writes:
                processes[0].settle()
        seconds.append(used)
    return seconds


def _cost(process: Process, requests: Sequence[bytes], count: int, status: int) -> float:
    """CPU seconds of one of `count` requests, on connections that are open already."""
    lines = process.lines()
    load(lines, requests, len(lines), status)
    before = process.cpu()
    load(lines, requests, count, status)
    used = process.cpu() - before
    for line in lines:
        line.close()
    return used / count


@contextmanager
def _floors(bench: Bench, entries: dict[str, Entry]) -> Iterator[list[Process]]:
    made: list[Process] = []
    try:
        for floor in (1, 2):
            plan = write_plan(bench.world.folder / f"floor-{floor}", floor, bench.world.settings, entries)
            port = free_port()
            made.append(Process(["bench.floors", str(plan), str(port)], {}, port))
        yield made
    finally:
        for process in made:
            process.end()


def _cpu_of(server: Process, line: Line, one: bytes) -> float:
    """CPU seconds of one request alone."""
    before = server.cpu()
    _expect(line.ask(one).status, 200)
    time.sleep(0.001)
    return server.cpu() - before


def _page_ids(world: World, made: Import) -> list[str]:
    """Ids of some pages, from all over the repository."""
    pages = worlds.page_ids(world, made)
    return pages[:: max(1, len(pages) // 100)][:100]


def _tag(server: Process, path: str, headers: dict[str, str]) -> str:
    line = server.line()
    tag = line.ask(request(path, headers)).header("etag")
    line.close()
    return tag


def _paced(line: Line, requests: Sequence[bytes], pace: float, over: threading.Event) -> list[float]:
    """Milliseconds of requests that are due every `pace` seconds; one that waited for another counts from when due."""
    times: list[float] = []
    due = time.perf_counter()
    while not over.is_set():
        wait = due - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        _expect(line.ask(requests[len(times) % len(requests)]).status, 200)
        times.append((time.perf_counter() - due) * 1000)
        due += pace
    return times


def _alone(line: Line, requests: Sequence[bytes], pace: float) -> list[float]:
    """The same for two seconds with nothing beside it."""
    over = threading.Event()
    timer = threading.Timer(2, over.set)
    timer.start()
    return _paced(line, requests, pace, over)


async def _while_importing(bench: Bench, line: Line, requests: Sequence[bytes]) -> list[float]:
    """Enqueue the import in the installation's own table of jobs, then ask until it is done."""
    engine = engine_of(bench.world.settings)
    await engine.open()
    try:
        store = Store(engine, lambda: int(time.time() * 1000))
        space, organization = bench.world.spaces[-1], bench.world.organization
        payload = {"space": space, "ref": "HEAD", "directory": "", "local": str(bench.source)}

        async def enqueue(unit: Unit) -> str:
            return (await unit.jobs.add("git_import", payload, now=unit.now, organization=organization)).id

        job = await store.write(enqueue)
        over = threading.Event()
        asking = asyncio.create_task(asyncio.to_thread(_paced, line, requests, bench.scale.pace, over))
        found = await store.read(lambda unit: unit.jobs.get(job))
        while found is not None and found.state in ("waiting", "running") and not asking.done():
            await asyncio.sleep(0.2)
            found = await store.read(lambda unit: unit.jobs.get(job))
        over.set()
        times = await asking
        if found is None or found.state != "done":
            raise Refused(f"the import ended as {found}")
        return times
    finally:
        await engine.close()


def _expect(found: int, wanted: int) -> None:
    if found != wanted:
        raise Refused(f"{found} instead of {wanted}")
