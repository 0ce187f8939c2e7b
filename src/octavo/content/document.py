"""The document model: plain JSON nodes, their constructors and their deterministic keys.

A document is a tree of dictionaries, the very JSON that the API serves:

    document  {object, data {schemaVersion}, nodes}
    block     {object, type, key, data, nodes | fragments, isVoid, meta?}
    inline    {object, type, key, data, nodes | fragments, isVoid}
    text      {object, key, leaves: [{object, text, marks}]}
    fragment  {object, key, fragment, type, nodes}

Keys are a function of content and place among equals, so that parsing the same text twice gives the same document and
an untouched block keeps its key when its neighbours change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

Node = dict[str, Any]
Ref = dict[str, Any]

SCHEMA_VERSION = 1


def document(nodes: list[Node]) -> Node:
    """A document of top-level blocks."""
    return {"object": "document", "data": {"schemaVersion": SCHEMA_VERSION}, "nodes": nodes}


def block(
    type_: str,
    data: Node | None = None,
    nodes: list[Node] | None = None,
    *,
    fragments: list[Node] | None = None,
    void: bool = False,
) -> Node:
    """A block with children, with named fragments, or void; `data` keys whose value is None are left out."""
    made: Node = {"object": "block", "type": type_, "data": _present(data), "isVoid": void}
    if fragments is not None:
        made["fragments"] = fragments
    if nodes is not None:
        made["nodes"] = nodes
    return made


def inline(
    type_: str,
    data: Node | None = None,
    nodes: list[Node] | None = None,
    *,
    fragments: list[Node] | None = None,
    void: bool = False,
) -> Node:
    """An inline: a link, an emoji, an icon, ..."""
    return block(type_, data, nodes, fragments=fragments, void=void) | {"object": "inline"}


def leaf(text: str, marks: Iterable[Node] = ()) -> Node:
    """A run of characters under one set of marks."""
    return {"object": "leaf", "text": text, "marks": list(marks)}


def text(leaves: str | list[Node]) -> Node:
    """A text node, from leaves or from one unmarked string."""
    return {"object": "text", "leaves": [leaf(leaves)] if isinstance(leaves, str) else leaves}


def mark(type_: str, data: Node | None = None) -> Node:
    """bold, italic, code, keyboard, strikethrough, superscript, subscript or color."""
    return {"object": "mark", "type": type_, "data": _present(data)}


def fragment(name: str, type_: str, nodes: list[Node]) -> Node:
    """A named part of a block that holds blocks of its own: a caption, a title, a table cell."""
    return {"object": "fragment", "fragment": name, "type": type_, "nodes": nodes}


def children(node: Node) -> list[Node]:
    """Fragments, then nodes."""
    return [*node.get("fragments", ()), *node.get("nodes", ())]


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, depth first, in reading order."""
    stack = [node]
    while stack:
        at = stack.pop()
        yield at
        stack.extend(reversed(children(at)))


def plain(node: Node) -> str:
    """The characters a reader sees in the node, without any markup."""
    return "".join(leaf["text"] for at in walk(node) if at["object"] == "text" for leaf in at["leaves"])


def assign_keys(root: Node) -> Node:
    """Give every node below `root` its key, in place; returns `root`."""
    _key_children(root, "", _digests(root))
    return root


def _present(data: Node | None) -> Node:
    return {name: value for name, value in (data or {}).items() if value is not None}


def _digests(root: Node) -> dict[int, bytes]:
    """id(node) -> digest of its content, without keys."""
    found: dict[int, bytes] = {}
    for node in reversed(list(walk(root))):
        hasher = blake2b(digest_size=12)
        own = [node["object"], node.get("type"), node.get("fragment"), node.get("data"), node.get("leaves")]
        hasher.update(json.dumps(own, sort_keys=True, separators=(",", ":"), default=str).encode())
        for child in children(node):
            hasher.update(found[id(child)])
        found[id(node)] = hasher.digest()
    return found


def _key_children(node: Node, parent: str, digests: dict[int, bytes]) -> None:
    seen: dict[bytes, int] = {}
    for child in children(node):
        digest = digests[id(child)]
        place = seen[digest] = seen.get(digest, -1) + 1
        child["key"] = blake2b(f"{parent}/{place}/".encode() + digest, digest_size=9).hexdigest()
        # A parent's own key would change with any edit below it, so children hang on the kind of parent only.
        _key_children(child, f"{parent}/{child.get('type', 't')}.{place}", digests)
