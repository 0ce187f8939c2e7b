"""Tables: with pipes where nothing but text on one line is in them, else as one line of HTML; cards always as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from octavo.content.document import Node
from octavo.content.grids import SPANNED
from octavo.content.markdown import printer_escape as escape
from octavo.content.markdown import printer_html as html

if TYPE_CHECKING:
    from octavo.content.markdown.printer_blocks import BlockPrinter

_RULES: Final = {"left": "---", "center": ":---:", "right": "---:"}
_PIPE_VIEW: Final = frozenset(("type", "columns", "hideHeader", "columnWidths"))
_PIPE_COLUMN: Final = frozenset(("id", "title", "type", "textAlignment"))


def table(printer: BlockPrinter, node: Node) -> str:
    """The block in its simplest form; empty for a table without columns."""
    columns = _columns(node)
    if not columns:
        return ""
    cells = _cells(node)
    if not _fits_pipes(node, columns, cells):
        return html_table(printer, node)
    definition = node["data"]["definition"]
    rows = [[escape.markdown(definition[name]["title"].strip()).replace("|", "\\|") for name in columns]]
    rows.append([_RULES.get(definition[name].get("textAlignment", "left"), "---") for name in columns])
    for _, record in _records(node):
        held = [cells.get(record["values"].get(name, ""), []) for name in columns]
        rows.append([printer.inlines.cell(nodes[0].get("nodes", [])) if nodes else "" for nodes in held])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _columns(node: Node) -> list[str]:
    """Every column: in the order of the definition, unless the view has an order of its own."""
    definition = node["data"]["definition"]
    shown = [name for name in node["data"]["view"].get("columns", ()) if name in definition]
    known = set(shown)
    if [name for name in definition if name in known] == shown:
        return list(definition)
    return shown + [name for name in definition if name not in known]


def _cells(node: Node) -> dict[Any, list[Node]]:
    return {part["fragment"]: part["nodes"] for part in node.get("fragments", ())}


def _records(node: Node) -> list[tuple[str, Node]]:
    return sorted(node["data"]["records"].items(), key=lambda record: str(record[1].get("orderIndex", "")))


def _fits_pipes(node: Node, columns: list[str], cells: dict[Any, list[Node]]) -> bool:
    data, view = node["data"], node["data"]["view"]
    if view.get("type") != "grid" or view.keys() - _PIPE_VIEW or view.get("columnWidths"):
        return False
    if list(view["columns"]) != columns or data.keys() - {"view", "records", "definition"}:
        return False
    given = [data["definition"][name] for name in columns]
    if any(column["type"] != "text" or column.keys() - _PIPE_COLUMN for column in given):
        return False
    if bool(view.get("hideHeader")) == any(column["title"].strip() for column in given):
        return False
    if any("\n" in column["title"] for column in given):
        return False
    return all(len(nodes) == 1 and nodes[0]["type"] == "paragraph" and not nodes[0]["data"] for nodes in cells.values())


def html_table(printer: BlockPrinter, node: Node) -> str:
    """One line of HTML."""
    columns = _columns(node)
    data, view = node["data"], node["data"]["view"]
    cards = view.get("type") == "cards"
    given = escape.attributes(
        data_view="cards" if cards else None,
        data_card_size="large" if cards and view.get("cardSize") == "large" else None,
        data_card_wrap=cards and bool(view.get("wrap")),
        data_column_title_hidden=cards and bool(view.get("hideColumnTitle")),
        data_header_hidden=not cards and bool(view.get("hideHeader")),
        data_sticky_header=not cards and bool(view.get("stickyHeader")),
        data_sticky_first_column=not cards and bool(view.get("stickyFirstColumn")),
        data_full_width="true" if data.get("fullWidth") else None,
        data_search="true" if data.get("search") else None,
    )
    shown = set(view.get("columns", ()))
    head = "".join(_head(data["definition"][name], view, shown) for name in columns)
    cells = _cells(node)
    covered, spans = _merges(node, columns)
    rows = ""
    for key, record in _records(node):
        row = ""
        for name in columns:
            if (key, name) not in covered:
                held = _cell(printer, data["definition"][name], record["values"].get(name), cells)
                row += f"<td{spans.get((key, name), '')}>{held}</td>"
        rows += f"<tr>{row}</tr>"
    return f"<table{given}><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _merges(node: Node, columns: list[str]) -> tuple[set[tuple[str, str]], dict[tuple[str, str], str]]:
    """(cells that others cover, the spans of those others)."""
    records = [key for key, _ in _records(node)]
    rows, places = ({name: at for at, name in enumerate(names)} for names in (records, columns))
    looked = 0
    covered: set[tuple[str, str]] = set()
    spans: dict[tuple[str, str], str] = {}
    for merge in node["data"].get("cellMerges", ()):
        record, column = merge["anchor"]["record"], merge["anchor"]["column"]
        if record not in rows or column not in places:
            continue
        top, left = rows[record], places[column]
        down, right = merge.get("rowSpan", 1), merge.get("colSpan", 1)
        looked += min(down, len(records)) * min(right, len(columns))
        if looked > SPANNED:
            break
        covered |= {(row, name) for row in records[top : top + down] for name in columns[left : left + right]}
        covered.discard((record, column))
        spans[record, column] = escape.attributes(
            rowspan=down if down > 1 else None, colspan=right if right > 1 else None
        )
    return covered, spans


def _head(column: Node, view: Node, shown: set[str]) -> str:
    align = column.get("textAlignment")
    type_ = column["type"]
    roles = {
        "data_card_target": "targetDefinition",
        "data_card_cover": "coverDefinition",
        "data_card_cover_dark": "coverDefinitionDark",
    }
    given = escape.attributes(
        width=view.get("columnWidths", {}).get(column["id"]),
        align=align if align in ("center", "right") else None,
        valign=column.get("verticalAlignment"),
        data_hidden=column["id"] not in shown,
        **{role: view.get(name) == column["id"] for role, name in roles.items()},
        data_type=type_ if type_ != "text" else None,
        data_multiple=bool(column.get("multiple")),
        data_max=column.get("max"),
    )
    options = "".join(
        f"<option{escape.attributes(value=one['value'], label=one.get('label'), color=one.get('color'))}></option>"
        for one in column.get("options", ())
    )
    select = f"<select{escape.attributes(multiple=bool(column.get('multiple')))}>{options}</select>" if options else ""
    title = escape.html(column["title"].strip()).replace("\n", "<br>")
    return f"<th{given}>{title}{select}</th>"


def _cell(printer: BlockPrinter, column: Node, value: Any, cells: dict[Any, list[Node]]) -> str:
    if value is None:
        return ""
    match column["type"]:
        case "text":
            return html.cell(printer, cells[value]) if value in cells else ""
        case "checkbox":
            return "true" if value else "false"
        case "content-ref" | "image":
            return _linked(printer, value)
        case "files":
            return "".join(_linked(printer, ref) for ref in value)
        case "select":
            return _chosen(column, value)
        case "users":
            return escape.html(", ".join(map(str, value)) if isinstance(value, list) else str(value))
        case _:
            return escape.html(str(value))


def _linked(printer: BlockPrinter, ref: Any) -> str:
    href = printer.address(ref)
    name = href if ref.get("kind") == "url" else href.rsplit("/", 1)[-1]
    return f"<a{escape.attributes(href=href)}>{escape.html(name)}</a>"


def _chosen(column: Node, value: Any) -> str:
    labels = {one["value"]: one.get("label", one["value"]) for one in column.get("options", ())}
    values = value if isinstance(value, list) else [value]
    named = [f"<span{escape.attributes(data_option=one)}>{escape.html(str(labels.get(one, one)))}" for one in values]
    return ", </span>".join(named) + ("</span>" if named else "")
