"""What a source of content offers, and what becomes of it: pages with their texts, in order, and files."""

from __future__ import annotations

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


class Imported(msgspec.Struct, frozen=True):
    """What an import adds: pages, each behind the one above it, and files; how many of both the source had."""

    pages: list[ImportedPage]
    files: list[File]
    total: int
    made: int
    """Pages that stand for folders of the source which have no page of their own; they are not counted in `total`."""

    @property
    def resources(self) -> int:
        """Pages and files of the source that were taken over."""
        return len(self.pages) + len(self.files) - self.made
