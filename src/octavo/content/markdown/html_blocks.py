"""HTML elements as blocks: figures, expandables, preformatted text, lists, wrappers."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

from octavo.content.document import Node, block, children, fragment, text
from octavo.content.markdown import tables
from octavo.content.markdown.containers import code_data
from octavo.content.markdown.html_lexer import lex
from octavo.content.markdown.inlines import Inlines
from octavo.content.markdown.reading import flag
from octavo.content.markdown.tree import Piece

if TYPE_CHECKING:
    from octavo.content.markdown.blocks import Blocks

_LANGUAGE = re.compile(r"(?:language|lang)-(\S+)")
_CODE_MARKUP = frozenset(("code", "strong", "b", "em", "i", "span", "a", "mark", "u", "s", "del"))
_ALIGNMENTS = {"left": "start", "center": "center", "right": "end"}
_WIDE = frozenset(("images", "code", "embed", "table", "swagger", "tabs", "columns", "integration"))


def read(blocks: Blocks, piece: Piece) -> list[Node]:
    """The blocks of one element; of an unknown one, those of what is in it."""
    match piece.name:
        case "figure":
            return _figure(blocks, piece)
        case "details":
            return [_expandable(blocks, piece)]
        case "table":
            return tables.html_table(blocks, piece)
        case "pre" if piece.kind == "raw":
            return [_preformatted(piece)]
        case "ul" | "ol":
            made = _list(blocks, piece)
            return [made] if made["nodes"] else []
        case "blockquote":
            return [block("blockquote", {}, blocks.read(piece.children))]
        case "div":
            return _wrapper(blocks, piece)
        case _:
            return blocks.read(piece.children)


def _figure(blocks: Blocks, piece: Piece) -> list[Node]:
    captions = [child for child in piece.children if child.name == "figcaption"]
    inlines = Inlines(blocks.reading, piece.line)
    rest = [child for child in piece.children if child.name != "figcaption"]
    caption = [node for one in captions for node in blocks.read(one.children)]
    inlines.html([one for child in rest for one in _unwrapped(child)])
    nodes = inlines.finish()
    shown = [node for node in nodes if node.get("type") == "inline-image"]
    if len(shown) != len(nodes) or len(nodes) != 1 or any(node["type"] != "paragraph" for node in caption):
        return [*blocks.read(rest), *caption]
    made = blocks.image_block(inlines.images[0], shown[0], None)
    if made["type"] == "drawing":
        return [made, *caption]
    if caption:
        made["nodes"] = [blocks.image(inlines.images[0], shown[0]["data"], caption)]
    return [made]


def _unwrapped(piece: Piece) -> list[Piece]:
    """An image without the link, the paragraph or the division around it."""
    if piece.kind == "open" and piece.name in ("a", "p", "div", "center"):
        return [one for child in piece.children for one in _unwrapped(child)]
    return [piece]


def _expandable(blocks: Blocks, piece: Piece) -> Node:
    summary = next((child for child in piece.children if child.name == "summary"), None)
    title: list[Node] = [block("paragraph", {}, [])]
    rest = piece.children
    if summary is not None:
        rest = [child for child in piece.children if child is not summary]
        title = _title(blocks, summary)
    fragments = [
        fragment("expandable-title", "expandable-title", title),
        fragment("expandable-body", "expandable-body", blocks.read(rest) or [block("paragraph", {}, [])]),
    ]
    data = {"defaultExpanded": True if "open" in piece.attributes else None}
    return block("expandable", data, fragments=fragments, void=True)


def _title(blocks: Blocks, summary: Piece) -> list[Node]:
    """One paragraph: headings and paragraphs within a summary are its text."""
    inlines = Inlines(blocks.reading, summary.line)
    inlines.html(summary.children)
    return [block("paragraph", {}, inlines.finish())]


def _preformatted(piece: Piece) -> Node:
    """Code whose lines may be highlighted; tags that are no markup of code are its text."""
    lines = [("", False)]
    strong = 0
    raw = piece.raw.removeprefix("\r").removeprefix("\n")
    syntax = _LANGUAGE.search(piece.attributes.get("class", ""))
    at = 0
    for markup in lex(raw):
        if markup.kind in ("open", "close") and markup.name in _CODE_MARKUP:
            strong += {"open": 1, "close": -1}[markup.kind] if markup.name in ("strong", "b") else 0
            syntax = syntax or _LANGUAGE.search(markup.attributes.get("class", ""))
            at = markup.end
            continue
        _add(lines, unescape(raw[at : markup.end]), strong > 0)
        at = markup.end
    _add(lines, unescape(raw[at:]), False)
    if len(lines) > 1 and not lines[-1][0]:
        lines.pop()
    nodes = [block("code-line", {"highlighted": True if lit else None}, [text(line)]) for line, lit in lines]
    return block("code", {"syntax": syntax[1] if syntax else None, **code_data(_code_attributes(piece))}, nodes)


def _add(lines: list[tuple[str, bool]], characters: str, lit: bool) -> None:
    first, *others = characters.split("\n")
    if first:
        line, was = lines[-1]
        lines[-1] = (line + first, was or lit)
    lines.extend((other, lit and bool(other)) for other in others)


def _code_attributes(piece: Piece) -> dict[str, Any]:
    names = {
        "data-title": "title",
        "data-overflow": "overflow",
        "data-line-numbers": "lineNumbers",
        "data-expandable": "expandable",
        "data-collapsed-line-count": "collapsedLineCount",
        "data-full-width": "fullWidth",
    }
    return {name: piece.attributes[written] for written, name in names.items() if written in piece.attributes}


def _list(blocks: Blocks, piece: Piece) -> Node:
    items = [
        block("list-item", {}, blocks.read(child.children if child.name == "li" else [child]))
        for child in piece.children
        if child.name == "li" or (child.kind != "text" or child.raw.strip())
    ]
    if piece.name == "ul":
        return block("list-unordered", {}, items)
    start = piece.attributes.get("start", "")
    return block("list-ordered", {"start": int(start) if start.isdecimal() and start.isascii() else None}, items)


def _wrapper(blocks: Blocks, piece: Piece) -> list[Node]:
    """A `<div>`: what it says about alignment, width and frame goes to the blocks in it."""
    align = piece.attributes.get("align", "").lower() or None
    wide = flag(piece.attributes.get("data-full-width"))
    framed = flag(piece.attributes.get("data-with-frame"))
    figures = [child for child in piece.children if child.kind != "text" or child.raw.strip()]
    nodes = blocks.read(piece.children)
    if len(figures) > 1 and all(child.name == "figure" for child in figures) and _all_images(nodes):
        nodes = [block("images", {}, [image for node in nodes for image in children(node)])]
    for node in nodes:
        _apply(node, align, wide, framed)
    return nodes


def _all_images(nodes: list[Node]) -> bool:
    return bool(nodes) and all(node["type"] == "images" for node in nodes)


def _apply(node: Node, align: str | None, wide: bool | None, framed: bool | None) -> None:
    data = node["data"]
    if node["type"] == "images":
        if align in _ALIGNMENTS:
            data["align"] = align
        if framed:
            data["withFrame"] = True
    elif node["type"] in ("paragraph", "heading-1", "heading-2", "heading-3") and align in _ALIGNMENTS:
        data.setdefault("align", _ALIGNMENTS[align])
    if wide and node["type"] in _WIDE:
        data["fullWidth"] = True
