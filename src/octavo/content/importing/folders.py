"""Archives of pages in folders: Markdown, HTML and documents with their pictures, as people keep them."""

from __future__ import annotations

import posixpath

from octavo.content.importing.archive import Archive
from octavo.content.importing.model import Found, Refused, Target
from octavo.content.importing.text import decoded
from octavo.content.importing.tree import Addresses, by_folders, by_outline, kind_of
from octavo.content.layout import summary


class Folders:
    """The pages of an archive by folders, or as its `SUMMARY.md` orders them."""

    lost = 0

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._addresses = Addresses(archive.names)
        self.pages = self._pages()

    def read(self, key: str) -> bytes:
        return self._archive.read(key)

    def find(self, page: str, href: str) -> Target | str | None:
        return self._addresses.find(page, href)

    def _pages(self) -> list[Found]:
        kinds = {path: kind for path in self._archive.names if (kind := kind_of(path))}
        contents = next((path for path in kinds if posixpath.basename(path) == "SUMMARY.md"), None)
        if contents is not None:
            del kinds[contents]
        if not kinds:
            raise Refused("The archive holds no pages: none of its files is Markdown, HTML or a Word document.")
        pages = by_folders(kinds)
        if contents is None:
            return pages
        entries = summary.parse(decoded(self._archive.read(contents))).entries

        def target(href: str) -> Target | None:
            found = self.find(contents, href)
            return found if isinstance(found, Target) and not found.anchor else None

        return by_outline(entries, pages, target)
