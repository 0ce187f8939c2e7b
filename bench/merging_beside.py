"""Measure how long another write waits beside merges, updates and restores of many pages, on a running server.

    python -m bench.merging_beside [--engine sqlite|postgres] [--sizes 5,200,1000] [--rounds 3]

Both sides change the same pages in different places, so that every text is merged. Meanwhile one connection changes the
title of another space again and again: the longest of its answers is what the figures say, beside the longest of as many
answers while nothing else happens. The first figure of a round is the whole merge.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from bench.client import Process, Refused, request
from bench.content import Author
from bench.figures import spread
from bench.world import World, opened

BATCH = 50
"""Pages that one request writes."""
QUIET = 2.0
"""Seconds during which the longest answer without a merge beside it is looked for."""


@dataclass
class Waits:
    """Milliseconds of the operation itself and of the longest write beside it, a round each."""

    whole: list[float] = field(default_factory=list)
    longest: list[float] = field(default_factory=list)
    writes: int = 0


class Space:
    """A space of pages that both sides of a merge change."""

    def __init__(self, world: World, server: Process, count: int) -> None:
        self._world = world
        self._server = server
        author = Author(count)
        self._texts = [author.page(author.title(), []) for _ in range(count)]
        body = {"title": f"{count} pages", "empty": True}
        self.path = f"/v1/spaces/{self.ask('POST', f'/v1/orgs/{world.organization}/spaces', body)['id']}"
        self._pages: list[str] = []
        draft = self._begun()
        for at in range(0, count, BATCH):
            changes = [
                {"operation": "insert_page", "document": {"markdown": text}} for text in self._texts[at : at + BATCH]
            ]
            made = self.ask("POST", f"{draft}/content?compat=false", {"changes": changes})
            self._pages += [change["page"]["id"] for change in made["changes"]]
        self.ask("POST", f"{draft}/merge")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer, which has to be a success."""
        sent = request(
            path, self._world.authorized(self._world.admin), method=method, body=msgspec.json.encode(body or {})
        )
        line = self._server.line()
        reply = line.ask(sent)
        line.close()
        if reply.status >= 300:
            raise Refused(f"{method} {path}: {reply.status} {reply.body[:300]!r}")
        return msgspec.json.decode(reply.body)

    def sides(self, number: int) -> str:
        """Primary content changed in front, and a change request that changes the same pages behind; its path."""
        ours, theirs = self._begun(), self._begun()
        self._write(ours, lambda text: text.replace("\n\n# ", f"\n\n# Round {number} ", 1))
        self._write(theirs, lambda text: f"{text}\nRound {number} of the other side.\n")
        self.ask("POST", f"{ours}/merge")
        return theirs

    def settle(self) -> None:
        """Wait until what follows a write is done, and read the texts as they are."""
        self._server.settle()
        found = [self.ask("GET", f"{self.path}/content/page/{page}?format=markdown") for page in self._pages]
        self._texts = [page["markdown"] for page in found]

    def _begun(self) -> str:
        made = self.ask("POST", f"{self.path}/change-requests", {"subject": "Bench"})
        return f"{self.path}/change-requests/{made['number']}"

    def _write(self, draft: str, change: Callable[[str], str]) -> None:
        for at in range(0, len(self._pages), BATCH):
            part = zip(self._pages[at : at + BATCH], self._texts[at : at + BATCH])
            changes = [{"operation": "update_page", "page": page, "document": {"markdown": change(text)}}
                       for page, text in part]  # fmt: skip
            self.ask("POST", f"{draft}/content", {"changes": changes})


def beside(server: Process, patch: bytes, work: Callable[[], object]) -> tuple[float, list[float]]:
    """Milliseconds of `work`, and of each write that was answered meanwhile."""
    took: list[float] = []
    failed: list[BaseException] = []

    def run() -> None:
        started = time.perf_counter()
        try:
            work()
        except BaseException as error:
            failed.append(error)
        took.append((time.perf_counter() - started) * 1000)

    thread = threading.Thread(target=run)
    waits: list[float] = []
    # A connection on which nothing comes for a while is closed.
    line = server.line()
    line.ask(patch)
    thread.start()
    while thread.is_alive() or not waits:
        started = time.perf_counter()
        reply = line.ask(patch)
        waits.append((time.perf_counter() - started) * 1000)
        if reply.status != 200:
            raise Refused(f"{reply.status}: {reply.body[:300]!r}")
        time.sleep(0.002)
    line.close()
    if failed:
        raise failed[0]
    return took[0], waits


def measure(world: World, sizes: list[int], rounds: int) -> Iterator[tuple[str, Waits]]:
    """Name of what was measured -> its figures."""
    world.prepare(1)
    server = world.server()
    path = f"/v1/spaces/{world.spaces[0]}"
    patch = request(path, world.authorized(world.admin), method="PATCH", body=b'{"title":"Beside"}')
    try:
        quiet = Waits()
        for _ in range(rounds):
            _add(quiet, *beside(server, patch, lambda: time.sleep(QUIET)))
        yield "nothing", quiet
        for size in sizes:
            yield from _of(Space(world, server, size), size, rounds, server, patch)
    finally:
        server.end()


def _of(space: Space, size: int, rounds: int, server: Process, patch: bytes) -> Iterator[tuple[str, Waits]]:
    found = {name: Waits() for name in ("update", "merge", "restore")}
    for number in range(rounds):
        space.settle()
        first = space.ask("GET", space.path)["revision"]
        draft = space.sides(number)
        again = space.sides(number + rounds)
        space.settle()
        _add(found["update"], *beside(server, patch, partial(space.ask, "POST", f"{draft}/update")))
        _add(found["merge"], *beside(server, patch, partial(space.ask, "POST", f"{again}/merge")))
        space.settle()
        back = partial(space.ask, "POST", f"{space.path}/revisions/{first}/restore")
        _add(found["restore"], *beside(server, patch, back))
    for name, waits in found.items():
        yield f"{name} of {size} pages", waits


def _add(waits: Waits, whole: float, beside: list[float]) -> None:
    waits.whole.append(whole)
    waits.longest.append(max(beside))
    waits.writes += len(beside)


def main() -> None:
    options = argparse.ArgumentParser(description="Measure what writes wait for beside merges.")
    options.add_argument("--engine", choices=("sqlite", "postgres"), default="sqlite")
    options.add_argument("--sizes", default="5,200,1000")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--folder", type=Path)
    asked = options.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="octavo-bench-", dir=asked.folder) as folder,
        opened(asked.engine, Path(folder)) as world,
    ):
        if world is None:
            sys.exit("no PostgreSQL answers")
        sys.stdout.write(f"{asked.engine}, milliseconds: median (quartiles) of {asked.rounds} rounds\n")
        for name, waits in measure(world, [int(size) for size in asked.sizes.split(",")], asked.rounds):
            whole, longest = spread(waits.whole).text(0), spread(waits.longest).text(1)
            sys.stdout.write(f"{name:24} took {whole:22} longest other write {longest} of {waits.writes}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
