"""Rendering: a document to HTML under a context."""

from __future__ import annotations

import re

from octavo.content.document import Node
from octavo.content.html import blocks, code, containers, foreign, media, tables
from octavo.content.html.context import Context, Rendered
from octavo.content.html.direction import directed
from octavo.content.html.escape import encodable, escape
from octavo.content.html.inlines import INLINES
from octavo.content.html.text import children
from octavo.content.html.writer import TooHeavy, Writer, part

BLOCKS = blocks.BLOCKS | code.BLOCKS | containers.BLOCKS | media.BLOCKS | tables.BLOCKS | foreign.BLOCKS

_FOREIGN = re.compile(r"[^\w -]")


def render(document: Node, context: Context, *, keys: bool = False) -> Rendered:
    """The HTML of a document, its outline and what the page needs to show it; never raises on what a document holds.

    With `keys`, a comment `<!--node key-->` stands ahead of the HTML of each block of the document itself.
    """
    writer = Writer(context, BLOCKS, INLINES)
    writer.keys = keys
    try:
        for block in children(document):
            place = len(writer.out)
            writer.blocks([block])
        place = len(writer.out)
        if writer.notes:
            _notes(writer)
    except TooHeavy:
        writer.cut(place)
        writer.put(f'<p class="page-cut" role="note">{writer.phrase("The rest is too large to be shown here.")}</p>')
    _name_again(writer)
    # Nothing an author wrote may look like a tag of a template to whoever puts this HTML into one.
    html = encodable(directed("".join(writer.out)).replace("{%", "&#123;%"))
    return Rendered(html, writer.outline, writer.needs, writer.updates)


def _name_again(writer: Writer) -> None:
    """Give headings the anchors that Git hosts make of their titles, where no element of the page has them already.

    Authors copy such links from where their sources lie: `#fan-out--fan-in` for "Fan-out & Fan-in".
    """
    met: dict[str, int] = {}
    for place, title in writer.aliases:
        slug = _FOREIGN.sub("", title.lower()).replace(" ", "-")
        times = met[slug] = met.get(slug, -1) + 1
        wanted = f"{slug}-{times}" if times else slug
        if wanted.strip("-") and wanted not in writer.ids:
            writer.ids[wanted] = 0
            writer.out[place] = f'<span id="{escape(wanted)}"></span>'


def _notes(writer: Writer) -> None:
    writer.put(f'<aside class="notes" aria-label="{writer.phrase("Notes")}"><ol>')
    number = 0
    # A note may hold notes, which then stand behind it.
    while number < len(writer.notes):
        note = writer.notes[number]
        number += 1
        writer.put(f'<li class="note" id="note-{number}">')
        writer.quiet(part(note, "annotation-body"))
        label = writer.phrase("Back to the text")
        writer.put(
            f'<a class="note-back" href="#note-ref-{number}" role="doc-backlink" aria-label="{label}">↩</a></li>'
        )
    writer.put("</ol></aside>")
