"""The history of a space's primary content, newest first, whole or of one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from octavo.content import trie
from octavo.content.revision import Digest, Root
from octavo.content.trie import Entries, Steps
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit

EXAMINED = 100
"""Revisions that are compared for one part of the history of a page: they take about 10 ms."""

_ROOT = msgspec.msgpack.Decoder(Root)


@dataclass(frozen=True)
class Part:
    """Some revisions of a history; `rest` is the revision behind which it goes on, None at its end."""

    revisions: list[Revision]
    rest: str | None


async def whole(unit: Unit, space: Space, behind: str | None, limit: int) -> Part:
    """Every revision that was the head, behind the given one."""
    line = await _line(unit, space, behind, limit + 1)
    shown = line[:limit]
    return Part(shown, shown[-1].id if len(line) > limit > 0 else None)


async def of_page(unit: Unit, space: Space, page: str, behind: str | None, limit: int) -> Part:
    """Those that changed a page's entry: its text, its place, its fields; where it came and where it went.

    At most EXAMINED revisions are looked at, so that a part may be empty and still have a rest.
    """
    line = await _line(unit, space, behind, EXAMINED + 1)
    entries = await _entries(unit, space.organization, [one.root for one in line], page)
    states = [entries[one.root] for one in line]
    ended = len(line) <= EXAMINED
    before = [*states[1:], None] if ended else states[1:]
    changed = [one for one, state, old in zip(line, states, before) if state != old]
    if limit and len(changed) > limit:
        return Part(changed[:limit], changed[limit - 1].id)
    return Part(changed[:limit], None if ended or not limit else line[EXAMINED - 1].id)


async def _line(unit: Unit, space: Space, behind: str | None, limit: int) -> list[Revision]:
    if behind is None:
        return await unit.revisions.line(space.revision, limit)
    return (await unit.revisions.line(behind, limit + 1))[1:]


async def _entries(unit: Unit, organization: str, roots: Sequence[Digest], page: str) -> dict[Digest, bytes | None]:
    """Root of a revision -> the page's entry there; a query a level for all of them together."""
    pages = {name: _ROOT.decode(data).pages for name, data in (await unit.objects.get(organization, roots)).items()}
    found = await _together(unit, organization, {tries: trie.get(tries, [page]) for tries in set(pages.values())})
    return {name: found[tries].get(page) for name, tries in pages.items()}


async def _together(
    unit: Unit, organization: str, steps: Mapping[Digest | None, Steps[Entries]]
) -> dict[Digest | None, Entries]:
    """Drive several algorithms side by side, so that each level of all of them is one query."""
    done: dict[Digest | None, Entries] = {}
    sent: dict[Digest | None, Mapping[Digest, bytes] | None] = dict.fromkeys(steps)
    while sent:
        wanted: dict[Digest | None, frozenset[Digest]] = {}
        for key, objects in sent.items():
            try:
                wanted[key] = next(steps[key]) if objects is None else steps[key].send(objects)
            except StopIteration as end:
                done[key] = end.value
        found = await unit.objects.get(organization, frozenset().union(*wanted.values())) if wanted else {}
        sent = {key: {name: found[name] for name in names} for key, names in wanted.items()}
    return done
