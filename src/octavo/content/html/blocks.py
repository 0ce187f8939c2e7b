"""Blocks of running text: paragraphs, headings, lists, quotes, hints, formulas, conditions, included content."""

from __future__ import annotations

from octavo.content.document import Node
from octavo.content.html.context import Heading
from octavo.content.html.escape import encodable, escape, string
from octavo.content.html.links import ref_of
from octavo.content.html.math import mathml
from octavo.content.html.text import children, heading_id, words
from octavo.content.html.writer import INCLUDES, Handler, Writer, data, nodes

_ALIGNED = {"center": "align-center", "end": "align-end"}
_HINTS = {
    "info": ("circle-info", "Note"),
    "success": ("circle-check", "Success"),
    "warning": ("circle-exclamation", "Warning"),
    "danger": ("triangle-exclamation", "Danger"),
}
_LISTS = frozenset({"list-unordered", "list-ordered", "list-tasks"})


def paragraph(writer: Writer, node: Node) -> None:
    """A paragraph; one without content is nothing."""
    below = nodes(node)
    mark = len(writer.out)
    aligned = _ALIGNED.get(string(data(node).get("align")))
    writer.put(f'<p class="{aligned}">' if aligned else "<p>")
    writer.inlines(below)
    if not "".join(writer.out[mark + 1 :]).strip():
        del writer.out[mark:]
        return
    writer.put("</p>")


def heading(writer: Writer, node: Node) -> None:
    """A heading with its anchor; the page's title is the only `<h1>`, so levels move down by one."""
    level = {"heading-2": 2, "heading-3": 3}.get(string(node.get("type")), 1)
    title = encodable(words(node))
    id_ = writer.anchor(heading_id(node) or node.get("key"), "section")
    if writer.outlined and title:
        writer.outline.append(Heading(level, id_, title))
    aligned = _ALIGNED.get(string(data(node).get("align")))
    rank = writer.rank(level + 1)
    said = f' aria-level="{rank}"' if rank != level + 1 else ""
    drawn = "" if title else _drawn(node)
    if not title and not drawn:
        said = ' role="presentation"'
    writer.put(f'<h{level + 1} id="{id_}" class="heading{" " + aligned if aligned else ""}"{said}>')
    writer.alias(title)
    writer.inlines(nodes(node))
    if drawn:
        writer.put(f'<span class="visually-hidden">{escape(drawn)}</span>')
    if not writer.within_link:
        label = writer.phrase("Link to this section")
        writer.put(f'<a class="anchor" href="#{id_}" aria-label="{label}"></a>')
    writer.put(f"</h{level + 1}>")


def _drawn(node: Node) -> str:
    """What the icons of a heading without words are called, for those who do not see them."""
    icons = (string(data(one).get("icon")) for one in nodes(node) if one.get("type") == "icon")
    return " ".join(encodable(icon.replace("-", " ")) for icon in icons).strip().capitalize()


def divider(writer: Writer, node: Node) -> None:
    """A rule between topics."""
    writer.put("<hr>")


def blockquote(writer: Writer, node: Node) -> None:
    """A quotation."""
    writer.put("<blockquote>")
    writer.quiet(nodes(node))
    writer.put("</blockquote>")


def unordered(writer: Writer, node: Node) -> None:
    """A list of points."""
    _list(writer, node, "<ul>", "</ul>")


def ordered(writer: Writer, node: Node) -> None:
    """A numbered list."""
    start = data(node).get("start")
    numbered = isinstance(start, int) and not isinstance(start, bool) and start != 1
    _list(writer, node, f'<ol start="{start}">' if numbered else "<ol>", "</ol>")


def tasks(writer: Writer, node: Node) -> None:
    """A list of things to do."""
    writer.put('<ul class="tasks">')
    for item in nodes(node):
        checked = " checked" if data(item).get("checked") is True else ""
        label = writer.phrase("Done")
        writer.put(
            f'<li class="task"><input type="checkbox" disabled{checked} aria-label="{label}"><div class="task-body">'
        )
        item_body(writer, nodes(item))
        writer.put("</div></li>")
    writer.put("</ul>")


def list_item(writer: Writer, node: Node) -> None:
    """One item; outside of a list, which is not expected, its blocks alone."""
    writer.quiet(nodes(node))


def item_body(writer: Writer, below: list[Node]) -> None:
    """Blocks in a narrow place: a first paragraph alone, or followed by lists only, stands without `<p>`."""
    if below and below[0].get("type") == "paragraph" and all(node.get("type") in _LISTS for node in below[1:]):
        writer.inlines(nodes(below[0]))
        below = below[1:]
    writer.quiet(below)


def hint(writer: Writer, node: Node) -> None:
    """A note set apart."""
    of = data(node)
    style = string(of.get("style"))
    if style not in _HINTS:
        style = "info"
    icon, label = _HINTS[style]
    writer.put(f'<div class="hint hint-{style}" role="note" aria-label="{writer.phrase(label)}">')
    own = string(of.get("icon"))
    writer.icon(own if own and writer.context.icon(own) else icon, "hint-icon")
    writer.put('<div class="hint-body">')
    writer.quiet(nodes(node))
    writer.put("</div></div>")


def math(writer: Writer, node: Node) -> None:
    """A formula on a line of its own."""
    writer.needs.add("math")
    writer.put(f'<div class="math" tabindex="0">{mathml(string(data(node).get("formula")), True)}</div>')


def condition(writer: Writer, node: Node) -> None:
    """Blocks for those for whom the expression holds."""
    if writer.context.holds(string(data(node).get("expression"))):
        writer.blocks(nodes(node))


_MARKS = {"added": "ins", "removed": "del", "changed": "div"}


def marked(writer: Writer, node: Node) -> None:
    """Blocks that another version of the document has otherwise."""
    of = data(node)
    mark = string(of.get("mark"))
    tag = _MARKS.get(mark, "div")
    role = ' role="group"' if tag == "div" else ""
    writer.put(f'<{tag} class="marked marked-{mark if mark in _MARKS else "changed"}"{role}')
    writer.put(f' aria-label="{escape(string(of.get("label")))}">')
    (writer.quiet if mark == "removed" else writer.blocks)(nodes(node))
    writer.put(f"</{tag}>")


def reusable(writer: Writer, node: Node) -> None:
    """The blocks of a reusable content; nothing where one would include itself."""
    ref = ref_of(node)
    if ref in writer.including or writer.included >= INCLUDES:
        return
    writer.included += 1
    found = writer.context.reusable(ref)
    if found is not None:
        writer.including.append(ref)
        writer.blocks(children(found))
        writer.including.pop()


def _list(writer: Writer, node: Node, start: str, end: str) -> None:
    put = writer.put
    put(start)
    for item in nodes(node):
        put("<li>")
        if item.get("type") == "list-item":
            item_body(writer, nodes(item))
        else:
            writer.quiet([item])
        put("</li>")
    put(end)


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
    "if": condition,
    "reusable-content": reusable,
    "marked": marked,
}
