"""What stands in the cell of a table, by the type of its column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from octavo.content.document import Node
from octavo.content.html.blocks import item_body
from octavo.content.html.escape import escape, string
from octavo.content.html.inlines import color
from octavo.content.html.links import attribute, mention_of, ref_of
from octavo.content.html.media import file_link, img
from octavo.content.html.text import listed, words
from octavo.content.html.writer import Writer, nodes

_STARS = 10


def cell(writer: Writer, column: Node, value: Any, below: list[Node]) -> None:
    """The content of one cell: `below` are the blocks of a text cell, `value` is the plain value of any other."""
    if (alone := _lone_mention(below)) is not None:
        mention_of(writer, ref_of(alone), class_="reference")
        return
    if below:
        item_body(writer, below)
        return
    kind = string(column.get("type"))
    handler = _CELLS.get(kind)
    if value is None:
        return
    if handler is not None:
        handler(writer, column, value)
    elif kind != "text":
        writer.put(escape(string(value)))


def numeric(column: Node) -> bool:
    """Whether the column's cells are figures, to stand in line."""
    return column.get("type") == "number"


def _lone_mention(below: list[Node]) -> Node | None:
    """The mention that is all of a cell of text."""
    if len(below) != 1 or below[0].get("type") != "paragraph":
        return None
    inside = [node for node in nodes(below[0]) if node.get("type") == "mention" or words({"nodes": [node]})]
    return inside[0] if len(inside) == 1 and inside[0].get("type") == "mention" else None


def _checkbox(writer: Writer, column: Node, value: Any) -> None:
    checked = " checked" if value is True else ""
    label = escape(string(column.get("title"))) or writer.phrase("Done")
    writer.put(f'<input type="checkbox" disabled{checked} aria-label="{label}">')


def _rating(writer: Writer, column: Node, value: Any) -> None:
    most = column.get("max")
    most = min(most, _STARS) if isinstance(most, int) and most > 0 else 5
    given = min(max(round(value), 0), most) if isinstance(value, int | float) and abs(value) < 1000 else 0
    label = f"{given} {writer.phrase('out of')} {most}"
    writer.put(f'<span class="rating" role="img" aria-label="{label}">{"★" * given}{"☆" * (most - given)}</span>')


def _select(writer: Writer, column: Node, value: Any) -> None:
    known = {string(option.get("value")): option for option in listed(column.get("options"))}
    for chosen in _strings(value):
        option = known.get(chosen, {})
        label = string(option.get("label")) or chosen
        writer.put(f'<span class="badge"{attribute("color", color(option.get("color")))}>{escape(label)}</span>')


def _users(writer: Writer, column: Node, value: Any) -> None:
    for id_ in _strings(value):
        writer.put(f'<span class="person">{escape(writer.context.user(id_))}</span>')


def _reference(writer: Writer, column: Node, value: Any) -> None:
    if isinstance(value, dict):
        mention_of(writer, value, class_="reference")


def _picture(writer: Writer, column: Node, value: Any) -> None:
    if isinstance(value, dict):
        img(writer, {"ref": value}, class_="cell-image", zoom=False)


def _files(writer: Writer, column: Node, value: Any) -> None:
    for ref in listed(value):
        file_link(writer, ref)


def _strings(value: Any) -> list[str]:
    return [text for item in (value if isinstance(value, list) else [value]) if (text := string(item))]


_CELLS: dict[str, Callable[[Writer, Node, Any], None]] = {
    "checkbox": _checkbox,
    "rating": _rating,
    "select": _select,
    "users": _users,
    "content-ref": _reference,
    "image": _picture,
    "files": _files,
}
