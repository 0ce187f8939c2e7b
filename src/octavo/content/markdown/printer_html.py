"""Blocks as HTML on one line: what table cells and captions hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from octavo.content.document import Node, children, plain
from octavo.content.markdown import printer_escape as escape
from octavo.content.markdown.printer_inlines import picture

if TYPE_CHECKING:
    from octavo.content.markdown.printer_blocks import BlockPrinter

ALIGNED: Final = {"start": "left", "center": "center", "end": "right"}
_LISTS: Final = ("list-unordered", "list-ordered", "list-tasks")


def cell(printer: BlockPrinter, nodes: list[Node]) -> str:
    """Blocks within a cell or an item; a first paragraph that nothing but lists follow goes without `<p>`."""
    bare = bool(nodes) and _is_plain(nodes[0]) and all(node["type"] in _LISTS for node in nodes[1:])
    if not bare:
        return "".join(block(printer, node) for node in nodes)
    return printer.inlines.html(nodes[0].get("nodes", [])) + "".join(block(printer, node) for node in nodes[1:])


def _is_plain(node: Node) -> bool:
    return bool(node["type"] == "paragraph" and "align" not in node["data"])


def block(printer: BlockPrinter, node: Node) -> str:
    """One block; of those that HTML has no element for, what is in it."""
    if node["type"].startswith("heading-"):
        return heading(printer, node)
    write = _WRITERS.get(node["type"])
    if write is not None:
        return write(printer, node)
    inner = "".join(block(printer, child) for child in children(node) if child["object"] == "block")
    inner += "".join(cell(printer, child["nodes"]) for child in node.get("fragments", ()))
    return inner or escape.html(" ".join(plain(node).split()))


def paragraph(printer: BlockPrinter, node: Node) -> str:
    align = ALIGNED.get(node["data"].get("align", ""))
    return f"<p{escape.attributes(align=align)}>{printer.inlines.html(node.get('nodes', []))}</p>"


def heading(printer: BlockPrinter, node: Node) -> str:
    level = f"h{int(node['type'][-1]) + 1}"
    align = ALIGNED.get(node["data"].get("align", ""))
    inner = printer.inlines.html(node.get("nodes", [])) + printer.anchor(node)
    return f"<{level}{escape.attributes(align=align)}>{inner}</{level}>"


def _list(printer: BlockPrinter, node: Node) -> str:
    name = "ol" if node["type"] == "list-ordered" else "ul"
    tasks = node["type"] == "list-tasks"
    items = "".join(
        f"<li>{_box(item) if tasks else ''}{cell(printer, item.get('nodes', []))}</li>" for item in node["nodes"]
    )
    given = escape.attributes(start=node["data"].get("start"), class_="contains-task-list" if tasks else None)
    return f"<{name}{given}>{items}</{name}>"


def _box(item: Node) -> str:
    return f'<input type="checkbox"{escape.attributes(checked=bool(item["data"].get("checked")))}>'


def _quote(printer: BlockPrinter, node: Node) -> str:
    return f"<blockquote>{cell(printer, node.get('nodes', []))}</blockquote>"


def code(printer: BlockPrinter, node: Node) -> str:
    """`<pre>` with its highlighted lines in `<strong>`."""
    data = node["data"]
    lines = []
    for line in node.get("nodes", []):
        text = escape.html(plain(line)) + "\n"
        lines.append(f"<strong>{text}</strong>" if line["data"].get("highlighted") else text)
    syntax = data.get("syntax")
    names = {
        "title": "title",
        "overflow": "overflow",
        "line_numbers": "lineNumbers",
        "expandable": "expandable",
        "collapsed_line_count": "collapsedLineCount",
        "full_width": "fullWidth",
    }
    given = {f"data_{name}": _written(data.get(key)) for name, key in names.items()}
    opened = f"<pre{escape.attributes(class_=f'language-{syntax}' if syntax else None, **given)}>"
    inner = f"<code{escape.attributes(class_=f'lang-{syntax}' if syntax else None)}>{''.join(lines)}</code>"
    return f"{opened}{inner}</pre>"


def _written(value: Any) -> Any:
    return "true" if value is True else value


def figures(printer: BlockPrinter, node: Node) -> str:
    """Images with their captions, within a `<div>` where there are several or something is set."""
    data = node["data"]
    made = [_figure(printer, image) for image in node.get("nodes", [])]
    given = escape.attributes(
        align=data.get("align"),
        data_full_width=_written(data.get("fullWidth") or None),
        data_with_frame=_written(data.get("withFrame") or None),
    )
    if len(made) == 1 and not given:
        return made[0]
    return f"<div{given}>{' '.join(made)}</div>" if made else ""


def _figure(printer: BlockPrinter, image: Node) -> str:
    data = image["data"]
    size = {name: length(data.get(name)) for name in ("width", "height")}
    shown = f"<img{escape.attributes(src=printer.address(data['ref']), alt=data.get('alt') or '', **size)}>"
    if "refDark" in data:
        shown = picture(shown, printer.address(data["refDark"]))
    caption = "".join(paragraph(printer, node) for part in image.get("fragments", ()) for node in part["nodes"])
    return f"<figure>{shown}<figcaption>{caption}</figcaption></figure>"


def length(value: Any) -> str | None:
    """`375`, `50%`: a number or {unit, value}."""
    if isinstance(value, dict):
        return f"{value.get('value', '')}{value.get('unit', '')}"
    return None if value is None else str(value)


def _expandable(printer: BlockPrinter, node: Node) -> str:
    parts = {part["fragment"]: part["nodes"] for part in node.get("fragments", ())}
    body = "".join(block(printer, child) for child in parts.get("expandable-body", ()))
    return details(node) + summary(printer, parts.get("expandable-title", [])) + body + "</details>"


def details(node: Node) -> str:
    return f"<details{escape.attributes(open=bool(node['data'].get('defaultExpanded')))}>"


def summary(printer: BlockPrinter, title: list[Node]) -> str:
    return f"<summary>{' '.join(printer.inlines.html(node.get('nodes', [])) for node in title)}</summary>"


def _table(printer: BlockPrinter, node: Node) -> str:
    return printer.html_table(node)


def _divider(printer: BlockPrinter, node: Node) -> str:
    return "<hr>"


def _math(printer: BlockPrinter, node: Node) -> str:
    return escape.html(f"$${' '.join(node['data']['formula'].split())}$$")


_WRITERS: Final[dict[str, Callable[[BlockPrinter, Node], str]]] = {
    "paragraph": paragraph,
    "list-unordered": _list,
    "list-ordered": _list,
    "list-tasks": _list,
    "blockquote": _quote,
    "code": code,
    "images": figures,
    "expandable": _expandable,
    "table": _table,
    "divider": _divider,
    "math": _math,
}
