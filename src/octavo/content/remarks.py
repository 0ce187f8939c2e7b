"""Remarks: what people write about content, in comments and reviews. They are kept as Markdown without a title."""

from __future__ import annotations

import re
from collections.abc import Iterable

from octavo.content.document import Node, Ref, assign_keys, document
from octavo.content.markdown import parse, print_blocks, wild

_KINDS = {"users": "user", "pages": "page", "files": "file", "spaces": "space"}
_LOCAL = re.compile(r"/(users|pages|files|spaces)/([a-zA-Z0-9_-]+)")
_USER = re.compile(r'\(</?users/([a-zA-Z0-9_-]+)>? "mention"\)|\(/users/([a-zA-Z0-9_-]+) "mention"\)')
_EMAIL = re.compile(r"(?<![\w.@])@([\w.+-]+@[\w-]+(?:\.[\w-]+)+)")
_ABOVE = "·\n\n"
"""Stands above a remark while it is read: nothing in it is at the beginning of a page, where front matter and titles are."""


HEAVIEST = 100_000
"""Weight of the heaviest remark that is read as Markdown; see `wild`."""


def document_of_remark(markdown: str) -> Node:
    """The document of a remark."""
    return document(parse(_ABOVE + markdown, _ref).document["nodes"][1:])


class Reader:
    """Reads the remarks of one answer: one that is too heavy, and those that come when all together are, stay as they
    are written."""

    def __init__(self) -> None:
        self._left = wild.MOST

    def document(self, markdown: str) -> Node:
        weight = wild.weight(markdown)
        if weight <= min(HEAVIEST, self._left):
            self._left -= weight
            return document_of_remark(markdown)
        page = document([node for node, _, _ in wild.as_written(markdown, 0)])
        assign_keys(page)
        return page


def remark_of_document(nodes: list[Node]) -> str:
    """The inverse. Raises KeyError, TypeError, AttributeError or ValueError for what is no document."""
    return print_blocks(nodes)


def mentioned(markdown: str) -> tuple[list[str], list[str]]:
    """(ids of users, e-mail addresses) that a remark mentions: `[Ada](/users/<id> "mention")` and `@ada@example.org`."""
    ids = (first or second for first, second in _USER.findall(markdown)) if '"mention"' in markdown else ()
    emails = _EMAIL.findall(markdown) if "@" in markdown else ()
    return _once(ids), _once(emails)


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _ref(href: str) -> Ref | None:
    found = _LOCAL.fullmatch(href)
    if found is None:
        return None
    kind = _KINDS[found[1]]
    return {"kind": kind, kind: found[2]}
