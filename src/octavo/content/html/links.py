"""Ways to elsewhere: start tags of links, and what stands in their place where a reference leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from octavo.content.document import Node
from octavo.content.html.context import Target
from octavo.content.html.escape import address, escape, string
from octavo.content.html.writer import Writer, data

_PAGE_OF_A_SPACE = re.compile(r"https://app\.gitbook\.com/(?:o/[^/?#]+/)?s/[^/?#]+/(?:[^?#]*/)?([^/?#]+)/?(?:[?#]|\Z)")
"""The address of a page of a space, with the last segment of its path."""
_BETWEEN = re.compile(r"[-_\s]+")


def opening(target: Target | None, class_: str = "", attributes: str = "") -> str:
    """The start tag of a link to the target; "" when there is nowhere to go."""
    href = address(target.href) if target and not target.broken else ""
    if target is None or not href:
        return ""
    if target.kind == "url" and href.startswith(("http:", "https:")):
        class_ = f"{class_} external".lstrip()
        attributes += ' rel="noopener"'
    if target.new_tab:
        attributes += ' target="_blank"'
    return f'<a class="{class_}" href="{href}"{attributes}>' if class_ else f'<a href="{href}"{attributes}>'


def wrap(writer: Writer, start: str, class_: str, content: Callable[[], None]) -> None:
    """The content within a link that begins with `start`, or within a span of a broken one when `start` is empty.

    Within another link it is neither: a plain span.
    """
    if writer.within_link:
        writer.put(f'<span class="{class_}">')
        content()
        writer.put("</span>")
    elif start:
        writer.put(start)
        writer.within_link = True
        content()
        writer.within_link = False
        writer.put("</a>")
    else:
        writer.put(f'<span class="{class_} broken">')
        content()
        writer.put("</span>")


def mention_of(writer: Writer, ref: Node, written: str = "", class_: str = "mention") -> None:
    """As `mention`, for a bare reference; `written` is shown where the target has no title."""
    target = writer.context.link(ref)
    title = title_of(target, ref, written)
    label = mark_of(writer, target) + f"<span>{escape(title)}</span>"
    wrap(writer, opening(target, class_), class_, lambda: writer.put(label))


def title_of(target: Target | None, ref: Node, written: str = "") -> str:
    """What a reference is shown as: the target's title, what was written, or else what its address says.

    The address of a page of another space says it in words: the last ones of its path.
    """
    if shown := (target.title if target else "") or written:
        return shown
    url = string(ref.get("url"))
    found = _PAGE_OF_A_SPACE.match(url)
    last = unquote(found[1]).strip("-_ ") if found else ""
    in_words = _BETWEEN.sub(" ", last)
    return in_words[:1].upper() + in_words[1:] or url or string(ref.get("anchor"))


def mark_of(writer: Writer, target: Target | None) -> str:
    """The emoji or the icon of a target, followed by a space; "" without one."""
    if target and target.emoji:
        return f'<span class="emoji" aria-hidden="true">{escape(target.emoji)}</span> '
    svg = writer.context.icon(target.icon) if target and target.icon else ""
    return svg and svg + " "


def ref_of(node: Node) -> Node:
    """The content reference in a node's data; empty where there is none."""
    found = data(node).get("ref")
    return found if isinstance(found, dict) else {}


def attribute(key: str, value: str) -> str:
    """A data attribute with a leading space; nothing for an empty value."""
    return f' data-{key}="{escape(value)}"' if value else ""
