"""Starts and ends put together: from a flat run of events to a tree, in linear time, whatever the input."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from markdown_it.token import Token

from octavo.content.markdown.tags import VOID

Kind = Literal["open", "close", "void", "text", "leaf", "raw", "literal"]

MOST_DEEP = 48
"""Elements within elements; deeper ones are as good as unmatched."""

_IMPLIES_END = {
    "li": frozenset(("li", "p")),
    "p": frozenset(("p",)),
    "td": frozenset(("td", "th", "p")),
    "th": frozenset(("td", "th", "p")),
    "tr": frozenset(("td", "th", "tr", "p")),
    "tbody": frozenset(("thead", "tr", "td", "th", "p")),
    "thead": frozenset(("p",)),
    "option": frozenset(("option",)),
    "summary": frozenset(("p",)),
}
_ENDS_WITH_PARENT = frozenset(("li", "p", "td", "th", "tr", "tbody", "thead", "option", "dt", "dd"))


@dataclass(slots=True)
class Piece:
    """An event of the run; once paired, an element with children.

    `name` tells the family: `%hint` a tag, `+list` a container of Markdown, anything else HTML. `start` and `end` are
    offsets in the source, -1 where the text is indented and no slice of the source.
    """

    kind: Kind
    name: str
    raw: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)
    line: int = 0
    start: int = -1
    end: int = -1
    tokens: list[Token] = field(default_factory=list)
    children: list[Piece] = field(default_factory=list)
    data: Any = None
    shared: bool = False
    """Whether the offsets are those of a whole paragraph that this is only a part of."""

    @property
    def is_tag(self) -> bool:
        return self.name[:1] == "%"

    @property
    def is_markdown(self) -> bool:
        return self.name[:1] == "+"


class _Frame:
    """The open elements within one Markdown container, from which no element reaches out."""

    def __init__(self) -> None:
        self.stack: list[int] = []
        self.open: dict[str, int] = {}

    def push(self, at: int, name: str) -> None:
        self.stack.append(at)
        self.open[name] = self.open.get(name, 0) + 1

    def pop(self, run: list[Piece]) -> int:
        at = self.stack.pop()
        self.open[run[at].name] -= 1
        return at


def pair(run: list[Piece]) -> dict[int, int]:
    """Index of a start -> index of the event that ends it: its own end, or the one that implies it."""
    ends: dict[int, int] = {}
    frames = [_Frame()]
    opened: list[int] = []
    for at, piece in enumerate(run):
        if piece.is_markdown:
            if piece.kind == "open":
                opened.append(at)
                frames.append(_Frame())
            elif piece.kind == "close":
                frames.pop()
                ends[opened.pop()] = at
        elif piece.kind == "open":
            frame = frames[-1]
            implied = _IMPLIES_END.get(piece.name, frozenset())
            while frame.stack and run[frame.stack[-1]].name in implied:
                ends[frame.pop(run)] = at
            frame.push(at, piece.name)
        elif piece.kind == "close" and frames[-1].open.get(piece.name):
            _close(run, frames[-1], at, ends)
    return ends


def _close(run: list[Piece], frame: _Frame, at: int, ends: dict[int, int]) -> None:
    while True:
        popped = frame.pop(run)
        name = run[popped].name
        if name == run[at].name or name in _ENDS_WITH_PARENT:
            ends[popped] = at
        if name == run[at].name:
            return


def build(run: list[Piece]) -> list[Piece]:
    """The tree. Unmatched HTML leaves no trace; tags without their other half are `void` where they may stand alone,
    else `literal`: text."""
    ends = pair(run)
    # An end belongs to the one start of its name; the others that it closes are implied.
    owners = {
        end: start for start, end in ends.items() if run[end].kind == "close" and run[end].name == run[start].name
    }
    roots: list[Piece] = []
    stack: list[tuple[Piece, int]] = []
    entered: set[int] = set()
    for at, piece in enumerate(run):
        while stack and stack[-1][1] == at:
            _finish(stack.pop()[0], piece)
        siblings = stack[-1][0].children if stack else roots
        if stack and piece.shared and piece.kind != "close":
            piece.start = piece.end = -1
        if piece.kind == "open" and at in ends and (len(stack) < MOST_DEEP or piece.is_markdown):
            siblings.append(piece)
            stack.append((piece, ends[at]))
            entered.add(at)
        elif piece.kind not in ("open", "close"):
            siblings.append(piece)
        elif piece.is_tag and not (piece.kind == "close" and owners.get(at) in entered):
            alone = piece.kind == "open" and at not in ends and (piece.name[1:] in VOID or piece.name[1] == "@")
            piece.kind = "void" if alone else "literal"
            siblings.append(piece)
    _unite(roots)
    return roots


def _unite(roots: list[Piece]) -> None:
    """Pieces whose texts overlap share the text of them all."""
    groups: list[list[Piece]] = []
    behind = 0
    for piece in [one for one in roots if one.start >= 0]:
        if groups and piece.start < behind:
            groups[-1].append(piece)
        else:
            groups.append([piece])
        behind = max(behind, piece.end)
    for group in [one for one in groups if len(one) > 1]:
        start, end = group[0].start, max(piece.end for piece in group)
        for piece in group:
            piece.start, piece.end = start, end


def _finish(element: Piece, by: Piece) -> None:
    if element.start >= 0 and by.start >= 0:
        element.end = by.end if by.kind == "close" and by.name == element.name else by.start
