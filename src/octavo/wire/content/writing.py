"""Changes of content: the batch that is taken, and what is said of pages and files afterwards."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.wire.content.documents import Words
from octavo.wire.content.revisions import File
from octavo.wire.fields import Body, IconName, Id, Maybe, Query, Shape, Url2048, line, matching, trimmed
from octavo.wire.review.change_requests import ChangeRequest

Slug = Annotated[
    str,
    matching(
        r"^[^/?#\s]*",
        "one segment of a path, without / ? # and white space, or nothing",
        max_length=limits.PAGE_SLUG_MAX,
    ),
]
_NO_NAME = re.compile(r"[/\\\x00-\x1f\x7f]")
Index = Annotated[int, Meta(ge=0)]


class PageFields(Body, frozen=True):
    """Fields of a page; what the front matter of a Markdown body says takes precedence, an empty text clears a field."""

    title: Maybe[str] = UNSET
    """Trimmed; at least one character."""
    slug: Maybe[Slug] = UNSET
    description: Maybe[str] = UNSET
    emoji: Maybe[Annotated[str, line(limits.SPACE_EMOJI_MAX)]] = UNSET
    icon: Maybe[IconName] = UNSET
    hidden: Maybe[bool] = UNSET
    no_index: Maybe[bool] = UNSET
    no_robots_index: Maybe[bool] = UNSET
    condition: Maybe[Annotated[str, Meta(max_length=limits.CONDITION_MAX)]] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.PAGE_TITLE_MAX)


class InsertPage(PageFields, frozen=True, kw_only=True, tag_field="operation", tag="insert_page"):
    """A new page below `into` (absent = at the top), before the sibling at `at` (absent = at the end)."""

    document: Words
    into: Maybe[Id] = UNSET
    at: Maybe[Index] = UNSET
    ref: Maybe[str] = UNSET
    """A name for links of this batch: `./<ref>.md`."""


class UpdatePage(PageFields, frozen=True, kw_only=True, tag_field="operation", tag="update_page"):
    """Another body, other fields, another place; `into` null is the top of the tree."""

    page: Id
    document: Maybe[Words] = UNSET
    into: Maybe[Id | None] = UNSET
    at: Maybe[Index] = UNSET
    revision: Maybe[Id] = UNSET
    """The revision whose text was edited into `document.markdown`: what others wrote since then is joined with it."""


class DeletePage(Body, frozen=True, tag_field="operation", tag="delete_page"):
    """A page and everything below it."""

    page: Id


class RevertPage(Body, frozen=True, tag_field="operation", tag="revert_page"):
    """A page, or with `block` only those blocks, as in `revision`; without it as in the base of the change request."""

    page: Id
    revision: Maybe[Id] = UNSET
    block: list[str] = []


class FileInput(Body, frozen=True):
    """A file from one source: an address, base64, or the `key` of an upload."""

    name: Annotated[str, Meta(min_length=1, max_length=limits.FILE_NAME_MAX)]
    ref: Maybe[str] = UNSET
    content_type: Maybe[str] = UNSET
    url: Maybe[Url2048] = UNSET
    base64: Maybe[str] = UNSET
    key: Maybe[str] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "name", 1, limits.FILE_NAME_MAX)
        if _NO_NAME.search(self.name) or not self.name.strip("."):
            raise ValueError("Expected a file name without separators and control characters - at `$.name`")


class InsertFiles(Body, frozen=True, tag_field="operation", tag="insert_files"):
    files: Annotated[list[FileInput], Meta(min_length=1, max_length=limits.FILES_MAX)]


Change = InsertPage | UpdatePage | DeletePage | RevertPage | InsertFiles


class ContentChanges(Body, frozen=True):
    """Changes in order: all of them make one revision, or none does."""

    changes: Annotated[list[Change], Meta(min_length=1, max_length=limits.CHANGES_MAX)]


class CompatQuery(Query, frozen=True):
    """`compat` false: the answer also says what became of pages and files."""

    compat: bool = True


class ChangedPageUrls(Shape, frozen=True):
    location: str


class PageLink(Shape, frozen=True, tag_field="object", tag="page"):
    id: str
    urls: ChangedPageUrls


class CreatedPage(Shape, frozen=True, tag_field="object", tag="created_page"):
    page: PageLink
    ref: Maybe[str] = UNSET


class UpdatedPage(Shape, frozen=True, tag_field="object", tag="updated_page"):
    page: PageLink


class DeletedPage(Shape, frozen=True, tag_field="object", tag="deleted_page"):
    page: str


Affected = CreatedPage | UpdatedPage | DeletedPage


class ContentUpdate(Shape, frozen=True):
    """What a batch did."""

    changes: list[Affected]
    inserted_files: list[File]
    change_request: Maybe[ChangeRequest] = UNSET
    revision: Maybe[str] = UNSET
    """Of primary content, where that was written directly."""
    conflicts: Maybe[list[str]] = UNSET
    """Pages in which others changed the same lines: both versions stand in them, one after the other."""
