"""The state of writing one chapter: statements of Typst code in order, and what was met on the way."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from octavo.content.document import Node
from octavo.content.html.escape import name, string
from octavo.content.html.text import children, words
from octavo.content.typst.context import Goal, Surroundings
from octavo.content.typst.source import pieces

DEPTH = 10
"""Blocks in one another: Typst has a limit too. What lies deeper is set as its text."""
INLINE_DEPTH = 12
"""The same for inlines."""

SHORT = 500
"""Characters up to which what is set apart stays on one page."""

LONGEST = 36
"""Characters of a word that never breaks in running text."""
NARROW = 11
"""The same in the cells of tables, and in what stands side by side."""

Handler: TypeAlias = "Callable[[Writer, Node], None]"


@dataclass(frozen=True, slots=True)
class Jump:
    """The beginning of a link, known only when all chapters are written."""

    goal: Goal


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its label and its anchor; its level is 0 where the outline passes over it."""

    level: int
    title: str
    label: str
    anchor: str


Piece: TypeAlias = str | Jump


class Writer:
    """Handlers append to it: `writer.put("rule();")`; text only by `writer.text`."""

    def __init__(
        self,
        around: Surroundings,
        page: str,
        label: str,
        level: int,
        blocks: Mapping[str, Handler],
        inlines: Mapping[str, Handler],
    ) -> None:
        """`label` names the chapter of the page, whose title is a heading of that level."""
        self.around = around
        self.page = page
        self.level = level
        self.label = label
        self._blocks, self._inlines = blocks, inlines
        self.out: list[Piece] = []
        self.put = self.out.append
        self.anchors: dict[str, str] = {}
        """The page's anchors, each with the label of the heading that it belongs to or stands below."""
        self.headings: list[Heading] = []
        self._at = label
        self.depth = self._inline_depth = 0
        self.outlined = True
        self.within_link = self.within_note = False
        self.longest = LONGEST

    def blocks(self, nodes: Iterable[Node], cost: int = 1) -> None:
        """Write blocks, in a place that is `cost` levels deeper; one of an unknown type as its children."""
        self.depth += cost
        for node in nodes:
            handler = self._blocks.get(string(node.get("type")))
            if self.depth > DEPTH:
                self._deep(node)
            elif handler is not None:
                handler(self, node)
            else:
                self._unknown(node)
        self.depth -= cost

    def quiet(self, nodes: Iterable[Node], cost: int = 1) -> None:
        """Write blocks whose headings stay out of the outline."""
        before, self.outlined = self.outlined, False
        self.blocks(nodes, cost)
        self.outlined = before

    def inlines(self, nodes: Iterable[Node]) -> None:
        """Write texts and inlines; one of an unknown type as its children."""
        self._inline_depth += 1
        for node in nodes:
            handler = self._inlines.get("text" if node.get("object") == "text" else string(node.get("type")))
            if self._inline_depth > INLINE_DEPTH:
                self.text(words(node))
            elif handler is not None:
                handler(self, node)
            else:
                self.inlines(children(node))
        self._inline_depth -= 1

    def text(self, text: str) -> None:
        """Write characters; a line break among them is a hard one."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.put("linebreak();")
            if line:
                self.put(pieces(line, self.longest))

    def link(self, goal: Goal, content: Callable[[], None]) -> None:
        """Write the content as a link; within another link, and where it leads nowhere, alone."""
        if self.within_link or not (goal.page or goal.address):
            content()
            return
        self.put(Jump(goal))
        self.put("{")
        self.within_link = True
        content()
        self.within_link = False
        self.put("});")

    def anchor(self, wanted: Any, fallback: str) -> str:
        """Note that something here is called `wanted`; the name that it gets, which is the one that HTML gives it.

        A link leads to the last heading ahead of it: those are the places of a PDF that have names.
        """
        base = name(wanted) or fallback
        made, number = base, 0
        while made in self.anchors:
            number += 1
            made = f"{base}-{number}"
        self.anchors[made] = self._at
        return made

    def heading(self, level: int, title: str, wanted: Any) -> str:
        """Note a heading; its label. Where headings are quiet, it is not in the outline."""
        self._at = f"{self.label}-{len(self.headings)}"
        anchor = self.anchor(wanted, "section")
        self.headings.append(Heading(level if self.outlined and title else 0, title, self._at, anchor))
        return self._at

    def direction(self, text: str) -> str:
        """The argument that turns the direction of a text around, where its script asks for it."""
        runs = runs_left(text)
        return "" if runs is None or runs == leftward(self.around.language) else f"dir:{'rtl' if runs else 'ltr'},"

    def _deep(self, node: Node) -> None:
        if text := words(node):
            self.put("p({")
            self.text(text)
            self.put("});")

    def _unknown(self, node: Node) -> None:
        below = children(node)
        if node.get("object") in ("text", "inline"):
            below = [node]
        elif not any(child.get("object") in ("text", "inline") for child in below):
            self.blocks(below)
            return
        self.put("p({")
        self.inlines(below)
        self.put("});")


def runs_left(text: str) -> bool | None:
    """Whether the first letter that has a direction is of a script from right to left; None without such a letter."""
    directions = (unicodedata.bidirectional(character) for character in text)
    first = next((one for one in directions if one in ("L", "R", "AL")), None)
    return None if first is None else first != "L"


def leftward(language: str) -> bool:
    """Whether the language is written from right to left."""
    return language.partition("-")[0].lower() in ("ar", "he", "fa", "ur")
