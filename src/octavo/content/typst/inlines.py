"""Inlines: texts with marks, links, mentions, emoji, icons, pictures in a line, formulas, notes and buttons."""

from __future__ import annotations

from octavo.content.document import Node, action_of
from octavo.content.html.escape import string
from octavo.content.html.inlines import color
from octavo.content.html.links import ref_of
from octavo.content.html.text import characters, listed, words
from octavo.content.html.writer import data, nodes, part
from octavo.content.typst.blocks import item_body
from octavo.content.typst.context import Goal
from octavo.content.typst.math import formula
from octavo.content.typst.media import inline_picture
from octavo.content.typst.source import literal
from octavo.content.typst.writer import Handler, Writer

_MARKS = {
    "bold": "bold({",
    "italic": "italic({",
    "strikethrough": "struck({",
    "superscript": "super({",
    "subscript": "sub({",
    "keyboard": "keys({",
    "code": "code({",
}
_INNERMOST = {"keyboard": 1, "code": 2}
_SPEAKING = {
    **dict.fromkeys(("check", "circle-check", "square-check", "check-circle"), "✓"),
    **dict.fromkeys(("xmark", "circle-xmark", "square-xmark", "times", "ban"), "✗"),
    **dict.fromkeys(("star", "circle-star"), "★"),
    **dict.fromkeys(("minus", "dash", "circle-minus"), "–"),
    **dict.fromkeys(("plus", "circle-plus"), "+"),
    "arrow-right": "→",
    "arrow-left": "←",
    "arrow-up": "↑",
    "arrow-down": "↓",
}
_CODE = 16
"""Characters of a word in code that never breaks."""


def text(writer: Writer, node: Node) -> None:
    """A text node."""
    for leaf in listed(node.get("leaves")):
        said = string(leaf.get("text"))
        if said:
            _marked(writer, said, listed(leaf.get("marks")))


def link(writer: Writer, node: Node) -> None:
    """Text that leads somewhere; where it leads nowhere, only the text."""
    goal = writer.around.goal(ref_of(node), writer.page)
    writer.link(goal, lambda: writer.inlines(nodes(node)))


def mention(writer: Writer, node: Node) -> None:
    """A reference that shows the title of what it leads to."""
    mention_of(writer, ref_of(node), words(node))


def mention_of(writer: Writer, ref: Node, written: str = "") -> None:
    """The same for a bare reference; `written` is shown where the target has no title."""
    goal = writer.around.goal(ref, writer.page)
    writer.link(goal, lambda: writer.text(named(goal, ref, written)))


def named(goal: Goal, ref: Node, written: str = "") -> str:
    """What to call a target."""
    title = goal.title or written or string(ref.get("url")) or string(ref.get("anchor"))
    return f"{goal.emoji} {title}" if goal.emoji else title


def emoji(writer: Writer, node: Node) -> None:
    """The characters of an emoji."""
    writer.text(characters(data(node).get("code")))


def icon(writer: Writer, node: Node) -> None:
    """An icon that says something by itself, as a character; others decorate, and are left out."""
    wanted = string(data(node).get("icon")).lower().replace("/", " ").split()
    writer.text(_SPEAKING.get(wanted[-1].removeprefix("fa-"), "") if wanted else "")


def inline_math(writer: Writer, node: Node) -> None:
    """A formula in the line."""
    writer.put(f"{formula(string(data(node).get('formula')), display=False)};")


def annotation(writer: Writer, node: Node) -> None:
    """A word with a note at the foot of the sheet; a note within a note follows its word in brackets."""
    writer.inlines(nodes(node))
    below = part(node, "annotation-body")
    if writer.within_note:
        writer.text(f" ({words({'nodes': below})})")
        return
    writer.within_note = True
    before, writer.within_link = writer.within_link, False
    writer.put("note({")
    writer.depth += 3
    item_body(writer, below)
    writer.depth -= 3
    writer.put("});")
    writer.within_note, writer.within_link = False, before


def button(writer: Writer, node: Node) -> None:
    """A link that stands out; what carries out an action on screen does nothing here."""
    of = data(node)
    ref = ref_of(node)
    goal = writer.around.goal(ref, writer.page) if ref and not action_of(of)["action"] else Goal()
    label = string(of.get("label")) or words(node) or goal.title
    kind = "secondary" if of.get("kind") == "secondary" or not (goal.page or goal.address) else "primary"

    def content() -> None:
        writer.put(f"button({literal(kind)},{{")
        writer.text(label)
        writer.put("});")

    writer.link(goal, content)


def _marked(writer: Writer, said: str, marks: list[Node]) -> None:
    """The text within its marks, code innermost."""
    kinds = sorted(((string(mark.get("type")), mark) for mark in marks), key=lambda pair: _INNERMOST.get(pair[0], 0))
    opened = 0
    for kind, mark in kinds:
        start = _colored(data(mark)) if kind == "color" else _MARKS.get(kind, "")
        if start:
            writer.put(start)
            opened += 1
    before = writer.longest
    if any(kind == "code" for kind, _ in kinds):
        writer.longest = min(before, _CODE)
    writer.text(said)
    writer.longest = before
    writer.put("});" * opened)


def _colored(of: Node) -> str:
    ink, ground = (color(of.get(name)).replace("default", "") for name in ("text", "background"))
    return f"colored({literal(ink)},{literal(ground)},{{" if ink or ground else ""


INLINES: dict[str, Handler] = {
    "text": text,
    "link": link,
    "mention": mention,
    "emoji": emoji,
    "icon": icon,
    "inline-image": inline_picture,
    "inline-math": inline_math,
    "annotation": annotation,
    "button": button,
}
