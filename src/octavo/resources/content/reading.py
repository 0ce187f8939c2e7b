"""Content: the pages and files of primary content, of a change request, and of any revision by its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import msgspec

from octavo.access.locate import SeenSpace
from octavo.content.document import Node, rebuilt
from octavo.content.document import document as empty_document
from octavo.content.naming import includes
from octavo.content.openapi.telling import told
from octavo.content.reading import dereferenced, evaluated, shown_reusables
from octavo.content.revision import Branch, File, Page, Reusable
from octavo.history.contents import Contents, contents_of, opened, raw_document_of, raw_reusable_documents, text_of
from octavo.kernel.errors import absent
from octavo.kernel.operation import Nothing, reads
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.resources.call import Call, Slice, listed
from octavo.resources.embedded import show_change_requests
from octavo.resources.places import (
    At,
    AtChangeRequest,
    AtContentFile,
    AtContentPage,
    AtContentPath,
    AtContentReusable,
    AtDraftFile,
    AtDraftPage,
    AtDraftPath,
    AtDraftReusable,
    AtFile,
    AtPage,
    AtPath,
    AtReusable,
    AtRevision,
    AtRevisionFile,
    AtRevisionPage,
    AtRevisionPath,
    AtRevisionReusable,
    AtSpace,
    Place,
    app_address,
    contents_at,
)
from octavo.resources.told_files import file_of, files_of, prepare_files, prepare_revision
from octavo.site.apis import BLOCKS, blocks_of, key_of, shown_by
from octavo.site.computed import is_made, made_document
from octavo.site.shown import show_spaces
from octavo.site.visits import visitor_for
from octavo.wire.content import pages, revisions
from octavo.wire.content.documents import ServedDocument
from octavo.wire.content.pages import ContentQuery, DocumentQuery, PageQuery, PageView, Shelf
from octavo.wire.content.revisions import FilesQuery, RevisionView
from octavo.wire.review import change_requests
from octavo.wire.view import View

Document: TypeAlias = Node | msgspec.Raw | Callable[[], Node | msgspec.Raw]
"""A document, its bytes, or what makes it and may take its time."""
ASKED = 20
"""Pages that are read to find whether a visitor sees a reusable content; one that no page of these shows stays closed."""


class AtDocument(Place, frozen=True):
    space: SeenSpace
    document: str


@dataclass(frozen=True)
class Shown:
    """A page with what is needed to present it."""

    view: PageView
    shelf: Shelf


@dataclass(frozen=True)
class ShownFile:
    file: File
    download: str
    metadata: bool


async def get_revision(call: Call, at: At, query: ContentQuery) -> RevisionView:
    """Everything in it but the texts."""
    revision, contents = await contents_at(call, at, computed=query.computed)
    space = at.space.record
    shown = (await show_spaces(call.unit, call.view, (space,), {space.id: at.space.role}))[0]
    files = await files_of(call, at, contents)
    return RevisionView(
        revision,
        app_address(call, at),
        branches=contents.branches,
        files=files,
        reusables=sorted(contents.reusables.values(), key=lambda one: (one.title, one.id)),
        variables=contents.root.variables,
        tags=contents.root.tags,
        downloads={file.id: call.download(space.organization, space.id, file) for file in files},
        hrefs=contents.hrefs,
        published=shown.published,
        public=shown.public,
        metadata=query.metadata,
        merged_from=await _merged_from(call, revision, space),
    )


async def _merged_from(call: Call, revision: Revision, space: Space) -> change_requests.ChangeRequest | None:
    """The change request that a merge brought in; who wrote it, and why, is none of a visitor's business."""
    if revision.merged_from is None or call.caller.visiting is not None:
        return None
    found = list((await call.unit.change_requests.by_ids([revision.merged_from])).values())
    shown = await show_change_requests(call, found, {space.id: space})
    return change_requests.present(shown[0], call.view) if shown else None


async def list_pages(call: Call, at: At, query: ContentQuery) -> tuple[list[Branch], Shelf]:
    """The table of contents."""
    _, contents = await contents_at(call, at, computed=query.computed)
    return contents.branches, _shelf(call, at, contents, query.metadata)


