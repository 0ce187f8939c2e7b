"""Saving a page's text that was edited elsewhere meanwhile: both texts are joined over the one that the editor began from."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from octavo.content import trie
from octavo.content.draft import Metadata, Refused
from octavo.content.revision import Page
from octavo.history.contents import root_at, text_of, walk
from octavo.kernel.errors import BadRequest
from octavo.kernel.records.content import Revision
from octavo.store.unit import Unit

if TYPE_CHECKING:
    from octavo.content.document import Node


@dataclass(frozen=True)
class Tree:
    """A document that was edited of a page's text, and the fields that were written with it."""

    document: Node
    metadata: Metadata


@dataclass(frozen=True)
class Sides:
    """A page as the editor found it with its text, that text as it is now, and what the editor wants it to be."""

    page: Page
    space: str
    base: str
    ours: str
    theirs: str | Tree


@dataclass(frozen=True)
class Joined:
    """The text that has what both wrote, and whether they changed the same lines."""

    page: str
    text: str
    conflict: bool


async def sides(unit: Unit, page: str, began: Revision, head: Revision, wanted: str | Tree) -> Sides | None:
    """What has to be joined; None where nobody else changed the page's text, or one of both revisions does not have it."""
    base, ours = [await _found(unit, one, page) for one in (began, head)]
    if base is None or ours is None or base[1] == ours[1]:
        return None
    return Sides(base[0], began.space, base[1], ours[1], wanted)


async def join(wanted: Mapping[int, Sides]) -> dict[int, Joined]:
    """All of them, in a thread. Raises BadRequest for a document that is none."""
    return await asyncio.to_thread(_joined, wanted) if wanted else {}


def _joined(wanted: Mapping[int, Sides]) -> dict[int, Joined]:
    from octavo.content.merge.texts import merge_texts  # the parser costs 100 ms to import

    made = {}
    for number, one in wanted.items():
        merged = merge_texts(one.base, one.ours, _text(number, one), "what was saved later")
        made[number] = Joined(one.page.id, merged.source, bool(merged.conflicts))
    return made


def _text(number: int, one: Sides) -> str:
    """The text that the editor wants: of a document, one in which only that is written anew that was edited."""
    if isinstance(one.theirs, str):
        return one.theirs
    from octavo.content.draft.writing import printed

    try:
        return printed(one.page, one.base, one.theirs.document, one.theirs.metadata, one.space)
    except Refused as refused:
        raise BadRequest(f"changes[{number}]: {refused}") from refused


async def _found(unit: Unit, revision: Revision, page: str) -> tuple[Page, str] | None:
    root = await root_at(unit, revision.organization, revision.root)
    entry = (await walk(unit, revision.organization, trie.get(root.pages, [page]))).get(page)
    if entry is None:
        return None
    found = msgspec.msgpack.decode(entry, type=Page)
    text = await text_of(unit, revision.organization, found.text)
    return None if text is None else (found, text)
