"""Pages as HTML: what visitors read of a page, for whoever works on it; also of a text that is not stored yet.

The renderer is that of published pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from octavo.content.document import Node
from octavo.content.document import document as empty_document
from octavo.content.html import Rendered, render
from octavo.content.revision import Page
from octavo.history.contents import Contents, opened, raw_document_of
from octavo.kernel.errors import absent
from octavo.kernel.operation import reads
from octavo.resources.around import AtPage, surroundings
from octavo.resources.call import Call
from octavo.resources.places import AtContentPage, AtDraftPage, AtRevisionPage, contents_at
from octavo.site.computed import is_made, made_document
from octavo.wire.content import rendered
from octavo.wire.content.documents import Words, tree
from octavo.wire.content.rendered import PageHtml, PageHtmlQuery, RenderMarkdown
from octavo.wire.view import View


@dataclass(frozen=True)
class Asked:
    """A page, and what makes the HTML of it and may take its time."""

    page: str
    render: Callable[[], tuple[Rendered, Node | None]]
    """The HTML, and the document where that is asked for."""


async def get_html(call: Call, at: AtPage, query: PageHtmlQuery) -> Asked:
    """A page as it is stored."""
    contents, page = await _found(call, at)
    if is_made(page):
        made = await made_document(call.unit, contents.organization, page)
        around = await surroundings(call, at, contents, page, b"", [made])
        return Asked(page.id, lambda: (render(made, around), None))
    stored = None
    if page.document is not None:
        stored = await raw_document_of(call.unit, contents.organization, page.document)
    data = b"" if stored is None else bytes(stored)
    around = await surroundings(call, at, contents, page, data)

    def made_html() -> tuple[Rendered, None]:
        document = opened({"": data})[""] if data else empty_document([])
        return render(document, around, keys=query.nodes), None

    return Asked(page.id, made_html)


async def render_markdown(call: Call, at: AtContentPage | AtDraftPage, body: RenderMarkdown) -> Asked:
    """A text, or a document, as the page would show it: nothing is written. Links of a text that the stored page does not
    have lead nowhere yet."""
    contents, page = await _found(call, at)
    if body.markdown is UNSET:
        document = tree(Words(document=body.document))
        assert document is not None
        around = await surroundings(call, at, contents, page, msgspec.json.encode(document), [document])
        return Asked(page.id, lambda: (render(document, around), None))
    text = body.markdown
    around = await surroundings(call, at, contents, page, text.encode(), [])

    def made_html() -> tuple[Rendered, Node | None]:
        from octavo.content.markdown import parse

        read = parse(text, page.links.get).document
        return render(read, around), read if body.with_document else None

    return Asked(page.id, made_html)


async def _found(call: Call, at: AtPage) -> tuple[Contents, Page]:
    _, contents = await contents_at(call, at, computed=True)
    branch = contents.by_id.get(at.page)
    if branch is None or branch.page.type != "document":
        raise absent("page", at.page)
    return contents, branch.page


def _present(asked: Asked, view: View) -> PageHtml:
    return rendered.present(asked.page, *asked.render())


def _takes_long(_: PageHtmlQuery | RenderMarkdown) -> bool:
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
    reads("renderPage", "/spaces/{space}/content/page/{page}/html", render_markdown, _present,
          at=AtContentPage, method="POST", long=_takes_long, needs="space.view", scope="space:read",
          summary="Show a text as a page of primary content, without storing it"),
    reads("renderPageInChangeRequest", "/spaces/{space}/change-requests/{change_request}/content/page/{page}/html",
          render_markdown, _present,
          at=AtDraftPage, method="POST", long=_takes_long, needs="space.view", scope="space:read",
          summary="Show a text as a page of a change request, without storing it"),
)  # fmt: skip
