"""Reverting single blocks: places of a page's text become what they were, the rest stays."""

from __future__ import annotations

from octavo.content.diff import align
from octavo.content.document import Node, document, walk
from octavo.content.draft.changes import Refused


def with_blocks_of(page: Node, old: Node, keys: tuple[str, ...]) -> Node:
    """The document of `page` with the places that `keys` name, in either of both, as `old` has them.

    A key of a block inside another names the block at the top. An added block goes, a deleted one comes back, and where
    as many blocks were changed as there were, each is set back alone.
    """
    now, before = page["nodes"], old["nodes"]
    wanted = {node["key"] for node in (*now, *before) if any(one.get("key") in keys for one in walk(node))}
    known = {one.get("key") for node in (*now, *before) for one in walk(node)}
    for key in keys:
        if key not in known:
            raise Refused(f"there is no block {key!r} on the page, neither now nor in that revision")
    made: list[Node] = []
    kept = 0
    for start, end, first, last in align([node["key"] for node in before], [node["key"] for node in now]):
        made += [*now[kept:first], *_set_back(before[start:end], now[first:last], wanted)]
        kept = last
    return document([*made, *now[kept:]])


def _set_back(old: list[Node], new: list[Node], wanted: set[str]) -> list[Node]:
    if len(old) == len(new):
        return [was if wanted & {was["key"], now["key"]} else now for was, now in zip(old, new)]
    return [*(was for was in old if was["key"] in wanted), *(now for now in new if now["key"] not in wanted)]
