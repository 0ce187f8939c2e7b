"""Documents to Typst source: the pages of a space as a book, to be compiled to PDF.

    chapters(book, surroundings) -> the source of each, and what leads to it

The module is pure: documents come with their conditions decided and included contents in place, pictures are named files
beside the source. The look and all functions that the source calls stand in `sheets/`; this package writes calls of them and
nothing else. Whatever an author wrote is a string literal, so that no document can be read as code.

A book is compiled in parts, because a typesetter takes memory by the page; links between chapters and the table of contents
therefore lead to labels, which are named destinations of the parts' PDFs.
"""

from octavo.content.typst.book import (
    LINK,
    SHEETS,
    Book,
    Chapter,
    Entry,
    Written,
    chapter_in,
    chapters,
    file_of,
    front,
    part,
)
from octavo.content.typst.context import Goal, Surroundings

__all__ = [
    "LINK",
    "SHEETS",
    "Book",
    "Chapter",
    "Entry",
    "Goal",
    "Surroundings",
    "Written",
    "chapter_in",
    "chapters",
    "file_of",
    "front",
    "part",
]
