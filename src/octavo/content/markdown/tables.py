"""Pipe tables, HTML tables and cards: one shape of block for all of them.

Records are called r1, r2, … and columns c1, c2, … in the order of the text; the fragment of a text cell is called
`<record>-<column>`. A cell that holds nothing has no value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING, Any

from octavo.content.document import Node, block, fragment, text
from octavo.content.grids import sparse
from octavo.content.markdown.inlines import Inlines, characters
from octavo.content.markdown.reading import flag, number
from octavo.content.markdown.tree import Piece

if TYPE_CHECKING:
    from octavo.content.markdown.blocks import Blocks

TYPES = ("text", "number", "checkbox", "files", "users", "rating", "select", "content-ref", "image")
_ALIGN = {"left": "left", "center": "center", "right": "right"}
_TRUE = frozenset(("true", "x", "yes", "1", "on", "✓", "✅", "☑"))
_FALSE = frozenset(("false", "", "no", "0", "off", "✗", "❌", "☐"))
_MOST_SPANNED = 500
"""Columns that cells may reach over; those behind count as one column each."""
_STYLE_ALIGN = re.compile(r"text-align:\s*(\w+)")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")


@dataclass(slots=True)
class _Table:
    definition: dict[str, Node] = field(default_factory=dict)
    records: dict[str, Node] = field(default_factory=dict)
    fragments: list[Node] = field(default_factory=list)
    merges: list[Node] = field(default_factory=list)
    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of each select column: what a cell may call an option -> the option's value."""

    def column(self, title: str, type_: str = "text", **more: Any) -> str:
        name = f"c{len(self.definition) + 1}"
        set_ = {key: value for key, value in more.items() if value is not None}
        self.definition[name] = {"id": name, "title": title, "type": type_, **set_}
        return name

    def record(self) -> str:
        name = f"r{len(self.records) + 1}"
        self.records[name] = {"orderIndex": f"{len(self.records):06d}", "values": {}}
        return name

    def put(self, record: str, column: str, nodes: list[Node]) -> None:
        if nodes:
            name = f"{record}-{column}"
            self.records[record]["values"][column] = name
            self.fragments.append(fragment(name, "table-cell", nodes))

    def block(self, view: Node, **more: Any) -> Node:
        data: Node = {"view": view, "records": self.records, "definition": self.definition}
        data |= {"cellMerges": self.merges or None, **more}
        return block("table", data, fragments=self.fragments, void=True)


def pipe_table(blocks: Blocks, piece: Piece) -> Node:
    """A table of Markdown."""
    table = _Table()
    rows: list[list[tuple[Inlines, str]]] = []
    for token in piece.tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            found = _STYLE_ALIGN.match(str(token.attrs.get("style", "")))
            rows[-1].append((Inlines(blocks.reading, piece.line), found[1] if found else "left"))
        elif token.type == "inline":
            rows[-1][-1][0].tokens(token.children or [])
    for inlines, align in rows[0]:
        table.column(characters(inlines.finish()), textAlignment=align)
    columns = list(table.definition)
    for row in rows[1:]:
        record = table.record()
        for column, (inlines, _) in zip(columns, row):
            nodes = inlines.finish()
            table.put(record, column, [block("paragraph", {}, nodes)] if nodes else [])
    return table.block({"type": "grid", "columns": columns, "hideHeader": not any(_titles(table))})


def _titles(table: _Table) -> list[str]:
    return [column["title"] for column in table.definition.values()]


def html_table(blocks: Blocks, piece: Piece) -> list[Node]:
    """A table of HTML; what stands between its rows stands before it."""
    rows, stray = _rows(piece)
    if not rows:
        return blocks.read(stray)
    headed = any(cell.name == "th" for cell in _cells(rows[0]))
    table = _Table()
    roles: dict[str, str] = {}
    shown: list[str] = []
    widths: Node = {}
    laid = _laid_out(rows)
    width = max((column + 1 for row in laid for column, _ in row), default=0)
    if sparse(len(rows), width, sum(map(len, laid))):
        return [*blocks.read(stray), *_rows_as_text(blocks, piece, rows, width)]
    heads: list[Piece | None] = [None] * width
    for column, cell in laid[0] if headed else ():
        heads[column] = cell
    for head in heads:
        given = head.attributes if head else {}
        name = _head(blocks, table, head)
        roles |= {role: name for role in _ROLES if role in given}
        if "data-hidden" not in given:
            shown.append(name)
        if head and (measured := _NUMBER.match(given.get("width", ""))):
            widths[name] = number(measured[0])
    _body(blocks, table, laid[1:] if headed else laid)
    given = piece.attributes
    if given.get("data-view") == "cards":
        view = _cards(given, shown, roles)
    else:
        view = _grid(given, shown, widths, bare=not headed or "data-header-hidden" in given)
    more = {"fullWidth": flag(given.get("data-full-width")), "search": flag(given.get("data-search"))}
    return [*blocks.read(stray), table.block(view, **more)]


