"""What differs between two revisions: one entry a page, file, reusable content or tag, with before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, field

from octavo.content import changes as content
from octavo.content.comparison import Compared
from octavo.content.document import Node
from octavo.content.revision import Digest
from octavo.content.revision import File as FileEntry
from octavo.content.revision import Page as PageEntry
from octavo.kernel import limits
from octavo.wire.content.pages import layout, page_tags
from octavo.wire.fields import Json, Maybe, Query, Shape, code_points, maybe
from octavo.wire.review import change_requests
from octavo.wire.review.change_requests import ChangeRequest, ChangeRequestView
from octavo.wire.view import View

Attributes = Annotated[dict[str, Json], Meta(description="Name -> {before, after}; a side without a value is absent")]


class ChangedPage(Shape, frozen=True):
    id: str
    type: str
    title: str
    path: Maybe[str] = UNSET


class ChangedFile(Shape, frozen=True):
    id: str
    name: str
    content_type: str
    download_url: str = field(name="downloadURL")


class ChangedReusable(Shape, frozen=True):
    id: str
    title: str
    document: Maybe[str] = UNSET


class ChangedTag(Shape, frozen=True):
    slug: str
    label: str


class Parents(Shape, frozen=True):
    """The pages above before and after; the top of the tree is absent."""

    before: Maybe[ChangedPage] = UNSET
    after: Maybe[ChangedPage] = UNSET


class PageCreated(Shape, frozen=True, tag_field="type", tag="page_created"):
    page: ChangedPage


class PageDeleted(Shape, frozen=True, tag_field="type", tag="page_deleted"):
    page: ChangedPage


class PageEdited(Shape, frozen=True, tag_field="type", tag="page_edited"):
    page: ChangedPage
    attributes: Attributes


class PageMoved(Shape, frozen=True, tag_field="type", tag="page_moved"):
    page: ChangedPage
    parent: Parents


class FileCreated(Shape, frozen=True, tag_field="type", tag="file_created"):
    file: ChangedFile


class FileDeleted(Shape, frozen=True, tag_field="type", tag="file_deleted"):
    file: ChangedFile


class FileEdited(Shape, frozen=True, tag_field="type", tag="file_edited"):
    file: ChangedFile
    attributes: Attributes


class VariablesEdited(Shape, frozen=True, tag_field="type", tag="variables_edited"):
    variables: Attributes


class ReusableCreated(Shape, frozen=True, tag_field="type", tag="reusable_content_created"):
    reusable_content: ChangedReusable


class ReusableDeleted(Shape, frozen=True, tag_field="type", tag="reusable_content_deleted"):
    reusable_content: ChangedReusable


class ReusableEdited(Shape, frozen=True, tag_field="type", tag="reusable_content_edited"):
    reusable_content: ChangedReusable
    attributes: Attributes


class TagCreated(Shape, frozen=True, tag_field="type", tag="tag_created"):
    tag: ChangedTag


class TagDeleted(Shape, frozen=True, tag_field="type", tag="tag_deleted"):
    tag: ChangedTag


class TagEdited(Shape, frozen=True, tag_field="type", tag="tag_edited"):
    tag: ChangedTag
    attributes: Attributes


Change = (
    PageCreated | PageDeleted | PageEdited | PageMoved | FileCreated | FileDeleted | FileEdited | VariablesEdited
    | ReusableCreated | ReusableDeleted | ReusableEdited | TagCreated | TagDeleted | TagEdited
)  # fmt: skip


class SemanticChanges(Shape, frozen=True):
    """`more` counts the changes that the limit left out; `mergedFrom` is what a merge brought in."""

    changes: list[Change]
    more: Maybe[int] = UNSET
    merged_from: Maybe[ChangeRequest] = UNSET


class ChangesQuery(Query, frozen=True):
    limit: Annotated[int, Meta(ge=0, le=limits.LIST_LIMIT_MAX)] = limits.CHANGES_SHOWN
    metadata: bool = True
    computed: bool = True


class RevisionChangesQuery(ChangesQuery, frozen=True):
    """`against` names the revision of the space that it is compared with: without it, the one that it followed."""

    against: Maybe[str] = UNSET


class CompareQuery(Query, frozen=True):
    """`html` true: blocks that differ come as HTML too, made by the renderer of pages."""

    html: bool = False


class RevisionCompareQuery(CompareQuery, frozen=True):
    """`against` as for changes."""

    against: Maybe[str] = UNSET


class BlockHtml(Shape, frozen=True):
    """A block as readers see it, in one or both versions."""

    before: Maybe[str] = UNSET
    after: Maybe[str] = UNSET


class ComparedWords(Shape, frozen=True):
    status: Literal["equal", "added", "deleted"]
    text: str


class ComparedBlock(Shape, frozen=True):
    """A block of the page in one or both versions; `words` where it changed."""

    status: Literal["equal", "added", "deleted", "changed"]
    before: Maybe[Json] = UNSET
    after: Maybe[Json] = UNSET
    words: Maybe[list[ComparedWords]] = UNSET
    html: Maybe[BlockHtml] = UNSET
    """With `html=true`, where the versions differ."""


class ComparedPage(Shape, frozen=True):
    """The top-level blocks of a page before and after, in reading order."""

    page: str
    blocks: list[ComparedBlock]


Side = Literal["before", "after"]


class ComparedPageView(msgspec.Struct, frozen=True):
    page: str
    blocks: Callable[[], list[Compared]]
    """Compares them, which may take its time."""
    render: Callable[[Side, Node], str] | None = None
    """A block of the page before or after as HTML, where that is asked for."""


class ChangesView(msgspec.Struct, frozen=True):
    """Changes with what is needed to present them."""

    changes: list[content.Change]
    limit: int
    download: Callable[[FileEntry], str]
    merged_from: ChangeRequestView | None = None


def present(shown: ChangesView, view: View) -> SemanticChanges:
    """As many as the limit allows."""
    left_out = len(shown.changes) - shown.limit
    return SemanticChanges(
        changes=[_change(change, shown.download) for change in shown.changes[: shown.limit]],
        more=left_out if left_out > 0 else UNSET,
        merged_from=UNSET if shown.merged_from is None else change_requests.present(shown.merged_from, view),
    )


def _block_html(one: Compared, render: Callable[[Side, Node], str] | None) -> Maybe[BlockHtml]:
    if render is None or one.status == "equal":
        return UNSET
    before, after = one.before, one.after
    return BlockHtml(
        UNSET if before is None else render("before", before), UNSET if after is None else render("after", after)
    )


def present_page(shown: ComparedPageView, view: View) -> ComparedPage:
    """A page side by side."""
    return ComparedPage(
        shown.page,
        [
            ComparedBlock(
                one.status,
                maybe(one.before),
                maybe(one.after),
                [ComparedWords(part.status, part.text) for part in one.words] if one.status == "changed" else UNSET,
                _block_html(one, shown.render),
            )
            for one in shown.blocks()
        ],
    )


def _change(change: content.Change, download: Callable[[FileEntry], str]) -> Change:
    match change:
        case content.PageChange():
            return _page_change(change)
        case content.FileChange():
            return _file_change(change, download)
        case content.ReusableChange():
            return _reusable_change(change)
        case content.TagChange():
            return _tag_change(change)
        case content.VariablesChange():
            return VariablesEdited(_attributes(change.variables))


def _page_change(change: content.PageChange) -> Change:
    page = _page(change.page, change.path)
    match change.kind:
        case "created":
            return PageCreated(page)
        case "deleted":
            return PageDeleted(page)
        case "edited":
            return PageEdited(page, _attributes(change.attributes))
        case "moved":
            before, after = (
                UNSET if parent is None else _page(parent, path)
                for parent, path in zip(change.parents, change.parent_paths)
            )
            return PageMoved(page, Parents(before, after))


def _page(page: PageEntry, path: str) -> ChangedPage:
    return ChangedPage(page.id, page.type, page.title, UNSET if page.type == "link" else path)


def _file_change(change: content.FileChange, download: Callable[[FileEntry], str]) -> Change:
    file = change.file
    shown = ChangedFile(file.id, file.name, file.content_type, download(file))
    if change.kind == "created":
        return FileCreated(shown)
    if change.before is None:
        return FileDeleted(shown)
    old, new = (
        {
            "name": one.name,
            "contentType": one.content_type,
            "size": one.size,
            "downloadURL": download(one),
            "dimensions": None if one.width is None else {"width": one.width, "height": one.height},
        }
        for one in (change.before, file)
    )
    return FileEdited(shown, _attributes({name: (old[name], new[name]) for name in new if old[name] != new[name]}))


def _reusable_change(change: content.ReusableChange) -> Change:
    one = change.reusable
    shown = ChangedReusable(one.id, one.title, UNSET if one.document is None else one.document.hex())
    if change.kind == "created":
        return ReusableCreated(shown)
    if change.kind == "deleted":
        return ReusableDeleted(shown)
    return ReusableEdited(shown, _attributes(change.attributes))


def _tag_change(change: content.TagChange) -> Change:
    slug = str(change.tag.get("tag"))
    shown = ChangedTag(slug, str(change.tag.get("label") or slug))
    if change.kind == "created":
        return TagCreated(shown)
    if change.kind == "deleted":
        return TagDeleted(shown)
    return TagEdited(shown, _attributes(change.attributes))


_NAMES = {
    "no_index": "noIndex", "no_robots_index": "noRobotsIndex", "link_title": "linkTitle", "meta_links": "metaLinks",
}  # fmt: skip


def _attributes(pairs: Mapping[str, content.Pair]) -> dict[str, Json]:
    made: dict[str, Json] = {}
    for name, sides in pairs.items():
        named = zip(("before", "after"), (_value(name, side) for side in sides))
        made[_NAMES.get(name, name)] = {side: value for side, value in named if value is not None}
    return made


def _value(name: str, value: Any) -> Any:
    if name == "layout":
        return layout(value)
    if name == "emoji" and isinstance(value, str):
        return code_points(value)
    if name == "tags" and isinstance(value, list):
        return page_tags(value)
    return value.hex() if isinstance(value, Digest) else value