async def list_files(call: Call, at: At, query: FilesQuery) -> Slice[ShownFile]:
    """By name."""
    _, contents = await contents_at(call, at)
    cut = call.cut(await files_of(call, at, contents), query, lambda file: (file.name, file.id))
    shown = [_shown_file(call, at, file, query.metadata) for file in cut.items]
    return Slice(shown, cut.count, cut.next)


async def get_file(call: Call, at: AtFile, query: ContentQuery) -> ShownFile:
    """One file."""
    _, contents = await contents_at(call, at)
    file = await file_of(call, at, contents, at.file)
    if file is None:
        raise absent("file", at.file)
    return _shown_file(call, at, file, query.metadata)


async def get_page(call: Call, at: AtPage, query: PageQuery) -> Shown:
    """One page by its id, with its text in the form that was asked for."""
    _, contents = await contents_at(call, at, computed=query.computed)
    return await _page(call, at, contents, _branch(contents, at.page), query)


async def get_page_by_path(call: Call, at: AtPath, query: PageQuery) -> Shown:
    """One document or group by the path that its slugs make; nothing is the first document."""
    _, contents = await contents_at(call, at, computed=query.computed)
    path = at.path.strip("/").lower()
    branch = contents.by_path.get(path) if path else contents.landing
    if branch is None:
        raise absent("page", at.path)
    return await _page(call, at, contents, branch, query)


async def get_page_document(call: Call, at: AtRevisionPage, query: DocumentQuery) -> Document:
    """The document of a page; an empty one for an empty page."""
    _, contents = await contents_at(call, at, computed=True)
    page = _branch(contents, at.page).page
    if page.type != "document":
        raise absent("document of page", at.page)
    return await _document(call, at, contents, page, query)


async def get_meta_links(call: Call, at: AtPage, takes: Nothing) -> Page:
    """What a page stands for, and its other versions."""
    _, contents = await contents_at(call, at, computed=True)
    return _branch(contents, at.page).page


async def get_reusable(call: Call, at: AtReusable, query: ContentQuery) -> tuple[Callable[[], Reusable], bool]:
    """One reusable content."""
    _, contents = await contents_at(call, at)
    return await _reusable(call, at, contents, at.reusable), query.metadata


async def get_reusable_document(call: Call, at: AtRevisionReusable, query: DocumentQuery) -> Document:
    """The document of a reusable content."""
    _, contents = await contents_at(call, at)
    shown = await _reusable(call, at, contents, at.reusable)
    document = await _document(call, at, contents, contents.reusables[at.reusable], query)

    def made() -> Node | msgspec.Raw:
        shown()
        return document() if callable(document) else document

    return made if call.caller.visiting is not None else document


async def get_document(call: Call, at: AtDocument, takes: Nothing) -> msgspec.Raw:
    """A document of the space's primary content by its `documentId`."""
    head = await call.unit.revisions.get(at.space.record.revision)
    assert head is not None
    contents = await contents_of(call.unit, head)
    try:
        digest = bytes.fromhex(at.document)
    except ValueError as error:
        raise absent("document", at.document) from error
    entries: list[Page | Reusable] = [*contents.pages.values(), *contents.reusables.values()]
    mine = any(entry.document == digest for entry in entries)
    document = await raw_document_of(call.unit, contents.organization, digest) if mine else None
    if document is None:
        raise absent("document", at.document)
    return document


async def _page(call: Call, at: AtPage | AtPath, contents: Contents, branch: Branch, query: PageQuery) -> Shown:
    page = branch.page
    markdown: str | Callable[[], str] | None = None
    document: Document | None = None
    if query.format == "document" and page.type == "document":
        document = await _document(call, at, contents, page, query)
    elif query.format == "markdown" and page.type == "document":
        markdown = await _markdown(call, at, contents, page, query)
    return Shown(PageView(branch, markdown, document), _shelf(call, at, contents, query.metadata))


