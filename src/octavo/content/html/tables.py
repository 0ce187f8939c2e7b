"""Tables: as a grid, and as cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from octavo.content.document import Node
from octavo.content.grids import SPANNED, is_sparse
from octavo.content.html.blocks import item_body
from octavo.content.html.cells import cell, numeric
from octavo.content.html.escape import escape, string
from octavo.content.html.links import attribute, opening
from octavo.content.html.media import img
from octavo.content.html.text import listed, mapped, words
from octavo.content.html.writer import Handler, Writer, data, full, nodes

_ALIGNED = {"center": "align-center", "right": "align-right", "end": "align-right"}
_FILTERED = ("select", "checkbox")
_PROSE = 60
"""Characters from which a cell holds a sentence."""
MERGES = 1000
"""Merged cells of one table that are heeded."""

Spans = dict[tuple[str, str], tuple[int, int]]
"""(record, column) -> (rows, columns); (0, 0) for a cell that another covers."""


@dataclass(slots=True)
class Records:
    """A table's block, read."""

    view: Node
    columns: list[str]
    definition: dict[str, Node]
    records: list[tuple[str, Node]]
    """(id, values) in order."""
    fragments: dict[str, list[Node]]

    def blocks(self, values: Node, column: str) -> list[Node]:
        """The blocks of a text cell."""
        return self.fragments.get(string(values.get(column)), [])


def table(writer: Writer, node: Node) -> None:
    """Records as a grid or as cards."""
    read = records_of(node)
    before, writer.outlined = writer.outlined, False
    (_cards if read.view.get("type") == "cards" else _grid)(writer, node, read)
    writer.outlined = before


def records_of(node: Node) -> Records:
    """The columns that a table shows, and its records in order."""
    of = data(node)
    view = of.get("view")
    view = view if isinstance(view, dict) else {}
    definition = mapped(of.get("definition"))
    written = view.get("columns")
    named = [key for key in written if isinstance(key, str)] if isinstance(written, list) else list(definition)
    records = sorted(mapped(of.get("records")).items(), key=lambda item: _order(item[1]))
    columns = [key for key in named if key in definition]
    held = [(key, record["values"] if isinstance(record.get("values"), dict) else {}) for key, record in records]
    if is_sparse(columns, [values for _, values in held]):
        del columns[1:]  # such a table is refused where it is written; one from before is not laid out
    return Records(
        view=view,
        columns=columns,
        definition=definition,
        records=held,
        fragments={string(part.get("fragment")): nodes(part) for part in listed(node.get("fragments"))},
    )


def _order(record: Node) -> tuple[int, float, str]:
    index = record.get("orderIndex")
    if isinstance(index, int | float):
        return 0, index, ""
    return 1, 0, string(index)


def _grid(writer: Writer, node: Node, read: Records) -> None:
    of, view, put = data(node), read.view, writer.put
    sticky = " sticky-header" if view.get("stickyHeader") is True else ""
    sticky += " sticky-first-column" if view.get("stickyFirstColumn") is True else ""
    search = " data-search" if of.get("search") is True else ""
    label = writer.phrase("Table")
    put(f'<div class="table-box{full(of)}" tabindex="0" role="group" aria-label="{label}">')
    put(f'<table class="table{sticky}"{search}>')
    _columns(writer, read)
    aligned = [_alignment(read.definition[column]) for column in read.columns]
    titles = [string(read.definition[column].get("title")) for column in read.columns]
    if view.get("hideHeader") is not True and any(titles):
        put("<thead><tr>")
        for column, title, class_ in zip(read.columns, titles, aligned):
            kind = string(read.definition[column].get("type"))
            put(f'<th scope="col"{class_}{attribute("filter", kind if kind in _FILTERED else "")}>{escape(title)}</th>')
        put("</tr></thead>")
    put("<tbody>")
    spans = spans_of(of, read)
    for key, values in read.records:
        writer.weigh()
        put("<tr>")
        for column, class_ in zip(read.columns, aligned):
            rows, across = spans.get((key, column), (1, 1))
            if rows:
                put(f"<td{class_}{_span('rowspan', rows)}{_span('colspan', across)}>")
                cell(writer, read.definition[column], values.get(column), read.blocks(values, column))
                put("</td>")
        put("</tr>")
    put("</tbody></table></div>")


def _columns(writer: Writer, read: Records) -> None:
    """What is known of columns beside their cells: the width that an author gave, and whether they hold sentences."""
    given = read.view.get("columnWidths")
    widths = given if isinstance(given, dict) else {}
    cols = []
    for column in read.columns:
        width = _width(widths.get(column))
        prose = ' class="prose"' if not width and _holds_prose(read, column) else ""
        cols.append(f'<col{prose} width="{width}">' if width else f"<col{prose}>")
    if any(col != "<col>" for col in cols):
        writer.put(f"<colgroup>{''.join(cols)}</colgroup>")


