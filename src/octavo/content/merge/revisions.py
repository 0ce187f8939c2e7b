"""The merge of two revisions over their common base, as an algorithm in steps (see `trie`).

Only what differs from the base is read. Identity is the id: a page that moved and changed its name is the same page.
What one side alone changed is taken; what both changed is merged field by field. Where they disagree, primary's value
stands and the disagreement is listed.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from octavo.content import trie
from octavo.content.merge.entries import Texts, merge_files, merge_pages, merge_reusables
from octavo.content.merge.fields import merge_mappings, three
from octavo.content.merge.model import Conflict, E, Sides
from octavo.content.merge.places import Beside, settle
from octavo.content.revision import Digest, File, Page, Reusable, Root
from octavo.content.trie import Objects, Steps

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


@dataclass(frozen=True)
class Merged:
    """The merged revision's root, the objects that are new, and what could not be decided."""

    root: Root
    objects: Objects
    conflicts: list[Conflict]


def merge(base: Root, ours: Root, theirs: Root, *, label: str, beside: Beside | None = None) -> Steps[Merged]:
    """`ours` is primary content's side; `label` names the other one where a text holds both.

    With what is `beside` pages of `ours`, a merge of pages at one place reads no more than any other.
    """
    return trie.once(_merge(base, ours, theirs, label, beside))


def _merge(base: Root, ours: Root, theirs: Root, label: str, beside: Beside | None) -> Steps[Merged]:
    pages = yield from _sides(base.pages, ours.pages, theirs.pages, Page)
    files = yield from _sides(base.files, ours.files, theirs.files, File)
    reusables = yield from _sides(base.reusables, ours.reusables, theirs.reusables, Reusable)
    conflicts: list[Conflict] = []
    objects: Objects = {}
    texts = Texts(label, objects)
    yield from merge_pages(pages, texts, conflicts)
    merge_files(files, label, conflicts)
    yield from merge_reusables(reusables, texts, conflicts)
    yield from settle(ours.pages, pages, conflicts, beside)
    named: list[Digest | None] = []
    for entries, sides in ((ours.pages, pages), (ours.files, files), (ours.reusables, reusables)):
        entries, made = yield from trie.apply(entries, _encoded(sides.changed))
        named.append(entries)
        objects |= made
    rest = _merge_rest(base, ours, theirs, conflicts)
    root = Root(pages=named[0], files=named[1], reusables=named[2], moved=ours.moved, **rest)
    return Merged(root, objects, conflicts)


def _sides(
    base: Digest | None, ours: Digest | None, theirs: Digest | None, kind: type[E]
) -> Generator[frozenset[Digest], Mapping[Digest, bytes], Sides[E]]:
    decode = msgspec.msgpack.Decoder(kind).decode

    def read(data: bytes | None) -> E | None:
        return None if data is None else decode(data)

    mine = yield from trie.diff(base, ours)
    other = yield from trie.diff(base, theirs)
    return Sides(
        {key: (read(before), read(after)) for key, (before, after) in mine.items()},
        {key: (read(before), read(after)) for key, (before, after) in other.items()},
    )


def _encoded(changed: Mapping[str, Page | File | Reusable | None]) -> dict[str, bytes | None]:
    return {key: None if entry is None else _encode(entry) for key, entry in changed.items()}


def _merge_rest(base: Root, ours: Root, theirs: Root, conflicts: list[Conflict]) -> dict[str, Any]:
    """Variables and redirects by their names, tags by theirs."""
    sides = (base, ours, theirs)
    made: dict[str, Any] = {}
    for name in ("variables", "redirects"):
        made[name], wrong = merge_mappings(*(getattr(side, name) for side in sides))
        conflicts += [_of_space(f"{name}.{key}") for key in wrong]
    tags, clear = three(*(side.tags for side in sides))
    if not clear:
        named, wrong = merge_mappings(*({str(tag.get("tag")): tag for tag in side.tags} for side in sides))
        conflicts += [_of_space(f"tags.{key}") for key in wrong]
        tags = list(named.values())
    return made | {"tags": tags}


def _of_space(name: str) -> Conflict:
    return Conflict(kind="space", id="", title="", reason="edited", fields=[name])
