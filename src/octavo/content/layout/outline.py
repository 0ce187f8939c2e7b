"""The navigation of a directory, from its table of contents or from its folders: drafts of pages in a tree."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from octavo.content.layout import paths
from octavo.content.layout.links import Index, is_external
from octavo.content.layout.report import Report
from octavo.content.layout.summary import Entry
from octavo.content.ordering import spread
from octavo.content.slugs import title_slug

_DEEPEST = 100
"""Folders below each other that a navigation follows."""


@dataclass(eq=False)
class Draft:
    """An entry of the tree before its text is read; what it is called by stands in `label`."""

    type: str
    label: str
    written: bool = False
    """Whether an author wrote the label, rather than it being made of a file's name."""
    path: str | None = None
    """Of the file, from the top of the directory; also when the file is missing."""
    link_title: str | None = None
    href: str | None = None
    """Links only: an address outside of the tree, or None for one to `found`."""
    found: str | None = None
    anchor: str = ""
    computed: dict[str, Any] | None = None
    fixed: str | None = None
    """The slug that the author fixed."""
    listed: bool = True
    children: list[Draft] = field(default_factory=list)
    slug: str = ""
    id: str = ""
    parent: Draft | None = None
    position: str = ""
    lines: tuple[int, int] | None = None
    """The first and the last line that are its own in the table of contents, counted from 1."""


