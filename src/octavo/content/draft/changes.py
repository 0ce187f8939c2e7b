"""What goes into a draft and comes out of it, as plain values, and the refusal of a change that cannot be made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from octavo.content.document import Node, Ref
from octavo.content.revision import Digest, File, Page, Reusable


class Refused(Exception):
    """A change that cannot be made; the message says why, in words for whoever asked for it."""


class _Left:
    """Stands for a place that stays as it is."""


LEFT = _Left()


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """Fields of a page; None leaves a field as it is, an empty text clears it."""

    title: str | None = None
    slug: str | None = None
    description: str | None = None
    emoji: str | None = None
    icon: str | None = None
    condition: str | None = None
    hidden: bool | None = None
    no_index: bool | None = None
    no_robots_index: bool | None = None
    layout: Mapping[str, Any] | None = None
    """Parts of the layout as the API serves it; those that are not named stay."""
    cover: Ref | _Left | None = LEFT
    """{ref, refDark?, yPos?, height?}; None takes it away. The references are those of files or addresses."""


class InsertPage(msgspec.Struct, frozen=True, kw_only=True):
    """A new page below `into`, before the sibling that is at `at` now; None = at the top, at the end."""

    body: str | Node
    """Markdown, or a document."""
    into: str | None = None
    at: int | None = None
    ref: str | None = None
    """A name for links of the same batch: `./<ref>.md`."""
    id: str | None = None
    """A fresh id that the page gets; None = one is made."""
    metadata: Metadata = msgspec.field(default_factory=Metadata)


class InsertEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A new group, a link with its `target`, or what stands for pages that are `computed`: what stands in the table of
    contents and has no text."""

    type: Literal["group", "link", "computed"]
    into: str | None = None
    at: int | None = None
    ref: str | None = None
    target: Ref | None = None
    computed: dict[str, Any] | None = None
    metadata: Metadata = msgspec.field(default_factory=Metadata)


class UpdatePage(msgspec.Struct, frozen=True, kw_only=True):
    """Another text, other fields, another place; what is None stays. `into` None is the top of the tree."""

    page: str
    body: str | Node | None = None
    computed: dict[str, Any] | None = None
    into: str | _Left | None = LEFT
    at: int | None = None
    target: Ref | None = None
    """Where a link leads from now on."""
    metadata: Metadata = msgspec.field(default_factory=Metadata)


class DeletePage(msgspec.Struct, frozen=True, kw_only=True):
    """A page goes, and everything below it."""

    page: str


class RevertPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page becomes what it was in another revision; with `blocks`, keys of blocks, only those places of its text."""

    page: str
    revision: str
    blocks: tuple[str, ...] = ()


class ResolveConflict(msgspec.Struct, frozen=True, kw_only=True):
    """Marked places of a page's text are decided: those that `blocks` name by their keys, all of them without."""

    page: str
    keep: Literal["primary", "other", "both"]
    blocks: tuple[str, ...] = ()


class InsertFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file whose bytes are stored already."""

    file: File
    ref: str | None = None


class UpdateFile(msgspec.Struct, frozen=True, kw_only=True):
    """Other bytes, stored already, or another name for a file; who shows or links to it goes on doing so."""

    file: str
    name: str | None = None
    content: File | None = None
    """Size, type and blob are taken from it."""


class DeleteFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file goes. Its references stay where they are written, and lead nowhere."""

    file: str


Change: TypeAlias = (
    InsertPage
    | InsertEntry
    | UpdatePage
    | DeletePage
    | RevertPage
    | ResolveConflict
    | InsertFile
    | UpdateFile
    | DeleteFile
)


class Base(msgspec.Struct, frozen=True):
    """What a draft stands on: entries of a revision, and the texts that the changes will read."""

    pages: Mapping[str, Page]
    files: Mapping[str, File]
    reusables: Mapping[str, Reusable]
    texts: Mapping[Digest, bytes] = msgspec.field(default_factory=dict)
    others: Mapping[str, Mapping[str, Page]] = msgspec.field(default_factory=dict)
    """Revisions to revert to: id -> their pages."""
    space: str = ""
    """The id of the space."""


class Outcome(msgspec.Struct, frozen=True):
    """What became of a page: created_page, updated_page or deleted_page."""

    kind: str
    page: str
    ref: str | None = None
