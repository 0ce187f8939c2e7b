"""Pages of a revision: documents, groups, links and computed entries, as a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, TypedDict, cast

import msgspec
from msgspec import UNSET, Meta

from octavo.content import trie
from octavo.content.document import Node, document, tag_of
from octavo.content.revision import Branch
from octavo.content.revision import Page as Entry
from octavo.kernel.clock import iso
from octavo.wire.content.documents import ServedDocument
from octavo.wire.fields import DateTime, Json, Maybe, Query, Ref, Shape, ShownEmoji, code_points, maybe

_EMPTY = trie.digest(msgspec.json.encode(document([]), order="deterministic"))
"""The document of every page that has a title and no text: none has an id."""


class GitFile(Shape, frozen=True):
    """Where something lies in Git."""

    oid: str
    path: str


class Layout(Shape, frozen=True):
    """What of a page is shown, and how; always complete."""

    cover: bool = True
    title: bool = True
    description: bool = True
    table_of_contents: bool = True
    outline: bool = True
    pagination: bool = True
    metadata: bool = True
    tags: bool = True
    actions: bool = True
    anchors: bool = True
    cover_size: Literal["hero", "full", "background"] = "hero"
    cover_mask: Literal["none", "radial"] = "none"
    width: Literal["default", "wide"] = "default"


class Cover(TypedDict, total=False):
    """`ref` and `refDark` are content references of kind file or url."""

    ref: Ref
    refDark: Ref
    yPos: float
    height: float


class TagRef(Shape, frozen=True):
    """A content reference to a tag of the space, by its slug."""

    tag: str
    kind: Literal["tag"] = "tag"


class PageTag(Shape, frozen=True):
    """A use of a tag."""

    tag: TagRef
    primary: Maybe[bool] = UNSET


class PageUrls(Shape, frozen=True):
    app: str


Variables = Annotated[dict[str, str | float | bool], Meta(description="Values that expressions in the text may name")]


class DocumentPage(Shape, tag_field="type", tag="document", frozen=True):
    id: str
    title: str
    slug: str
    path: str
    pages: list[Page]
    layout: Layout
    tags: list[PageTag]
    urls: PageUrls
    kind: Literal["sheet"] = "sheet"
    link_title: Maybe[str] = UNSET
    description: Maybe[str] = UNSET
    emoji: Maybe[ShownEmoji] = UNSET
    icon: Maybe[str] = UNSET
    created_at: Maybe[DateTime] = UNSET
    updated_at: Maybe[DateTime] = UNSET
    document_id: Maybe[str] = UNSET
    """Absent on an empty page."""
    document: Maybe[ServedDocument] = UNSET
    """With `format=document`."""
    markdown: Maybe[str] = UNSET
    """With `format=markdown`."""
    git: Maybe[GitFile] = UNSET
    cover: Maybe[Cover] = UNSET
    variables: Maybe[Variables] = UNSET
    hidden: bool = False
    no_index: bool = False
    no_robots_index: bool = False
    computed: Maybe[Json] = UNSET
    """{type, props, dependencies}: what the page was generated from."""
    computed_seed: Maybe[str] = UNSET


class GroupPage(Shape, tag_field="type", tag="group", frozen=True):
    id: str
    title: str
    slug: str
    path: str
    pages: list[Page]
    tags: list[PageTag]
    urls: PageUrls
    kind: Literal["group"] = "group"
    emoji: Maybe[ShownEmoji] = UNSET
    icon: Maybe[str] = UNSET
    created_at: Maybe[DateTime] = UNSET
    updated_at: Maybe[DateTime] = UNSET
    git: Maybe[GitFile] = UNSET
    hidden: bool = False
    no_index: bool = False
    no_robots_index: bool = False


class LinkPage(Shape, tag_field="type", tag="link", frozen=True):
    id: str
    title: str
    target: Ref
    tags: list[PageTag]
    urls: PageUrls
    kind: Literal["link"] = "link"
    href: Maybe[str] = UNSET
    """Absent when the target is gone."""
    emoji: Maybe[ShownEmoji] = UNSET
    icon: Maybe[str] = UNSET
    created_at: Maybe[DateTime] = UNSET
    updated_at: Maybe[DateTime] = UNSET
    hidden: bool = False


class ComputedPage(Shape, tag_field="type", tag="computed", frozen=True):
    """A recipe for a part of the tree, as it is with `computed=false`."""

    id: str
    title: str
    computed: Json
    urls: PageUrls
    created_at: Maybe[DateTime] = UNSET
    updated_at: Maybe[DateTime] = UNSET


Page: TypeAlias = DocumentPage | GroupPage | LinkPage | ComputedPage


class PageTree(Shape, frozen=True):
    """The table of contents; `GET …/pages` has no envelope of lists."""

    pages: list[Page]


class MetaLinks(Shape, frozen=True):
    """Content references of what a page stands for, and of its other versions."""

    alternates: list[Ref]
    canonical: Maybe[Ref] = UNSET


class ContentQuery(Query, frozen=True):
    """`metadata` false omits Git, `computed` false leaves recipes as they are."""

    metadata: bool = True
    computed: bool = True
    share_key: Maybe[str] = UNSET


Evaluated = Annotated[bool | Literal["deterministic-only"], Meta(description="Resolve expressions and conditions")]
Dereferenced = Annotated[bool | Literal["reusable-contents"], Meta(description="Put what is referenced in its place")]


class DocumentQuery(Query, frozen=True):
    """Of `GET …/page/{page}/document` and of reusable contents."""

    evaluated: Evaluated = False
    dereferenced: Dereferenced = False


class PageQuery(ContentQuery, frozen=True):
    """Without `format` neither document nor Markdown is given."""

    format: Maybe[Literal["document", "markdown"]] = UNSET
    markdown_refs: Literal["relative", "stable"] = msgspec.field(name="format.markdown.refs", default="relative")
    evaluated: Evaluated = False
    dereferenced: Dereferenced = False


class Shelf(msgspec.Struct, frozen=True):
    """What pages of one revision have in common when they are presented."""

    app: str
    """Address of the space in the application."""
    hrefs: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Id of a link page -> where it leads, for targets that are no plain address."""
    metadata: bool = True


