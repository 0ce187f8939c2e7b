"""Pages as HTML: what visitors read of a page, for whoever works on it; also of a text that is not stored yet.

The renderer is that of published pages. Links lead to the application, and what has a condition is shown: who writes sees
everything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from octavo.content import conditions
from octavo.content.document import Node, Ref
from octavo.content.document import document as empty_document
from octavo.content.html import Download, Picture, PlainContext, Rendered, Target, render
from octavo.content.html.text import characters
from octavo.content.icons import content_icon
from octavo.content.revision import File, Page
from octavo.history.contents import Contents, opened, raw_document_of, raw_reusable_documents
from octavo.kernel.errors import absent
from octavo.kernel.operation import Nothing, reads
from octavo.resources.call import Call
from octavo.resources.places import (
    AtContentPage,
    AtDraftPage,
    AtRevisionPage,
    app_address,
    contents_at,
)
from octavo.site.apis import Shown, blocks_of, key_of, shown_by
from octavo.site.computed import is_made, made_document
from octavo.site.visitor import ANYBODY
from octavo.wire.content import rendered
from octavo.wire.content.rendered import PageHtml, RenderMarkdown
from octavo.wire.view import View

AtPage: TypeAlias = AtContentPage | AtDraftPage | AtRevisionPage
_APIS = (b'"openapi-', b'"swagger"')


@dataclass(frozen=True)
class _Around:
    """What a page's references and expressions mean for who works on it."""

    organization: str
    space: str
    contents: Contents
    page: Page
    place: str
    """Where the application shows the content."""
    view: View
    download: Callable[[File], str]
    reusables: Mapping[str, bytes]
    apis: Mapping[bytes, Shown]


class _Surroundings(PlainContext):
    def __init__(self, around: _Around) -> None:
        self._around = around
        self._reusables = opened(around.reusables)
        self._scope = ANYBODY.scope(around.contents.root.variables, around.page.variables)
        self._purse = conditions.Purse()

    def link(self, ref: Ref) -> Target | None:
        kind, anchor = ref.get("kind"), f"#{str(ref['anchor']).lower()}" if ref.get("anchor") else ""
        if kind in ("page", "anchor") and ref.get("page"):
            return self._page(str(ref["page"]), ref.get("space"), anchor)
        if kind == "file":
            found = self.file(ref)
            return None if found is None else Target(found.url, found.name, "file", "file")
        if kind == "space":
            return Target(self._around.view.space(self._around.organization, str(ref.get("space"))), kind="space")
        return super().link(ref)

    def _page(self, page: str, space: object, anchor: str) -> Target | None:
        around = self._around
        if space and space != around.space:
            elsewhere = around.view.space(around.organization, str(space))
            return Target(f"{elsewhere}/{page}{anchor}", kind="anchor" if anchor else "page")
        branch = around.contents.by_id.get(page)
        if branch is None:
            return None
        one = branch.page
        href = f"{around.place}/{branch.path or page}{anchor}"
        return Target(href, one.title, "anchor" if anchor else "page", one.icon or "", characters(one.emoji))

    def image(self, ref: Ref) -> Picture | None:
        file = self._file(ref)
        return super().image(ref) if file is None else Picture(self._around.download(file), file.width, file.height)

    def file(self, ref: Ref) -> Download | None:
        file = self._file(ref)
        if file is None:
            return super().file(ref)
        return Download(self._around.download(file), file.name, file.size, file.content_type)

    def _file(self, ref: Ref) -> File | None:
        return self._around.contents.files.get(str(ref.get("file"))) if ref.get("kind") == "file" else None

    def reusable(self, ref: Ref) -> Node | None:
        return self._reusables.get(str(ref.get("reusableContent")))

    def value(self, expression: str) -> str:
        return conditions.template("{{" + expression + "}}", self._scope, self._purse)

    def openapi(self, block: Node) -> Shown | None:
        return self._around.apis.get(key_of(block))

    def icon(self, name: str) -> str:
        return content_icon(name)

    def tag(self, slug: str) -> str:
        labels = {str(tag.get("tag", tag.get("slug"))): tag.get("label") for tag in self._around.contents.root.tags}
        return str(labels.get(slug) or slug)


