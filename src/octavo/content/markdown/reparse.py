"""A page's text read again after an edit: only the blocks that changed are parsed, the rest is as it was.

The document is the one that `parse` makes of the whole text, to the byte. Both texts are cut apart where nothing reaches
over (`outline`); the pieces that they have in common at the beginning and at the end keep their blocks, and what is
between is read. Wherever one of the steps is not certain of that, the whole text is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from octavo.content.document import Node, Ref, document
from octavo.content.markdown.outline import Chunk, Outline, Unsure, outline
from octavo.content.markdown.parse import parse, parse_blocks, parse_front, parse_title
from octavo.content.markdown.parsed import Resolve
from octavo.content.markdown.rekey import replaced
from octavo.content.markdown.tags import CONDITION
from octavo.content.markdown.tree import pair
from octavo.content.markdown.wild import wild

_HEADING = re.compile(r"heading-\d")
_PLAIN_TITLE = re.compile(r"#(?: [^\W_]+)+")
_URL = re.compile(rb'"kind":"url","url":("(?:[^"\\]|\\.)*")')
_text = msgspec.json.Decoder(str).decode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass(frozen=True)
class Before:
    """A page as it was stored: its text, the JSON of the document that the text parses to, and what the local
    addresses in the text meant in that document."""

    source: str
    document: bytes
    links: Mapping[str, Ref]


@dataclass(frozen=True)
class Reread:
    """What `parse` says of a page, but for its warnings and where its blocks stand."""

    front: dict[str, Any]
    title: str | None
    document: Node


def reparse(source: str, resolve: Resolve, before: Before | None) -> Reread:
    """What a text says, with the help of what an earlier one said; `resolve` may be asked for addresses of both."""
    made = None if before is None else patched(source, resolve, before)
    if made is not None:
        return made
    whole = parse(source, resolve)
    return Reread(whole.front, whole.title, whole.document)


def patched(source: str, resolve: Resolve, before: Before) -> Reread | None:
    """What a text says, read as far as it changed; None where it has to be read as a whole."""
    try:
        return _patched(source, resolve, before)
    except Unsure:
        return None


def _patched(source: str, resolve: Resolve, before: Before) -> Reread:
    if wild(source) or wild(before.source):
        raise Unsure
    _require_same_meaning(resolve, before)
    front, body = parse_front(source)
    # What begins alike has the same front matter, or none.
    alike = before.source[:body] == source[:body] and body
    old = outline(before.source, body if alike else parse_front(before.source)[1])
    new = outline(source, body)
    _require_deciding(old)
    _require_deciding(new)
    nodes = _decode(before.document)["nodes"]
    places = _places(old.chunks, nodes)
    first, behind = _common(old, new, places)
    last = len(old.chunks) - behind
    _require_same_pairs(old, new, first, behind)
    text = new.source[_start(new, first) : _start(new, len(new.chunks) - behind)]
    start, end = places[first], places[last]
    assert start is not None
    assert end is not None
    made = parse_blocks(text, resolve) if text.strip() else []
    title = _title(source[slice(*new.title)], resolve) if new.title else None
    return Reread(front, title, document(replaced(nodes, start, end, made)))


def _require_same_meaning(resolve: Resolve, before: Before) -> None:
    """Whatever the document refers to, the addresses of its text have to mean that still."""
    for href, ref in before.links.items():
        if resolve(href) != ref:
            raise Unsure
    # What meant nothing is a URL now; in the JSON no text looks like one, as its quotes are escaped.
    for url in set(_URL.findall(before.document)):
        if resolve(_text(url)) is not None:
            raise Unsure


def _require_deciding(one: Outline) -> None:
    """A condition that stands within text reaches over blocks: every tag of one has to be a half of a pair of blocks."""
    known = sum(one.pieces[start].name == "%if" for start in one.ends)
    if len(CONDITION.findall(one.source)) != 2 * known:
        raise Unsure


def _title(line: str, resolve: Resolve) -> str | None:
    return line[1:].strip() if _PLAIN_TITLE.fullmatch(line) else parse_title(line, resolve)


def _start(one: Outline, at: int) -> int:
    return one.chunks[at].start if at < len(one.chunks) else len(one.source)


def _places(chunks: list[Chunk], nodes: list[Node]) -> list[int | None]:
    """The number of the first block of each chunk, and of the one behind the last; None where that is not known.

    Headings are known, in the text as in the document; what is between two of them is counted from both.
    """
    found = [at for at, node in enumerate(nodes) if _HEADING.fullmatch(node["type"])]
    headings = [at for at, chunk in enumerate(chunks) if chunk.sort == "heading"]
    if len(found) != len(headings):
        raise Unsure
    places: list[int | None] = [None] * (len(chunks) + 1)
    for (low, place), (high, end) in zip(
        [(0, 0), *((chunk + 1, node + 1) for chunk, node in zip(headings, found))],
        [*zip(headings, found), (len(chunks), len(nodes))],
    ):
        _count(chunks[low:high], place, end, places, low)
    return places


def _count(chunks: list[Chunk], place: int, end: int, places: list[int | None], low: int) -> None:
    """Fill in the places of a section, whose blocks are [place, end)."""
    counts = [chunk.count for chunk in chunks]
    unknown = [at for at, count in enumerate(counts) if count is None]
    left = end - place - sum(count or 0 for count in counts)
    if left < 0 or (left and not unknown):
        raise Unsure
    if len(unknown) == 1:
        counts[unknown[0]] = left
    at, forward = low, place
    places[low] = place
    for count in counts:
        if count is None:
            break
        at, forward = at + 1, forward + count
        places[at] = forward
    at, backward = low + len(chunks), end
    places[at] = end
    for count in reversed(counts):
        if count is None:
            break
        at, backward = at - 1, backward - count
        places[at] = backward


def _common(old: Outline, new: Outline, places: list[int | None]) -> tuple[int, int]:
    """How many chunks at the beginning and how many at the end are the same, as far as their places are known."""
    most = min(len(old.chunks), len(new.chunks))
    first = 0
    while first < most and old.text(first) == new.text(first):
        first += 1
    behind = 0
    while behind < most - first and old.text(len(old.chunks) - 1 - behind) == new.text(len(new.chunks) - 1 - behind):
        behind += 1
    while places[first] is None:
        first -= 1
    while places[len(old.chunks) - behind] is None:
        behind -= 1
    return first, behind


def _require_same_pairs(old: Outline, new: Outline, first: int, behind: int) -> None:
    """Tags and elements of what stays have to belong together as before, and those between among themselves."""
    parts = []
    for one in (old, new):
        low, high = _start(one, first), _start(one, len(one.chunks) - behind)
        head = sum(piece.start < low for piece in one.pieces)
        tail = sum(piece.start < high for piece in one.pieces)
        parts.append((one, head, tail))
    (_, head, tail), (_, now_head, now_tail) = parts
    if head != now_head or len(old.pieces) - tail != len(new.pieces) - now_tail:
        raise Unsure
    if _pairs(old, 0, head) != _pairs(new, 0, head):
        raise Unsure
    if _pairs(old, tail, len(old.pieces)) != _pairs(new, now_tail, len(new.pieces)):
        raise Unsure
    alone = pair(new.pieces[head:now_tail])
    if alone != dict(_pairs(new, head, now_tail)):
        raise Unsure


def _pairs(one: Outline, low: int, high: int) -> list[tuple[int, int]]:
    """Which of some pieces belong together, counted from the first of them."""
    return sorted((start - low, end - low) for start, end in one.ends.items() if low <= start < high)