def _holds_prose(read: Records, column: str) -> bool:
    """Whether a cell of the column has more words than fit a narrow one."""
    return any(len(words({"nodes": read.blocks(values, column)})) > _PROSE for _, values in read.records)


def _width(value: Any) -> int:
    if isinstance(value, dict):
        value = value.get("value")
    return round(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 5000 else 0


def _alignment(column: Node) -> str:
    """The class attribute of a column's cells."""
    class_ = _ALIGNED.get(string(column.get("textAlignment")), "")
    if numeric(column):
        class_ = "number"
    return f' class="{class_}"' if class_ else ""


def spans_of(of: Node, read: Records) -> Spans:
    """What merged cells take, never beyond the table and never twice."""
    rows = {key: place for place, (key, _) in enumerate(read.records)}
    columns = {key: place for place, key in enumerate(read.columns)}
    spans: Spans = {}
    looked = 0
    for merge in listed(of.get("cellMerges"))[:MERGES]:
        anchor = merge.get("anchor")
        anchor = anchor if isinstance(anchor, dict) else {}
        row, column = string(anchor.get("record")), string(anchor.get("column"))
        if row not in rows or column not in columns:
            continue
        down = [key for key, _ in read.records[rows[row] : rows[row] + _count(merge.get("rowSpan"))]]
        across = read.columns[columns[column] : columns[column] + _count(merge.get("colSpan"))]
        looked += len(down) * len(across)
        if looked > SPANNED:
            break
        if not any((key, name) in spans for key in down for name in across):
            spans.update({(key, name): (0, 0) for key in down for name in across})
            spans[row, column] = (len(down), len(across))
    return spans


def _count(value: Any) -> int:
    return max(1, value) if isinstance(value, int) else 1


def _span(name: str, count: int) -> str:
    return f' {name}="{count}"' if count > 1 else ""


def _cards(writer: Writer, node: Node, read: Records) -> None:
    size = "large" if read.view.get("cardSize") == "large" else "medium"
    writer.put(f'<div class="card-grid card-grid-{size}{full(data(node))}">')
    for _, values in read.records:
        writer.weigh()
        _card(writer, read, values)
    writer.put("</div>")


def _card(writer: Writer, read: Records, values: Node) -> None:
    """A card has at most one link of its own; it goes around the first cell that has words."""
    ref = values.get(string(read.view.get("targetDefinition")))
    target = writer.context.link(ref) if isinstance(ref, dict) else None
    start = "" if writer.within_link else opening(target, "card-link")
    put = writer.put
    put(f'<article class="card{" has-link" if start else ""}">')
    _cover(writer, read, values)
    put('<div class="card-body">')
    pending = start
    shown = [column for column in read.columns if not absent(values.get(column), read.blocks(values, column))]
    titled = next((c for c in shown if words({"nodes": read.blocks(values, c)})), None)
    for column in shown:
        definition = read.definition[column]
        put('<div class="card-cell card-title">' if column == titled else '<div class="card-cell">')
        if column != titled and read.view.get("hideColumnTitle") is False and definition.get("title"):
            put(f'<span class="card-label">{escape(string(definition.get("title")))}</span>')
        if column == titled and pending:
            put(pending)
            writer.within_link = True
            item_body(writer, read.blocks(values, column))
            writer.within_link = False
            put("</a>")
            pending = ""
        else:
            cell(writer, definition, values.get(column), read.blocks(values, column))
        put("</div>")
    if pending and target:
        put(f'{pending}<span class="visually-hidden">{escape(target.title or target.href)}</span></a>')
    put("</div></article>")


def absent(value: Any, below: list[Node]) -> bool:
    """Whether a cell has nothing to show."""
    return not below and value in (None, "", [], {}, False)


def _cover(writer: Writer, read: Records, values: Node) -> None:
    light = first_ref(values.get(string(read.view.get("coverDefinition"))))
    dark = first_ref(values.get(string(read.view.get("coverDefinitionDark"))))
    if light or dark:
        writer.put('<div class="card-cover">')
        img(writer, {"ref": light or dark, "refDark": dark if light else None}, zoom=False)
        writer.put("</div>")


def first_ref(value: Any) -> Node | None:
    """The reference in an image cell, or the first one in a files cell."""
    found = value[0] if isinstance(value, list) and value else value
    return found if isinstance(found, dict) else None


BLOCKS: dict[str, Handler] = {"table": table}
