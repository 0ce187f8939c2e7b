"""Inlines: texts with marks, links, mentions, emoji, icons, images in a line, formulas, notes and buttons."""

from __future__ import annotations

import re
from typing import Any

from octavo.content.document import Node, action_of
from octavo.content.html.context import Target
from octavo.content.html.escape import escape, name, string
from octavo.content.html.links import attribute, mention_of, opening, ref_of, wrap
from octavo.content.html.math import mathml
from octavo.content.html.media import img
from octavo.content.html.text import characters, listed, words
from octavo.content.html.writer import Handler, Writer, data, nodes

_MARKS = {
    "bold": ("<strong>", "</strong>"),
    "italic": ("<em>", "</em>"),
    "strikethrough": ("<s>", "</s>"),
    "superscript": ("<sup>", "</sup>"),
    "subscript": ("<sub>", "</sub>"),
    "keyboard": ("<kbd>", "</kbd>"),
    "code": ("<code>", "</code>"),
}
_INNERMOST = {"keyboard": 1, "code": 2}
_ONE_LINE = 24
"""Characters up to which code stands in one line; only what could be broken has to say so."""
_BREAKS = re.compile(r"[\s/?!|{}\[\]()-]")
# fmt: off
_COLORS = frozenset([
    "default", "green", "blue", "red", "orange", "yellow", "purple", "pink", "violet", "cyan",
    "primary", "info", "success", "warning", "danger", "tint",
])
# fmt: on


def text(writer: Writer, node: Node) -> None:
    """A text node; a line break within a leaf is a hard one."""
    put = writer.put
    for leaf in listed(node.get("leaves")):
        shown = escape(string(leaf.get("text")))
        if "\n" in shown:
            shown = shown.replace("\n", "<br>")
        if shown and (marks := leaf.get("marks")):
            shown = _marked(shown, listed(marks))
        put(shown)


def color(value: Any) -> str:
    """A colour of the palette by its name without `$`; "" for anything else."""
    plain = string(value).removeprefix("$")
    return plain if plain in _COLORS else ""


def link(writer: Writer, node: Node) -> None:
    """Text that leads somewhere; within another link, and where it leads nowhere, only the text."""
    if writer.within_link:
        writer.inlines(nodes(node))
        return
    target = writer.context.link(ref_of(node))
    wrap(writer, opening(target), "link", lambda: writer.inlines(nodes(node)))


def mention(writer: Writer, node: Node) -> None:
    """A reference that shows the title of what it leads to."""
    written = words(node)
    mention_of(writer, ref_of(node), written)


def emoji(writer: Writer, node: Node) -> None:
    """The characters of an emoji."""
    if shown := characters(data(node).get("code")):
        writer.put(f'<span class="emoji">{escape(shown)}</span>')


def icon(writer: Writer, node: Node) -> None:
    """An icon in the line."""
    of = data(node)
    svg = writer.context.icon(string(of.get("icon")))
    if svg:
        chosen = color(of.get("color"))
        writer.put(f'<span class="inline-icon"{attribute("color", chosen)}>{svg}</span>')


def inline_image(writer: Writer, node: Node) -> None:
    """A picture that runs with the text."""
    of = data(node)
    class_ = "inline-image inline-image-line" if of.get("size") == "line" else "inline-image"
    img(writer, of, class_=class_, zoom=False)


def inline_math(writer: Writer, node: Node) -> None:
    """A formula in the line."""
    writer.needs.add("math")
    writer.put(mathml(string(data(node).get("formula")), False))


def expression(writer: Writer, node: Node) -> None:
    """The value of an expression."""
    writer.put(escape(writer.context.value(string(data(node).get("expression")))))


def annotation(writer: Writer, node: Node) -> None:
    """A word with a note; the note itself is written at the end of the page."""
    writer.put('<span class="annotated">')
    writer.inlines(nodes(node))
    writer.put("</span>")
    number = writer.note(node)
    inner = str(number)
    if not writer.within_link:
        inner = f'<a id="note-ref-{number}" href="#note-{number}" role="doc-noteref">{number}</a>'
    writer.put(f'<sup class="note-ref">{inner}</sup>')


def button(writer: Writer, node: Node) -> None:
    """A link that looks like a button, or an action that a script carries out."""
    of = data(node)
    kind = "secondary" if of.get("kind") == "secondary" else "primary"
    class_ = f"button button-{kind}"
    svg = writer.context.icon(string(of["icon"])) if of.get("icon") else ""
    label = f"{svg}<span>{escape(string(of.get('label')) or words(node))}</span>"
    does = action_of(of)
    action = name(does.get("action"))
    if writer.within_link:
        writer.put(f'<span class="{class_}">{label}</span>')
    elif isinstance(of.get("press"), int):  # of an integration's block; without a script it is not there
        writer.put(f'<button type="button" class="{class_}" data-press="{of["press"]:d}" hidden>{label}</button>')
    elif action:
        writer.needs.add("buttons")
        query = string(does.get("query"))
        attributes = attribute("action", action) + attribute("query", query)
        attributes += attribute("slug", string(does.get("slug")))
        start = opening(Target(writer.context.action(action, query), kind="action"), class_, attributes)
        writer.put(
            f"{start}{label}</a>" if start else f'<button type="button" class="{class_}"{attributes}>{label}</button>'
        )
    else:
        wrap(writer, opening(writer.context.link(ref_of(node)), class_), class_, lambda: writer.put(label))


def _marked(shown: str, marks: list[Node]) -> str:
    """The text within its marks, code innermost."""
    kinds = [(string(mark.get("type")), mark) for mark in marks]
    if len(kinds) > 1:
        kinds.sort(key=lambda pair: _INNERMOST.get(pair[0], 0))
    for kind, mark in reversed(kinds):
        if kind == "color":
            start, end = _colored(data(mark))
        else:
            start, end = _MARKS.get(kind, ("", ""))
        if kind == "code" and len(shown) <= _ONE_LINE and _BREAKS.search(shown):
            start = '<code class="whole">'
        shown = start + shown + end
    return shown


def _colored(of: Node) -> tuple[str, str]:
    ink, ground = color(of.get("text")), color(of.get("background"))
    tag = "mark" if ground and ground != "default" else "span"
    if not ink and tag == "span":
        return "", ""
    attributes = attribute("color", ink) + (attribute("background", ground) if tag == "mark" else "")
    return f'<{tag} class="colored"{attributes}>', f"</{tag}>"


INLINES: dict[str, Handler] = {
    "text": text,
    "link": link,
    "mention": mention,
    "emoji": emoji,
    "icon": icon,
    "inline-image": inline_image,
    "inline-math": inline_math,
    "expression": expression,
    "annotation": annotation,
    "button": button,
}
