"""From a page's text to its document."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import markdown_it
from markdown_it import MarkdownIt
from markdown_it.token import Token

from octavo.content.document import Node, Ref, assign_keys, document
from octavo.content.markdown import frontmatter
from octavo.content.markdown.blocks import Blocks
from octavo.content.markdown.events import Lines, Run
from octavo.content.markdown.inlines import characters
from octavo.content.markdown.parsed import FRONT, TITLE, Parsed, Resolve
from octavo.content.markdown.reading import Reading
from octavo.content.markdown.rules import grammar
from octavo.content.markdown.slugs import assign_anchors
from octavo.content.markdown.tree import Piece, build
from octavo.content.markdown.wild import SENTENCE, TITLE_LINE, as_written, wild

VERSION = f"3 {markdown_it.__version__}"
"""Named anew whenever the same text gives another document, another title or other warnings."""


def _unknown(href: str) -> Ref | None:
    return None


@lru_cache(maxsize=1)
def _grammar() -> MarkdownIt:
    return grammar()


def parse(source: str, resolve: Resolve = _unknown) -> Parsed:
    """The document of a page's text, in linear time; never raises on content.

    `resolve` says what addresses mean; it is asked once for every use of one.
    """
    reading = Reading(source, resolve)
    spans: dict[str, tuple[int, int]] = {}
    front, body = _front(source, reading, spans)
    if wild(source):
        return _as_written(reading, front, body, source, spans)
    lines = Lines(source, body)
    tokens = _grammar().parse(source[body:], {})
    pieces = build(Run(lines).read(tokens))
    blocks = Blocks(reading)
    if "[^" in source:
        _note_footnotes(blocks, pieces, tokens)
    title, pieces = _title(blocks, pieces, spans)
    page = document(blocks.read(pieces))
    assign_anchors(page)
    assign_keys(page)
    spans |= {node["key"]: (start, end) for node, start, end in reading.places if "key" in node}
    return Parsed(front, title, page, source, spans, reading.warnings)


def _as_written(
    reading: Reading, front: dict[str, Any], body: int, source: str, spans: dict[str, tuple[int, int]]
) -> Parsed:
    reading.warn(1, SENTENCE)
    heading = TITLE_LINE.match(source, body)
    title = None
    if heading is not None:
        title, body = parse_title(heading[1], _unknown), heading.end()
        spans[TITLE] = heading.span(1)
    places = [*as_written(source, body)]
    page = document([node for node, _, _ in places])
    assign_keys(page)
    spans |= {node["key"]: (start, end) for node, start, end in places}
    return Parsed(front, title, page, source, spans, reading.warnings)


def parse_front(source: str) -> tuple[dict[str, Any], int]:
    """The front matter of a text and where it ends; nothing else is read."""
    return _front(source, Reading("", _unknown), {})


def parse_blocks(text: str, resolve: Resolve) -> list[Node]:
    """The blocks of a piece of a body, without keys and anchors; see `outline` for what pieces may be read alone."""
    return Blocks(Reading(text, resolve)).read(_pieces(text))


def parse_title(line: str, resolve: Resolve) -> str | None:
    """The title that a heading gives a page, None where it is empty."""
    return _title(Blocks(Reading(line, resolve)), _pieces(line), {})[0]


def _pieces(text: str) -> list[Piece]:
    return build(Run(Lines(text, 0)).read(_grammar().parse(text, {})))


def _front(source: str, reading: Reading, spans: dict[str, tuple[int, int]]) -> tuple[dict[str, Any], int]:
    text, body = frontmatter.split(source)
    if text is None:
        return {}, body
    front, wrong = frontmatter.read(text)
    if front is None:
        return {}, 1 if source.startswith("\ufeff") else 0
    if wrong:
        reading.warn(1, wrong)
    spans[FRONT] = (0, body)
    return front, body


def _title(blocks: Blocks, pieces: list[Piece], spans: dict[str, tuple[int, int]]) -> tuple[str | None, list[Piece]]:
    """(the title, what follows): the title is the first heading of level 1 where nothing stands before it."""
    first = next((piece for piece in pieces if piece.kind != "text" or piece.raw.strip()), None)
    if first is None or first.kind != "leaf" or first.name != "heading_open" or first.data.tag != "h1":
        return None, pieces
    spans[TITLE] = (first.start, first.end)
    title = characters(blocks.inlines(first.tokens, first.line).finish())
    if blocks.reading.met:
        blocks.reading.met = False
        title = title.partition("{%")[0].strip()
    return title or None, [piece for piece in pieces if piece is not first]


def _note_footnotes(blocks: Blocks, pieces: list[Piece], tokens: list[Token]) -> None:
    """Read the body of every footnote that the text refers to; a reference within a body stays text."""
    used = _labels(tokens)
    bodies: dict[str, list[Node]] = {}
    for piece in _footnotes(pieces):
        label = piece.tokens[0].meta["label"]
        if label in used and label not in bodies:
            bodies[label] = blocks.read(piece.children)
            piece.data = "noted"
    blocks.reading.noted = bodies


def _labels(tokens: list[Token]) -> set[str]:
    found: set[str] = set()
    within = 0
    for token in tokens:
        within += token.nesting if token.type.startswith("footnote_reference") else 0
        if not within:
            found.update(child.content for child in token.children or () if child.type == "footnote")
    return found


def _footnotes(pieces: list[Piece]) -> Iterator[Piece]:
    for piece in pieces:
        if piece.name == "+footnote":
            yield piece
        yield from _footnotes(piece.children)
