"""What a source of content offers, and what becomes of it: pages with their texts, in order, and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

from octavo.content.revision import File

PAGES_MAX = 1000
"""Pages of one import; what is more is counted and left out."""
TEXTS_MAX = 4 << 20
"""Bytes of the texts of one import: the unit that writes them reads them, about a second for each megabyte, while other
writers wait."""
FILES_MAX = 1000
FILE_BYTES = 25 << 20
"""Of one file."""
WARNINGS_MAX = 100
"""Warnings of one import; what is more is left unsaid."""
BYTES = 256 << 20
"""Of everything that is fetched or unpacked for one import."""
PAGE_BYTES = 8 << 20
"""Of one page as its source has it."""

Kind: TypeAlias = Literal["markdown", "html", "docx", "table", "folder"]
"""How the bytes of a page are read; a folder has none."""


class Refused(Exception):
    """What came is not what it was said to be, or more than is taken; the message is a sentence for people."""


class Found(msgspec.Struct, frozen=True):
    """A page of a source before it is read; `key` names it in the source, `parent` is the key of the page above it."""

    key: str
    kind: Kind
    title: str
    """Where the page names none itself."""
    parent: str | None = None
    titled: bool = False
    """Whether `title` is the page's title whatever its text begins with."""


class Target(msgspec.Struct, frozen=True):
    """What an address means in a source: a page or a file of it."""

    key: str
    anchor: str = ""


class Origin(Protocol):
    """A source of content: pages, each behind the one above it; bytes by key; what addresses mean."""

    lost: int
    """Pages and files that are known to be there and could not be had."""

    @property
    def pages(self) -> list[Found]: ...

    def read(self, key: str) -> bytes:
        """The bytes of a page or file; raises Refused where they cannot be had."""
        ...

    def find(self, page: str, href: str) -> Target | str | None:
        """What an address written on a page means: something of the source, another address; None = nothing."""
        ...


class ImportedPage(msgspec.Struct, frozen=True):
    """A page with its text; it names other pages of the import as `/pages/<id>`, files as `/files/<id>`."""

    id: str
    title: str
    text: str
    parent: str | None


class Warned(msgspec.Struct, frozen=True):
    """Something that somebody has to look at: a sentence, and the id of the page that it is about where that was taken over."""

    message: str
    page: str | None = None


class Imported(msgspec.Struct, frozen=True):
    """What an import adds: pages, each behind the one above it, and files; how many of both the source had."""

    pages: list[ImportedPage]
    files: list[File]
    total: int
    made: int
    """Pages that stand for folders of the source which have no page of their own; they are not counted in `total`."""
    warnings: list[Warned] = []
    """The first `WARNINGS_MAX` of what was left out."""

    @property
    def resources(self) -> int:
        """Pages and files of the source that were taken over."""
        return len(self.pages) + len(self.files) - self.made


def joined(parts: Sequence[Imported], refused: Sequence[str]) -> Imported:
    """Several imports as one; `refused` are sentences about what could not be read beside them.

    Raises Refused where there is nothing, or together more than one import takes.
    """
    if not parts:
        raise Refused(refused[0] if refused else "There are no pages to import.")
    pages = [page for part in parts for page in part.pages]
    files = [file for part in parts for file in part.files]
    if len(pages) > PAGES_MAX or len(files) > FILES_MAX:
        raise Refused(
            f"The files hold together more than {PAGES_MAX:,} pages, or {FILES_MAX:,} files: import fewer at once."
        )
    if sum(len(page.text.encode()) for page in pages) > TEXTS_MAX:
        raise Refused(f"The texts of the files are together larger than {TEXTS_MAX >> 20} MiB: import fewer at once.")
    warnings = [*map(Warned, refused), *(one for part in parts for one in part.warnings)]
    total, made = sum(part.total for part in parts), sum(part.made for part in parts)
    return Imported(pages, files, total + len(refused), made, warnings[:WARNINGS_MAX])
