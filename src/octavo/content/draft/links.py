"""What addresses mean in a text written for a page: references to pages, files and the batch's own names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Protocol
from urllib.parse import unquote

from octavo.content.document import Node, Ref, block, rebuilt, text
from octavo.content.draft.forest import Forest
from octavo.content.layout.links import is_external, outside_ref, page_ref, space_ref
from octavo.content.revision import Page

_NAMED = re.compile(r"/(files|spaces|reusable-contents|openapi)/([\w.-]+)/?")
_NAMES = {
    "files": ("file", "file"),
    "spaces": ("space", "space"),
    "reusable-contents": ("reusable-content", "reusableContent"),
    "openapi": ("openapi", "spec"),
}


class Space(Protocol):
    """What is known of a space beside its pages."""

    @property
    def home(self) -> str:
        """Its id."""

    def at_source(self, path: str) -> Ref | None: ...

    def holds(self, ref: Ref) -> bool: ...


class Links:
    """Resolves addresses in the text of one page, and remembers what each meant.

    Pages are named by id or path below `/pages/`, as the files that they would be in Git, or relative to the page;
    `known` is what addresses of the page's former text meant, `refs` the names that the batch gave.
    """

    def __init__(
        self,
        forest: Forest,
        page: Page,
        known: Mapping[str, Ref],
        refs: Mapping[str, Ref],
        space: Space,
    ) -> None:
        self.links: dict[str, Ref] = {}
        self.unknown: set[str] = set()
        """Local addresses that mean nothing."""
        self._forest = forest
        self._page = page
        self._known = known
        self._refs = refs
        self._space = space

    def __call__(self, href: str) -> Ref | None:
        """The reference; None for an address of the web, an anchor, and what means nothing."""
        ref = self._resolve(href)
        if ref is not None:
            self.links[href] = ref
        elif href and not href.startswith("#") and (href.startswith("data:") or not is_external(href)):
            self.unknown.add(href)
        return ref

    @property
    def home(self) -> str:
        """The id of the space that the page is in."""
        return self._space.home

    def forget(self) -> None:
        """Begin anew, with another text."""
        self.links = {}
        self.unknown = set()

    def _resolve(self, href: str) -> Ref | None:
        if ref := space_ref(href):
            return ref
        if not href or href.startswith("#") or is_external(href):
            return None
        written, _, anchor = href.partition("#")
        path = unquote(written.partition("?")[0])
        if named := self._refs.get(path.removeprefix("./").removesuffix(".md")) or self._refs.get(
            path.removeprefix("./")
        ):
            return _with_anchor(named, anchor)
        if href in self._known:
            return self._known[href]
        if found := _NAMED.fullmatch(path):
            kind, name = _NAMES[found[1]]
            ref = {"kind": kind, name: found[2]}
            return ref if self._space.holds(ref) else None
        if path.startswith("/pages/"):
            page = self._forest.get(path.removeprefix("/pages/")) or self._at(path.removeprefix("/pages/"))
        else:
            page = self._at(self._joined(path))
        if page is not None:
            return page_ref(page.id, unquote(anchor))
        source = self._space.at_source(
            posixpath.normpath(posixpath.join(posixpath.dirname(self._page.path or ""), path))
        )
        return outside_ref(href) if source is None else _with_anchor(source, anchor)

    def _joined(self, path: str) -> str:
        """A path written on the page, from the top of the tree."""
        own = self._forest.path(self._page)
        folder = own if self._forest.siblings(self._page.id) else posixpath.dirname(own)
        return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")

    def _at(self, path: str) -> Page | None:
        bare = path.strip("/").removesuffix(".md")
        if posixpath.basename(bare).lower() == "readme":
            bare = posixpath.dirname(bare)
        if not bare:
            first = [page for page in self._forest.siblings(None) if page.type == "document"]
            return first[0] if first else None
        return self._forest.at_path(bare)


def _with_anchor(ref: Ref, anchor: str) -> Ref:
    return page_ref(ref["page"], unquote(anchor)) if ref.get("kind") == "page" else ref


def without_unknown(document: Node, unknown: set[str]) -> Node:
    """The document without what leads nowhere: links become their text, pictures and cards of pages words of theirs."""

    def nowhere(node: Node) -> bool:
        ref = node.get("data", {}).get("ref") if node.get("object") in ("inline", "block") else None
        return isinstance(ref, dict) and ref.get("kind") == "url" and ref.get("url") in unknown

    def replace(node: Node) -> list[Node] | None:
        if node.get("type") == "images":
            gone = [one for one in node["nodes"] if nowhere(one)]
            kept = [one for one in node["nodes"] if not nowhere(one)]
            return [*([node | {"nodes": kept}] if kept else []), *_paragraph(gone)] if gone else None
        if not nowhere(node):
            return None
        if node.get("type") == "link":
            return list(rebuilt(node, replace)["nodes"])
        return _paragraph([node]) if node.get("object") == "block" else [text(_words(node))]

    return rebuilt(document, replace)


def _paragraph(gone: list[Node]) -> list[Node]:
    said = " ".join(filter(None, map(_words, gone)))
    return [block("paragraph", {}, [text(said)])] if said else []


def _words(node: Node) -> str:
    """What is said of a picture, else its address; a `data:` address is the picture itself."""
    url = str(node["data"]["ref"]["url"])
    return str(node["data"].get("alt") or ("" if url.startswith("data:") else url))
