"""Tokens of the Markdown parser as one run of pieces: leaves, tags, and HTML taken apart into its own."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from markdown_it.token import Token

from octavo.content.markdown.html_lexer import FLOW, RAW, VOID, WHOLE, WRAPPERS, Markup, lex
from octavo.content.markdown.tags import Tag, attributes
from octavo.content.markdown.tree import Kind, Piece

_DRIVE = re.compile(r"\b[A-Za-z]:\Z")
_LINE_BREAK = re.compile(r"\r\n?|\n")
_CONTAINERS = {
    "bullet_list": "+list",
    "ordered_list": "+list",
    "list_item": "+item",
    "blockquote": "+quote",
    "footnote_reference": "+footnote",
}
_LEAVES = {"heading_open": "heading_close", "paragraph_open": "paragraph_close", "table_open": "table_close"}
_STRUCTURE = (FLOW | WHOLE | WRAPPERS) - VOID - RAW


class Lines:
    """Where the lines of a text start; `base` is the line number that the parser counts from."""

    def __init__(self, source: str, body: int) -> None:
        self._source = source
        self.starts = [body, *(found.end() for found in _LINE_BREAK.finditer(source, body))]
        self.base = len(_LINE_BREAK.findall(source, 0, body))

    def number(self, line: int) -> int:
        """The line number in the whole text, from 1."""
        return self.base + line + 1

    def offset(self, line: int) -> int:
        return self.starts[line] if line < len(self.starts) else len(self._source)

    def behind(self, first: int, last: int) -> int:
        """The offset behind the last character of the lines [first, last) that is not white space."""
        start, end = self.offset(first), self.offset(last)
        while end > start and self._source[end - 1] in " \t\r\n":
            end -= 1
        return end


class Run:
    """Builds the run; offsets are known as long as no list or quote is open."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._indented = 0
        self.pieces: list[Piece] = []

    def read(self, tokens: list[Token]) -> list[Piece]:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            if token.type in _LEAVES:
                behind = at
                while tokens[behind].type != _LEAVES[token.type]:
                    behind += 1
                self._leaf(token, tokens[at:behind])
                at = behind + 1
            elif token.type == "html_block":
                self._html(token)
            elif token.type == "tag":
                self._tag(token)
            elif token.nesting:
                self._container(token)
            else:
                self._leaf(token, [token])
        return self.pieces

    def _span(self, token: Token) -> tuple[int, int]:
        if self._indented or token.map is None:
            return -1, -1
        start = self._lines.offset(token.map[0])
        if "start" in token.meta:
            start += token.meta["start"]
            return start, start + token.meta["length"]
        return start, self._lines.behind(token.map[0], token.map[1])

    def _line(self, token: Token) -> int:
        return self._lines.number(token.map[0]) if token.map else 0

    def _container(self, token: Token) -> None:
        type_, _, side = token.type.rpartition("_")
        if side == "close":
            self._indented -= 1
            self.pieces.append(Piece("close", _CONTAINERS[type_]))
            return
        start, end = self._span(token)
        self._indented += 1
        piece = Piece("open", _CONTAINERS[type_], line=self._line(token), start=start, end=end, tokens=[token])
        self.pieces.append(piece)

    def _tag(self, token: Token) -> None:
        tag: Tag = token.meta["tag"]
        start = end = -1
        if not self._indented and token.map:
            start = self._lines.offset(token.map[0]) + token.meta["start"]
            end = start + len(tag.raw)
        expression = tag.name == "if" and not tag.closes
        found = {"expression": tag.rest} if expression else attributes(tag.rest)
        kind: Kind = "close" if tag.closes else "open"
        self.pieces.append(Piece(kind, "%" + tag.name, tag.raw, found, self._line(token), start, end))

    def _leaf(self, token: Token, tokens: list[Token]) -> None:
        start, end = self._span(token)
        kind = "paragraph_open" if token.type == "inline" else token.type
        children = tokens[0].children if token.type in ("paragraph_open", "inline") and tokens else None
        if children:
            _end_without_break(tokens[0].content, children[-1])
        if children and any(_structural(child) for child in children if child.type == "html_inline"):
            first = len(self.pieces)
            self._split(tokens[0], children, self._line(token))
            for piece in self.pieces[first:]:
                piece.start, piece.end, piece.shared = start, end, True
            return
        piece = Piece("leaf", kind, line=self._line(token), start=start, end=end, tokens=tokens, data=token)
        self.pieces.append(piece)

    def _split(self, inline: Token, children: list[Token], line: int) -> None:
        """A paragraph with `<details>` or its like in it: the tags count as if they stood on lines of their own."""
        part: list[Token] = []
        for child in [*children, None]:
            if child is not None and not _structural(child):
                part.append(child)
                continue
            if any(token.type not in ("softbreak", "hardbreak") for token in part):
                held = Token("inline", "", 0, content=inline.content, children=_trimmed(part))
                self.pieces.append(Piece("leaf", "paragraph_open", line=line, tokens=[held], data=held))
            part = []
            if child is not None:
                self.pieces.extend(_markup(markup, line) for markup in lex(child.content))

    def _html(self, token: Token) -> None:
        text = token.content
        if self._indented or token.map is None:
            self.pieces.extend(_markup(markup, self._line(token)) for markup in lex(text))
            return
        first = token.map[0]
        starts = [0, *(found.end() for found in _LINE_BREAK.finditer(text))]

        def offset(at: int) -> int:
            line = bisect_right(starts, at) - 1
            return self._lines.offset(first + line) + at - starts[line]

        for markup in lex(text):
            piece = _markup(markup, self._line(token))
            piece.start, piece.end = offset(markup.start), offset(markup.end)
            self.pieces.append(piece)


def _markup(markup: Markup, line: int) -> Piece:
    return Piece(markup.kind, markup.name, markup.text, dict(markup.attributes), line)


def _structural(token: Token) -> bool:
    if token.type != "html_inline" or token.level:
        return False
    return any(markup.name in _STRUCTURE for markup in lex(token.content))


def _end_without_break(written: str, last: Token) -> None:
    """Take off the hard break, written as a backslash, that ends a paragraph: there is no line that it could begin.

    A backslash that is escaped is one, and so is the one at the end of a path.
    """
    written = written.rstrip()
    escapes = len(written) - len(written.rstrip("\\"))
    if escapes % 2 == 0 or last.type != "text" or not last.content.endswith("\\"):
        return
    word = written.rsplit(None, 1)[-1][:-1]
    if "\\" not in word and not _DRIVE.search(word):
        last.content = last.content[:-1]


def _trimmed(tokens: Iterable[Token]) -> list[Token]:
    found = list(tokens)
    while found and found[-1].type == "softbreak":
        found.pop()
    while found and found[0].type == "softbreak":
        found.pop(0)
    return found
