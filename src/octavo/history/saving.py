"""Saving a page's text that was edited elsewhere meanwhile: both texts are joined over the one that the editor began from."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from octavo.content import trie
from octavo.content.revision import Page
from octavo.history.contents import root_at, text_of, walk
from octavo.kernel.records.content import Revision
from octavo.store.unit import Unit


@dataclass(frozen=True)
class Sides:
    """A page's text as the editor found it, as it is now, and as the editor wants it."""

    page: str
    base: str
    ours: str
    theirs: str


@dataclass(frozen=True)
class Joined:
    """The text that has what both wrote, and whether they changed the same lines."""

    page: str
    text: str
    conflict: bool


async def sides(unit: Unit, page: str, began: Revision, head: Revision, text: str) -> Sides | None:
    """What has to be joined; None where nobody else changed the page's text, or one of both revisions does not have it."""
    found = [await _text(unit, one, page) for one in (began, head)]
    base, ours = found
    return None if base is None or ours is None or base == ours else Sides(page, base, ours, text)


async def join(wanted: Mapping[int, Sides]) -> dict[int, Joined]:
    """All of them, in a thread."""
    return await asyncio.to_thread(_joined, wanted) if wanted else {}


def _joined(wanted: Mapping[int, Sides]) -> dict[int, Joined]:
    from octavo.content.merge.texts import merge_texts  # the parser costs 100 ms to import

    made = {}
    for number, one in wanted.items():
        merged = merge_texts(one.base, one.ours, one.theirs, "what was saved later")
        made[number] = Joined(one.page, merged.source, bool(merged.conflicts))
    return made


async def _text(unit: Unit, revision: Revision, page: str) -> str | None:
    root = await root_at(unit, revision.organization, revision.root)
    entry = (await walk(unit, revision.organization, trie.get(root.pages, [page]))).get(page)
    if entry is None:
        return None
    return await text_of(unit, revision.organization, msgspec.msgpack.decode(entry, type=Page).text)
