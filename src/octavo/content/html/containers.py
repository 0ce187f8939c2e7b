"""Blocks that arrange blocks: tabs, steps, columns, expandables, updates."""

from __future__ import annotations

from datetime import date
from typing import Any

from octavo.content.document import Node, tag_of
from octavo.content.html.context import Update
from octavo.content.html.escape import encodable, escape, string
from octavo.content.html.links import attribute
from octavo.content.html.text import words
from octavo.content.html.writer import Handler, Writer, data, full, nodes, part, step

_ALIGNED = {"middle": " align-middle", "bottom": " align-bottom"}
_PAGE = 720
"""Width of a text column in pixels, to turn widths in pixels into shares."""


def tabs(writer: Writer, node: Node) -> None:
    """Panels of which a script shows one at a time."""
    writer.needs.add("tabs")
    writer.put(f'<div class="tabs{full(data(node))}">')
    for item in nodes(node):
        tab(writer, item)
    writer.put("</div>")


def tab(writer: Writer, node: Node) -> None:
    """One panel below its title."""
    of = data(node)
    title = string(of.get("title"))
    meta = node.get("meta")
    wanted = of.get("slug") or (meta.get("id") if isinstance(meta, dict) else None) or title.replace(" ", "-")
    id_ = writer.anchor(wanted, "tab")
    writer.put(f'<section class="tab-panel" id="{id_}" data-title="{escape(title)}"><p class="tab-title">')
    writer.icon(of.get("icon"), "tab-icon")
    writer.put(f"{escape(title)}</p>")
    writer.quiet(nodes(node))
    writer.put("</section>")


def stepper(writer: Writer, node: Node) -> None:
    """Numbered steps along a rail."""
    writer.put('<ol class="stepper">')
    for number, item in enumerate(nodes(node), 1):
        svg = writer.context.icon(string(data(item).get("icon"))) if data(item).get("icon") else ""
        writer.put(f'<li class="step"><span class="step-marker" aria-hidden="true">{svg or number}</span>')
        writer.put('<div class="step-body">')
        writer.blocks(nodes(item))
        writer.put("</div></li>")
    writer.put("</ol>")


def columns(writer: Writer, node: Node) -> None:
    """Blocks side by side where there is room."""
    writer.put(f'<div class="columns{full(data(node))}">')
    for item in nodes(node):
        of = data(item)
        share = _share(of.get("width"))
        aligned = _ALIGNED.get(string(of.get("verticalAlignment")), "")
        writer.put(f'<div class="column{aligned}"{attribute("width", share)}>')
        writer.blocks(nodes(item))
        writer.put("</div>")
    writer.put("</div>")


def expandable(writer: Writer, node: Node) -> None:
    """A title that opens."""
    title = part(node, "expandable-title")
    meta = node.get("meta")
    wanted = meta.get("id") if isinstance(meta, dict) else None
    id_ = writer.anchor(wanted or "-".join(words({"nodes": title}).split()), "details")
    shown = " open" if data(node).get("defaultExpanded") is True else ""
    writer.put(f'<details class="expandable" id="{id_}"{shown}><summary class="expandable-title">')
    if len(title) == 1 and title[0].get("type") == "paragraph":
        writer.inlines(nodes(title[0]))
    else:
        writer.quiet(title)
    writer.put('</summary><div class="expandable-body">')
    writer.quiet(part(node, "expandable-body") + nodes(node))
    writer.put("</div></details>")


def updates(writer: Writer, node: Node) -> None:
    """News in order, each with its day."""
    style = string(data(node).get("format"))
    writer.put(f'<div class="updates{full(data(node))}">')
    for item in nodes(node):
        update(writer, item, style if style in ("numeric", "short") else "full")
    writer.put("</div>")


def update(writer: Writer, node: Node, style: str = "full") -> None:
    """One piece of news."""
    of = data(node)
    written = string(of.get("date")).strip()
    day = _day(written)
    id_ = writer.anchor(day.isoformat() if day else written, "update")
    shown = escape(writer.context.date(day, style) if day else written)
    timed = f'<time datetime="{day.isoformat()}">{shown}</time>' if day else shown
    tags = _tags(writer, of.get("tags"))
    items = "".join(f'<li class="tag">{escape(tag)}</li>' for tag in tags)
    listed_tags = f'<ul class="tags">{items}</ul>' if items else ""
    writer.put(f'<article class="update" id="{id_}"><header class="update-header">')
    writer.put(f'<a class="update-date" href="#{id_}">{timed}</a>{listed_tags}</header>')
    writer.put('<div class="update-body">')
    begins = len(writer.out)
    writer.blocks(nodes(node))
    writer.updates.append(Update(id_, day, tags, encodable("".join(writer.out[begins:])), nodes(node)))
    writer.put("</div></article>")


def _tags(writer: Writer, tags: Any) -> list[str]:
    """The labels of the tags."""
    slugs = [tag_of(use) for use in tags] if isinstance(tags, list) else []
    return [writer.context.tag(slug) for slug in slugs if slug]


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written[:10])
    except ValueError:
        return None


def _share(width: Any) -> str:
    """A width as a percentage in steps of five; "" for none."""
    unit = "%"
    if isinstance(width, dict):
        unit, width = string(width.get("unit")), width.get("value")
    if not isinstance(width, int | float) or isinstance(width, bool) or not 0 < width < 10_000:
        return ""
    return str(step(width * 100 / _PAGE if unit == "px" else width))


BLOCKS: dict[str, Handler] = {
    "tabs": tabs,
    "tabs-item": tab,
    "stepper": stepper,
    "columns": columns,
    "expandable": expandable,
    "updates": updates,
    "update": update,
}