async def _markdown(call: Call, at: At, contents: Contents, page: Page, query: PageQuery) -> str | Callable[[], str]:
    """The source as it was written; printed anew where references or conditions have to be replaced."""
    if is_made(page):
        return await _made_markdown(call, contents, page)
    source = await text_of(call.unit, contents.organization, page.text)
    if not _is_printed(query) and call.caller.visiting is None:
        return source
    reusables = await raw_reusable_documents(call.unit, contents) if query.dereferenced else {}

    def printed() -> str:
        # The parser costs 100 ms to import, and few processes ever need it.
        from octavo.content.markdown import parse, print_page

        base = parse(source, page.links.get)
        document = _replaced(call, at, contents, page, base.document, query, opened(reusables))
        return print_page(document, front=base.front, title=base.title)

    return printed


async def _made_markdown(call: Call, contents: Contents, page: Page) -> Callable[[], str]:
    """A page that is made, with what its blocks show in their place."""
    document = await made_document(call.unit, contents.organization, page)
    specs = await call.unit.openapi.newest(contents.organization)
    apis = await shown_by(call.unit, specs, blocks_of([document]))

    def printed() -> str:
        from octavo.content.markdown import print_page

        whole = rebuilt(document, lambda node: told(apis[key_of(node)]) if node.get("type") in BLOCKS else None)
        return print_page(whole, front=None, title=page.title)

    return printed


def _is_printed(query: PageQuery) -> bool:
    anew = query.markdown_refs != "relative" or query.evaluated or query.dereferenced
    return query.format == "markdown" and bool(anew)


async def _document(
    call: Call, at: At, contents: Contents, entry: Page | Reusable, query: DocumentQuery | PageQuery
) -> Document:
    """The stored document; where nothing in it has to be replaced, as the bytes that it is, else what makes it."""
    if isinstance(entry, Page) and is_made(entry):
        return await made_document(call.unit, contents.organization, entry)
    stored = None
    if entry.document is not None:
        stored = await raw_document_of(call.unit, contents.organization, entry.document)
    if stored is None:
        return empty_document([])
    if not _is_transformed(query) and call.caller.visiting is None:
        return stored
    data = bytes(stored)
    wanted = query.dereferenced and b'"reusable-content"' in data
    known = await raw_reusable_documents(call.unit, contents) if wanted else {}
    return lambda: _replaced(call, at, contents, entry, opened({"": data})[""], query, opened(known))


def _is_transformed(query: DocumentQuery | PageQuery) -> bool:
    return bool(query.evaluated or query.dereferenced)


def _takes_long(query: PageQuery) -> bool:
    return _is_printed(query) or (query.format == "document" and _is_transformed(query))


def _for_visitors(query: ContentQuery) -> bool:
    """Of others it does not take long: only what a visitor reads has to be looked for on pages."""
    return False


def _replaced(
    call: Call,
    at: At,
    contents: Contents,
    entry: Page | Reusable,
    document: Node,
    query: DocumentQuery | PageQuery,
    reusables: Mapping[str, Node],
) -> Node:
    if query.dereferenced:
        document = dereferenced(document, reusables)
    visiting = call.caller.visiting
    if query.evaluated or visiting is not None:
        variables = entry.variables if isinstance(entry, Page) else {}
        # To a visitor nothing is told that is not for her, whether it was asked to be decided or not.
        visitor = visitor_for(call.caller, at.space.record.id)
        scope = visitor.scope(contents.root.variables, variables)
        # An expression is a text too: what it says to others is not sent along for the browser to leave out.
        document = evaluated(document, scope, expressions=query.evaluated is True or visiting is not None)
    return document


def _branch(contents: Contents, page: str) -> Branch:
    branch = contents.by_id.get(page)
    if branch is None:
        raise absent("page", page)
    return branch


async def _reusable(call: Call, at: At, contents: Contents, reusable: str) -> Callable[[], Reusable]:
    """A reusable content. To a visitor it is there when one of the pages that she sees shows it: a condition may stand around
    it. What is returned decides that, and raises NotFound."""
    found = contents.reusables.get(reusable)
    if found is None:
        raise absent("reusable content", reusable)
    if call.caller.visiting is None:
        return lambda: found
    scope = visitor_for(call.caller, at.space.record.id).scope
    pages = [page for page in contents.pages.values() if page.document and includes(page, contents.reusables, reusable)]
    stored = await call.unit.objects.get(
        contents.organization, {page.document for page in pages[:ASKED] if page.document}
    )
    reusables = await raw_reusable_documents(call.unit, contents) if pages else {}

    def shown() -> Reusable:
        known = opened(reusables)
        for page in pages[:ASKED]:
            [document] = opened({"": stored[page.document or b""]}).values()
            if reusable in shown_reusables(document, known, scope(contents.root.variables, page.variables)):
                return found
        raise absent("reusable content", reusable)

    return shown