def _rows_as_text(blocks: Blocks, piece: Piece, rows: list[Piece], width: int) -> list[Node]:
    """A table that is nearly empty, and would be larger than all else: a line of text for each of its rows."""
    blocks.reading.warn(
        piece.line, f"A table of {width} columns and {len(rows)} rows is nearly empty: its cells are shown as text"
    )
    lines = [" ".join(filter(None, map(_shown, _cells(row)))) for row in rows]
    for line in lines:
        blocks.reading.conditions_in(line, piece.line)
    return [block("paragraph", {}, [text(line)]) for line in lines if line]


_ROLES = {
    "data-card-target": "targetDefinition",
    "data-card-cover": "coverDefinition",
    "data-card-cover-dark": "coverDefinitionDark",
}


def _rows(piece: Piece) -> tuple[list[Piece], list[Piece]]:
    rows: list[Piece] = []
    stray: list[Piece] = []
    for child in piece.children:
        if child.name == "tr":
            rows.append(child)
            stray += [one for one in child.children if one.name not in ("td", "th") and (one.name or one.raw.strip())]
        elif child.name in ("thead", "tbody", "tfoot"):
            found, others = _rows(child)
            rows += found
            stray += others
        elif child.kind != "text" or child.raw.strip():
            stray.append(child)
    return rows, stray


def _cells(row: Piece) -> list[Piece]:
    return [child for child in row.children if child.name in ("td", "th")]


def _span(cell: Piece, name: str) -> int:
    written = cell.attributes.get(name, "1")
    return min(100, max(1, int(written))) if written.isdecimal() and len(written) < 6 else 1


def _head(blocks: Blocks, table: _Table, head: Piece | None) -> str:
    if head is None:
        return table.column("", textAlignment="left")
    given = head.attributes
    type_ = given.get("data-type") or ("select" if _selects(head) else "text")
    if type_ not in TYPES:
        blocks.reading.warn(head.line, f"There is no column type {type_!r}")
        type_ = "text"
    options = _options(head)
    inlines = Inlines(blocks.reading, head.line)
    inlines.html([child for child in head.children if child.name != "select"])
    more: dict[str, Any] = {"verticalAlignment": given.get("valign")}
    if type_ == "text":
        more["textAlignment"] = _ALIGN.get(given.get("align", ""), "left")
    elif type_ == "rating":
        most = given.get("data-max", "5")
        more["max"] = int(most) if most.isdecimal() and len(most) < 4 else 5
    elif type_ == "select":
        more |= {"multiple": "data-multiple" in given or _multiple(head), "options": options}
    elif type_ == "users":
        more["multiple"] = "data-multiple" in given
    return table.column(characters(inlines.finish()), type_, **more)


def _selects(head: Piece) -> list[Piece]:
    return [child for child in head.children if child.name == "select"]


def _multiple(head: Piece) -> bool:
    return any("multiple" in select.attributes for select in _selects(head))


def _options(head: Piece) -> list[Node]:
    options = [option for select in _selects(head) for option in select.children if option.name == "option"]
    return [
        {
            "value": option.attributes.get("value", ""),
            "label": option.attributes.get("label") or _shown(option),
            "color": option.attributes.get("color", "default"),
        }
        for option in options
    ]


def _laid_out(rows: list[Piece]) -> list[list[tuple[int, Piece]]]:
    """The cells of each row with the columns they start in: those that reach down from above push them aside."""
    laid: list[list[tuple[int, Piece]]] = []
    taken: dict[int, int] = {}
    for row in rows:
        below = {column: left - 1 for column, left in taken.items() if left > 1}
        column = 0
        placed: list[tuple[int, Piece]] = []
        for cell in _cells(row):
            while column in taken:
                column += 1
            placed.append((column, cell))
            across = _span(cell, "colspan") if column < _MOST_SPANNED else 1
            if (down := _span(cell, "rowspan")) > 1:
                below.update(dict.fromkeys(range(column, column + across), down - 1))
            column += across
        laid.append(placed)
        taken = below
    return laid


