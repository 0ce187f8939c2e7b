"""What goes into a draft and comes out of it, as plain values, and the refusal of a change that cannot be made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from octavo.content.document import Node
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


class UpdatePage(msgspec.Struct, frozen=True, kw_only=True):
    """Another text, other fields, another place; what is None stays. `into` None is the top of the tree."""

    page: str
    body: str | Node | None = None
    into: str | _Left | None = LEFT
    at: int | None = None
    metadata: Metadata = msgspec.field(default_factory=Metadata)


class DeletePage(msgspec.Struct, frozen=True, kw_only=True):
    """A page goes, and everything below it."""

    page: str


class RevertPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page becomes what it was in another revision; with `blocks`, keys of blocks, only those places of its text."""

    page: str
    revision: str
    blocks: tuple[str, ...] = ()


class InsertFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file whose bytes are stored already."""

    file: File
    ref: str | None = None


Change: TypeAlias = InsertPage | UpdatePage | DeletePage | RevertPage | InsertFile


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