@dataclass(frozen=True)
class Asked:
    """A page, and what makes the HTML of it and may take its time."""

    page: str
    render: Callable[[], Rendered]


async def get_html(call: Call, at: AtPage, takes: Nothing) -> Asked:
    """A page as it is stored."""
    contents, page = await _found(call, at)
    if is_made(page):
        made = await made_document(call.unit, contents.organization, page)
        around = await _around(call, at, contents, page, b"", [made])
        return Asked(page.id, lambda: render(made, _Surroundings(around)))
    stored = None
    if page.document is not None:
        stored = await raw_document_of(call.unit, contents.organization, page.document)
    data = b"" if stored is None else bytes(stored)
    # Only what shows an API has to be read for it ahead of rendering; all else is opened beside the loop.
    blocks = [opened({"": data})[""]] if any(mark in data for mark in _APIS) else []
    around = await _around(call, at, contents, page, data, blocks)

    def made_html() -> Rendered:
        document = opened({"": data})[""] if data else empty_document([])
        return render(document, _Surroundings(around))

    return Asked(page.id, made_html)


async def render_markdown(call: Call, at: AtDraftPage, body: RenderMarkdown) -> Asked:
    """A text as the page would show it: nothing is written. Links that the stored page does not have lead nowhere yet."""
    contents, page = await _found(call, at)
    around = await _around(call, at, contents, page, body.markdown.encode(), [])

    def made_html() -> Rendered:
        from octavo.content.markdown import parse

        return render(parse(body.markdown, page.links.get).document, _Surroundings(around))

    return Asked(page.id, made_html)


async def _found(call: Call, at: AtPage) -> tuple[Contents, Page]:
    _, contents = await contents_at(call, at, computed=True)
    branch = contents.by_id.get(at.page)
    if branch is None or branch.page.type != "document":
        raise absent("page", at.page)
    return contents, branch.page


async def _around(call: Call, at: AtPage, contents: Contents, page: Page, text: bytes, apis: list[Node]) -> _Around:
    named = b"reusable-content" in text or b"include" in text
    reusables = await raw_reusable_documents(call.unit, contents) if named else {}
    specs = await call.unit.openapi.newest(contents.organization) if apis else {}
    space = at.space.record
    return _Around(
        space.organization,
        space.id,
        contents,
        page,
        _place(call, at),
        call.view,
        lambda file: call.download(space.organization, space.id, file),
        reusables,
        await shown_by(call.unit, specs, blocks_of(apis)) if apis else {},
    )


def _place(call: Call, at: AtPage) -> str:
    space = at.space.record
    if isinstance(at, AtRevisionPage):
        return call.view.revision(space.organization, space.id, at.revision.record.id)
    return app_address(call, at)


def _present(asked: Asked, view: View) -> PageHtml:
    return rendered.present(asked.page, asked.render())


def _takes_long(_: Nothing | RenderMarkdown) -> bool:
    return True


OPERATIONS = (
    reads("getPageHtmlById", "/spaces/{space}/content/page/{page}/html", get_html, _present,
          at=AtContentPage, long=_takes_long, needs="space.view", scope="space:read",
          summary="Get a page of primary content as HTML"),
    reads("getPageHtmlInChangeRequestById", "/spaces/{space}/change-requests/{change_request}/content/page/{page}/html",
          get_html, _present,
          at=AtDraftPage, long=_takes_long, needs="space.view", scope="space:read",
          summary="Get a page of a change request as HTML"),
    reads("getPageHtmlInRevisionById", "/spaces/{space}/revisions/{revision}/page/{page}/html", get_html, _present,
          at=AtRevisionPage, long=_takes_long, needs="space.view", scope="space:read",
          summary="Get a page of a revision as HTML"),
    reads("renderPageInChangeRequest", "/spaces/{space}/change-requests/{change_request}/content/page/{page}/html",
          render_markdown, _present,
          method="POST", long=_takes_long, needs="space.view", scope="space:read",
          summary="Show a text as a page of a change request, without storing it"),
)  # fmt: skip
