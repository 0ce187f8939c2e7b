"""The child process of a PDF: decides conditions, writes the book's source, compiles it, becomes the one that binds it.

Content may be made to exhaust a typesetter, so time and memory of the process are limited. It opens no database, and the
typesetter reads nothing but the folder and typefaces.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from octavo.content import typst as setting
from octavo.content.document import Node
from octavo.content.revision import File, Page
from octavo.history.evaluate import anybody, dereferenced, evaluated
from octavo.jobs import frames
from octavo.jobs.pdf_binding import Stack
from octavo.jobs.pdf_pictures import named_files, pictures, prepare
from octavo.jobs.pdf_press import Press, Refused
from octavo.jobs.pdf_request import PICTURES, STACK, Place, Request
from octavo.jobs.pdf_typesetter import Typesetter

Fetch = Callable[[list[str]], None]
"""Puts picture files into the folder, by their blobs."""

_decode = msgspec.json.Decoder(Node).decode


def main() -> None:
    """Entry point of `python -m octavo.jobs.pdf_child BYTES SECONDS`: its address space, its computing."""
    os.nice(5)  # requests come first
    memory, seconds = int(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    frame = frames.read(asked)
    if frame is None:
        return

    def fetch(blobs: list[str]) -> None:
        frames.write(told, "pictures", blobs)
        told.flush()
        frames.read(asked)

    try:
        request = msgspec.convert(frame[0], Request)
        stack = make(request, fetch)
        (Path(request.folder) / STACK).write_bytes(msgspec.msgpack.encode(stack))
    except Refused as refused:
        frames.write(told, "refused", str(refused))
    except MemoryError:
        return  # as one that is stopped for it
    else:
        # What the typesetter took of memory goes with the process as it was.
        os.execv(sys.executable, [sys.executable, "-m", "octavo.jobs.pdf_binding", request.folder])
    told.flush()


def make(request: Request, fetch: Fetch) -> Stack:
    """Leave the parts of the PDF in the folder of the request; how they are to be bound."""
    folder = Path(request.folder)
    typesetter = Typesetter(folder)
    pages = {page.id: page for page in request.pages}
    chapters = _chapters(request, pages)
    around = setting.Surroundings(
        language=request.language,
        space=request.space,
        pages=pages,
        addresses=request.addresses,
        files={file.id: file for file in request.files},
        pictures=_pictures(request, typesetter, chapters, fetch),
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
    return Press(typesetter, folder, book, around, updated).run()


def _chapters(request: Request, pages: dict[str, Page]) -> list[setting.Chapter]:
    reusables = {key: _decode(data) for key, data in request.reusables.items()}

    def chapter(place: Place) -> setting.Chapter:
        page = pages[place.page]
        data = request.documents.get(page.document or b"")
        document: Node | None = None
        if data is not None:
            scope = anybody(request.variables, page.variables)
            document = evaluated(dereferenced(_decode(data), reusables), scope, expressions=True)
        return setting.Chapter(page, document, place.level, tuple(place.groups), place.above)

    return [chapter(place) for place in request.places]


def _pictures(
    request: Request, typesetter: Typesetter, chapters: list[setting.Chapter], fetch: Fetch
) -> dict[str, str]:
    """The pictures of the chapters, made ready: names by the ids of their files."""
    folder = Path(request.folder) / PICTURES
    folder.mkdir()
    wanted = {key for one in chapters for key in (named_files(one.document) | named_files(one.page.cover))}
    files: list[File] = pictures(file for file in request.files if file.id in wanted)
    if not files:
        return {}
    fetch(sorted({file.blob for file in files}))
    return prepare(typesetter, folder, files)


if __name__ == "__main__":
    main()
