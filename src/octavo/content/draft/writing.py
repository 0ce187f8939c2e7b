"""A page's text with its fields: what is written for a page, read again, and kept in step with the entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from octavo.content import conditions
from octavo.content.document import Node, Ref, walk
from octavo.content.document import document as new_document
from octavo.content.draft.changes import LEFT, Metadata, Refused
from octavo.content.draft.links import Links, without_unknown
from octavo.content.layout.config import front_fields
from octavo.content.layout.report import Report
from octavo.content.markdown import Parsed, parse, print_head, print_page, put_together
from octavo.content.markdown.containers import HINT_STYLES
from octavo.content.markdown.frontmatter import front_of
from octavo.content.markdown.printer import plain_address
from octavo.content.revision import Page
from octavo.content.trie import Objects, digest

LARGEST = 1 << 20
"""Bytes of a page's text that is written here: reading it takes seconds, and others wait to write meanwhile."""
_FRONT = {
    "description": "description", "emoji": "emoji", "icon": "icon", "condition": "if", "hidden": "hidden",
    "no_index": "noIndex", "no_robots_index": "noRobotsIndex",
}  # fmt: skip
"""Field of a page -> key of the front matter."""
_FROM_FRONT = (*_FRONT, "layout", "cover", "tags", "variables", "meta_links")
_BLANK = Page(id="", type="", title="", slug="", position="")
_json = msgspec.json.Encoder(order="deterministic")


@dataclass(frozen=True)
class Written:
    """A page whose text was written, and the objects of that."""

    page: Page
    objects: Objects


def write(page: Page, source: str, body: str | Node | None, metadata: Metadata, links: Links) -> Written:
    """The page with another body (None = as it is) and other fields; `source` is its text until now.

    Front matter that comes with a Markdown body wins over `metadata`, and that over what the page had.
    """
    if metadata.condition and not _holds_together(metadata.condition):
        raise Refused(f"the condition {metadata.condition!r} cannot be read")
    if isinstance(body, str):
        _bounded(body)
        base, old = parse(body, links), front_of(source)
        given = base.front
    else:
        base = parse(source, links)
        old, given = base.front, {}
    front = _front(old, metadata, given)
    own = _text(given.get("title")) or base.title if isinstance(body, str) else None
    title = own or metadata.title or base.title or page.title
    if isinstance(body, dict):
        text = _printed(page, body, front, title, base, links.home)
    else:
        text = put_together(print_head(base, front, title), base.source[base.body :])
    _bounded(text)
    if text != base.source:
        links.forget()
        base = parse(text, links)
    return _read(page, base, title, links)


def printed(page: Page, source: str, body: Node, metadata: Metadata, home: str) -> str:
    """The text of a page, which was `source`, with another body and other fields; what did not change keeps its text.

    Nothing is stored: the text is joined with another one first. Raises Refused for a document that is none.
    """
    base = parse(source, page.links.get)
    front = _front(base.front, metadata, {})
    return _printed(page, body, front, metadata.title or base.title or page.title, base, home)


def _printed(page: Page, body: Node, front: dict[str, Any], title: str, base: Parsed, home: str) -> str:
    try:
        return print_page(_document(body), front=front, title=title, base=base, address=_addresses(page, home))
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise Refused(f"the document is not one: {type(error).__name__}: {error}") from error


def _bounded(text: str) -> None:
    if len(text.encode()) > LARGEST:
        raise Refused(f"the text of a page is limited to {LARGEST >> 10} KiB: divide it into several pages")


def _read(page: Page, parsed: Parsed, title: str, links: Links) -> Written:
    """The entry and the objects that a text makes; what leads nowhere is taken out of it first."""
    parsed = _known_only(parsed, links)
    data, document = parsed.source.encode(), _json.encode(parsed.document)
    fields = front_fields("", parsed.front, lambda href: links(href) or {"kind": "url", "url": href}, Report())
    blank = {name: getattr(_BLANK, name) for name in _FROM_FRONT}
    named = {"text": digest(data), "document": digest(document), "links": links.links, "oid": None}
    made = msgspec.structs.replace(page, **blank | fields | named | {"title": parsed.title or title})
    return Written(made, {digest(data): data, digest(document): document})


