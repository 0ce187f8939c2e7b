"""Tags as blocks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from octavo.content.document import Node, block, fragment, plain, text, walk
from octavo.content.markdown.reading import flag, length, words
from octavo.content.markdown.tags import ITEMS
from octavo.content.markdown.tree import Piece

if TYPE_CHECKING:
    from octavo.content.markdown.blocks import Blocks

MIDNIGHT = "T00:00:00.000Z"
"""Behind the day of an update, whose document names a moment."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
HINT_STYLES = ("info", "success", "warning", "danger")
_REFERS = ("content-ref", "openapi", "openapi-operation", "openapi-schemas", "openapi-webhook")


def read(blocks: Blocks, piece: Piece) -> list[Node]:
    """The block of a tag, behind it whatever of its text the block has no place for."""
    name = piece.name[1:]
    if name in ITEMS:
        return _stray(blocks, piece)
    if name in ITEMS.values():
        return _group(blocks, piece, name)
    if name == "code":
        return _code(blocks, piece)
    if name in ("hint", "if"):
        return [_CONTAINERS[name](blocks, piece, blocks.read(piece.children))]
    inner = blocks.read(piece.children)
    if name in ("embed", "file"):
        return _captioned(blocks, piece, name, inner)
    if name == "prompt":
        return _prompt(blocks, piece, inner)
    made = _reference(blocks, piece, name)
    return [made, *inner] if not (name in _REFERS and _only_names(inner)) else [made]


def _stray(blocks: Blocks, piece: Piece) -> list[Node]:
    """An item without its group: its tags are text."""
    blocks.reading.warn(piece.line, f"{piece.raw.splitlines()[0]} stands outside of its group: it is text")
    close = f"{{% end{piece.name[1:]} %}}"
    return [
        block("paragraph", {}, [text(piece.raw)]),
        *blocks.read(piece.children),
        block("paragraph", {}, [text(close)]),
    ]


def _group(blocks: Blocks, piece: Piece, name: str) -> list[Node]:
    item = next(one for one, group in ITEMS.items() if group == name)
    items = [child for child in piece.children if child.name == "%" + item and child.kind == "open"]
    others = [child for child in piece.children if child not in items] if len(items) < len(piece.children) else []
    before = blocks.read(others)
    if before:
        blocks.reading.warn(piece.line, f"Text between the parts of {{% {name} %}} stands before them")
    nodes = [
        *(_item(blocks, child, item) for child in items),
    ]
    data = {"format": piece.attributes.get("format", "full")} if name == "updates" else {}
    return [*before, block(name, {**data, "fullWidth": flag(piece.attributes.get("fullWidth"))}, nodes)]


def _item(blocks: Blocks, piece: Piece, item: str) -> Node:
    given = piece.attributes
    data: Node
    match item:
        case "tab":
            data = {
                "title": words(given.get("title")) or "",
                "icon": given.get("icon"),
                "slug": words(given.get("slug")),
            }
        case "step":
            data = {"icon": given.get("icon")}
        case "column":
            data = {"width": _width(given.get("width")), "verticalAlignment": given.get("verticalAlignment")}
        case _:
            tags = [tag.strip() for tag in (words(given.get("tags")) or "").split(",") if tag.strip()]
            date = words(given.get("date")) or ""
            used = [{"kind": "tag", "tag": tag} for tag in tags]
            data = {"date": date + MIDNIGHT if _DAY.fullmatch(date) else date, "tags": used or None}
            if not data["date"]:
                blocks.reading.warn(piece.line, "An update has no date")
    node = block({"tab": "tabs-item", "step": "stepper-step"}.get(item, item), data, blocks.read(piece.children))
    blocks.reading.place([node], piece.start, piece.end)
    return node


def _width(written: Any) -> Node | None:
    found = length(written)
    return found if found is None or isinstance(found, dict) else {"unit": "px", "value": found}


def _hint(blocks: Blocks, piece: Piece, inner: list[Node]) -> Node:
    style = piece.attributes.get("style", "info")
    if style not in HINT_STYLES:
        blocks.reading.warn(piece.line, f"There is no hint style {style!r}")
        style = "info"
    return block("hint", {"style": style, "icon": words(piece.attributes.get("icon"))}, inner)


def _if(blocks: Blocks, piece: Piece, inner: list[Node]) -> Node:
    return block("if", {"expression": piece.attributes["expression"]}, inner)


_CONTAINERS: dict[str, Callable[[Blocks, Piece, list[Node]], Node]] = {"hint": _hint, "if": _if}