def _body(blocks: Blocks, table: _Table, rows: list[list[tuple[int, Piece]]]) -> None:
    columns = list(table.definition)
    for row in rows:
        record = table.record()
        for at, cell in row:
            _cell(blocks, table, (record, columns[at]), cell)
            spans = {"rowSpan": _span(cell, "rowspan"), "colSpan": _span(cell, "colspan")}
            if max(spans.values()) > 1:
                table.merges.append({"anchor": {"record": record, "column": columns[at]}, **spans})


def _cell(blocks: Blocks, table: _Table, place: tuple[str, str], cell: Piece) -> None:
    record, column = place
    definition = table.definition[column]
    if definition["type"] == "text":
        table.put(record, column, blocks.read_cell(cell.children))
        return
    blocks.reading.conditions_in(_shown(cell), cell.line)
    value = _value(blocks, table, definition, cell)
    if value is not None and value != []:
        table.records[record]["values"][column] = value


def _value(blocks: Blocks, table: _Table, definition: Node, cell: Piece) -> Any:
    shown = _shown(cell)
    match definition["type"]:
        case "checkbox":
            ticked = any("checked" in one.attributes for one in _all(cell) if one.name == "input")
            if shown.lower() not in _TRUE | _FALSE:
                blocks.reading.warn(cell.line, f"{shown!r} says neither yes nor no")
            return ticked or shown.lower() in _TRUE
        case "number" | "rating":
            return number(shown) if _NUMBER.fullmatch(shown) else shown or None
        case "select":
            return _chosen(table, definition, cell, shown)
        case "users":
            return [one.strip() for one in shown.split(",") if one.strip()]
        case "files":
            return [blocks.reading.ref(address) for address in _addresses(cell) or ([shown] if shown else [])]
        case _:
            found = _addresses(cell)
            return blocks.reading.ref(found[0]) if found else blocks.reading.ref(shown) if shown else None


def _chosen(table: _Table, definition: Node, cell: Piece, shown: str) -> list[str]:
    """The values of the options; a label that is no option becomes one."""
    named = [one.attributes["data-option"] for one in _all(cell) if "data-option" in one.attributes]
    if named:
        return named
    known = table.labels.get(definition["id"])
    if known is None:
        known = {option["label"]: option["value"] for option in definition["options"]}
        known |= {option["value"]: option["value"] for option in definition["options"]}
        table.labels[definition["id"]] = known
    chosen = [label for label in (one.strip() for one in shown.split(",")) if label]
    for label in chosen:
        if label not in known:
            known[label] = label
            definition["options"].append({"value": label, "label": label, "color": "default"})
    return [known[label] for label in chosen]


def _all(piece: Piece) -> list[Piece]:
    return [piece, *(one for child in piece.children for one in _all(child))]


def _shown(piece: Piece) -> str:
    return " ".join(unescape("".join(one.raw for one in _all(piece) if one.kind == "text")).split())


def _addresses(cell: Piece) -> list[str]:
    names = {"a": "href", "img": "src"}
    found = [one.attributes.get(names[one.name]) for one in _all(cell) if one.name in names]
    return [address for address in found if address]


def _cards(given: dict[str, str], shown: list[str], roles: dict[str, str]) -> Node:
    view: Node = {"type": "cards", "cardSize": "large" if given.get("data-card-size") == "large" else "medium"}
    view["columns"] = shown
    view |= {_ROLES[role]: name for role, name in roles.items()}
    view |= {key: True for key, name in _CARD_FLAGS.items() if name in given}
    return view


_CARD_FLAGS = {"hideColumnTitle": "data-column-title-hidden", "wrap": "data-card-wrap"}
_GRID_FLAGS = {"stickyHeader": "data-sticky-header", "stickyFirstColumn": "data-sticky-first-column"}


def _grid(given: dict[str, str], shown: list[str], widths: Node, *, bare: bool) -> Node:
    view: Node = {"type": "grid", "columns": shown}
    if widths:
        view["columnWidths"] = widths
    view["hideHeader"] = bare
    return view | {key: True for key, name in _GRID_FLAGS.items() if name in given}
