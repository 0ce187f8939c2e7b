"""The engine of revisions on SQLite beside `git` on the same content: commit, compare, merge, duplicate.

Ours goes through the store as requests do, every transaction fsynced; git runs its plumbing on a bare repository, each
object fsynced too, and the start of its processes counts, as whoever builds on git pays it. A round is one of each
operation, ours and git's in turn. Only pages that the rounds touch have a document, the rest only a text: no operation
reads a page that it does not touch, and parsing 100,000 pages takes minutes.
"""

from __future__ import annotations

import asyncio
import random
import resource
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from bench.content import IN_GROUP, Author
from bench.figures import within
from bench.git import Git
from bench.rounds import Bench
from octavo.content import trie
from octavo.content.changes import changes
from octavo.content.markdown import parse
from octavo.content.ordering import between
from octavo.content.ordering import spread as positions
from octavo.content.revision import Digest, Page
from octavo.history import heads, joining
from octavo.history.contents import root_at, walk
from octavo.kernel import collecting
from octavo.kernel.clock import system_clock
from octavo.kernel.ids import new_id
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import Organization
from octavo.kernel.records.review import ChangeRequest
from octavo.store.content.revisions import packed
from octavo.store.database.migrate import migrate
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.unit import Store, Unit

T = TypeVar("T")
ORGANIZATION = "bench"
TOUCHED = 5
"""Pages that each side of a merge changes; one of them both."""
BATCH = 500
BUDGETS = {
    "commit of one page": 1.0, "comparison, 5 pages": 2.0, "merge, 5 and 5 pages": 4.0, "update, 5 and 5 pages": 10.0,
    "merge, 5 and 5 pages and a new one at one place": None, "duplicate": 1.0,
}  # fmt: skip
"""Milliseconds, at any number of pages."""
STORED = 10.0
"""KiB, deflated, of a revision that changes one page."""
WARM = 3
"""Rounds that do not count."""
BEHIND = between(positions(IN_GROUP)[-1], None)
"""The position of a page at the end of a group."""
_encode = msgspec.msgpack.Encoder(order="deterministic").encode
_json = msgspec.json.Encoder(order="deterministic")


@dataclass
class Content:
    """Pages and their texts, the same for both sides of the comparison."""

    pages: dict[str, Page] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def path(self, key: str) -> str:
        above = self.pages[key].parent
        return f"{above}/{key}.md" if above else f"{key}.md"


