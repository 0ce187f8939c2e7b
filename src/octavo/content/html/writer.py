"""The state of one rendering: pieces of HTML in order, and what was met on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from octavo.content.document import Node, Ref
from octavo.content.html.context import Context, Heading, Update
from octavo.content.html.escape import escape, name, string
from octavo.content.html.text import children, listed, words

DEPTH = 60
"""Blocks, inlines and reusable contents in one another; what lies deeper is shown as its text."""

INCLUDES = 200
"""Reusable contents in one page, counting each time."""

WEIGHT = 8 << 20
"""Characters of HTML that one page may become; what would be more is left out, and the page says so."""
_UNWEIGHED = 2000
"""Pieces of HTML that are weighed together."""


class TooHeavy(Exception):
    """The page has become more than `WEIGHT` characters."""


Handler: TypeAlias = "Callable[[Writer, Node], None]"


class Writer:
    """Handlers append to it: `writer.put("<p>")`, `writer.inlines(node)`."""

    __slots__ = (
        "_blocks",
        "_inlines",
        "_weighed",
        "aliases",
        "context",
        "depth",
        "ids",
        "included",
        "including",
        "keys",
        "levels",
        "needs",
        "notes",
        "out",
        "outline",
        "outlined",
        "pictured",
        "put",
        "updates",
        "weight",
        "within_link",
    )

    def __init__(self, context: Context, blocks: Mapping[str, Handler], inlines: Mapping[str, Handler]) -> None:
        self.context = context
        self._blocks, self._inlines = blocks, inlines
        self.out: list[str] = []
        self.put = self.out.append
        self.outline: list[Heading] = []
        self.needs: set[str] = set()
        self.updates: list[Update] = []
        self.ids: dict[str, int] = {}
        self.aliases: list[tuple[int, str]] = []
        self.notes: list[Node] = []
        self.including: list[Ref] = []
        self.levels = [1]
        self.included = 0
        self.depth = 0
        self.outlined = True
        self.pictured = False
        self.within_link = False
        self.keys = False
        self.weight = 0
        self._weighed = 0

    def weigh(self) -> None:
        """Add up what was written. Raises TooHeavy; so does whatever writes blocks."""
        if len(self.out) - self._weighed > _UNWEIGHED:
            self.weight += sum(map(len, self.out[self._weighed :]))
            self._weighed = len(self.out)
            if self.weight > WEIGHT:
                raise TooHeavy

    def cut(self, place: int) -> None:
        """Take back what was written from a place on."""
        del self.out[place:]
        self.aliases = [one for one in self.aliases if one[0] < place]

    def blocks(self, nodes: Iterable[Node]) -> None:
        """Write blocks; one of an unknown type as its children, or as its text."""
        self.depth += 1
        for node in nodes:
            self.weigh()
            handler = self._blocks.get(string(node.get("type")))
            if self.keys and not self.including and name(node.get("key")):
                self.put(f"<!--node {name(node.get('key'))}-->")
            if self.depth > DEPTH:
                self._deep(node)
            elif handler is not None:
                handler(self, node)
            else:
                self._unknown(node)
        self.depth -= 1

    def inlines(self, nodes: Iterable[Node]) -> None:
        """Write texts and inlines; one of an unknown type as its children."""
        self.depth += 1
        for node in nodes:
            handler = self._inlines.get("text" if node.get("object") == "text" else string(node.get("type")))
            if self.depth > DEPTH:
                self.put(escape(words(node)))
            elif handler is not None:
                handler(self, node)
            else:
                self.inlines(children(node))
        self.depth -= 1

    def quiet(self, nodes: Iterable[Node]) -> None:
        """Write blocks whose headings stay out of the outline."""
        before, self.outlined = self.outlined, False
        self.blocks(nodes)
        self.outlined = before

    def anchor(self, wanted: Any, fallback: str) -> str:
        """An id that no other element of the page has, made of the wanted one."""
        base = name(wanted) or fallback
        made = base
        while made in self.ids:
            self.ids[base] += 1
            made = f"{base}-{self.ids[base]}"
        self.ids[made] = 0
        return made

    def rank(self, level: int) -> int:
        """How deep a heading of that level stands, 2 to 4: levels that an author left out do not count."""
        while self.levels[-1] >= level:
            self.levels.pop()
        self.levels.append(level)
        return len(self.levels)

    def alias(self, title: str) -> None:
        """Keep a place for the anchor by which a Git host would call a heading of that title."""
        self.aliases.append((len(self.out), title))
        self.put("")

    def note(self, of: Node) -> int:
        """Keep an annotation for the end of the page; its number."""
        self.needs.add("notes")
        self.notes.append(of)
        return len(self.notes)

    def phrase(self, english: str) -> str:
        """One of the renderer's own phrases, escaped."""
        return escape(self.context.phrase(english))

    def icon(self, wanted: Any, class_: str) -> None:
        """An icon in a span that assistive technology passes over; nothing where the name is empty or unknown."""
        svg = self.context.icon(string(wanted)) if wanted else ""
        if svg:
            self.put(f'<span class="{class_}" aria-hidden="true">{svg}</span>')

    def _deep(self, node: Node) -> None:
        if text := words(node):
            self.put(f"<p>{escape(text)}</p>")

    def _unknown(self, node: Node) -> None:
        if node.get("object") in ("text", "inline"):
            self.inlines([node])
        elif below := children(node):
            if any(child.get("object") in ("text", "inline") for child in below):
                self.put("<p>")
                self.inlines(below)
                self.put("</p>")
            else:
                self.blocks(below)


def data(node: Node) -> Node:
    """A node's data; empty where there is none."""
    found = node.get("data")
    return found if isinstance(found, dict) else {}


def nodes(node: Node) -> list[Node]:
    """A node's children other than fragments."""
    return listed(node.get("nodes"))


def part(node: Node, wanted: str) -> list[Node]:
    """The nodes of a block's fragment of that name or type; empty where there is none."""
    for fragment in listed(node.get("fragments")):
        if wanted in (fragment.get("fragment"), fragment.get("type")):
            return nodes(fragment)
    return []


def step(percent: float) -> int:
    """A percentage in steps of five, 5 to 100."""
    return max(5, min(100, round(percent / 5) * 5))


def full(of: Node) -> str:
    """The class of a block that spans the page, with a leading space."""
    return " full-width" if of.get("fullWidth") is True else ""
