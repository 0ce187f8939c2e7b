"""Changes of content: the batch that is taken, and what is said of pages and files afterwards."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.wire.content.computed import ComputedSource
from octavo.wire.content.documents import Words
from octavo.wire.content.revisions import File
from octavo.wire.fields import Body, IconName, Id, Maybe, Query, Shape, Url2048, WebUrl, line, matching, trimmed
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


class UrlRef(Body, frozen=True, tag_field="kind", tag="url"):
    """An address of the web."""

    url: WebUrl


class PageRef(Body, frozen=True, tag_field="kind", tag="page"):
    """A page of the space."""

    page: Id


class FileRef(Body, frozen=True, tag_field="kind", tag="file"):
    """A file of the space."""

    file: Id


class LayoutChange(Body, frozen=True):
    """Parts of the layout; those that are not sent stay as they are."""

    cover: Maybe[bool] = UNSET
    title: Maybe[bool] = UNSET
    description: Maybe[bool] = UNSET
    table_of_contents: Maybe[bool] = UNSET
    outline: Maybe[bool] = UNSET
    pagination: Maybe[bool] = UNSET
    metadata: Maybe[bool] = UNSET
    tags: Maybe[bool] = UNSET
    actions: Maybe[bool] = UNSET
    anchors: Maybe[bool] = UNSET
    cover_size: Maybe[Literal["hero", "full", "background"]] = UNSET
    cover_mask: Maybe[Literal["none", "radial"]] = UNSET
    width: Maybe[Literal["default", "wide"]] = UNSET


class CoverChange(Body, frozen=True):
    """A picture above the page, and another one for the dark theme."""

    ref: UrlRef | FileRef
    ref_dark: Maybe[UrlRef | FileRef] = UNSET
    y_pos: Maybe[float] = UNSET
    height: Maybe[Annotated[float, Meta(ge=1, le=limits.COVER_HEIGHT_MAX)]] = UNSET


class EntryFields(Body, frozen=True):
    """Fields of everything that stands in a table of contents."""

    title: Maybe[str] = UNSET
    """Trimmed; at least one character."""
    slug: Maybe[Slug] = UNSET
    emoji: Maybe[Annotated[str, line(limits.SPACE_EMOJI_MAX)]] = UNSET
    icon: Maybe[IconName] = UNSET
    hidden: Maybe[bool] = UNSET
    condition: Maybe[Annotated[str, Meta(max_length=limits.CONDITION_MAX)]] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.PAGE_TITLE_MAX)


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
    layout: Maybe[LayoutChange] = UNSET
    cover: Maybe[CoverChange | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.PAGE_TITLE_MAX)


class InsertPage(PageFields, frozen=True, kw_only=True, tag_field="operation", tag="insert_page"):
    """A new page below `into` (absent = at the top), before the sibling at `at` (absent = at the end): with a `document`, or
    `computed`, an entry that stands for pages made of an API specification."""

    document: Maybe[Words] = UNSET
    computed: Maybe[ComputedSource] = UNSET
    into: Maybe[Id] = UNSET
    at: Maybe[Index] = UNSET
    ref: Maybe[str] = UNSET
    """A name for links of this batch: `./<ref>.md`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.document is UNSET and self.computed is UNSET:
            raise ValueError("Object missing required field `document`")
        if self.document is not UNSET and self.computed is not UNSET:
            raise ValueError("Expected `document` or `computed`, not both")


class InsertGroup(EntryFields, frozen=True, kw_only=True, tag_field="operation", tag="insert_group"):
    """A heading in the table of contents with pages below it; groups stand at the top."""

    at: Maybe[Index] = UNSET
    ref: Maybe[str] = UNSET


class InsertLink(EntryFields, frozen=True, kw_only=True, tag_field="operation", tag="insert_link"):
    """An entry of the table of contents that leads to `target`."""

    target: UrlRef | PageRef
    into: Maybe[Id] = UNSET
    at: Maybe[Index] = UNSET
    ref: Maybe[str] = UNSET


class UpdatePage(PageFields, frozen=True, kw_only=True, tag_field="operation", tag="update_page"):
    """Another body, other fields, another place; `into` null is the top of the tree."""

    page: Id
    document: Maybe[Words] = UNSET
    computed: Maybe[ComputedSource] = UNSET
    """Of an entry that stands for pages made of something else."""
    into: Maybe[Id | None] = UNSET
    at: Maybe[Index] = UNSET
    target: Maybe[UrlRef | PageRef] = UNSET
    """Of a link: where it leads."""
    revision: Maybe[Id] = UNSET
    """The revision whose text or document was edited into `document`: what others wrote since then is joined with it."""


class DeletePage(Body, frozen=True, tag_field="operation", tag="delete_page"):
    """A page and everything below it."""

    page: Id


class RevertPage(Body, frozen=True, tag_field="operation", tag="revert_page"):
    """A page, or with `block` only those blocks, as in `revision`; without it as in the base of the change request."""

    page: Id
    revision: Maybe[Id] = UNSET
    block: list[str] = []


class ResolveConflict(Body, frozen=True, tag_field="operation", tag="resolve_conflict"):
    """Places of a page where both sides were kept are decided: those of `block`, all of them where it is empty."""

    page: Id
    keep: Literal["primary", "other", "both"]
    """Primary's text, that of the other side, or one after the other."""
    block: list[str] = []


def _named(given: FileInput | UpdateFile) -> None:
    """Check the name that a file gets, where it gets one."""
    trimmed(given, "name", 1, limits.FILE_NAME_MAX)
    if given.name is not UNSET and (_NO_NAME.search(given.name) or not given.name.strip(".")):
        raise ValueError("Expected a file name without separators and control characters - at `$.name`")


class FileInput(Body, frozen=True):
    """A file from one source: an address, base64, or the `key` of an upload."""

    name: Annotated[str, Meta(min_length=1, max_length=limits.FILE_NAME_MAX)]
    ref: Maybe[str] = UNSET
    content_type: Maybe[str] = UNSET
    url: Maybe[Url2048] = UNSET
    base64: Maybe[str] = UNSET
    key: Maybe[str] = UNSET

    def __post_init__(self) -> None:
        _named(self)


class InsertFiles(Body, frozen=True, tag_field="operation", tag="insert_files"):
    files: Annotated[list[FileInput], Meta(min_length=1, max_length=limits.FILES_MAX)]


class UpdateFile(Body, frozen=True, tag_field="operation", tag="update_file"):
    """Other bytes from one source, another name, or both; what shows the file shows the new one."""

    file: Id
    name: Maybe[Annotated[str, Meta(min_length=1, max_length=limits.FILE_NAME_MAX)]] = UNSET
    content_type: Maybe[str] = UNSET
    url: Maybe[Url2048] = UNSET
    base64: Maybe[str] = UNSET
    key: Maybe[str] = UNSET

    def __post_init__(self) -> None:
        _named(self)


class DeleteFile(Body, frozen=True, tag_field="operation", tag="delete_file"):
    """A file goes; what showed it or linked to it has a broken link then."""

    file: Id


Change = (
    InsertPage
    | InsertGroup
    | InsertLink
    | UpdatePage
    | DeletePage
    | RevertPage
    | ResolveConflict
    | InsertFiles
    | UpdateFile
    | DeleteFile
)


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
