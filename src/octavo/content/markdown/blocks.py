"""The tree of pieces as blocks: Markdown's own blocks, and who turns tags and HTML into theirs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from markdown_it.token import Token

from octavo.content.document import Node, block, fragment, text
from octavo.content.markdown import containers, html_blocks, tables
from octavo.content.markdown.html_lexer import INLINE
from octavo.content.markdown.inlines import Inlines
from octavo.content.markdown.reading import Reading, length, words
from octavo.content.markdown.tags import attributes
from octavo.content.markdown.tree import Piece
from octavo.content.markdown.wild import withheld

_LEVELS = {"h1": 1, "h2": 1, "h3": 2, "h4": 3, "h5": 3, "h6": 3}
_ALIGN = {"left": "start", "start": "start", "center": "center", "right": "end", "end": "end"}
_TASK = re.compile(r"\[([ xX])\](?:\s|$)")
_MOST_FENCE_WORDS = 400


class Blocks:
    """Turns pieces into blocks and notes where each came from."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._withholds = False
        """Whether what is read is withheld already."""

    def read(self, pieces: list[Piece]) -> list[Node]:
        """The blocks of a container, in order."""
        made: list[Node] = []
        loose: list[Piece] = []
        met, self.reading.met = self.reading.met, False
        for piece in pieces:
            if _is_inline(piece):
                loose.append(piece)
                continue
            made.extend(self._loose(loose))
            loose = []
            made.extend(self._shown(lambda: self.block(piece), piece.start, piece.end))  # noqa: B023 - asked at once
        made.extend(self._loose(loose))
        self.reading.met |= met
        return made

    def read_cell(self, pieces: list[Piece]) -> list[Node]:
        """The blocks of a cell; a condition in one withholds the table."""
        before, self._withholds = self._withholds, True
        nodes = self.read(pieces)
        self._withholds = before
        return nodes

    def _shown(self, make: Callable[[], list[Node]], start: int, end: int) -> list[Node]:
        """Blocks with their place; withheld where a condition stands in their text, or an open one before them."""
        reading, noted = self.reading, len(self.reading.places)
        withhold = reading.keeps > 0 and not self._withholds
        self._withholds |= withhold
        nodes = make()
        if withhold or (reading.met and not self._withholds):
            # Their text begins and ends with no tag, as that of a container does.
            del reading.places[noted:]
            nodes = [withheld(nodes)] if nodes else []
            reading.met = False
        self._withholds &= not withhold
        return reading.place(nodes, start, end)

    def _loose(self, pieces: list[Piece]) -> list[Node]:
        """Text and inline elements that stand among blocks: a paragraph."""
        while pieces and pieces[0].kind == "text" and not pieces[0].raw.strip():
            pieces = pieces[1:]
        while pieces and pieces[-1].kind == "text" and not pieces[-1].raw.strip():
            pieces = pieces[:-1]
        if not pieces:
            return []
        known = all(piece.start >= 0 for piece in (pieces[0], pieces[-1]))
        start, end = (pieces[0].start, pieces[-1].end) if known else (-1, -1)
        return self._shown(lambda: self._line(pieces), start, end)

    def _line(self, pieces: list[Piece]) -> list[Node]:
        inlines = Inlines(self.reading, pieces[0].line)
        inlines.html(pieces)
        return self.paragraph(inlines)

    def paragraph(self, inlines: Inlines, align: str | None = None) -> list[Node]:
        """A paragraph; an image alone is a block of its own, and nothing at all is nothing."""
        nodes = inlines.finish()
        if not nodes:
            return []
        if len(nodes) == 1 and nodes[0].get("type") == "inline-image" and "data-size" not in inlines.images[0]:
            return [self.image_block(inlines.images[0], nodes[0], align)]
        return [block("paragraph", {"align": _ALIGN.get(align or "")}, nodes)]

    def image_block(self, written: dict[str, Any], shown: Node, align: str | None) -> Node:
        """The block of one image, or the drawing that it is the picture of."""
        if "gitbook-drawing" in str(written.get("class", "")):
            return block("drawing", {"ref": shown["data"]["ref"]}, void=True)
        caption = shown["data"].get("caption")
        captions = [block("paragraph", {}, [text(caption)])] if caption else []
        return block(
            "images",
            {"align": align if align in ("left", "center", "right") else None},
            [self.image(written, shown["data"], captions)],
        )

    def image(self, written: dict[str, Any], data: Node, caption: list[Node]) -> Node:
        size = {"width": length(written.get("width")), "height": length(written.get("height"))}
        shown = {"ref": data["ref"], "refDark": data.get("refDark"), **size, "alt": data.get("alt")}
        captions = [fragment("caption", "caption", caption)] if caption else []
        return block("image", shown, fragments=captions, void=True)

    def block(self, piece: Piece) -> list[Node]:
        """What one piece gives; more than one block only where text would get lost otherwise."""
        if piece.kind == "literal" and piece.name == "%if":
            self.reading.conditions_in(piece.raw, piece.line)
            return [block("paragraph", {}, [text(" ".join(piece.raw.split("\n")))])]
        if piece.kind == "literal":
            self.reading.warn(piece.line, f"{piece.raw.splitlines()[0]} has no other half: it is text")
            return [block("paragraph", {}, [text(" ".join(piece.raw.split("\n")))])]
        if piece.is_tag:
            return containers.read(self, piece)
        if piece.kind == "leaf":
            return self._leaf(piece)
        if piece.is_markdown:
            return self._container(piece)
        return self._html(piece)

    def _leaf(self, piece: Piece) -> list[Node]:
        token: Token = piece.data
        match token.type:
            case "paragraph_open" | "inline":
                return self.paragraph(self.inlines(piece.tokens, piece.line))
            case "heading_open":
                return self._heading(int(token.tag[1]), self.inlines(piece.tokens, piece.line), None)
            case "fence":
                return [fenced(token)]
            case "code_block":
                return [code_block({}, code_lines(token.content.rstrip("\n")))]
            case "hr":
                return [block("divider", void=True)]
            case "math_block":
                return [block("math", {"formula": token.content}, void=True)]
            case _:
                return [tables.pipe_table(self, piece)]

    def inlines(self, tokens: list[Token], line: int) -> Inlines:
        """The text of a leaf."""
        made = Inlines(self.reading, line)
        for token in tokens:
            made.tokens(token.children or [])
        return made

    def _heading(self, level: int, inlines: Inlines, align: str | None) -> list[Node]:
        nodes = inlines.finish()
        data = {"id": _anchor(inlines.anchor), "align": _ALIGN.get(align or "")}
        return [block(f"heading-{min(3, max(1, level - 1))}", data, nodes)]

    def _container(self, piece: Piece) -> list[Node]:
        if piece.name == "+quote":
            return [block("blockquote", {}, self.read(piece.children))]
        if piece.name == "+list":
            return [self._list(piece)]
        if piece.data == "noted":
            return []
        label = piece.tokens[0].meta["label"]
        return [block("paragraph", {}, [text(f"[^{label}]:")]), *self.read(piece.children)]

    def _list(self, piece: Piece) -> Node:
        token = piece.tokens[0]
        items = [self._item(child) for child in piece.children]
        if any("checked" in item["data"] for item in items):
            return block("list-tasks", {}, items)
        if token.type == "ordered_list_open":
            return block("list-ordered", {"start": token.attrs.get("start")}, items)
        return block("list-unordered", {}, items)

    def _item(self, piece: Piece) -> Node:
        checked = None
        if piece.children and piece.children[0].kind == "leaf" and piece.children[0].data.type == "paragraph_open":
            checked = _take_task(piece.children[0].tokens)
        return block("list-item", {"checked": checked}, self.read(piece.children))

    def _html(self, piece: Piece) -> list[Node]:
        align = piece.attributes.get("align")
        if piece.name in _LEVELS:
            inlines = Inlines(self.reading, piece.line)
            inlines.html(piece.children)
            return self._heading(int(piece.name[1]), inlines, align)
        if piece.name == "p" and all(_is_inline(child) for child in piece.children):
            inlines = Inlines(self.reading, piece.line)
            inlines.html(piece.children)
            return self.paragraph(inlines, align)
        if piece.name == "hr":
            return [block("divider", void=True)]
        return html_blocks.read(self, piece)