def _known_only(parsed: Parsed, links: Links) -> Parsed:
    if not links.unknown:
        return parsed
    document = without_unknown(parsed.document, links.unknown)
    return parsed if document is parsed.document else parse(print_page(document, base=parsed), links)


def _front(old: Mapping[str, Any], metadata: Metadata, given: Mapping[str, Any]) -> dict[str, Any]:
    front = dict(old)
    for field, key in _FRONT.items():
        value = getattr(metadata, field)
        if value is not None:
            front.pop(key, None)
            if value:
                front[key] = value
    _dress(front, metadata)
    return {**front, **{key: value for key, value in given.items() if key != "title"}}


def _dress(front: dict[str, Any], metadata: Metadata) -> None:
    """Layout and cover, written as front matter has them; what is at its default is not written."""
    if metadata.layout:
        layout = dict(front.pop("layout", None) or {})
        for name, value in metadata.layout.items():
            part = layout.pop(name, None)
            if name == "width":
                layout |= {} if value == "default" else {"width": value}
            elif name in ("coverSize", "coverMask"):
                cover = layout.get("cover")
                layout["cover"] = (cover if isinstance(cover, dict) else {}) | {
                    name.removeprefix("cover").lower(): value
                }
            else:
                kept = {key: one for key, one in (part if isinstance(part, dict) else {}).items() if key != "visible"}
                layout |= {name: kept | {"visible": False}} if value is False else {name: kept} if kept else {}
        if layout:
            front["layout"] = layout
    if metadata.cover is not LEFT:
        for key in ("cover", "coverY", "coverHeight"):
            front.pop(key, None)
        if isinstance(metadata.cover, dict):
            light, dark = plain_address(metadata.cover["ref"]), metadata.cover.get("refDark")
            front["cover"] = light if dark is None else {"light": light, "dark": plain_address(dark)}
            named = (("coverY", "yPos"), ("coverHeight", "height"))
            front |= {key: metadata.cover[name] for key, name in named if metadata.cover.get(name) is not None}


def _document(body: Node) -> Node:
    nodes = body.get("nodes")
    if body.get("object") != "document" or not isinstance(nodes, list):
        raise Refused("the document must be {object: document, data, nodes}")
    made = new_document(nodes)
    for node in walk(made):
        _require_writable(node)
    return made


def _require_writable(node: Node) -> None:
    """Refuse what no text can hold: it would be read as something else, and what a condition hides would be shown."""
    data = node.get("data") or {}
    match node.get("type"):
        case "if" if "%}" in (expression := str(data.get("expression", ""))) or not _holds_together(expression):
            raise Refused(f"the condition {expression!r} cannot be read")
        case "math" | "inline-math" if "$$" in str(data.get("formula", "")) or "\n\n" in str(data.get("formula", "")):
            raise Refused("a formula cannot hold $$ or an empty line")
        case "hint" if data.get("style", "info") not in HINT_STYLES:
            raise Refused(f"there is no hint style {data.get('style')!r}: it is one of {', '.join(HINT_STYLES)}")


def _holds_together(expression: str) -> bool:
    return conditions.check(expression) is None


def _text(value: Any) -> str:
    return str(value).strip() if isinstance(value, str | int | float) else ""


def _addresses(page: Page, home: str) -> Any:
    """The address of a reference as the page's text wrote it until now, else the plain one; `home` is the page's space."""
    known = {_json.encode(ref): href for href, ref in page.links.items()}

    def address(ref: Ref) -> str:
        if ref.get("space") == home and ref.get("kind") != "space":
            ref = {name: value for name, value in ref.items() if name != "space"}
        return known.get(_json.encode(ref)) or plain_address(ref)

    return address
