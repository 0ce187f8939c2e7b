"""The merge of two revisions over their common base, as an algorithm in steps (see `trie`).

Only what differs from the base is read. Identity is the id: a page that moved and changed its name is the same page.
What one side alone changed is taken; what both changed is merged field by field. Where they disagree, primary's value
stands and the disagreement is listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from octavo.content import trie
from octavo.content.merge.entries import Texts, merge_files, merge_pages, merge_reusables
from octavo.content.merge.fields import merge_mappings, three
from octavo.content.merge.model import Conflict, E, Sides
from octavo.content.merge.places import Beside, settle
from octavo.content.revision import Digest, File, Page, Reusable, Root
from octavo.content.trie import Objects, Steps

_Differing: TypeAlias = dict[str, tuple[bytes | None, bytes | None]]
"""As `trie.diff` has it: key -> the entry before and after."""
_encode = msgspec.msgpack.Encoder(order="deterministic").encode


@dataclass(frozen=True)
class Merged:
    """The merged revision's root, the objects that are new, and what could not be decided."""

    root: Root
    objects: Objects
    conflicts: list[Conflict]


def merge(base: Root, ours: Root, theirs: Root, *, label: str, beside: Beside | None = None) -> Steps[Merged]:
    """`ours` is primary content's side; `label` names the other one where a text holds both.

    What is `beside` pages of `ours` is asked for where pages are put at one place; nobody who knows of it has to tell.
    """
    return trie.once(_merge(base, ours, theirs, label, beside))


def _merge(base: Root, ours: Root, theirs: Root, label: str, beside: Beside | None) -> Steps[Merged]:
    # Side by side, so that the store is asked once for each level of the deepest trie.
    differing = yield from trie.together((_differing(base, ours), _differing(base, theirs)))
    of_pages, of_files, of_reusables = zip(*differing)
    pages, files, reusables = _sides(of_pages, Page), _sides(of_files, File), _sides(of_reusables, Reusable)
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


def _differing(base: Root, side: Root) -> Steps[list[_Differing]]:
    """What a side changed of pages, files and reusable contents."""
    tries = ((base.pages, side.pages), (base.files, side.files), (base.reusables, side.reusables))
    return trie.together(trie.diff(before, after) for before, after in tries)


def _sides(differing: Iterable[_Differing], kind: type[E]) -> Sides[E]:
    decode = msgspec.msgpack.Decoder(kind).decode

    def read(data: bytes | None) -> E | None:
        return None if data is None else decode(data)

    ours, theirs = (
        {key: (read(before), read(after)) for key, (before, after) in changed.items()} for changed in differing
    )
    return Sides(ours, theirs)


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
