"""A page as it is read: conditions decided, expressions answered, reusable contents in place.

What searches, copies, sets or retells a page begins here, so that all of them know the same text of it; `html.text` takes
its words, `markdown` prints it, `html` and `typst` set it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from octavo.content import conditions
from octavo.content.document import Node, leaf, rebuilt, text, walk

DEEPEST = 8
"""Reusable contents in reusable contents; deeper ones are left out."""
MOST = 200
"""Reusable contents in one document, counting each time; further ones are left out."""


def as_read(document: Node, reusables: Mapping[str, Node], scope: Mapping[str, Any]) -> Node:
    """What somebody reads of a document: `reusables` are documents by id, `scope` is what expressions may name for them.

    What a condition keeps from them is not in it. Input is not changed.
    """
    return evaluated(dereferenced(document, reusables), scope, expressions=True)


def as_all_read(document: Node, reusables: Mapping[str, Node], scope: Mapping[str, Any]) -> Node:
    """What everybody reads of a document, whoever they are: what asks who reads is not in it, in whichever way it asks."""
    return evaluated(rebuilt(dereferenced(document, reusables), _without_visitors), scope, expressions=True)


def _without_visitors(node: Node) -> list[Node] | None:
    kind = node.get("type")
    found = conditions.names(_expression(node)) if kind in ("if", "expression") else ()
    return [] if any(name == "visitor" or name.startswith("visitor.") for name in found) else None


def evaluated(document: Node, scope: Mapping[str, Any], *, expressions: bool) -> Node:
    """The document with `if` blocks replaced by what they hold, or by nothing, and expressions by their text.

    With `expressions` false those stay for the browser. Input is not changed.
    """
    return _evaluated(document, scope, expressions, conditions.Purse())


def _evaluated(document: Node, scope: Mapping[str, Any], expressions: bool, purse: conditions.Purse) -> Node:
    return rebuilt(document, lambda node: _decide(node, scope, expressions, purse))


def dereferenced(document: Node, reusables: Mapping[str, Node]) -> Node:
    """The document with the blocks of reusable contents in the place of their references, by id."""
    return _replace(document, reusables, (), count())


def reusables_in(document: Node) -> set[str]:
    """Ids of the reusable contents that the document names."""
    return {
        node["data"]["ref"].get("reusableContent")
        for node in walk(document)
        if node.get("type") == "reusable-content" and isinstance(node["data"].get("ref"), dict)
    } - {None}


def shown_reusables(document: Node, reusables: Mapping[str, Node], scope: Mapping[str, Any]) -> set[str]:
    """Ids of the reusable contents that the document shows under a scope, be it by way of others."""
    purse, found, waiting = conditions.Purse(), set[str](), [document]
    while waiting:
        inside = reusables_in(_evaluated(waiting.pop(), scope, False, purse)) - found
        found |= inside
        waiting += [reusables[one] for one in inside if one in reusables]
    return found


def reads_of(document: Node) -> frozenset[str]:
    """What the document's conditions and expressions read: names of `conditions.names`."""
    found: set[str] = set()
    for node in walk(document):
        kind = node.get("type")
        if kind in ("if", "expression"):
            found |= conditions.names(_expression(node))
    return frozenset(found)


def _expression(node: Node) -> str:
    return str(node["data"].get("expression", ""))


def _replace(document: Node, reusables: Mapping[str, Node], above: tuple[str, ...], met: Iterator[int]) -> Node:
    def put(node: Node) -> list[Node] | None:
        if node.get("type") != "reusable-content":
            return None
        key = node["data"].get("ref", {}).get("reusableContent")
        found = reusables.get(key)
        if found is None or key in above or len(above) >= DEEPEST or next(met) >= MOST:
            return []
        inner = _replace(found, reusables, (*above, key), met)
        return list(inner["nodes"])

    return rebuilt(document, put)


def _decide(node: Node, scope: Mapping[str, Any], expressions: bool, purse: conditions.Purse) -> list[Node] | None:
    kind = node.get("type")
    if kind == "if":
        shown = conditions.compile(_expression(node)).holds(scope, purse)
        return list(_evaluated(node, scope, expressions, purse)["nodes"]) if shown else []
    if kind == "expression" and expressions:
        words = conditions.printed(_expression(node), scope, purse)
        return [text([leaf(words)]) | {"key": node["key"]}] if words else []
    return None
