"""The parts of the measurement, each a function of a prepared installation."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import msgspec

from bench import world as worlds
from bench.client import Process, request
from bench.editing import edits
from bench.figures import percentile, within
from bench.git_sync import both_ways
from bench.insights import insights
from bench.latency import beside
from bench.lean import lean
from bench.merging import revisions
from bench.merging_beside import merges
from bench.openapi import openapi
from bench.rounds import Bench, Case, beside_floors, cpu_of, expect
from bench.sites import audiences, merged, sizes
from bench.world import Import, World

RATIO = {
    "sqlite": {"space": 0.60, "spaces": 0.50, "markdown": 0.50, "document": 0.60, "comments": 0.55, "comment": 0.75},
    "postgres": {"space": 0.75, "spaces": 0.50, "markdown": 0.60, "document": 0.70, "comments": 0.55, "comment": 0.85},
}
"""The least that floor 2 may be of what the application takes."""
FIRST_REPLY = {"sqlite": 0.40, "postgres": 0.45}
"""Seconds of CPU."""
LIST = 100


def api(bench: Bench) -> None:
    """Requests of the API beside both floors."""
    world = bench.world
    admin, member = world.authorized(world.admin), world.authorized(world.member)
    spaces = [f"/v1/spaces/{space}" for space in world.spaces]
    pages = [f"/v1/spaces/{bench.imported().space}/content/page/{page}" for page in some_pages(world, bench.imported())]
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
        *comment_cases(bench),
        Case("GET links of a page", [f"{page}/links" for page in pages], admin),
        Case("GET backlinks of a page", [f"{page}/backlinks" for page in pages], admin),
        Case("GET search of an organization, a word", _searches(bench), admin, most=10),
    )
    server = world.server()
    try:
        beside_floors(bench, server, cases, "API")
        bench.add(within("Process", world.engine, "memory after these requests", [server.memory()], "MiB", 90))
    finally:
        server.end()


def comment_cases(bench: Bench) -> tuple[Case, Case]:
    """A list of comments on many pages, some of them answered; and one more comment on another space."""
    world, made = bench.world, bench.imported()
    admin, path = world.authorized(world.admin), f"/v1/spaces/{made.space}/comments"
    pages = some_pages(world, made)
    worlds.discuss(world, made.space, pages, LIST)
    other = f"/v1/spaces/{world.spaces[0]}/comments"
    least = RATIO[world.engine]
    body = msgspec.json.encode({"body": {"markdown": "How long does that take, and where is it written?"}})
    return (
        Case(f"GET list of {LIST} comments", [f"{path}?limit={LIST}"], admin, "comments", least["comments"]),
        Case("POST comment", [other], admin, "comment", least["comment"], method="POST", body=body),
    )


def _searches(bench: Bench) -> list[str]:
    """One word of each of some titles; they are as unequally frequent as the words of a language."""
    heads = (file.read_text("utf-8").partition("\n# ")[2].partition("\n")[0] for file in bench.source.rglob("*.md"))
    words = sorted({head.split()[-1] for head in heads if head})
    organization = bench.world.organization
    return [f"/v1/orgs/{organization}/search?query={word}" for word in words[:: max(1, len(words) // 100)]]


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
        expect(line.ask(first).status, 200)
        server.settle()
        for one in others:
            cold.append(cpu_of(server, line, one) * 1000)
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
        beside_floors(bench, server, cases, "Published site")
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


def start(bench: Bench) -> None:
    """From nothing to the first reply; then what the process holds, and what its description costs."""
    world = bench.world
    first, waited, memory, described = [], [], [], []
    ask = request(f"/v1/spaces/{world.spaces[0]}", world.authorized(world.admin))
    for _ in range(bench.scale.starts):
        server = world.server()
        line = server.line()
        expect(line.ask(ask).status, 200)
        first.append(server.cpu())
        waited.append(time.perf_counter() - server.started)
        memory.append(server.memory())
        server.settle()
        described.append(cpu_of(server, line, request("/openapi.json")) * 1000)
        line.close()
        server.end()
    engine = world.engine
    bench.add(within("Process", engine, "CPU from start to first reply", first, "s", FIRST_REPLY[engine]))
    bench.add(within("Process", engine, "wall time from start to first reply", waited, "s"))
    bench.add(within("Process", engine, "memory at first reply", memory, "MiB", 90))
    bench.add(within("Process", engine, "OpenAPI document, built and sent", described, "ms", 50))


def some_pages(world: World, made: Import) -> list[str]:
    """Ids of some pages, from all over the repository."""
    pages = worlds.page_ids(world, made)
    return pages[:: max(1, len(pages) // 100)][:100]


def _tag(server: Process, path: str, headers: dict[str, str]) -> str:
    line = server.line()
    tag = line.ask(request(path, headers)).header("etag")
    line.close()
    return tag


PARTS = {
    "start": start,
    "lean": lean,
    "api": api,
    "published": published,
    "audiences": audiences,
    "sizes": sizes,
    "merged": merged,
    "edits": edits,
    "beside": beside,
    "imports": imports,
    "git": both_ways,
    "merges": merges,
    "revisions": revisions,
    "insights": insights,
    "openapi": openapi,
}
