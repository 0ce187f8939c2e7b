"""Two versions of a document side by side: which blocks came, went or changed, and which words of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from octavo.content.diff import align
from octavo.content.document import Node, plain

Status = Literal["equal", "added", "deleted", "changed"]
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_ALIKE = 0.4
"""The share of words that two blocks must have in common to be two versions of one."""


class Words(msgspec.Struct, frozen=True):
    """A run of text that both versions have, or one of them."""

    status: Literal["equal", "added", "deleted"]
    text: str


class Compared(msgspec.Struct, frozen=True):
    """One block of the page in one or both versions; `words` are given where it changed."""

    status: Status
    before: Node | None
    after: Node | None
    words: tuple[Words, ...] = ()


def compare(before: Node, after: Node) -> list[Compared]:
    """Top-level blocks in reading order; what went stands before what came in its place."""
    old, new = before["nodes"], after["nodes"]
    made: list[Compared] = []
    at = 0
    for start, end, first, last in align([node["key"] for node in old], [node["key"] for node in new]):
        made += [Compared("equal", node, node) for node in new[at:first]]
        made += _replaced(old[start:end], new[first:last])
        at = last
    return made + [Compared("equal", node, node) for node in new[at:]]


def words(before: str, after: str) -> tuple[Words, ...]:
    """The texts word by word."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    made: list[Words] = []
    at = 0
    for start, end, first, last in align(old, new):
        made += [
            Words("equal", "".join(new[at:first])),
            Words("deleted", "".join(old[start:end])),
            Words("added", "".join(new[first:last])),
        ]
        at = last
    return tuple(part for part in (*made, Words("equal", "".join(new[at:]))) if part.text)


def lines(node: Node) -> str:
    """The words of a block, those of each block within it on lines of their own."""
    inside = [
        one for one in (*node.get("fragments", ()), *node.get("nodes", ())) if one["object"] in ("block", "fragment")
    ]
    return "\n".join(filter(None, map(lines, inside))) if inside else plain(node)


def _replaced(old: Sequence[Node], new: Sequence[Node]) -> list[Compared]:
    """Blocks that stand in the place of others: the next one that is alike is the same one, changed."""
    made: list[Compared] = []
    rest = list(new)
    for block in old:
        found = next((at for at, other in enumerate(rest) if _alike(block, other)), None)
        if found is None:
            made.append(Compared("deleted", block, None))
            continue
        made += [Compared("added", None, other) for other in rest[:found]]
        made.append(Compared("changed", block, rest[found], words(lines(block), lines(rest[found]))))
        rest = rest[found + 1 :]
    return made + [Compared("added", None, other) for other in rest]


def _alike(one: Node, other: Node) -> bool:
    if one.get("type") != other.get("type"):
        return False
    mine, its = (set(re.findall(r"\w+", plain(node).lower())) for node in (one, other))
    return not mine | its or len(mine & its) >= _ALIKE * max(len(mine), len(its))
