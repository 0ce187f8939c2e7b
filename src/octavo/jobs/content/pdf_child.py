"""The child process of a PDF: decides conditions, writes the book's source, has it compiled part by part.

Content may be made to exhaust a typesetter, which reads nothing but the folder and typefaces. Binding is another child's:
what the typesetter took of memory goes with this one.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from octavo.content import typst as setting
from octavo.content.document import Node
from octavo.content.reading import as_read
from octavo.content.revision import File, Page
from octavo.history.evaluate import somebody
from octavo.jobs.children.inside import Broke, Line
from octavo.jobs.content.pdf_request import PICTURES, Place, Request
from octavo.typesetting import press
from octavo.typesetting.binding import Stack
from octavo.typesetting.pictures import named_files, pictures, prepare
from octavo.typesetting.typesetter import Typesetter

Fetch = Callable[[list[str]], None]
"""Puts picture files into the folder, by their blobs."""

_decode = msgspec.json.Decoder(Node).decode


def work(line: Line) -> Stack:
    """Leave the parts of the PDF in the folder, and fetch their pictures; how they are to be bound."""
    try:
        return make(line.request(Request), line.folder, lambda blobs: line.ask("pictures", blobs), line.progress)
    except press.Refused as refused:
        raise Broke(str(refused)) from refused


def make(request: Request, folder: Path, fetch: Fetch, tell: Callable[..., None] = lambda **told: None) -> Stack:
    """Leave the parts of the PDF in the folder; how they are to be bound. `tell` hears how many pages are set."""
    typesetter = Typesetter(folder)
    pages = {page.id: page for page in request.pages}
    chapters = _chapters(request, pages)
    around = setting.Surroundings(
        language=request.language,
        space=request.space,
        pages=pages,
        addresses=request.addresses,
        files={file.id: file for file in request.files},
        pictures=_pictures(request, typesetter, folder / PICTURES, chapters, fetch),
        tags=request.tags,
    )
    updated = datetime.fromtimestamp(request.updated // 1000, UTC)
    day = around.day(updated.date(), "full") if request.updated else ""
    book = setting.Book(
        title=request.title,
        chapters=chapters,
        whole=request.whole,
        running=request.running,
        over=request.over,
        under=(*request.under, day),
        mark=request.mark,
    )
    return press.Press(typesetter, folder, book, around, updated).run(lambda done: tell(done=done, total=len(chapters)))


def _chapters(request: Request, pages: dict[str, Page]) -> list[setting.Chapter]:
    reusables = {key: _decode(data) for key, data in request.reusables.items()}

    def chapter(place: Place) -> setting.Chapter:
        page = pages[place.page]
        data = request.documents.get(page.document or b"")
        document: Node | None = None
        if data is not None:
            scope = somebody(request.claims, request.variables, page.variables)
            document = as_read(_decode(data), reusables, scope)
        return setting.Chapter(page, document, place.level, tuple(place.groups), place.above)

    return [chapter(place) for place in request.places]


def _pictures(
    request: Request, typesetter: Typesetter, folder: Path, chapters: list[setting.Chapter], fetch: Fetch
) -> dict[str, str]:
    """The pictures of the chapters, made ready: names by the ids of their files."""
    folder.mkdir()
    wanted = {key for one in chapters for key in (named_files(one.document) | named_files(one.page.cover))}
    files: list[File] = pictures(file for file in request.files if file.id in wanted)
    if not files:
        return {}
    fetch(sorted({file.blob for file in files}))
    return prepare(typesetter, folder, files)
