"""What a revision holds: pages, files, reusable contents, variables; and the tree that pages form.

A page entry is small and flat: its parent and its position make the tree, its text is an object of its own named by
digest. Entries live in hash tries (`trie`), so that changing one page of 100,000 writes a few small objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

Digest = bytes
"""blake2b-160 of an object's bytes."""
DEEPEST = 100
"""Levels of pages; deeper ones are refused, and none come about."""


class Page(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One entry of a space's table of contents, or a page outside of it (`listed` false)."""

    id: str
    type: str
    """document, group, link or computed."""
    title: str
    slug: str
    position: str
    """Sorts among the siblings; see `ordering`."""
    parent: str | None = None
    text: Digest | None = None
    """The whole source file: front matter, `# Title`, body. None for an empty page, a group, a link."""
    document: Digest | None = None
    """The document that the text parses to under `links`, as JSON."""
    links: dict[str, dict[str, Any]] = {}
    """What each local address written in the text meant when it was written: href -> content reference."""
    path: str | None = None
    """Where the file lies in the repository, relative to the content root."""
    oid: str | None = None
    """The Git blob."""
    description: str | None = None
    emoji: str | None = None
    icon: str | None = None
    link_title: str | None = None
    listed: bool = True
    hidden: bool = False
    no_index: bool = False
    no_robots_index: bool = False
    condition: str | None = None
    layout: dict[str, Any] | None = None
    """The page's `layout` as the API serves it, only what differs from the defaults."""
    cover: dict[str, Any] | None = None
    """{ref, refDark?, yPos?, height?}; the references are content references."""
    tags: list[dict[str, Any]] = []
    variables: dict[str, Any] = {}
    meta_links: dict[str, Any] | None = None
    target: dict[str, Any] | None = None
    """Links only: the content reference that the entry points to."""
    computed: dict[str, Any] | None = None
    """Computed entries only: {type, props, dependencies}."""
    created: int = 0
    updated: int = 0
    """Milliseconds since 1970."""


class File(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An uploaded file of a space; its bytes are a blob named by digest."""

    id: str
    name: str
    content_type: str
    size: int
    blob: str
    """SHA-256 of the bytes, hexadecimal."""
    width: int | None = None
    height: int | None = None
    path: str | None = None
    oid: str | None = None


class Reusable(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A reusable content: a named piece of text that pages include."""

    id: str
    title: str
    text: Digest
    document: Digest | None = None
    links: dict[str, dict[str, Any]] = {}
    path: str | None = None
    oid: str | None = None


class Root(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The root object of a revision."""

    pages: Digest | None = None
    files: Digest | None = None
    reusables: Digest | None = None
    variables: dict[str, Any] = {}
    tags: list[dict[str, Any]] = []
    redirects: dict[str, str] = {}
    """Path on the site, without a leading slash -> page id; those that the writers listed."""
    moved: Digest | None = None
    """A trie of old addresses, lower-cased path -> page id; see `history.moves`."""


class Branch(msgspec.Struct, frozen=True):
    """A page with its place in the tree: `path` joins the slugs from the top, without a leading slash."""

    page: Page
    path: str
    branches: list[Branch]


def tree(pages: Iterable[Page]) -> list[Branch]:
    """The listed pages as a forest in reading order; the first document at the top has its slug as path like others.

    A page whose parent is absent or not listed stands at the top: nothing that was written disappears.
    """
    entries = sorted((page for page in pages if page.listed), key=lambda page: (page.position, page.id))
    known = {page.id for page in entries}
    below: dict[str | None, list[Page]] = {}
    for page in entries:
        parent = page.parent if page.parent in known else None
        below.setdefault(parent, []).append(page)

    def grow(parent: str | None, prefix: str) -> list[Branch]:
        made = []
        for page in below.get(parent, ()):
            path = prefix + page.slug
            made.append(Branch(page, path, grow(page.id, path + "/")))
        return made

    return grow(None, "")


def flatten(branches: Iterable[Branch]) -> Iterator[Branch]:
    """Every branch in reading order."""
    for branch in branches:
        yield branch
        yield from flatten(branch.branches)


def outside(pages: Iterable[Page]) -> list[Branch]:
    """The pages that no table of contents lists, by their own paths (`slug` holds the whole path)."""
    return [Branch(page, page.slug, []) for page in sorted(pages, key=lambda p: (p.slug, p.id)) if not page.listed]


def landing(branches: list[Branch]) -> Branch | None:
    """The first document in reading order that is not hidden: what the root of the space shows."""
    first: Branch | None = None
    for branch in flatten(branches):
        if branch.page.type == "document":
            first = first or branch
            if not branch.page.hidden:
                return branch
    return first


def computed_title(computed: dict[str, Any]) -> str:
    """What an entry that stands for pages is called until somebody names it."""
    spec = computed["dependencies"].get("spec")
    ref = spec.get("ref") if isinstance(spec, dict) else None
    return str((ref.get("spec") if isinstance(ref, dict) else None) or computed["type"])
