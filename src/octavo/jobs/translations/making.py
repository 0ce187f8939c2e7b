"""What a translator alone makes of a revision: its root with the pages that differ from the last time translated anew."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TypeVar

import msgspec

from octavo.content import trie
from octavo.content.revision import Digest, Page, Reusable, Root
from octavo.content.translation import pages
from octavo.content.translation.documents import Kept
from octavo.history import ahead
from octavo.history.contents import contents_at, root_at, walk
from octavo.jobs.translations.asking import Asker
from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.store.unit import Unit

GROUP = 8
"""Pages that are read, asked for and written together."""
PROBLEMS = 50
"""Problems that a run tells of."""
SHOWN = 120
"""Characters of a text that are told of a problem."""
_encode = msgspec.msgpack.Encoder(order="deterministic").encode
T = TypeVar("T")


@dataclass(frozen=True)
class Plan:
    """What there is to do: the source, and the root that the last run made of an earlier one, if it serves."""

    organization: str
    source: Digest
    base: Digest | None
    """The source's root of the last run; None = everything is translated."""
    machine: Digest | None
    """What the last run made of that."""
    again: frozenset[str]
    """Pages that the last run left unfinished."""


@dataclass
class Made:
    """A root, and how it came about."""

    root: Digest = b""
    pages: int = 0
    kept: int = 0
    unfinished: list[str] = field(default_factory=list)
    problems: list[Json] = field(default_factory=list)


@dataclass(frozen=True)
class Difference:
    """The entries of the source that differ from those of the last run; None for one that went."""

    root: Root
    machine: Root
    pages: dict[str, Page | None]
    reusables: dict[str, Reusable | None]


async def make(work: Work, plan: Plan, asker: Asker, told: Callable[[int, int], Awaitable[None]]) -> Made:
    """Translate what differs; `told` hears how many pages of how many are done, and may raise to end it."""
    made = Made()
    found = await work.read(partial(_difference, plan=plan))
    total = len(found.pages) + len(found.reusables)
    done = 0
    entries: dict[str, dict[str, bytes | None]] = {"pages": {}, "reusables": {}}
    sides: tuple[tuple[str, Mapping[str, Page | Reusable | None]], ...] = (
        ("pages", found.pages),
        ("reusables", found.reusables),
    )
    for kind, changed in sides:
        for group in _groups(changed):
            await told(done, total)
            entries[kind] |= await _group(work, plan, asker, group, made)
            done += len(group)
    await told(done, total)
    made.pages = done
    made.root = await work.write(partial(_assemble, plan=plan, found=found, entries=entries))
    return made


async def _difference(unit: Unit, *, plan: Plan) -> Difference:
    organization = plan.organization
    root = await root_at(unit, organization, plan.source)
    base = Root() if plan.base is None else await root_at(unit, organization, plan.base)
    machine = Root() if plan.base is None or plan.machine is None else await root_at(unit, organization, plan.machine)
    contents = await contents_at(unit, organization, plan.source)
    changed = {*await walk(unit, organization, trie.diff(base.pages, root.pages)), *plan.again}
    also = await walk(unit, organization, trie.diff(base.reusables, root.reusables))
    return Difference(
        root,
        machine,
        {key: contents.pages.get(key) for key in sorted(changed)},
        {key: contents.reusables.get(key) for key in sorted(also)},
    )


def _groups(changed: Mapping[str, T]) -> Iterator[dict[str, T]]:
    waiting = iter(changed.items())
    while group := dict(islice(waiting, GROUP)):
        yield group


async def _group(
    work: Work, plan: Plan, asker: Asker, group: Mapping[str, Page | Reusable | None], made: Made
) -> dict[str, bytes | None]:
    """The encoded entries of some pages in the other language; their objects are put."""
    there = [entry for entry in group.values() if entry is not None]
    wanted = {entry.text for entry in there if entry.text is not None}
    texts = await work.read(partial(_texts, organization=plan.organization, wanted=frozenset(wanted)))
    read = {entry.id: None if entry.text is None else texts[entry.text].decode() for entry in there}
    questions = {entry.id: await asyncio.to_thread(pages.questions, entry, read[entry.id]) for entry in there}
    await asker.ask(words for asked in questions.values() for words in asked)
    result: dict[str, bytes | None] = dict.fromkeys(group)
    for entry in there:
        one = await asyncio.to_thread(pages.translate, entry, read[entry.id], asker.known.get)
        await _put(work, plan.organization, one.objects)
        result[entry.id] = _encode(one.entry)
        left = [Kept(words, asker.unusable[words]) for words in questions[entry.id] if words in asker.unusable]
        _note(made, entry, [*one.kept, *left])
    return result


def _note(made: Made, entry: Page | Reusable, kept: list[Kept]) -> None:
    if not kept:
        return
    made.kept += len(kept)
    made.unfinished.append(entry.id)
    for one in kept[: PROBLEMS - len(made.problems)]:
        problem = {"page": entry.id, "title": entry.title, "reason": one.reason}
        made.problems.append(problem | ({"text": one.words[:SHOWN]} if one.words else {}))


async def _texts(unit: Unit, *, organization: str, wanted: frozenset[Digest]) -> dict[Digest, bytes]:
    return await unit.objects.get(organization, wanted) if wanted else {}


async def _put(work: Work, organization: str, objects: Mapping[Digest, bytes]) -> None:
    last = await ahead.put(work.store, organization, objects)
    if last:
        await work.write(lambda unit: unit.objects.put_packed(organization, last, unit.now))


async def _assemble(
    unit: Unit, *, plan: Plan, found: Difference, entries: Mapping[str, Mapping[str, bytes | None]]
) -> Digest:
    """The root: everything of the source, with the pages of the last run and those that are new."""
    organization = plan.organization
    tries: dict[str, Digest | None] = {}
    objects: dict[Digest, bytes] = {}
    for kind in ("pages", "reusables"):
        tries[kind], more = await walk(
            unit, organization, trie.apply(getattr(found.machine, kind), dict(entries[kind]))
        )
        objects |= more
    root = _encode(msgspec.structs.replace(found.root, **tries))
    named = trie.digest(root)
    await unit.objects.put(organization, {**objects, named: root}, unit.now)
    return named