def _shown_file(call: Call, at: At, file: File, metadata: bool) -> ShownFile:
    space = at.space.record
    return ShownFile(file, call.download(space.organization, space.id, file), metadata)


def _shelf(call: Call, at: At, contents: Contents, metadata: bool) -> Shelf:
    return Shelf(app_address(call, at), contents.hrefs, metadata)


def _present_pages(shown: tuple[list[Branch], Shelf], view: View) -> pages.PageTree:
    return pages.PageTree(pages.present_branches(*shown))


def _present_page(shown: Shown, view: View) -> pages.Page:
    return pages.present_page(shown.view, shown.shelf)


def _present_file(shown: ShownFile, view: View) -> revisions.File:
    return revisions.present_file(shown.file, shown.download, metadata=shown.metadata)


def _present_revision(shown: RevisionView, view: View) -> revisions.Revision:
    return revisions.present(shown)


def _present_reusable(shown: tuple[Callable[[], Reusable], bool], view: View) -> revisions.ReusableContent:
    return revisions.present_reusable(shown[0](), metadata=shown[1])


def _present_meta_links(page: Page, view: View) -> pages.MetaLinks:
    return pages.present_meta_links(page)


def _as_it_is(document: Document, view: View) -> ServedDocument | msgspec.Raw:
    return document() if callable(document) else document


_HEAD = "/spaces/{space}/content"
_DRAFT = "/spaces/{space}/change-requests/{change_request}/content"
_BY_ID = "/spaces/{space}/revisions/{revision}"


