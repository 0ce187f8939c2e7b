"""Keys and anchors of a document some of whose blocks were replaced: what the rest has stays, or follows its law."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from octavo.content.document import Node, digests, key_of, walk
from octavo.content.markdown.outline import Unsure
from octavo.content.markdown.slugs import HEADINGS, TITLED, wished

_NUMBERED = re.compile(r"(.+)-\d+")
_KEY = re.compile(r"[0-9a-f]{18}(?:-\d+)?")


def replaced(nodes: list[Node], first: int, last: int, instead: list[Node]) -> list[Node]:
    """The top-level blocks of a whole document with [first, last) replaced by blocks without keys and anchors, as they
    would be had they been read together; changes the nodes. Raises Unsure where only reading all of them would say."""
    before, gone, behind = nodes[:first], nodes[first:last], nodes[last:]
    _give_anchors([*before, *behind], gone, instead)
    _give_keys(before, gone, instead, behind)
    return [*before, *instead, *behind]


def _below(nodes: Iterable[Node]) -> list[Node]:
    """The nodes and everything below them, in no particular order; unlike `walk` it is for all of a long document."""
    found = list(nodes)
    for node in found:
        if "fragments" in node:
            found += node["fragments"]
        if "nodes" in node:
            found += node["nodes"]
    return found


def _anchored(nodes: Iterable[Node]) -> list[Node]:
    """The blocks that have anchors, in reading order."""
    return [one for top in nodes for one in walk(top) if one["object"] == "block" and one["type"] in HEADINGS | TITLED]


def _give_anchors(rest: list[Node], gone: list[Node], instead: list[Node]) -> None:
    """An id is what its block wishes for, unless that is taken: as long as nobody's wish is taken, order is no matter."""
    removed, added = _anchored(gone), _anchored(instead)
    if not removed and not added:
        return
    taken = {node["meta"]["id"] for node in _anchored(rest)}
    freed = {node["meta"]["id"] for node in removed}
    wishes = [wished(node) for node in added]
    everything = taken | freed
    # Whoever has a number behind a name that is in use may have wished for the name, and may now get it.
    bases = {found[1] for one in everything if (found := _NUMBERED.fullmatch(one)) and found[1] in everything}
    numbered = {one for one in everything if (found := _NUMBERED.fullmatch(one)) and found[1] in everything}
    if freed & (bases | numbered) or len(set(wishes)) < len(wishes) or taken.intersection(wishes):
        raise Unsure
    # A heading without a name has its key for one, which counts its equals.
    if not all(wishes) or any(_KEY.fullmatch(one) for one in everything):
        raise Unsure
    for node, wish in zip(added, wishes):
        if node["type"] in HEADINGS:
            node["data"]["id"] = wish
        node["meta"] = {"id": wish}


def _give_keys(before: list[Node], gone: list[Node], instead: list[Node], behind: list[Node]) -> None:
    """A key counts the equals that stand before: those behind move up or down where there are more or fewer now."""
    old, new = ([(node, digest) for top in nodes for node, digest in digests(top)] for nodes in (gone, instead))
    known = {node["key"] for node in _below(before)}
    later = {node["key"]: node for node in _below(behind)}
    were, are = (Counter(digest for _, digest in part) for part in (old, new))
    places: dict[bytes, int] = {}
    for digest in were.keys() | are.keys():
        place = 0
        while key_of(place, digest) in known:
            place += 1
        places[digest] = place
        if were[digest] != are[digest]:
            _move(later, digest, place + were[digest], place + are[digest])
    for node, digest in new:
        node["key"] = key_of(places[digest], digest)
        places[digest] += 1


def _move(later: dict[str, Node], digest: bytes, was: int, now: int) -> None:
    """Give the equals behind the places from `now` on, which they had from `was` on."""
    moved: list[Node] = []
    while (node := later.get(key_of(was + len(moved), digest))) is not None:
        moved.append(node)
    for at, node in enumerate(moved):
        node["key"] = key_of(now + at, digest)
