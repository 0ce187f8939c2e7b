"""What differs between two revisions, in the words of the API: created, edited, moved, deleted, with before and after."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from octavo.content import trie
from octavo.content.above import climb, path
from octavo.content.revision import Digest, File, Page, Reusable, Root
from octavo.content.trie import Steps

E = TypeVar("E", Page, File, Reusable)
Kind = Literal["created", "edited", "moved", "deleted"]
Pair = tuple[Any, Any]
"""(before, after)"""

_PAGE_ATTRIBUTES = {
    "document": ("title", "description", "slug", "document", "cover", "emoji", "icon", "layout", "variables"),
    "group": ("title", "emoji", "icon", "slug"),
    "link": ("title", "emoji", "icon", "target"),
    "computed": ("title", "emoji", "icon", "slug", "computed"),
}
_MORE = ("condition", "hidden", "no_index", "no_robots_index", "link_title", "tags", "meta_links")
"""Attributes that no specification names, and that nevertheless change what is read."""


class PageChange(msgspec.Struct, frozen=True):
    """A page that differs; the page is as it is afterwards, or as it was when it is gone."""

    kind: Kind
    page: Page
    path: str
    attributes: dict[str, Pair] = {}
    parents: tuple[Page | None, Page | None] = (None, None)
    """Of a move: the pages above before and after; None is the top."""
    parent_paths: tuple[str, str] = ("", "")


class FileChange(msgspec.Struct, frozen=True):
    kind: Kind
    file: File
    before: File | None = None
    """Of an edit."""


class ReusableChange(msgspec.Struct, frozen=True):
    kind: Kind
    reusable: Reusable
    attributes: dict[str, Pair] = {}


class TagChange(msgspec.Struct, frozen=True):
    kind: Kind
    tag: dict[str, Any]
    attributes: dict[str, Pair] = {}


class VariablesChange(msgspec.Struct, frozen=True):
    variables: dict[str, Pair]
    """A value that is absent is None."""


Change = PageChange | FileChange | ReusableChange | TagChange | VariablesChange


def changes(before: Root, after: Root) -> Steps[list[Change]]:
    """Everything that differs: pages by their paths, then files by name, reusable contents, tags, variables.

    Only what differs is read, and what stands above it.
    """
    return trie.once(_changes(before, after))


def _changes(before: Root, after: Root) -> Steps[list[Change]]:
    pages = yield from _pages(before.pages, after.pages)
    files = [_file(*pair) for pair in (yield from _differing(before.files, after.files, File)).values()]
    texts = yield from _differing(before.reusables, after.reusables, Reusable)
    reusables = [_reusable(*pair) for pair in texts.values()]
    files.sort(key=lambda one: (one.file.name, one.file.id))
    reusables.sort(key=lambda one: (one.reusable.title, one.reusable.id))
    made: list[Change] = [*pages, *files, *reusables, *_tags(before.tags, after.tags)]
    names = sorted(before.variables.keys() | after.variables.keys())
    pairs = {name: (before.variables.get(name), after.variables.get(name)) for name in names}
    if changed := {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}:
        made.append(VariablesChange(changed))
    return made


def _differing(
    before: Digest | None, after: Digest | None, kind: type[E]
) -> Generator[frozenset[Digest], Mapping[Digest, bytes], dict[str, tuple[E | None, E | None]]]:
    decode = msgspec.msgpack.Decoder(kind).decode
    found = yield from trie.diff(before, after)
    return {key: (decode(was) if was else None, decode(now) if now else None) for key, (was, now) in found.items()}


def _pages(before: Digest | None, after: Digest | None) -> Steps[list[PageChange]]:
    found = yield from _differing(before, after, Page)
    old: dict[str, Page | None] = {key: was for key, (was, _) in found.items()}
    new: dict[str, Page | None] = {key: now for key, (_, now) in found.items()}
    yield from climb(before, old)
    yield from climb(after, new)
    made: list[PageChange] = []
    for was, now in found.values():
        if now is None:
            assert was is not None  # a difference has at least one side
            made.append(PageChange("deleted", was, path(was, old)))
        elif was is None:
            made.append(PageChange("created", now, path(now, new)))
        else:
            made += _page(was, now, old, new)
    return sorted(made, key=lambda change: (change.path, change.page.id, change.kind))


def _page(
    was: Page, now: Page, old: Mapping[str, Page | None], new: Mapping[str, Page | None]
) -> Generator[PageChange, None, None]:
    if (was.parent, was.position, was.listed) != (now.parent, now.position, now.listed):
        parents = old.get(was.parent or ""), new.get(now.parent or "")
        paths = path(parents[0], old) if parents[0] else "", path(parents[1], new) if parents[1] else ""
        yield PageChange("moved", now, path(now, new), parents=parents, parent_paths=paths)
    names = (*_PAGE_ATTRIBUTES.get(now.type, ()), *_MORE)
    attributes = {name: (getattr(was, name), getattr(now, name)) for name in names}
    changed = {name: pair for name, pair in attributes.items() if pair[0] != pair[1]}
    if changed:
        yield PageChange("edited", now, path(now, new), changed)


def _file(was: File | None, now: File | None) -> FileChange:
    if was is None or now is None:
        file = was or now
        assert file is not None  # a difference has at least one side
        return FileChange("created" if was is None else "deleted", file)
    return FileChange("edited", now, was)


def _reusable(was: Reusable | None, now: Reusable | None) -> ReusableChange:
    if was is None or now is None:
        reusable = was or now
        assert reusable is not None  # a difference has at least one side
        return ReusableChange("created" if was is None else "deleted", reusable)
    pairs = {name: (getattr(was, name), getattr(now, name)) for name in ("title", "document")}
    return ReusableChange("edited", now, {name: pair for name, pair in pairs.items() if pair[0] != pair[1]})


def _tags(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[TagChange]:
    old, new = ({str(tag.get("tag")): tag for tag in tags} for tags in (before, after))
    made: list[TagChange] = []
    for slug in sorted(old.keys() | new.keys()):
        if slug not in old or slug not in new:
            made.append(TagChange("created" if slug in new else "deleted", new.get(slug) or old[slug]))
        elif old[slug] != new[slug]:
            names = sorted((old[slug].keys() | new[slug].keys()) - {"tag"})
            pairs = {name: (old[slug].get(name), new[slug].get(name)) for name in names}
            made.append(
                TagChange("edited", new[slug], {name: pair for name, pair in pairs.items() if pair[0] != pair[1]})
            )
    return made
