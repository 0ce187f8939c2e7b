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
from octavo.store.database.engine import Engine
from octavo.store.database.migrate import migrate
from octavo.store.database.postgres import PostgresEngine
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.database.statement import Statement
from octavo.store.search.search import Section
from octavo.store.unit import Store, Unit

POSTGRES = os.environ.get("OCTAVO_TEST_DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
SECTIONS = 8
SPACES = 10
BATCH = 50
WARM = 20
VOCABULARY = 20_000
_STOP = "the of to and a in is for it with that on as this by are be or an from"
STOP = _STOP.split()
"""The most frequent words of the generated text."""
IDEOGRAPHS = 2_000
CJK_SHARE = 10
"""Of so many pages, one is written without spaces."""

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
        words = dict.fromkeys(STOP)
        while len(words) < VOCABULARY:
            words["".join(self.random.choices(syllables, k=self.random.choice((1, 2, 2, 3, 3, 4))))] = None
        self.words = [*words]
        self.weights = [*accumulate(1 / (rank + 3) for rank in range(VOCABULARY))]
        self.letters = [chr(0x4E00 + at) for at in range(IDEOGRAPHS)]
        self.phrases: list[str] = []
        """Some words of the text in their order."""
        self.pages = 0

    def text(self, count: int) -> str:
        chosen = self.random.choices(self.words, cum_weights=self.weights, k=count)
        if self.random.random() < 0.05 and count > 10:
            at, size = self.random.randrange(count - 5), self.random.choice((3, 4, 5))
            self.phrases.append(" ".join(chosen[at : at + size]))
        return " ".join(chosen)

    def dense(self, count: int) -> str:
        weights = self.weights[: len(self.letters)]
        return "".join(self.random.choices(self.letters, cum_weights=weights, k=count * 2))

    def page(self) -> list[Section]:
        write = self.text if self.pages % CJK_SHARE else self.dense
        self.pages += 1
        sections = [Section("", write(3), write(60))]
        sections.extend(Section(f"s{at}", write(3), write(100)) for at in range(1, SECTIONS))
        return sections

    def queries(self, kind: str, count: int) -> list[str]:
        usual = self.words[100:8000]
        long = [word for word in usual[:2000] if len(word) > 5]
        pick = self.random.choice
        made = {
            "one word": lambda: pick(usual),
            "two words": lambda: f"{pick(self.words[len(STOP) : 2000])} {pick(usual)}",
            "frequent pair": lambda: f"{pick(self.words[len(STOP) : 300])} {pick(self.words[len(STOP) : 300])}",
            "phrase": lambda: pick(self.phrases),
            "question": lambda: f"how do I {pick(usual[:1000])} the {pick(usual)}",
            "1 letter": lambda: pick(usual)[0],
            "2 letters": lambda: pick(usual)[:2],
            "3 letters": lambda: pick([word for word in usual if len(word) > 3])[:3],
            "4 letters": lambda: pick([word for word in usual if len(word) > 4])[:4],
            "word and letters": lambda: f"{pick(usual)} {pick(usual)[: pick((1, 2, 3, 4))]}",
            "stop words": lambda: " ".join(self.random.sample(STOP, pick((1, 2, 3)))),
            "typo": lambda: self.mistype(pick(long)),
            "two words, a typo": lambda: f"{pick(usual[:1000])} {self.mistype(pick(long))}",
            "without spaces": lambda: self.dense(1),
            "longer, same": lambda: self.dense(3),
            "nothing": lambda: " ".join("".join(self.random.choices("qxkwjhy", k=7)) for _ in range(pick((1, 2)))),
        }
        return [made[kind]() for _ in range(count)]

    def mistype(self, word: str) -> str:
        at = self.random.randrange(1, len(word) - 1)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


KINDS = (
    "one word",
    "two words",
    "frequent pair",
    "phrase",
    "question",
    "1 letter",
    "2 letters",
    "3 letters",
    "4 letters",
    "word and letters",
    "stop words",
    "typo",
    "two words, a typo",
    "without spaces",
    "longer, same",
    "nothing",
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
        for scope, chosen in (("organization", None), ("site", spaces[:2])):
            times: list[float] = []
            totals: list[int] = []
            for query in writer.queries(kind, WARM + options.queries):

                async def ask(unit: Unit, query: str = query, chosen: list[str] | None = chosen) -> int:
                    ranked = await unit.search.rank(organization, query, spaces=chosen)
                    await unit.search.read(organization, ranked.pages[:20])
                    return len(ranked.pages)

                took = []
                for _ in range(options.repeat):
                    before = time.perf_counter()
                    total = await store.read_apart(ask)
                    took.append((time.perf_counter() - before) * 1000)
                times.append(min(took))
                totals.append(total)
            times, totals = sorted(times[WARM:]), totals[WARM:]
            p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
            say(
                f"  {kind:17} {scope:12} p50 {p50:7.2f} ms   p99 {p99:7.2f} ms   {sum(totals) / len(totals):6.0f} pages"
            )


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def main() -> None:
    options = argparse.ArgumentParser(description="Measure the search index.")
    options.add_argument("--pages", type=int, default=5000)
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--repeat", type=int, default=3, help="times that a query is asked; the quickest counts")
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