def _is_inline(piece: Piece) -> bool:
    if piece.kind == "text":
        return True
    if piece.name not in INLINE or piece.kind not in ("open", "void"):
        return False
    return all(_is_inline(child) for child in piece.children)


def _anchor(written: str | None) -> str | None:
    found = re.sub(r"[^-a-z0-9.+_]+", "-", (written or "").lower()).strip("-")
    return found or None


def _take_task(tokens: list[Token]) -> bool | None:
    """Whether the item's box is ticked, None where it has none; takes the box off the text."""
    first = tokens[0].children[0] if tokens and tokens[0].children else None
    # The inline text as it is written tells `[ ]` from `\[ ]`.
    found = _TASK.match(first.content) if first is not None and first.type == "text" else None
    if first is None or found is None or not tokens[0].content.startswith(found[0][:3]):
        return None
    first.content = first.content[found.end() :]
    return found[1] != " "


def code_lines(content: str) -> list[Node]:
    """One code-line for each line of the text."""
    return [block("code-line", {}, [text(line)]) for line in content.split("\n")]


def code_block(data: Node, lines: list[Node]) -> Node:
    return block("code", data, lines)


def fenced(token: Token) -> Node:
    """A fence: the first word of its info string is the language, the documented attributes may follow."""
    syntax, _, rest = token.info.strip().partition(" ")
    content = token.content.removesuffix("\n")
    given = attributes(rest[:_MOST_FENCE_WORDS]) if rest else {}
    return code_block({"syntax": words(syntax or None), **containers.code_data(given)}, code_lines(content))
