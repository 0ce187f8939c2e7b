"""Conflicts in a text: what the other side wrote stands inside a condition that nobody meets.

    {% if conflict == "change request 12" %}
    …
    {% endif %}

So the page that visitors see is primary's, every reader and writer of the format keeps both texts, and whoever edits the
page sees both. A conflict is resolved by editing: when its condition is gone from the text. The mark stands behind what
primary has at that place: one block, or as many as the label says at its end.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from octavo.content.document import Node, walk
from octavo.content.document import document as new_document

_MARK = re.compile(r'\{% if conflict == "[^"\n]*" %\}')
_EXPRESSION = re.compile(r'conflict == "([^"\\]*)"\Z')
_INSTEAD = re.compile(r", instead of (\d+) blocks\Z")


def mark(text: str, label: str, instead: int = 1) -> str:
    """Blocks of the side that `label` names, marked; `instead` blocks of primary stand before them at this place."""
    if instead != 1:
        label = f"{label}, instead of {instead} blocks"
    return f"{{% if {expression(label)} %}}\n{text.strip(chr(10))}\n{{% endif %}}"


def expression(label: str) -> str:
    """The condition of a mark."""
    return f'conflict == "{label}"'


def is_marked(text: str) -> bool:
    """Whether a text holds a mark, or something that looks like one."""
    return _MARK.search(text) is not None


def labels(document: Node) -> list[str]:
    """The sides that the marks in a document name, in reading order."""
    found = (
        _EXPRESSION.match(str(node["data"].get("expression", "")).strip())
        for node in walk(document)
        if node.get("type") == "if"
    )
    return [match[1] for match in found if match]


def instead_of(node: Node) -> int | None:
    """How many of the blocks before a mark are primary's at its place; None for what is no mark."""
    match = _EXPRESSION.match(str(node["data"].get("expression", "")).strip()) if node.get("type") == "if" else None
    if match is None:
        return None
    count = _INSTEAD.search(match[1])
    return int(count[1]) if count else 1


def resolved(document: Node, keep: Literal["primary", "other", "both"], keys: Collection[str]) -> tuple[Node, int]:
    """The document with the marks that `keys` name (none = all of them) decided, and how many these were."""
    made: list[Node] = []
    count = 0
    for node in document["nodes"]:
        instead = instead_of(node)
        if instead is None or (keys and node["key"] not in keys):
            made.append(node)
            continue
        count += 1
        if keep == "other" and instead:
            del made[-instead:]
        if keep != "primary":
            made += node["nodes"]
    return new_document(made), count
