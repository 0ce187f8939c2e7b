"""Content: revisions and what leads from page to page."""

from __future__ import annotations

from typing import Literal

from octavo.kernel.records import Json, Record
from octavo.kernel.records.git import GitCommit


class Revision(Record, frozen=True):
    id: str
    organization: str
    space: str
    root: bytes
    """Digest of the `content.revision.Root` object."""
    parents: list[str]
    type: Literal["edits", "rollback", "update", "merge", "computed"]
    created_at: int
    author: str | None = None
    git: GitCommit | None = None
    merged_from: str | None = None
    """The change request that a merge brought in."""
    conflicts: list[Json] | None = None
    """What a merge or an update could not decide; `content.merge.Conflict` each."""


class PageLink(Record, frozen=True):
    """A reference from a page of primary content."""

    organization: str
    space: str
    page: str
    number: int
    """Its place on the page."""
    target: str
    """See `content.references.target_of`."""
    ref: Json
    """The content reference as it was written."""
    node: str | None = None
    broken: bool = False
