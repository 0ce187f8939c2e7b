"""Revisions of a space's content, and their files and reusable contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET
from msgspec import field as named

from octavo.content import revision as content
from octavo.kernel.clock import iso
from octavo.kernel.records import content as records
from octavo.kernel.records.git import GitCommit
from octavo.kernel.records.people import User
from octavo.wire.content.pages import GitFile, Page, Shelf, Variables, git_file, present_branches
from octavo.wire.fields import DateTime, Json, Maybe, Shape, ShownEmoji, code_points, maybe
from octavo.wire.lists import ListQuery
from octavo.wire.people import users
from octavo.wire.review import change_requests
from octavo.wire.review.change_requests import ChangeRequest, ChangeRequestView
from octavo.wire.view import View


class Dimensions(Shape, frozen=True):
    """In pixels."""

    width: int
    height: int


class File(Shape, frozen=True):
    id: str
    name: str
    content_type: str
    download_url: str = named(name="downloadURL")
    size: int
    dimensions: Maybe[Dimensions] = UNSET
    git: Maybe[GitFile] = UNSET


class ReusableContent(Shape, frozen=True):
    id: str
    title: str
    document: Maybe[str] = UNSET
    """Id of its document; absent when it is empty."""
    git: Maybe[GitFile] = UNSET


class Commit(Shape, frozen=True):
    oid: str
    message: str
    created_by_service: bool
    created_by_gitbook: bool = named(name="createdByGitBook")
    """The same under the name that clients read."""
    url: Maybe[str] = UNSET
    ref: Maybe[str] = UNSET


class Tag(Shape, frozen=True):
    """What pages and updates may be marked with: an icon or an emoji and a label."""

    slug: str
    label: str
    color: str
    icon: Maybe[str] = UNSET
    emoji: Maybe[ShownEmoji] = UNSET


class RevisionUrls(Shape, frozen=True):
    app: str
    published: Maybe[str] = UNSET
    public: Maybe[str] = UNSET


class Revision(Shape, tag_field="object", tag="revision", frozen=True):
    id: str
    type: Literal["edits", "rollback", "update", "merge", "computed"]
    parents: list[str]
    pages: list[Page]
    files: list[File]
    reusable_contents: list[ReusableContent]
    variables: Variables
    tags: list[Tag]
    created_at: DateTime
    urls: RevisionUrls
    git: Maybe[Commit] = UNSET
    merged_from: Maybe[ChangeRequest] = UNSET
    """Of type merge only."""
    conflicts: Maybe[list[Json]] = UNSET
    """What a merge or an update left to be decided by hand."""


class ListedRevisionUrls(Shape, frozen=True):
    app: str
    location: str


class ListedRevision(Shape, tag_field="object", tag="revision", frozen=True):
    """A revision without what it holds."""

    id: str
    type: Literal["edits", "rollback", "update", "merge", "computed"]
    parents: list[str]
    created_at: DateTime
    urls: ListedRevisionUrls
    created_by: Maybe[users.User] = UNSET
    """Absent when the service made it, or the account is gone."""
    git: Maybe[Commit] = UNSET
    merged_from: Maybe[ChangeRequest] = UNSET


class RevisionsQuery(ListQuery, frozen=True):
    """`pageId` leaves the revisions that changed that page; the list may then go on behind a part without any."""

    page_id: Maybe[str] = UNSET


class Restored(Shape, frozen=True):
    """The head of primary content after going back; type rollback, unless there was nothing to do."""

    revision: str
    type: str


class FilesQuery(ListQuery, frozen=True):
    """`metadata` false omits Git."""

    metadata: bool = True
    computed: bool = True


class RevisionView(msgspec.Struct, frozen=True):
    """A revision with what it holds, already read; `download` gives a file's address by its id."""

    revision: records.Revision
    app: str
    """Address of the space in the application."""
    branches: Sequence[content.Branch] = ()
    files: Sequence[content.File] = ()
    reusables: Sequence[content.Reusable] = ()
    variables: Mapping[str, Any] = msgspec.field(default_factory=dict)
    tags: Sequence[Json] = ()
    downloads: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Id of a file -> where its bytes are fetched."""
    hrefs: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Id of a link page -> where it leads, for targets that are no plain address."""
    published: str | None = None
    public: str | None = None
    metadata: bool = True
    merged_from: ChangeRequest | None = None


class ListedRevisionView(msgspec.Struct, frozen=True):
    revision: records.Revision
    author: User | None = None
    merged_from: ChangeRequestView | None = None


def present_listed(shown: ListedRevisionView, view: View) -> ListedRevision:
    """An item of the list of revisions."""
    revision = shown.revision
    return ListedRevision(
        id=revision.id,
        type=revision.type,
        parents=revision.parents,
        created_at=iso(revision.created_at),
        urls=ListedRevisionUrls(
            view.revision(revision.organization, revision.space, revision.id),
            view.location("spaces", revision.space, "revisions", revision.id),
        ),
        created_by=UNSET if shown.author is None else users.present(shown.author, view),
        git=UNSET if revision.git is None else _commit(revision.git),
        merged_from=UNSET if shown.merged_from is None else change_requests.present(shown.merged_from, view),
    )


def present(shown: RevisionView) -> Revision:
    """The whole revision."""
    revision, metadata = shown.revision, shown.metadata
    return Revision(
        id=revision.id,
        type=revision.type,
        parents=revision.parents,
        pages=present_branches(shown.branches, Shelf(shown.app, shown.hrefs, metadata)),
        files=[present_file(file, shown.downloads[file.id], metadata=metadata) for file in shown.files],
        reusable_contents=[present_reusable(one, metadata=metadata) for one in shown.reusables],
        variables=dict(shown.variables),
        tags=[present_tag(tag) for tag in shown.tags],
        created_at=iso(revision.created_at),
        urls=RevisionUrls(shown.app, maybe(shown.published), maybe(shown.public)),
        git=_commit(revision.git) if metadata and revision.git is not None else UNSET,
        merged_from=maybe(shown.merged_from),
        conflicts=maybe(revision.conflicts),
    )


def present_file(file: content.File, download: str, *, metadata: bool = True) -> File:
    """The file, with the address of its bytes; without `metadata` Git is left out."""
    sized = file.width is not None and file.height is not None
    return File(
        id=file.id,
        name=file.name,
        content_type=file.content_type,
        download_url=download,
        size=file.size,
        dimensions=Dimensions(file.width or 0, file.height or 0) if sized else UNSET,
        git=git_file(file.oid, file.path, metadata),
    )


def present_reusable(reusable: content.Reusable, *, metadata: bool = True) -> ReusableContent:
    """The reusable content; its document is asked for by id."""
    return ReusableContent(
        reusable.id,
        reusable.title,
        UNSET if reusable.document is None else reusable.document.hex(),
        git_file(reusable.oid, reusable.path, metadata),
    )


def present_tag(tag: Mapping[str, Any]) -> Tag:
    """A tag of the space; its slug is its label, where it has no other."""
    slug, emoji, icon = str(tag.get("tag") or tag.get("slug") or ""), tag.get("emoji"), tag.get("icon")
    return Tag(
        slug=slug,
        label=str(tag.get("label") or slug),
        color=str(tag.get("color") or "default"),
        icon=str(icon) if icon and not emoji else UNSET,
        emoji=code_points(str(emoji)) if emoji else UNSET,
    )


def _commit(commit: GitCommit) -> Commit:
    made = commit.created_by_service
    return Commit(commit.oid, commit.message, made, made, maybe(commit.url), maybe(commit.ref))
