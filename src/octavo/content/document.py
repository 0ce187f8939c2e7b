"""The document model: plain JSON nodes, their constructors and their deterministic keys.

A document is a tree of dictionaries, the very JSON that the API serves:

    document  {object, data {schemaVersion}, nodes}
    block     {object, type, key, data, nodes | fragments, isVoid, meta?}
    inline    {object, type, key, data, nodes | fragments, isVoid}
    text      {object, key, leaves: [{object, text, marks}]}
    fragment  {object, key, fragment, type, nodes}

Keys are a function of content and place among equals in the document, so that parsing the same text twice gives the same
document and an untouched block keeps its key when its neighbours change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import Any

import msgspec

_encode = msgspec.json.Encoder(order="sorted").encode

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
    made = block(type_, data, nodes, fragments=fragments, void=void)
    made["object"] = "inline"
    return made


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
        if nodes := at.get("nodes"):
            stack += nodes[::-1]
        if fragments := at.get("fragments"):
            stack += fragments[::-1]


def rebuilt(node: Node, replace: Callable[[Node], list[Node] | None]) -> Node:
    """The node with each descendant kept (None) or replaced by others; unchanged parts are shared."""
    changed: Node = {}
    for part in ("nodes", "fragments"):
        held = node.get(part)
        if not held:
            continue
        made: list[Node] = []
        for child in held:
            instead = replace(child)
            if instead is None:
                made.append(rebuilt(child, replace))
            else:
                made.extend(instead)
        if len(made) != len(held) or any(new is not old for new, old in zip(made, held)):
            changed[part] = made
    return node | changed if changed else node


def action_of(button: Node) -> Node:
    """What a button does, of its data: `action`, and `query` or `slug`; all of them "" for one that leads somewhere.

    Documents that were made by an earlier version name them beside the label.
    """
    held = button.get("action")
    action = held if isinstance(held, dict) else button
    return {name: action.get(name) or "" for name in ("action", "query", "slug")}


def tag_of(use: Any) -> str:
    """The slug of a tag where it is used: `{kind, tag}`, that within the `tag` of a page, or the slug alone, as in
    documents that were made by an earlier version."""
    while isinstance(use, dict):
        use = use.get("tag")
    return use if isinstance(use, str) else ""


def plain(node: Node) -> str:
    """The characters a reader sees in the node, without any markup."""
    return "".join(leaf["text"] for at in walk(node) if at["object"] == "text" for leaf in at["leaves"])


def assign_keys(root: Node) -> Node:
    """Give every node below `root` its key, in place; returns `root`. Keys are unique in the document."""
    seen: dict[bytes, int] = {}
    for node, digest in digests(root)[1:]:
        place = seen[digest] = seen.get(digest, -1) + 1
        node["key"] = key_of(place, digest)
    return root


def key_of(place: int, digest: bytes) -> str:
    """The key of a node before which as many stand that have the same digest."""
    return blake2b(b"%d/%s" % (place, digest), digest_size=9).hexdigest()


def _present(data: Node | None) -> Node:
    return {name: value for name, value in data.items() if value is not None} if data else {}


def _bytes(own: object) -> bytes:
    try:
        return _encode(own)
    except UnicodeEncodeError:  # half of a surrogate pair, which no file holds but any string may
        return repr(own).encode("utf-8", "surrogatepass")


def digests(root: Node) -> list[tuple[Node, bytes]]:
    """The node and everything below it, in reading order, each with the digest of its content without keys."""
    nodes = list(walk(root))
    found: list[bytes] = []
    waiting: list[bytes] = []  # of nodes whose parent was not reached yet, the first child on top
    for node in reversed(nodes):
        own = _bytes((node["object"], node.get("type"), node.get("fragment"), node.get("data"), node.get("leaves")))
        if count := len(node.get("fragments") or ()) + len(node.get("nodes") or ()):
            own += b"".join(waiting[: -count - 1 : -1])
            del waiting[-count:]
        digest = blake2b(own, digest_size=12).digest()
        waiting.append(digest)
        found.append(digest)
    return list(zip(nodes, reversed(found)))
