"""Tables: as a grid, and as cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from octavo.content.document import Node
from octavo.content.html.cells import numeric
from octavo.content.html.escape import string
from octavo.content.html.inlines import color
from octavo.content.html.tables import Records, absent, first_ref, records_of, spans_of
from octavo.content.html.text import listed, words
from octavo.content.html.writer import data
from octavo.content.typst.blocks import item_body
from octavo.content.typst.context import Goal
from octavo.content.typst.inlines import mention_of
from octavo.content.typst.media import picture
from octavo.content.typst.source import array, literal
from octavo.content.typst.writer import NARROW, Handler, Writer

_ALIGNED = {"center": "center", "right": "end", "end": "end"}
_STARS = 10
_COST = 4
"""Levels of Typst's limit that a cell takes."""
_HEAD = 400
"""Characters of the longest title, times columns, up to which a head leaves most of a sheet to the rows below it."""


def table(writer: Writer, node: Node) -> None:
    """Records as a grid or as cards."""
    read = records_of(node)
    if not read.columns:
        return
    outlined, longest = writer.outlined, writer.longest
    writer.outlined, writer.longest = False, NARROW
    (_cards if read.view.get("type") == "cards" else _grid)(writer, node, read)
    writer.outlined, writer.longest = outlined, longest


def _grid(writer: Writer, node: Node, read: Records) -> None:
    definitions = [read.definition[column] for column in read.columns]
    titles = [string(definition.get("title")) for definition in definitions]
    headed = read.view.get("hideHeader") is not True and any(titles)
    again = max(map(len, titles)) * len(titles) <= _HEAD
    writer.put(f"grid-of({array(map(_alignment, definitions))},{'true' if again else 'false'},(")
    for title in titles if headed else ():
        writer.put("{")
        writer.text(title)
        writer.put("},")
    writer.put("),")
    spans = spans_of(data(node), read)
    for key, values in read.records:
        for column, definition in zip(read.columns, definitions):
            rows, across = spans.get((key, column), (1, 1))
            if rows:
                writer.put(f"table.cell(rowspan:{rows},colspan:{across},{{" if rows * across > 1 else "{")
                _cell(writer, definition, values.get(column), read.blocks(values, column))
                writer.put("})," if rows * across > 1 else "},")
    writer.put(");")


def _alignment(definition: Node) -> str:
    return "end" if numeric(definition) else _ALIGNED.get(string(definition.get("textAlignment")), "start")


def _cards(writer: Writer, node: Node, read: Records) -> None:
    writer.put(f"cards({2 if read.view.get('cardSize') == 'large' else 3},")
    for _, values in read.records:
        _card(writer, read, values)
    writer.put(");")


def _card(writer: Writer, read: Records, values: Node) -> None:
    """A cover and a body; the first cell that has words is the card's one link."""
    ref = values.get(string(read.view.get("targetDefinition")))
    goal = writer.around.goal(ref, writer.page) if isinstance(ref, dict) else Goal()
    writer.put("(")
    cover = first_ref(values.get(string(read.view.get("coverDefinition"))))
    if cover and writer.around.picture(cover):
        picture(writer, {"ref": cover})
        writer.put(",{")
    else:
        writer.put("none,{")
    shown = [column for column in read.columns if not absent(values.get(column), read.blocks(values, column))]
    titled = next((c for c in shown if words({"nodes": read.blocks(values, c)})), None)
    for column in shown:
        definition, below = read.definition[column], read.blocks(values, column)
        writer.put(f"card-cell({'true' if column == titled else 'false'},{{")
        if column == titled:
            writer.link(goal, partial(_body, writer, below))
        else:
            _cell(writer, definition, values.get(column), below)
        writer.put("});")
    if titled is None and goal.title:
        writer.put("card-cell(true,{")
        writer.link(goal, lambda: writer.text(goal.title))
        writer.put("});")
    writer.put("}),")


def _cell(writer: Writer, column: Node, value: Any, below: list[Node]) -> None:
    """The content of one cell: `below` are the blocks of a text cell, `value` is the plain value of any other."""
    if below:
        _body(writer, below)
        return
    kind = string(column.get("type"))
    handler = _CELLS.get(kind)
    if value is None:
        return
    if handler is not None:
        handler(writer, column, value)
    elif kind != "text":
        writer.text(string(value))


def _body(writer: Writer, below: list[Node]) -> None:
    writer.depth += _COST
    item_body(writer, below)
    writer.depth -= _COST


def _checkbox(writer: Writer, column: Node, value: Any) -> None:
    writer.put(f"checkbox({'true' if value is True else 'false'});")


def _rating(writer: Writer, column: Node, value: Any) -> None:
    most = column.get("max")
    most = min(most, _STARS) if isinstance(most, int) and most > 0 else 5
    given = min(max(round(value), 0), most) if isinstance(value, int | float) and abs(value) < 1000 else 0
    writer.text("★" * given + "☆" * (most - given))


def _select(writer: Writer, column: Node, value: Any) -> None:
    known = {string(option.get("value")): option for option in listed(column.get("options"))}
    for chosen in _strings(value):
        option = known.get(chosen, {})
        label = string(option.get("label")) or chosen
        writer.put(f"badge({literal(color(option.get('color')))},{{")
        writer.text(label)
        writer.put("});")


def _users(writer: Writer, column: Node, value: Any) -> None:
    writer.text(", ".join(_strings(value)))


def _reference(writer: Writer, column: Node, value: Any) -> None:
    if isinstance(value, dict):
        mention_of(writer, value)


def _picture(writer: Writer, column: Node, value: Any) -> None:
    if isinstance(value, dict):
        picture(writer, {"ref": value})
        writer.put(";")


def _files(writer: Writer, column: Node, value: Any) -> None:
    for number, ref in enumerate(listed(value)):
        if number:
            writer.put("linebreak();")
        mention_of(writer, ref)


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

BLOCKS: dict[str, Handler] = {"table": table}