def code_data(given: dict[str, Any]) -> Node:
    """The attributes of code as its block holds them."""
    count = given.get("collapsedLineCount")
    return {
        "title": words(given.get("title")),
        "overflow": given["overflow"] if given.get("overflow") in ("wrap", "scroll") else None,
        "lineNumbers": flag(given.get("lineNumbers")),
        "expandable": flag(given.get("expandable")),
        "collapsedLineCount": int(str(count)) if str(count).isdecimal() and len(str(count)) < 7 else None,
        "fullWidth": flag(given.get("fullWidth")),
    }


def _code(blocks: Blocks, piece: Piece) -> list[Node]:
    inner = blocks.read(piece.children)
    code = next((node for node in inner if node["type"] == "code"), None)
    if code is None:
        blocks.reading.warn(piece.line, "There is no code between {% code %} and its end")
        return inner
    code["data"] |= {name: value for name, value in code_data(piece.attributes).items() if value is not None}
    return inner


def _captioned(blocks: Blocks, piece: Piece, name: str, inner: list[Node]) -> list[Node]:
    given = piece.attributes
    caption = inner if inner and all(node["type"] == "paragraph" for node in inner) else []
    fragments = [fragment("caption", "caption", caption)] if caption else None
    if name == "embed":
        data: Node = {"url": words(given.get("url")) or "", "fullWidth": flag(given.get("fullWidth"))}
    else:
        data = {"ref": blocks.reading.ref(words(given.get("src")) or "")}
    made = block(name, data, fragments=fragments, void=True)
    return [made] if caption else [made, *inner]


def _prompt(blocks: Blocks, piece: Piece, inner: list[Node]) -> list[Node]:
    given = piece.attributes
    expanded = given.get("defaultExpanded")
    data = {
        "description": words(given.get("description")) or "",
        "icon": words(given.get("icon")),
        "openInAIProviders": flag(given.get("openInAIProviders")),
        "defaultExpanded": expanded if expanded in ("hidden", "partial", "full") else None,
    }
    code = next((node for node in inner if node["type"] == "code"), None)
    others = [node for node in inner if node is not code]
    if code is None and others:
        lines = "\n\n".join(plain(node) for node in others).split("\n")
        return [block("prompt", data, [block("code", {}, [block("code-line", {}, [text(line)]) for line in lines])])]
    return [block("prompt", data, [code] if code is not None else []), *others]


def _reference(blocks: Blocks, piece: Piece, name: str) -> Node:
    given = piece.attributes
    reading = blocks.reading
    wide = flag(given.get("fullWidth"))
    more: Node
    source = reading.ref(words(given.get("src")) or "") if name in _REFERS and "src" in given else None
    ref = source or {"kind": "openapi", "spec": words(given.get("spec")) or ""}
    path, method = words(given.get("path")) or "", (words(given.get("method")) or "").lower()
    match name:
        case "content-ref":
            return block(name, {"ref": reading.ref(words(given.get("url")) or "")}, void=True)
        case "include":
            # {% include "x.md" %}: the address is no attribute.
            written = piece.raw.split('"')[1::2] or [next(iter(given), "")]
            return block("reusable-content", {"ref": reading.ref(written[0])}, void=True)
        case "openapi":
            more = {"expanded": flag(given.get("expanded")), "fullWidth": wide}
            return block(
                "swagger", {"ref": source or reading.ref(""), "path": path, "method": method, **more}, void=True
            )
        case "openapi-operation":
            more = {"path": path, "method": method, "headless": flag(given.get("headless"))}
            return block(name, {"ref": ref, **more}, void=True)
        case "openapi-webhook":
            more = {"name": words(given.get("name")) or "", "method": method, "headless": flag(given.get("headless"))}
            return block(name, {"ref": ref, **more}, void=True)
        case "openapi-schemas":
            schemas = [one.strip() for one in (words(given.get("schemas")) or "").split(",") if one.strip()]
            more = {"schemas": schemas, "grouped": flag(given.get("grouped")), "title": words(given.get("title"))}
            return block(name, {"ref": ref, **more}, void=True)
        case _:
            integration, _, kind = name[1:].partition("/")
            return block("integration", {"integration": integration, "block": kind, "props": given}, void=True)


def _only_names(inner: list[Node]) -> bool:
    """Whether the text between a reference's tags only says its name: one link, or one bare address."""
    if not inner:
        return True
    if len(inner) > 1 or inner[0]["type"] != "paragraph":
        return False
    links = [node for node in walk(inner[0]) if node.get("type") in ("link", "mention")]
    shown = "".join(plain(node) for node in links) if links else plain(inner[0])
    return shown.strip() == plain(inner[0]).strip() and (bool(links) or " " not in shown)
