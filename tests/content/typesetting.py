"""Documents set in Typst and read back from the PDF that comes of it."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from pathlib import Path

from pypdf import PdfReader
from typst import Compiler, Fonts

from octavo.content import fonts, typst
from octavo.content.document import Node
from octavo.content.revision import Page

FACES = Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(fonts.FOLDER)])


def book_of(*documents: Node, **more: object) -> typst.Book:
    """A book with a chapter for each document: pages `p0`, `p1` … called `Page 0`, `Page 1` …"""
    chapters = [
        typst.Chapter(Page(id=f"p{n}", type="document", title=f"Page {n}", slug=f"p{n}", position=f"{n:03d}"), document)
        for n, document in enumerate(documents)
    ]
    return typst.Book("Book", chapters, **more)  # type: ignore[arg-type]


def compiled(book: typst.Book, around: typst.Surroundings | None = None, **files: bytes) -> bytes:
    """The chapters of the book as one PDF. Raises TypstError; `files` are pictures by name."""
    folder = Path(tempfile.mkdtemp(prefix="octavo-test-"))
    try:
        (folder / "pictures").mkdir()
        for name, data in files.items():
            (folder / "pictures" / name).write_bytes(data)
        for sheet in typst.SHEETS:
            shutil.copy(sheet, folder)
        around = around or typst.Surroundings()
        chapters = typst.chapters(book, around)
        for number, chapter in enumerate(chapters):
            (folder / typst.file_of(number)).write_text(chapter.source, "utf-8")
        main = folder / "main.typ"
        main.write_text(typst.part(book, around, range(len(chapters)), 1), "utf-8")
        inputs = {"fonts": ",".join(fonts.FAMILIES), "mono": fonts.MONO}
        made = Compiler(main, root=folder, font_paths=FACES, sys_inputs=inputs).compile(format="pdf")
        assert isinstance(made, bytes)
        return made
    finally:
        shutil.rmtree(folder)


def said(pdf: bytes) -> str:
    """What a reader of the PDF finds, without white space: where lines break depends on the page."""
    return squeezed("".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages))


def says(pdf: bytes, words: str) -> bool:
    """Whether a reader of the PDF finds the words, white space aside; no more of it is read than that takes."""
    found = ""
    return any(words in (found := found + squeezed(page.extract_text())) for page in PdfReader(io.BytesIO(pdf)).pages)


def squeezed(text: str) -> str:
    """The text without white space."""
    return re.sub(r"\s+", "", text)
