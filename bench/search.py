"""Measure the search index on both engines: pages indexed a second, and how long queries take.

    python bench/search.py [--pages 5000] [--queries 200] [--others 0] [--engine sqlite]

PostgreSQL is measured in a database of its own on the server of OCTAVO_TEST_DATABASE_URL, dropped afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
import uuid
from itertools import accumulate
from pathlib import Path

import asyncpg

from octavo.kernel.clock import system_clock
from octavo.kernel.ids import new_id
from octavo.store.engine import Engine
from octavo.store.migrate import migrate
from octavo.store.postgres import PostgresEngine
from octavo.store.search import Section
from octavo.store.sqlite import SqliteEngine
from octavo.store.statement import Statement
from octavo.store.unit import Store, Unit

POSTGRES = os.environ.get("OCTAVO_TEST_DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
SECTIONS = 8
SPACES = 10
BATCH = 50
WARM = 20
VOCABULARY = 20_000
STOP = 20
"""The most frequent words, which stand for `the` and `of`."""

ADD_ORGANIZATION = Statement(
    "INSERT INTO organizations (id, title, created_at, email_domains, sso, ai, invite_links)"
    " VALUES (:id, 'Bench', 0, '[]', 0, 0, 0)"
)
ADD_SPACE = Statement(
    "INSERT INTO spaces (id, organization, title, emoji, position, created_at, updated_at, revision, edit_mode,"
    " comments, change_requests, change_requests_open, change_requests_draft)"
    " VALUES (:id, :organization, 'Space', '', 'a', 0, 0, 'r', 'live', 0, 0, 0, 0)"
)


class Writer:
    """Seeded text whose words are as unequally frequent as those of a language."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        syllables = [a + b for a in "bcdfglmnprstvz" for b in ("a", "e", "i", "o", "u", "en", "or", "ist")]
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            words["".join(self.random.choices(syllables, k=self.random.choice((1, 2, 2, 3, 3, 4))))] = None
        self.words = [*words]
        self.weights = [*accumulate(1 / (rank + 3) for rank in range(VOCABULARY))]

    def text(self, count: int) -> str:
        return " ".join(self.random.choices(self.words, cum_weights=self.weights, k=count))

    def page(self) -> list[Section]:
        title = self.text(3)
        sections = [Section("", title, self.text(60))]
        sections.extend(Section(f"s{at}", self.text(3), self.text(100)) for at in range(1, SECTIONS))
        return sections

    def queries(self, kind: str, count: int) -> list[str]:
        frequent, usual = self.words[STOP:400], self.words[100:8000]
        pick = self.random.choice
        made = {
            "one word": lambda: pick(usual),
            "two words": lambda: f"{pick(self.words[STOP:2000])} {pick(usual)}",
            "frequent pair": lambda: f"{pick(frequent)} {pick(frequent)}",
            "while typing": lambda: f"{pick(usual)[: self.random.choice((2, 3, 4))]}",
            "first letter": lambda: pick(usual)[0],
            "typo": lambda: self.mistype(pick([word for word in usual[:2000] if len(word) > 5])),
            "three, no match": lambda: f"{pick(usual)} {pick(usual)} {pick(usual)}",
            "stop words": lambda: f"{pick(self.words[:STOP])} {pick(self.words[:STOP])}",
        }
        return [made[kind]() for _ in range(count)]

    def mistype(self, word: str) -> str:
        at = self.random.randrange(1, len(word) - 1)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


KINDS = (
    "one word",
    "two words",
    "frequent pair",
    "while typing",
    "first letter",
    "typo",
    "three, no match",
    "stop words",
)


async def fill(store: Store, writer: Writer, pages: int) -> tuple[str, list[str]]:
    """A new organization with its spaces, and the pages indexed in them."""
    organization, spaces = new_id(), [new_id() for _ in range(SPACES)]

    async def prepare(unit: Unit) -> None:
        await unit.at.run(ADD_ORGANIZATION, {"id": organization})
        await unit.at.many(ADD_SPACE, [{"id": space, "organization": organization} for space in spaces])

    await store.write(prepare)
    texts = [(spaces[at % SPACES], f"page{at}", writer.page()) for at in range(pages)]
    started = time.perf_counter()
    for at in range(0, pages, BATCH):

        async def index(unit: Unit, batch: list[tuple[str, str, list[Section]]] = texts[at : at + BATCH]) -> None:
            for space, page, sections in batch:
                await unit.search.replace(organization, space, page, b"digest", sections)

        await store.write(index)
    if pages:
        say(f"{store.engine.dialect}: {pages / (time.perf_counter() - started):.0f} pages/s indexed")
    return organization, spaces


async def measure(engine: Engine, options: argparse.Namespace) -> None:
    store, writer = Store(engine, system_clock), Writer(7)
    organization, spaces = await fill(store, writer, options.pages)
    await fill(store, writer, options.others)
    for kind in KINDS:
        for scope, chosen in (("organization", None), ("two spaces", spaces[:2])):
            times: list[float] = []
            totals: list[int] = []
            for query in writer.queries(kind, WARM + options.queries):

                async def ask(unit: Unit, query: str = query, chosen: list[str] | None = chosen) -> int:
                    return (await unit.search.search(organization, query, spaces=chosen, limit=20)).total

                before = time.perf_counter()
                totals.append(await store.read(ask))
                times.append((time.perf_counter() - before) * 1000)
            times, totals = sorted(times[WARM:]), totals[WARM:]
            p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
            say(
                f"  {kind:16} {scope:13} p50 {p50:7.2f} ms   p99 {p99:7.2f} ms   {sum(totals) / len(totals):7.0f} pages"
            )


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def main() -> None:
    options = argparse.ArgumentParser(description="Measure the search index.")
    options.add_argument("--pages", type=int, default=5000)
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--others", type=int, default=0, help="pages of another organization beside them")
    options.add_argument("--engine", choices=("sqlite", "postgres", "both"), default="both")
    asked = options.parse_args()
    if asked.engine != "postgres":
        with tempfile.TemporaryDirectory() as folder:
            await on(SqliteEngine(Path(folder) / "bench.db"), asked)
    if asked.engine != "sqlite":
        name = f"octavo_bench_{uuid.uuid4().hex[:12]}"
        admin = await asyncpg.connect(POSTGRES)
        await admin.execute(f"CREATE DATABASE {name}")
        try:
            await on(PostgresEngine(POSTGRES.rsplit("/", 1)[0] + "/" + name), asked)
        finally:
            await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
            await admin.close()


async def on(engine: Engine, options: argparse.Namespace) -> None:
    await engine.open()
    try:
        await migrate(engine)
        await measure(engine, options)
    finally:
        await engine.close()


if __name__ == "__main__":
    asyncio.run(main())