class PageView(msgspec.Struct, frozen=True):
    """One page with its place in the tree and the forms of its text that were asked for."""

    branch: Branch
    markdown: str | Callable[[], str] | None = None
    """Both also as what makes them, which may take its time."""
    document: Node | msgspec.Raw | Callable[[], Node | msgspec.Raw] | None = None


_WHOLE = Layout()
_LAYOUT_NAMES = frozenset(found.encode_name for found in msgspec.structs.fields(Layout))


def present_branches(branches: Sequence[Branch], shelf: Shelf) -> list[Page]:
    """A table of contents, without texts."""
    return [present_page(PageView(branch), shelf) for branch in branches]


def present_page(shown: PageView, shelf: Shelf) -> Page:
    """The page with the pages below it; text is given for this page only."""
    branch = shown.branch
    entry = branch.page
    urls = PageUrls(f"{shelf.app}/{entry.id}")
    created = iso(entry.created) if entry.created else UNSET
    updated = created if entry.updated == entry.created else iso(entry.updated) if entry.updated else UNSET
    if entry.type == "document":
        return _document(shown, shelf, urls, created, updated)
    if entry.type == "group":
        return _group(branch, shelf, urls, created, updated)
    if entry.type == "link":
        return _link(entry, shelf, urls, created, updated)
    return ComputedPage(entry.id, entry.title, entry.computed or {}, urls, created, updated)


def present_meta_links(entry: Entry) -> MetaLinks:
    """The page's own `metaLinks`, whatever of them is well formed."""
    links = entry.meta_links or {}
    alternates, canonical = links.get("alternates"), links.get("canonical")
    return MetaLinks(
        [ref for ref in alternates if isinstance(ref, dict)] if isinstance(alternates, list) else [],
        canonical if isinstance(canonical, dict) else UNSET,
    )


