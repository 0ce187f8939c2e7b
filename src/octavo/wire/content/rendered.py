"""Pages as HTML, as visitors read them."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.content.html import Rendered
from octavo.wire.content.documents import Document, ServedDocument
from octavo.wire.fields import Body, Maybe, Query, Shape


class PageHtmlQuery(Query, frozen=True):
    """`nodes` true: a comment `<!--node key-->` stands ahead of each block, with the key that comments on it name."""

    nodes: bool = False


class RenderMarkdown(Body, frozen=True):
    """What is not stored yet: a text, or a document."""

    markdown: Maybe[str] = UNSET
    document: Maybe[Document] = UNSET
    with_document: bool = False
    """Whether the answer has the document that a text is read as."""

    def __post_init__(self) -> None:
        if (self.markdown is UNSET) is (self.document is UNSET):
            raise ValueError("Expected one of `markdown` and `document`")


class OutlineEntry(Shape, frozen=True):
    """A heading: its level from 1 to 3, its anchor without `#`, its words."""

    level: int
    id: str
    title: str


class PageHtml(Shape, frozen=True, tag_field="object", tag="page-html"):
    """The body of a page without its title. Everything in it is escaped and nothing of it is script; style sheets of published
    pages show it as visitors see it."""

    page: str
    html: str
    outline: list[OutlineEntry]
    document: Maybe[ServedDocument] = UNSET
    """What a text was read as, where `withDocument` asked for it."""


def present(page: str, rendered: Rendered, document: dict[str, Any] | None) -> PageHtml:
    outline = [OutlineEntry(one.level, one.id, one.text) for one in rendered.outline]
    return PageHtml(page, rendered.html, outline, UNSET if document is None else document)
