"""Texts that nobody writes by hand: what would take too long to read is shown as it is written, and nothing of it is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.content.document import Node, block, text
from octavo.content.markdown.tags import CONDITION

MOST = 1_500_000
"""Weight of the heaviest text that is read as Markdown: about ten seconds of the costliest there is."""
SHOWN = 1_000_000
"""Characters that are shown of such a text; all of it is kept."""
SENTENCE = "The text is too long, or has too many brackets and signs: its beginning is shown as it is written"

_SIGN = 5
_LINE = _BRACKET = _CELL = 15
_SIGNS = "*_`~<>{!$:&-+#\\"
_HEAVIEST = max(_LINE, _BRACKET, _CELL, _SIGN) + 1
_CHUNK = re.compile(r"(?s:.{4096})[^\n]{0,4096}\n*|(?s:.+)")
TITLE_LINE = re.compile(r"\s*(# [^\n]{1,1000})(?=\n)")


def wild(source: str) -> bool:
    """Whether a text is too heavy; a function of nothing but the text, and linear."""
    return len(source) * _HEAVIEST > MOST and weight(source) > MOST


def weight(source: str) -> int:
    """What reading a text costs at most, about: some hundredths of a second for 10,000."""
    signs = sum(map(source.count, _SIGNS))
    cells = _CELL * source.count("|")
    return len(source) + _SIGN * signs + _LINE * source.count("\n") + _BRACKET * source.count("[") + cells


def as_written(source: str, body: int) -> Iterator[tuple[Node, int, int]]:
    """The beginning of a text's body as paragraphs of its lines, each with where it came from.

    Where conditions stand in it, nobody is shown any of it, as nobody knows what they keep.
    """
    hidden = CONDITION.search(source, body) is not None
    for found in _CHUNK.finditer(source, body, body + SHOWN):
        start = found.end() - len(found[0].lstrip("\r\n"))
        shown = source[start : found.end()].rstrip("\r\n")
        if shown.strip():
            made = block("paragraph", {}, [text(shown)])
            yield withheld([made]) if hidden else made, start, start + len(shown)


def withheld(nodes: list[Node]) -> Node:
    """Blocks that their editors see and nobody else."""
    return block("if", {"expression": "false"}, nodes)
