"""Conflicts in a text: what the other side wrote stands inside a condition that nobody meets.

    {% if conflict == "change request 12" %}
    …
    {% endif %}

So the page that visitors see is primary's, every reader and writer of the format keeps both texts, and whoever edits the
page sees both. A conflict is resolved by editing: when its condition is gone from the text.
"""

from __future__ import annotations

import re

from octavo.content.document import Node, walk

_MARK = re.compile(r'\{% if conflict == "[^"\n]*" %\}')
_EXPRESSION = re.compile(r'conflict == "([^"\\]*)"\Z')


def mark(text: str, label: str) -> str:
    """Blocks of the side that `label` names, marked."""
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