def walk(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """All drafts in reading order."""
    stack = list(reversed(drafts))
    while stack:
        draft = stack.pop()
        yield draft
        stack.extend(reversed(draft.children))


@dataclass(frozen=True)
class Ground:
    """What a navigation is made on."""

    index: Index
    root: str
    contents: str | None
    pages: frozenset[str]
    """Markdown files that are pages."""
    readme: str | None
    """The file that stands for its folder whatever its name."""
    report: Report


def from_summary(entries: Sequence[Entry], ground: Ground) -> list[Draft]:
    """The tree that a table of contents describes; a file that stands twice is a page once and then a link to it."""
    return _Summary(ground).grow(entries, None)


class _Summary:
    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._file = ground.contents or ""
        self._seen: set[str] = set()

    def grow(self, entries: Sequence[Entry], parent: Draft | None) -> list[Draft]:
        made: list[Draft] = []
        for entry in entries:
            draft = self._draft(entry)
            draft.lines = (entry.line, entry.end)
            made.append(draft)
            below = self.grow(entry.children, draft)
            if draft.type in ("document", "group"):
                draft.children = below
            elif below:
                # Only pages and groups have children; those of a link follow it instead.
                self._warn(entry, f"nests entries below “{draft.label}”, which is no page; they follow it")
                made += below
        return made

    def _draft(self, entry: Entry) -> Draft:
        if entry.group:
            return Draft("group", entry.title or entry.anchor or "Untitled", written=True, fixed=entry.anchor)
        if entry.computed is not None:
            return Draft("computed", entry.title, written=True, computed=entry.computed)
        made = Draft("document", entry.title or "Untitled", written=bool(entry.title), link_title=entry.link_title)
        if not entry.href:
            self._warn(entry, f"names “{entry.title}” without a file; it is an empty page")
            return made
        if is_external(entry.href):
            made.type, made.href, made.label = "link", entry.href, entry.title or entry.href
            return made
        return self._local(entry, made, entry.href)

    def _local(self, entry: Entry, made: Draft, href: str) -> Draft:
        ground = self._ground
        folder = posixpath.dirname(self._file)
        found = ground.index.find(folder, href) or ground.index.find(ground.root, href)
        if found is None:
            return self._missing(entry, made, href, folder)
        made.label = entry.title or paths.title_of(found.path)
        if not found.exact:
            self._warn(entry, f"names {href}, whose name is written differently: {found.path}")
        if found.path in ground.pages and not found.anchor:
            if found.path not in self._seen:
                self._seen.add(found.path)
                made.path = found.path
                return made
            self._warn(entry, f"names {href} a second time; the entry is a link to the page")
        made.type, made.found, made.anchor = "link", found.path, found.anchor
        return made

    def _missing(self, entry: Entry, made: Draft, href: str, folder: str) -> Draft:
        path = paths.join(folder, href.partition("#")[0])
        if path is None:
            self._warn(entry, f"names {href}, which lies outside of the directory; it is an empty page")
        else:
            self._warn(entry, f"names {href}, which does not exist; it is an empty page")
            if paths.is_markdown(path) and path not in self._seen and paths.is_below(path, self._ground.root):
                self._seen.add(path)
                made.path, made.label = path, entry.title or paths.title_of(path)
        return made

    def _warn(self, entry: Entry, text: str) -> None:
        self._ground.report.warn(self._file, entry.line, text)


def from_folders(ground: Ground) -> list[Draft]:
    """The tree of folders and files by name, a README first; folders whose names start with a dot are left out."""
    top: dict[str, Any] = {}
    for path in sorted(ground.pages):
        parts = paths.relative(path, ground.root).split("/")
        if any(part.startswith(".") for part in parts[:-1]):
            continue
        if len(parts) > _DEEPEST:
            ground.report.warn(path, None, "lies too deep for the navigation and is not listed")
            continue
        at = top
        for part in parts[:-1]:
            at = at.setdefault("/" + part, {})
        at[parts[-1]] = path
    return _folder(top, first=True)


def _folder(held: dict[str, Any], *, first: bool) -> list[Draft]:
    made: list[tuple[tuple[bool, str, str], Draft]] = []
    for name, value in held.items():
        if isinstance(value, str):
            draft = Draft("document", paths.title_of(value), path=value)
            made.append(((not paths.is_readme(name), name.casefold(), name), draft))
            continue
        name = name[1:]
        below = _folder(value, first=False)
        readme = below[0] if below and below[0].path and paths.is_readme(below[0].path) else None
        if readme and not readme.children:
            readme.children = below[1:]
            draft = readme
        else:
            draft = Draft("group" if first else "document", paths.titled(name), fixed=paths.segment(name))
            draft.children = below
        made.append(((True, name.casefold(), name), draft))
    return [draft for _, draft in sorted(made, key=lambda pair: pair[0])]


def unlisted(drafts: Sequence[Draft], ground: Ground) -> list[Draft]:
    """Drafts of the pages that the navigation does not name."""
    named = {draft.path for draft in walk(drafts)}
    return [
        Draft("document", paths.title_of(path), path=path, listed=False)
        for path in sorted(ground.pages)
        if path not in named
    ]


def name(drafts: Sequence[Draft], outside: Sequence[Draft], ground: Ground) -> None:
    """Give every draft its parent and its slug.

    A page's slug is the last part of its file's address, a group's the folder that its pages share. So a page's path
    is that of its file wherever the tree follows the folders. A page outside of the tree has its whole path as slug.
    """

    def own(path: str) -> str:
        inner = paths.relative(path, ground.root)
        return posixpath.dirname(inner) if path == ground.readme else paths.address(inner)

    taken: set[str] = set()
    stack: list[tuple[Draft | None, str, Sequence[Draft]]] = [(None, "", drafts)]
    while stack:
        parent, prefix, siblings = stack.pop()
        names = paths.Names()
        for draft in siblings:
            wanted = _slug(draft, own, ground)
            draft.parent, draft.slug = parent, names.take(wanted)
            if draft.slug != wanted:
                file = draft.path or ground.contents or ""
                ground.report.warn(file, None, f"has the path of another page; it is at {prefix}{draft.slug}")
            taken.add(prefix + draft.slug)
            stack.append((draft, f"{prefix}{draft.slug}/", draft.children))
    free = paths.Names(taken)
    for draft in outside:
        parts = own(draft.path or "").split("/")
        wanted = "/".join(paths.segment(part) for part in parts if part) or "readme"
        draft.slug = free.take(wanted)
        if draft.slug != wanted:
            ground.report.warn(draft.path or "", None, f"has the path of another page; it is at {draft.slug}")


def _slug(draft: Draft, own: Callable[[str], str], ground: Ground) -> str:
    if draft.fixed:
        return paths.segment(draft.fixed.replace("/", "-"))
    if draft.path:
        last = posixpath.basename(own(draft.path))
        return paths.segment(last) if last else "readme"
    if draft.type == "group":
        inside = [paths.relative(child.path, ground.root) for child in draft.children if child.path]
        firsts = {path.split("/")[0] if "/" in path else "" for path in inside}
        if len(firsts) == 1 and (first := firsts.pop()):
            return paths.segment(first)
        return title_slug(draft.label, "group")
    return title_slug(draft.label, "page" if draft.type == "document" else draft.type)


def place(siblings: Sequence[Draft], before: dict[str, str]) -> None:
    """Give siblings their positions; as many as possible keep the one they had (`before`: id -> position)."""
    held = [(n, before[draft.id]) for n, draft in enumerate(siblings) if draft.id in before]
    kept = [(-1, None), *_longest(held), (len(siblings), None)]
    for (start, low), (end, high) in pairwise(kept):
        for draft, position in zip(siblings[start + 1 : end], spread(end - start - 1, low, high)):
            draft.position = position
        if high is not None:
            siblings[end].position = high


def _longest(held: Sequence[tuple[int, str]]) -> list[tuple[int, str | None]]:
    """The longest run of (place, position) in which the positions grow."""
    ends: list[int] = []
    back: list[int] = []
    for n, (_, position) in enumerate(held):
        low, high = 0, len(ends)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if held[ends[middle]][1] < position else (low, middle)
        back.append(ends[low - 1] if low else -1)
        ends[low : low + 1] = [n]
    run: list[tuple[int, str | None]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        run.append(held[at])
        at = back[at]
    return run[::-1]