def written(count: int, seed: int) -> Iterator[tuple[Page, str]]:
    """Pages in groups of 40, of the usual size, no two alike."""
    author = Author(seed)
    tops, inside = positions(-(-count // IN_GROUP)), positions(IN_GROUP)
    ids = [new_id() for _ in range(count)]
    for at, key in enumerate(ids):
        group, place = divmod(at, IN_GROUP)
        parent = ids[group * IN_GROUP] if place else None
        title = author.title()
        near = [(at + step) % count for step in (1, 7, 31)]
        source = author.page(title, [f"page-{other}.md" for other in near])
        links = {f"page-{other}.md": {"kind": "page", "page": ids[other]}
                 for other in near if f"(page-{other}.md)" in source}  # fmt: skip
        yield Page(
            id=key, type="document", title=title, slug=f"page-{at}", position=inside[place] if place else tops[group],
            parent=parent, text=trie.digest(source.encode()), document=trie.digest(key.encode()), links=links,
            description="A sentence of the usual length that says what the page is about.", created=at, updated=at,
        ), source  # fmt: skip


class Pair:
    """A space of that many pages on SQLite, and the same content in a repository."""

    def __init__(self, store: Store, git: Git, seed: int) -> None:
        self.store = store
        self.git = git
        self.content = Content()
        self.random = random.Random(seed)
        self.times: dict[tuple[str, str], list[tuple[float, float]]] = {}
        """(operation, ours or git) -> (wall, CPU) milliseconds."""
        self.stored: list[int] = []
        self.requests = 0
        self.space = Space(id="space", organization=ORGANIZATION, title="", emoji="", position="a0", created_at=0,
                           updated_at=0, revision="")  # fmt: skip

    async def fill(self, count: int) -> None:
        """Write all pages down, and make the first revision of them."""
        for page, source in written(count, 7):
            self.content.pages[page.id] = page
            self.content.texts[page.id] = source
        organization = Organization(id=ORGANIZATION, title="", created_at=0)
        await self.store.write(lambda unit: unit.people.add_organization(organization))
        texts = [source.encode() for source in self.content.texts.values()]
        root, objects = heads.assemble(pages=self.content.pages.values())
        everything = [*objects.items(), *((trie.digest(text), text) for text in texts)]
        for at in range(0, len(everything), BATCH):
            batch = dict(everything[at : at + BATCH])
            await self.store.write(lambda unit, batch=batch: unit.objects.put(ORGANIZATION, batch, unit.now))  # type: ignore[misc]

        async def begin(unit: Unit) -> Revision:
            return await opened(unit, self.space, root)

        await self._move_to(await self.store.write(begin))
        paths = {self.content.path(key): text for key, text in self.content.texts.items()}
        self.git.head = self.git.imported(paths, None)

    async def _move_to(self, revision: Revision) -> None:
        self.head = revision
        self.space = msgspec.structs.replace(self.space, revision=revision.id)

    # What is measured.

    async def round(self, number: int) -> None:
        """One of each operation."""
        await self._commit(number)
        await self._compare(number)
        await self._join(number, "merge")
        await self._join(number, "update")
        await self._join(number, "merge", adding=True)
        await self._duplicate(number)

    async def _commit(self, number: int) -> None:
        [key] = self._chosen(1)
        entries, objects = self._edited({key: self._first_line(key, f"Commit {number}.")})

        async def commit(unit: Unit) -> Revision:
            root, made = await applied(unit, self.head.root, entries)
            everything.update(objects | made)
            return await heads.append(unit, self.space, root, everything)

        everything: dict[Digest, bytes] = {}
        await self._move_to(await self._measured("commit of one page", commit))
        self.stored.append(sum(map(len, packed(everything).values())))
        git, text, path = self.git, self.content.texts[key].encode(), self.content.path(key)
        git.head = self._timed("commit of one page", lambda: git.commit(path, text))

    async def _compare(self, number: int) -> None:
        texts = {key: self._first_line(key, f"Compared {number}.") for key in self._chosen(TOUCHED)}
        other, commit = await self._apart(texts)

        async def compare(unit: Unit) -> int:
            before, after = [await root_at(unit, ORGANIZATION, one.root) for one in (self.head, other)]
            return len(await walk(unit, ORGANIZATION, changes(before, after)))

        assert await self._measured("comparison, 5 pages", compare, write=False) == TOUCHED
        git, base = self.git, self.git.head
        assert self._timed("comparison, 5 pages", lambda: git.compared(base, commit)) == TOUCHED

    async def _join(self, number: int, kind: joining.Kind, *, adding: bool = False) -> None:
        """Primary changes five pages and a change request five, one of them the same; with `adding` each side also
        puts a page at the end of the same group."""
        name = f"{kind}, 5 and 5 pages" + (" and a new one at one place" if adding else "")
        base, base_commit = self.head, self.git.head
        chosen = self._chosen(2 * TOUCHED - 1)
        # What both change is the page of middle size.
        chosen.sort(key=lambda key: len(self.content.texts[key]))
        mine = {key: self._first_line(key, f"Mine {number} {kind}.") for key in chosen[:TOUCHED]}
        other = {key: f"{self.content.texts[key]}\nOther {number} {kind}.\n" for key in chosen[TOUCHED - 1 :]}
        ours, our_commit = await self._apart(mine, adding and f"m{number}")
        theirs, their_commit = await self._apart(other, adding and f"o{number}")
        space = msgspec.structs.replace(self.space, revision=ours.id)
        self.requests += 1
        request = ChangeRequest(
            id=f"{name}{number}", organization=ORGANIZATION, space=space.id, number=self.requests, subject="", status="open",
            created_by="", created_at=0, updated_at=0, revision=theirs.id, revision_initial=base.id,
        )  # fmt: skip

        async def place(unit: Unit) -> None:
            assert await unit.spaces.move_head(space.id, base.id, ours.id, unit.now)
            await unit.change_requests.add(request)

        async def join() -> joining.Joined:
            plan = await joining.prepare(self.store, kind, space.id, request.id, patient=False)
            write = joining.merge if kind == "merge" else joining.update
            return await self.store.write(lambda unit: write(unit, space, request, plan))

        async def back(unit: Unit) -> None:
            await unit.spaces.change(space, revision=base.id)

        await self.store.write(place)
        with self._watch(name, "ours"):
            joined = await join()
        assert joined.changed
        assert not joined.conflicts, joined.conflicts
        await self.store.write(back)
        self._timed(name, lambda: self.git.merged(our_commit, their_commit))
        self.git.head = base_commit

    async def _duplicate(self, number: int) -> None:
        copy = f"copy{number}"

        async def duplicate(unit: Unit) -> None:
            await opened(unit, msgspec.structs.replace(self.space, id=copy), self.head.root)

        await self._measured("duplicate", duplicate)
        self._timed("duplicate", lambda: self.git.duplicated(copy))

    # How.

    def _chosen(self, count: int) -> list[str]:
        return self.random.sample([*self.content.pages], count)

    def _first_line(self, key: str, said: str) -> str:
        """The text with another sentence in its first paragraph."""
        head, title, rest = self.content.texts[key].partition(f"# {self.content.pages[key].title}\n\n")
        return f"{head}{title}{said} {rest}"

    def _edited(self, texts: dict[str, str]) -> tuple[dict[str, bytes | None], dict[Digest, bytes]]:
        """Entries and objects of pages with these texts."""
        entries: dict[str, bytes | None] = {}
        objects: dict[Digest, bytes] = {}
        for key, source in texts.items():
            page = self.content.pages[key]
            data, document = source.encode(), _json.encode(parse(source, page.links.get).document)
            objects |= {trie.digest(data): data, trie.digest(document): document}
            page = msgspec.structs.replace(page, text=trie.digest(data), document=trie.digest(document))
            self.content.pages[key], self.content.texts[key] = page, source
            entries[key] = _encode(page)
        return entries, objects

    async def _apart(self, texts: dict[str, str], adding: str | bool = False) -> tuple[Revision, str]:
        """A revision with these texts, not measured, and the commit of the same."""
        kept, self.content = self.content, Content(dict(self.content.pages), dict(self.content.texts))
        if adding:
            above = next(iter(self.content.pages))
            page = Page(
                id=f"{new_id()}{adding}", type="document", title="New", slug=str(adding), position=BEHIND, parent=above
            )
            self.content.pages[page.id], texts = page, {**texts, page.id: f"# New\n\nText {adding}.\n"}
        entries, objects = self._edited(texts)

        async def make(unit: Unit) -> Revision:
            root, made = await applied(unit, self.head.root, entries)
            return await heads.apart(unit, self.space, root, {**objects, **made})

        revision = await self.store.write(make)
        files = {self.content.path(key): text for key, text in texts.items()}
        self.content = kept
        return revision, self.git.imported(files, self.git.head)

    async def _measured(self, name: str, work: Callable[[Unit], Awaitable[T]], *, write: bool = True) -> T:
        with self._watch(name, "ours"):
            return await (self.store.write if write else self.store.read)(work)

    def _timed(self, name: str, work: Callable[[], T]) -> T:
        with self._watch(name, "git"):
            return work()

    @contextmanager
    def _watch(self, name: str, whose: str) -> Iterator[None]:
        started, cpu = time.perf_counter(), used()
        yield
        found = ((time.perf_counter() - started) * 1000, (used() - cpu) * 1000)
        self.times.setdefault((name, whose), []).append(found)


def used() -> float:
    """CPU seconds of this process and of those that it waited for."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


async def opened(unit: Unit, space: Space, root: Digest) -> Revision:
    """The first revision of a new space; the objects are there."""
    await unit.spaces.add(space)
    made = await heads.record(unit, ORGANIZATION, space.id, root, parents=[], kind="edits")
    await unit.spaces.change(space, revision=made.id)
    return made


async def applied(unit: Unit, root: Digest, entries: dict[str, bytes | None]) -> tuple[Digest, dict[Digest, bytes]]:
    """The root with other entries of pages, and the objects that are new."""
    old = await root_at(unit, ORGANIZATION, root)
    pages, objects = await walk(unit, ORGANIZATION, trie.apply(old.pages, entries))
    data = _encode(msgspec.structs.replace(old, pages=pages))
    return trie.digest(data), objects | {trie.digest(data): data}


def revisions(bench: Bench) -> None:
    """A space of many pages on SQLite beside the same pages in a Git repository; on no other engine."""
    if bench.world.engine != "sqlite":
        return  # the content store is the same, and so would be the text
    for pages, rounds in bench.scale.revisions:
        folder = bench.world.folder / f"revisions-{pages}"
        folder.mkdir()
        pair = asyncio.run(_measured(folder, pages, rounds))
        part = f"Revisions, {pages:,} pages"
        for (name, whose), times in pair.times.items():
            most = BUDGETS[name] if whose == "ours" else None
            told = name if whose == "ours" else f"{name}: `git`"
            bench.add(within(part, "sqlite", told, [wall for wall, _ in times], "ms", most))
            bench.add(within(part, "sqlite", f"{told}: CPU", [cpu for _, cpu in times], "ms"))
        stored = [size / 1024 for size in pair.stored]
        bench.add(within(part, "sqlite", "stored for a revision of one page", stored, "KiB", STORED))


async def _measured(folder: Path, pages: int, rounds: int) -> Pair:
    engine = SqliteEngine(folder / "bench.db")
    await engine.open()
    try:
        await migrate(engine)
        pair = Pair(Store(engine, system_clock), Git(folder / "bench.git"), 7)
        await pair.fill(pages)
        collecting.seldom()  # as a server does
        for number in range(WARM + rounds):
            await pair.round(number)
            if number == WARM - 1:
                pair.times.clear()
                pair.stored.clear()
        return pair
    finally:
        await engine.close()
