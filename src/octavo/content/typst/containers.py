"""Blocks that arrange blocks: tabs, steps, columns, expandables, updates."""

from __future__ import annotations

from datetime import date
from typing import Any

from octavo.content.document import Node, tag_of
from octavo.content.html.escape import string
from octavo.content.html.text import words
from octavo.content.html.writer import data, nodes, part
from octavo.content.typst.source import array, literal
from octavo.content.typst.writer import NARROW, SHORT, Handler, Writer


def tabs(writer: Writer, node: Node) -> None:
    """All panels, each below its title."""
    writer.put("tabs(")
    for item in nodes(node):
        of = data(item)
        title = string(of.get("title"))
        meta = item.get("meta")
        wanted = of.get("slug") or (meta.get("id") if isinstance(meta, dict) else None) or title.replace(" ", "-")
        writer.anchor(wanted, "tab")
        writer.put(f"({literal(title)},{{")
        writer.quiet(nodes(item), cost=2)
        writer.put("}),")
    writer.put(");")


def tab(writer: Writer, node: Node) -> None:
    """One panel alone, which is not expected."""
    tabs(writer, {"nodes": [node]})


def stepper(writer: Writer, node: Node) -> None:
    """Numbered steps along a rail."""
    writer.put("steps(")
    for item in nodes(node):
        writer.put("{")
        writer.blocks(nodes(item), cost=2)
        writer.put("},")
    writer.put(");")


def columns(writer: Writer, node: Node) -> None:
    """Blocks side by side."""
    items = nodes(node)
    if not items:
        return
    before, writer.longest = writer.longest, NARROW
    writer.put(f"columns-of({array(_share(data(item).get('width')) for item in items)},")
    for item in items:
        writer.put("{")
        writer.blocks(nodes(item), cost=2)
        writer.put("},")
    writer.put(");")
    writer.longest = before


def expandable(writer: Writer, node: Node) -> None:
    """A title with what it opens on screen."""
    title = part(node, "expandable-title")
    meta = node.get("meta")
    wanted = meta.get("id") if isinstance(meta, dict) else None
    writer.anchor(wanted or "-".join(words({"nodes": title}).split()), "details")
    writer.put(f"details({'true' if len(words({'nodes': title})) < SHORT else 'false'},{{")
    if len(title) == 1 and title[0].get("type") == "paragraph":
        writer.inlines(nodes(title[0]))
    else:
        writer.quiet(title)
    writer.put("},{")
    writer.quiet(part(node, "expandable-body") + nodes(node))
    writer.put("});")


def updates(writer: Writer, node: Node) -> None:
    """News in order, each with its day."""
    style = string(data(node).get("format"))
    for item in nodes(node):
        _update(writer, item, style if style in ("numeric", "short") else "full")


def update(writer: Writer, node: Node) -> None:
    """One piece of news alone, which is not expected."""
    _update(writer, node, "full")


def _update(writer: Writer, node: Node, style: str) -> None:
    of = data(node)
    written = string(of.get("date")).strip()
    try:
        day: date | None = date.fromisoformat(written[:10])
    except ValueError:
        day = None
    writer.anchor(day.isoformat() if day else written, "update")
    shown = writer.around.day(day, style) if day else written
    tags = of.get("tags")
    slugs = [tag_of(use) for use in tags] if isinstance(tags, list) else []
    labels = array(literal(writer.around.tags.get(slug, slug)) for slug in slugs if slug)
    writer.put(f"news({literal(shown)},{labels},{{")
    writer.blocks(nodes(node))
    writer.put("});")


def _share(width: Any) -> str:
    """The share of a column; columns without one take what is left alike."""
    value = width.get("value") if isinstance(width, dict) else width
    percent = not isinstance(width, dict) or width.get("unit") == "%"
    known = isinstance(value, int | float) and not isinstance(value, bool) and percent and 5 <= value <= 95
    return f"{value / 50:.2f}fr" if known and isinstance(value, int | float) else "1fr"


BLOCKS: dict[str, Handler] = {
    "tabs": tabs,
    "tabs-item": tab,
    "stepper": stepper,
    "columns": columns,
    "expandable": expandable,
    "updates": updates,
    "update": update,
}
