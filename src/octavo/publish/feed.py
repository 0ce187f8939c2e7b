"""RSS of a page's updates, for those who want to hear of new ones."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from xml.etree import ElementTree

import msgspec

from octavo.content.document import Ref
from octavo.content.html import Picture, Target, Update, render
from octavo.content.html.text import first_words
from octavo.content.reading import as_read
from octavo.publish.context import PageContext, absolute, feed_href, page_href
from octavo.publish.reading import Material
from octavo.publish.views import SiteChrome

ITEMS = 50
"""The newest updates that a feed tells of."""
TITLE = 120
"""Characters of a title that is made of an update's first words."""

_NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Named by what is out: to compile everything else takes a start 7 ms."""


def feed(material: Material, site: SiteChrome) -> str | None:
    """The feed; None for a page without updates that the visitor may see."""
    if material.document is None:
        return None
    contents, base = material.contents, site.public_url + material.place.base
    here = page_href(contents, base, material.branch)
    context = _Context(material, site, here)
    updates = render(as_read(material.document, material.reusables, material.scope), context).updates
    if not updates:
        return None
    page = material.branch.page
    rss = ElementTree.Element("rss", {"version": "2.0", "xmlns:atom": "http://www.w3.org/2005/Atom"})
    channel = ElementTree.SubElement(rss, "channel")
    title = page.title if page.title == site.title else f"{page.title} · {site.title}"
    _add(channel, "title", title)
    _add(channel, "link", here)
    _add(channel, "description", page.description or title)
    own = {"href": feed_href(contents, base, material.branch), "rel": "self", "type": "application/rss+xml"}
    _add(channel, "atom:link", "", **own)
    for update in sorted(updates, key=lambda one: one.day or date.min, reverse=True)[:ITEMS]:
        _item(channel, update, here, page.id, context)
    text = ElementTree.tostring(rss, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _item(channel: ElementTree.Element, update: Update, here: str, page: str, context: _Context) -> None:
    item = ElementTree.SubElement(channel, "item")
    _add(item, "title", _title(update, context))
    _add(item, "link", f"{here}#{update.id}")
    # The page keeps its id wherever it moves, so that no reader shows old updates as new ones.
    _add(item, "guid", f"{page}#{update.id}", isPermaLink="false")
    if update.day is not None:
        _add(item, "pubDate", format_datetime(datetime.combine(update.day, time(), UTC), usegmt=True))
    for tag in update.tags:
        _add(item, "category", tag)
    _add(item, "description", update.html.replace(' href="#', f' href="{here}#'))


def _title(update: Update, context: _Context) -> str:
    """The first heading, or else the first words, or else the day."""
    words = first_words(update.blocks, context.named)
    if words:
        return words if len(words) <= TITLE else words[:TITLE].rsplit(" ", 1)[0] + "…"
    return context.date(update.day, "full") if update.day else update.id


def _add(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> None:
    # What XML cannot say is left out: control characters, halves of surrogate pairs.
    ElementTree.SubElement(parent, name, attributes).text = _NOT_XML.sub("", text) or None


class _Context(PageContext):
    """As on the page itself, for who reads elsewhere: whole addresses, no colours in code, no icons."""

    def __init__(self, material: Material, site: SiteChrome, here: str) -> None:
        super().__init__(material, msgspec.structs.replace(site, base_path=site.public_url))
        self._page_address = here

    def named(self, ref: Ref) -> str:
        """What the page shows of whatever the reference leads to."""
        target = self.link(ref)
        return "" if target is None else f"{target.emoji} {target.title}".strip()

    def link(self, ref: Ref) -> Target | None:
        target = super().link(ref)
        return (
            None if target is None else msgspec.structs.replace(target, href=absolute(self._page_address, target.href))
        )

    def image(self, ref: Ref) -> Picture | None:
        picture = super().image(ref)
        return (
            None if picture is None else msgspec.structs.replace(picture, url=absolute(self._page_address, picture.url))
        )

    def highlight(self, syntax: str, code: str) -> list[str] | None:
        return None

    def icon(self, name: str) -> str:
        return ""
