"""Anchors: the ids of headings, expandables and tabs, unique within a document."""

from __future__ import annotations

from octavo.content.document import Node, assign_keys, plain, walk
from octavo.content.slugs import slugify

HEADINGS = frozenset(("heading-1", "heading-2", "heading-3"))
TITLED = frozenset(("expandable", "tabs-item"))


class Anchors:
    """Ids in use within one document."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._next: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """`wanted`, or `wanted-1`, `wanted-2`, … where it is in use; in use from now on."""
        found, number = wanted, self._next.get(wanted, 0)
        while found in self._taken:
            number += 1
            found = f"{wanted}-{number}"
        self._next[wanted] = number
        self._taken.add(found)
        return found


def assign_anchors(document: Node) -> None:
    """Give every heading its `data.id` and headings, expandables and tabs their `meta.id`; an id that a heading has
    already was written by the author and stays. Headings choose first, so that their ids do not hang on what else
    the page holds."""
    blocks = [node for node in walk(document) if node["object"] == "block"]
    headings = [node for node in blocks if node["type"] in HEADINGS]
    anchors = Anchors(set())
    _drop_twins(headings, anchors)
    nameless = [(node, slugify(plain(node))) for node in headings if "id" not in node["data"]]
    if not all(slug for _, slug in nameless):
        assign_keys(document)
    for node, slug in nameless:
        node["data"]["id"] = anchors.unique(slug or node["key"])
    for node in headings:
        node["meta"] = {"id": node["data"]["id"]}
    for node in blocks:
        if node["type"] in TITLED:
            node["meta"] = {"id": anchors.unique(_title_slug(node))}


def _drop_twins(headings: list[Node], anchors: Anchors) -> None:
    for node in headings:
        if "id" in node["data"]:
            node["data"]["id"] = anchors.unique(node["data"]["id"])


def _title_slug(node: Node) -> str:
    if node["type"] == "tabs-item":
        return slugify(node["data"].get("slug") or node["data"].get("title", "")) or "tab"
    return slugify(plain(node["fragments"][0])) or "expandable"


def wished(node: Node) -> str:
    """The id that a heading, an expandable or a tab would have if nothing else had it; empty for a heading without a
    name."""
    if node["type"] in TITLED:
        return _title_slug(node)
    written: str = node["data"].get("id") or slugify(plain(node))
    return written
