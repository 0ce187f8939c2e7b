"""Blocks of running text: paragraphs, headings, lists, quotes, hints, formulas."""

from __future__ import annotations

from octavo.content.document import Node
from octavo.content.html.escape import string
from octavo.content.html.text import heading_id, words
from octavo.content.html.writer import data, nodes
from octavo.content.typst.math import formula
from octavo.content.typst.source import literal
from octavo.content.typst.writer import SHORT, Handler, Writer

_ALIGNED = {"center": "align:center,", "end": "align:end,"}
_HINTS = frozenset({"info", "success", "warning", "danger"})
_LISTS = frozenset({"list-unordered", "list-ordered", "list-tasks"})
_HIGHEST = 1_000_000


def paragraph(writer: Writer, node: Node) -> None:
    """A paragraph; one without content is nothing."""
    below, said = nodes(node), words(node)
    if not said and all(child.get("object") == "text" for child in below):
        return
    writer.put(f"p({_ALIGNED.get(string(data(node).get('align')), '')}{writer.direction(said)}{{")
    writer.inlines(below)
    writer.put("});")


def heading(writer: Writer, node: Node) -> None:
    """A heading, whose level in the outline is below that of the page; one that is as long as a text is a paragraph."""
    if len(words(node)) > SHORT:
        paragraph(writer, node)
        return
    kind = {"heading-2": 2, "heading-3": 3}.get(string(node.get("type")), 1)
    title, level = words(node), writer.level + kind
    label = writer.heading(level, title, heading_id(node) or node.get("key"))
    aligned = _ALIGNED.get(string(data(node).get("align")), "")
    writer.put(f"title({aligned}{writer.direction(title)}{kind},{level},{literal(label)},{{")
    writer.inlines(nodes(node))
    writer.put("});")


def divider(writer: Writer, node: Node) -> None:
    """A rule between topics."""
    writer.put("rule();")


def blockquote(writer: Writer, node: Node) -> None:
    """A quotation."""
    writer.put("quotation({")
    writer.quiet(nodes(node))
    writer.put("});")


def unordered(writer: Writer, node: Node) -> None:
    """A list of points."""
    writer.put("bullets(")
    _items(writer, node)
    writer.put(");")


def ordered(writer: Writer, node: Node) -> None:
    """A numbered list."""
    start = data(node).get("start")
    numbered = isinstance(start, int) and not isinstance(start, bool) and 0 <= start <= _HIGHEST
    writer.put(f"numbers({start if numbered else 1},")
    _items(writer, node)
    writer.put(");")


def tasks(writer: Writer, node: Node) -> None:
    """A list of things to do."""
    writer.put("tasks(")
    for item in nodes(node):
        writer.put(f"({'true' if data(item).get('checked') is True else 'false'},{{")
        item_body(writer, nodes(item))
        writer.put("}),")
    writer.put(");")


def list_item(writer: Writer, node: Node) -> None:
    """One item; outside of a list, which is not expected, its blocks alone."""
    writer.quiet(nodes(node))


def item_body(writer: Writer, below: list[Node]) -> None:
    """Blocks in a narrow place: a first paragraph alone, or followed by lists only, is no paragraph of its own."""
    if below and below[0].get("type") == "paragraph" and all(node.get("type") in _LISTS for node in below[1:]):
        turned = writer.direction(words(below[0]))
        writer.put(f"turned({turned}{{" if turned else "{")
        writer.inlines(nodes(below[0]))
        writer.put("});" if turned else "};")
        below = below[1:]
    writer.quiet(below)


def hint(writer: Writer, node: Node) -> None:
    """A note set apart."""
    style = string(data(node).get("style"))
    short = "true" if len(words(node)) < SHORT else "false"
    writer.put(f"hint({literal(style if style in _HINTS else 'info')},{short},{{")
    writer.quiet(nodes(node))
    writer.put("});")


def math(writer: Writer, node: Node) -> None:
    """A formula on a line of its own."""
    writer.put(f"{formula(string(data(node).get('formula')), display=True)};")


def nothing(writer: Writer, node: Node) -> None:
    """Conditions and includes are decided before; what is left of them was not to be seen."""


def _items(writer: Writer, node: Node) -> None:
    for item in nodes(node):
        writer.put("{")
        if item.get("type") == "list-item":
            item_body(writer, nodes(item))
        else:
            writer.quiet([item])
        writer.put("},")


BLOCKS: dict[str, Handler] = {
    "paragraph": paragraph,
    "heading-1": heading,
    "heading-2": heading,
    "heading-3": heading,
    "divider": divider,
    "blockquote": blockquote,
    "list-unordered": unordered,
    "list-ordered": ordered,
    "list-tasks": tasks,
    "list-item": list_item,
    "hint": hint,
    "math": math,
    "if": nothing,
    "reusable-content": nothing,
}