def page_tags(used: Sequence[Mapping[str, Any]]) -> list[PageTag]:
    """The tags of a page, as its entry names them."""
    return [PageTag(TagRef(tag_of(use)), True if use.get("primary") is True else UNSET) for use in used]


def git_file(oid: str | None, path: str | None, metadata: bool) -> Maybe[GitFile]:
    """The `git` of a page, file or reusable content; absent without metadata or when Git does not have it."""
    return GitFile(oid, path) if metadata and oid is not None and path is not None else UNSET


def layout(stored: Mapping[str, Any] | None) -> Layout:
    """The stored layout over the defaults; what no layout can be is passed over."""
    if not stored:
        return _WHOLE
    try:
        return msgspec.convert(stored, Layout)
    except msgspec.ValidationError:
        return msgspec.convert({name: value for name, value in stored.items() if _fits(name, value)}, Layout)


def _fits(name: str, value: Any) -> bool:
    if name not in _LAYOUT_NAMES:
        return False
    try:
        msgspec.convert({name: value}, Layout)
    except msgspec.ValidationError:
        return False
    return True


def _document(shown: PageView, shelf: Shelf, urls: PageUrls, created: Maybe[str], updated: Maybe[str]) -> DocumentPage:
    branch, entry = shown.branch, shown.branch.page
    return DocumentPage(
        id=entry.id,
        title=entry.title,
        slug=entry.slug,
        path=branch.path,
        pages=present_branches(branch.branches, shelf),
        layout=layout(entry.layout),
        tags=page_tags(entry.tags),
        urls=urls,
        link_title=maybe(entry.link_title),
        description=maybe(entry.description),
        emoji=UNSET if entry.emoji is None else code_points(entry.emoji),
        icon=maybe(entry.icon),
        created_at=created,
        updated_at=updated,
        document_id=UNSET if entry.document in (None, _EMPTY) else entry.document.hex(),
        document=maybe(cast("Json | None", shown.document() if callable(shown.document) else shown.document)),
        markdown=maybe(shown.markdown() if callable(shown.markdown) else shown.markdown),
        git=git_file(entry.oid, entry.path, shelf.metadata),
        cover=UNSET if entry.cover is None else cast(Cover, entry.cover),
        variables=entry.variables or UNSET,
        hidden=entry.hidden,
        no_index=entry.no_index,
        no_robots_index=entry.no_robots_index,
        computed=maybe(entry.computed and {name: one for name, one in entry.computed.items() if name != "seed"}),
        computed_seed=maybe((entry.computed or {}).get("seed")),
    )


def _group(branch: Branch, shelf: Shelf, urls: PageUrls, created: Maybe[str], updated: Maybe[str]) -> GroupPage:
    entry = branch.page
    return GroupPage(
        id=entry.id,
        title=entry.title,
        slug=entry.slug,
        path=branch.path,
        pages=present_branches(branch.branches, shelf),
        tags=page_tags(entry.tags),
        urls=urls,
        emoji=UNSET if entry.emoji is None else code_points(entry.emoji),
        icon=maybe(entry.icon),
        created_at=created,
        updated_at=updated,
        git=git_file(entry.oid, entry.path, shelf.metadata),
        hidden=entry.hidden,
        no_index=entry.no_index,
        no_robots_index=entry.no_robots_index,
    )


def _link(entry: Entry, shelf: Shelf, urls: PageUrls, created: Maybe[str], updated: Maybe[str]) -> LinkPage:
    target = entry.target or {}
    address = target.get("url") if target.get("kind") == "url" else None
    return LinkPage(
        id=entry.id,
        title=entry.title,
        target=target,
        tags=page_tags(entry.tags),
        urls=urls,
        href=maybe(shelf.hrefs.get(entry.id, address)),
        emoji=UNSET if entry.emoji is None else code_points(entry.emoji),
        icon=maybe(entry.icon),
        created_at=created,
        updated_at=updated,
        hidden=entry.hidden,
    )