OPERATIONS = (
    reads("getCurrentRevision", _HEAD, get_revision, _present_revision,
          at=AtSpace, before=prepare_revision, needs="space.view", visitors=True, scope="space:read",
          installed="space:content:read", summary="Get primary content"),
    reads("listPages", _HEAD + "/pages", list_pages, _present_pages,
          at=AtSpace, needs="space.view", visitors=True, scope="space:read",
          summary="Get the table of contents of primary content"),
    reads("listFiles", _HEAD + "/files", list_files, listed(_present_file),
          at=AtSpace, before=prepare_files, needs="space.view", visitors=True, scope="space:read",
          summary="List the files of primary content"),
    reads("getFileById", _HEAD + "/files/{file}", get_file, _present_file,
          at=AtContentFile, before=prepare_files, needs="space.view", visitors=True, scope="space:read",
          summary="Get a file of primary content"),
    reads("getPageById", _HEAD + "/page/{page}", get_page, _present_page,
          at=AtContentPage, long=_takes_long, needs="space.view", visitors=True, scope="space:read",
          summary="Get a page of primary content"),
    reads("getPageByPath", _HEAD + "/path/{path...}", get_page_by_path, _present_page,
          at=AtContentPath, long=_takes_long, needs="space.view", visitors=True, scope="space:read",
          summary="Get a page of primary content by its path"),
    reads("listSpacePageMetaLinks", _HEAD + "/page/{page}/meta-links", get_meta_links, _present_meta_links,
          at=AtContentPage, needs="space.view", visitors=True, scope="space:read",
          summary="Get what a page of primary content stands for"),
    reads("getReusableContentById", _HEAD + "/reusable-contents/{reusable}", get_reusable, _present_reusable,
          at=AtContentReusable, long=_for_visitors, needs="space.view", visitors=True, scope="space:read",
          summary="Get a reusable content of primary content"),
    reads("getRevisionOfChangeRequestById", _DRAFT, get_revision, _present_revision,
          at=AtChangeRequest, needs="space.view", scope="space:read", summary="Get the content of a change request"),
    reads("listPagesInChangeRequest", _DRAFT + "/pages", list_pages, _present_pages,
          at=AtChangeRequest, needs="space.view", scope="space:read",
          summary="Get the table of contents of a change request"),
    reads("listFilesInChangeRequestById", _DRAFT + "/files", list_files, listed(_present_file),
          at=AtChangeRequest, needs="space.view", scope="space:read", summary="List the files of a change request"),
    reads("getFileInChangeRequestById", _DRAFT + "/files/{file}", get_file, _present_file,
          at=AtDraftFile, needs="space.view", scope="space:read", summary="Get a file of a change request"),
    reads("getPageInChangeRequestById", _DRAFT + "/page/{page}", get_page, _present_page,
          at=AtDraftPage, long=_takes_long, needs="space.view", scope="space:read", summary="Get a page of a change request"),
    reads("getPageInChangeRequestByPath", _DRAFT + "/path/{path...}", get_page_by_path, _present_page,
          at=AtDraftPath, long=_takes_long, needs="space.view", scope="space:read",
          summary="Get a page of a change request by its path"),
    reads("listChangeRequestPageMetaLinks", _DRAFT + "/page/{page}/meta-links", get_meta_links, _present_meta_links,
          at=AtDraftPage, needs="space.view", scope="space:read",
          summary="Get what a page of a change request stands for"),
    reads("getReusableContentInChangeRequestById", _DRAFT + "/reusable-contents/{reusable}", get_reusable,
          _present_reusable,
          at=AtDraftReusable, needs="space.view", scope="space:read",
          summary="Get a reusable content of a change request"),
    reads("getRevisionById", _BY_ID, get_revision, _present_revision,
          at=AtRevision, before=prepare_revision, immutable=True, needs="space.view", visitors=True, scope="space:read",
          installed="space:content:read", summary="Get a revision"),
    reads("listPagesInRevisionById", _BY_ID + "/pages", list_pages, _present_pages,
          at=AtRevision, immutable=True, needs="space.view", visitors=True, scope="space:read",
          summary="Get the table of contents of a revision"),
    reads("listFilesInRevisionById", _BY_ID + "/files", list_files, listed(_present_file),
          at=AtRevision, before=prepare_files, immutable=True, needs="space.view", visitors=True, scope="space:read",
          summary="List the files of a revision"),
    reads("getFileInRevisionById", _BY_ID + "/files/{file}", get_file, _present_file,
          at=AtRevisionFile, before=prepare_files, immutable=True, needs="space.view", visitors=True, scope="space:read",
          summary="Get a file of a revision"),
    reads("getPageInRevisionById", _BY_ID + "/page/{page}", get_page, _present_page,
          at=AtRevisionPage, long=_takes_long, immutable=True, needs="space.view", visitors=True, scope="space:read",
          installed="space:content:read", summary="Get a page of a revision"),
    reads("getPageInRevisionByPath", _BY_ID + "/path/{path...}", get_page_by_path, _present_page,
          at=AtRevisionPath, long=_takes_long, immutable=True, needs="space.view", visitors=True, scope="space:read",
          summary="Get a page of a revision by its path"),
    reads("getPageDocumentInRevisionById", _BY_ID + "/page/{page}/document", get_page_document, _as_it_is,
          long=_is_transformed, immutable=True, needs="space.view", visitors=True, scope="space:read",
          summary="Get the document of a page"),
    reads("listRevisionPageMetaLinks", _BY_ID + "/page/{page}/meta-links", get_meta_links, _present_meta_links,
          at=AtRevisionPage, immutable=True, needs="space.view", visitors=True, scope="space:read",
          summary="Get what a page stands for"),
    reads("getReusableContentInRevisionById", _BY_ID + "/reusable-contents/{reusable}", get_reusable,
          _present_reusable,
          at=AtRevisionReusable, long=_for_visitors, immutable=True, needs="space.view", visitors=True, scope="space:read",
          summary="Get a reusable content"),
    reads("getReusableContentDocumentInRevisionById", _BY_ID + "/reusable-contents/{reusable}/document",
          get_reusable_document, _as_it_is,
          long=_is_transformed, immutable=True, needs="space.view", visitors=True, scope="space:read",
          summary="Get the document of a reusable content"),
    reads("getDocumentById", "/spaces/{space}/documents/{document}", get_document, _as_it_is,
          immutable=True, needs="space.view", scope="space:read", summary="Get a document by its id"),
)  # fmt: skip
