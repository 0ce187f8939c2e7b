"""What the parts of the measurement share: the installation, the scale, and rounds of requests beside the floors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench import world as worlds
from bench.client import Line, Process, Refused, free_port, load, request
from bench.figures import Figure, paired
from bench.floors import Entry
from bench.recording import record, write_plan
from bench.world import Import, World

BASE = "http://localhost:8000"


@dataclass
class Scale:
    """How much is measured."""

    rounds: int = 11
    requests: int = 1000
    writes: int = 200
    """Requests of a round where each of them writes."""
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
    merges: tuple[int, ...] = (5, 200, 1000)
    """Pages that both sides of a merge change."""
    merged: int = 3
    """Times that each of these merges is done."""
    revisions: tuple[tuple[int, int], ...] = ((10_000, 20), (100_000, 10))
    """Pages of a space beside a Git repository, and rounds."""
    events: int = 1_000_000
    """Of readers, that insights are asked about."""


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


def beside_floors(bench: Bench, server: Process, cases: Sequence[Case], part: str) -> None:
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
            seconds = _rounds(bench.scale, processes, [plain, prefixed, prefixed], case)
            counted = sorted(sum(bool(step.sql) for step in entry.steps) for entry in known[at].values())
            name = f"{case.name} ({counted[len(counted) // 2]} SQL)"
            bench.add(paired(part, bench.world.engine, name, seconds, case.least, case.most))


def _rounds(
    scale: Scale, processes: Sequence[Process], requests: Sequence[Sequence[bytes]], case: Case
) -> list[list[float]]:
    """Rounds of CPU seconds a request, one value for each process. Where requests write, the application works off the
    jobs that it was asked for before another process, on the same database, has its turn: SQLite knows no line."""
    writes = case.method != "GET"
    count = scale.writes if writes else scale.requests
    for process, asked in zip(processes, requests):
        _cost(process, asked, 2 * len(asked), case.status)
        process.settle()
    seconds: list[list[float]] = []
    for at in range(scale.rounds):
        used = [0.0, 0.0, 0.0]
        for which in ((0, 1, 2), (2, 1, 0), (1, 0, 2))[at % 3]:
            used[which] = _cost(processes[which], requests[which], count, case.status)
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


def cpu_of(server: Process, line: Line, one: bytes) -> float:
    """CPU seconds of one request alone."""
    before = server.cpu()
    expect(line.ask(one).status, 200)
    time.sleep(0.001)
    return server.cpu() - before


def expect(found: int, wanted: int) -> None:
    if found != wanted:
        raise Refused(f"{found} instead of {wanted}")
