"""Pages as HTML, as visitors read them."""

from __future__ import annotations

from octavo.content.html import Rendered
from octavo.wire.fields import Body, Shape


class RenderMarkdown(Body, frozen=True):
    """A text that is not stored yet."""

    markdown: str


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


def present(page: str, rendered: Rendered) -> PageHtml:
    outline = [OutlineEntry(one.level, one.id, one.text) for one in rendered.outline]
    return PageHtml(page, rendered.html, outline)
