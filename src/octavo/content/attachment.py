"""Where something that was attached to a node of a document belongs after the document changed."""

from __future__ import annotations

import msgspec

from octavo.content.comparison import compare
from octavo.content.document import Node, children, walk


class Attached(msgspec.Struct, frozen=True):
    """The key of the node in the document as it is now; `changed` where it is not the same any more."""

    node: str
    changed: bool


def node_of(document: Node, key: str) -> Node | None:
    """The node with this key."""
    return next((node for node in walk(document) if node is not document and node.get("key") == key), None)


def attached(key: str, before: Node | None, after: Node) -> Attached | None:
    """The node that `key` named `before`, found again; None where it is gone.

    A key stands for content, so that a node keeps it wherever it moves in the document. One that was edited is the block
    that took its place: on each level down to it, the one that a comparison of both versions says it became.
    """
    if node_of(after, key) is not None:
        return Attached(key, changed=False)
    path = None if before is None else _path(before, key)
    if before is None or path is None:
        return None
    old, new = before, after
    for node in path:
        pairs = compare({"nodes": children(old)}, {"nodes": children(new)})
        became = next((pair.after for pair in pairs if pair.before is node), None)
        if became is None:
            return None
        old, new = node, became
    return Attached(new["key"], changed=True)


def _path(root: Node, key: str) -> list[Node] | None:
    """The nodes from below the root down to the one with this key."""
    waiting: list[tuple[Node, list[Node]]] = [(node, [node]) for node in reversed(children(root))]
    while waiting:
        at, path = waiting.pop()
        if at.get("key") == key:
            return path
        waiting += [(node, [*path, node]) for node in reversed(children(at))]
    return None
