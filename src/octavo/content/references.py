"""What a page refers to: each reference with the place on the page where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from octavo.content.document import Node, Ref, walk
from octavo.content.revision import File, Page, Reusable
from octavo.content.urls import parts

_HELD = {
    "page": "page", "anchor": "page", "file": "file", "reusable-content": "reusableContent", "space": "space",
    "collection": "collection", "user": "user", "openapi": "spec", "url": "url",
}  # fmt: skip
"""Kind of a content reference -> the key that names its target."""
_INSIDE = ("page", "anchor", "file", "reusable-content")
"""Kinds whose target is a part of a space."""


class Reference(msgspec.Struct, frozen=True):
    """One reference from a page; `node` is the key of the block or inline that holds it, None for the page itself."""

    ref: Ref
    node: str | None = None


def references(page: Page, document: Node | None) -> list[Reference]:
    """Every reference of a page in reading order: its cover, where a link entry leads, and those in its text."""
    own = [ref for ref in (page.target, *(page.cover or {}).values()) if _is_ref(ref)]
    made = [Reference(ref) for ref in own]
    for node in walk(document) if document is not None else ():
        made += [Reference(ref, node.get("key")) for ref in _held_by(node)]
    return made


def _held_by(node: Node) -> Iterator[Ref]:
    data = node.get("data")
    if not isinstance(data, dict) or node.get("object") == "text":
        return
    for name in ("ref", "refDark"):
        if _is_ref(data.get(name)):
            yield data[name]
    if node.get("type") == "embed" and isinstance(data.get("url"), str):
        yield {"kind": "url", "url": data["url"]}
    if node.get("type") == "table":
        yield from _in_records(data)


def _in_records(table: Mapping[str, Any]) -> Iterator[Ref]:
    """References in cells that hold them as data and not as text."""
    for record in (table.get("records") or {}).values():
        for value in (record.get("values") or {}).values():
            yield from (one for one in (value if isinstance(value, list) else [value]) if _is_ref(one))


def _is_ref(value: Any) -> bool:
    return isinstance(value, dict) and value.get("kind") in _HELD and isinstance(value.get(_HELD[value["kind"]]), str)


def target_of(ref: Ref, space: str) -> str:
    """What a reference written in `space` points to; an anchor is a place on its page, and one without is the page."""
    kind = ref["kind"]
    name = str(ref[_HELD[kind]])
    if kind in _INSIDE:
        return f"{'page' if kind == 'anchor' else kind}/{ref.get('space') or space}/{name}"
    return f"{kind}/{name}"


def is_broken(
    ref: Ref, pages: Mapping[str, Page], files: Mapping[str, File], reusables: Mapping[str, Reusable]
) -> bool | None:
    """Whether the target is missing, for references into the space of these entries and addresses; None for others."""
    kind = ref["kind"]
    if kind == "url":
        found = parts(ref["url"])
        return found is None or (not found.scheme and not ref["url"].startswith(("#", "//")))
    if kind not in _INSIDE or ref.get("space"):
        return None
    known: Mapping[str, Any] = {"file": files, "reusable-content": reusables}.get(kind, pages)
    return ref[_HELD[kind]] not in known
