"""From a source to an import: each page is read, its links become those of the new pages, its pictures files."""

from __future__ import annotations

import base64
import binascii
import posixpath
import re
from collections.abc import Callable
from hashlib import sha256
from urllib.parse import unquote, urlsplit

from octavo.content.importing import docx, html, text
from octavo.content.importing.model import (
    FILE_BYTES,
    FILES_MAX,
    PAGE_BYTES,
    PAGES_MAX,
    TEXTS_MAX,
    WARNINGS_MAX,
    Found,
    Imported,
    ImportedPage,
    Origin,
    Refused,
    Target,
    Warned,
)
from octavo.content.media import Mistaken, size_of, sniffed
from octavo.content.revision import File

LARGEST = 1 << 20
"""Bytes of a page's text; a larger one is left out."""
TITLE_MAX = 500
DEEPEST = 50
"""Levels of pages; what lies deeper stands at the deepest."""
_DATA = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.=+-]+)*?)(;base64)?,(.*)", re.DOTALL)
_ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/svg+xml": ".svg",
            "image/webp": ".webp", "image/bmp": ".bmp", "image/tiff": ".tiff"}  # fmt: skip


def assemble(origin: Origin, new_id: Callable[[], str], keep: Callable[[str, bytes], None]) -> Imported:
    """Read everything; `keep` is told the name (SHA-256) and the bytes of each file.

    Raises Refused where no page can be read, with the reason that the first one had.
    """
    return _Assembly(origin, new_id, keep).done()


class _Assembly:
    def __init__(self, origin: Origin, new_id: Callable[[], str], keep: Callable[[str, bytes], None]) -> None:
        self._origin, self._new_id, self._keep = origin, new_id, keep
        self._found = origin.pages
        self._ids = {page.key: new_id() for page in self._found[:PAGES_MAX]}
        self._files: dict[str, File | None] = {}
        """By key in the source, and by address where the bytes stand in it; None for what cannot be taken."""
        self._drawn = 0
        self._warnings: list[Warned] = []
        self._above = {page.key: page.parent for page in self._found}
        self._depths: dict[str, int] = {}

    def done(self) -> Imported:
        made, room, reason = dict[str, ImportedPage](), TEXTS_MAX, ""
        for found in self._found[:PAGES_MAX]:
            try:
                page = self._page(found, made)
                size = len(page.text.encode())
                if size > min(room, LARGEST):
                    raise Refused(
                        f"The page {found.title} is larger than the {min(room, LARGEST):,} bytes left for it."
                    )
            except Refused as refused:
                reason = reason or str(refused)
                self._warn(str(refused))
                continue
            room -= size
            made[found.key] = page
        folders = sum(1 for found in self._found if found.kind == "folder")
        kept = sum(1 for found in self._found if found.kind == "folder" and found.key in made)
        if len(made) == kept:
            raise Refused(reason or "There are no pages to import.")
        files = [file for file in self._files.values() if file is not None]
        total = len(self._found) - folders + len(self._files) + self._origin.lost
        if len(self._found) > PAGES_MAX:
            self._warn(f"{len(self._found) - PAGES_MAX:,} pages are more than one import takes, and were left out.")
        if self._origin.lost:
            self._warn(f"{self._origin.lost:,} pages or files that others name could not be fetched.")
        return Imported(list(made.values()), files, total, kept, self._warnings)

    def _warn(self, message: str, page: str | None = None) -> None:
        if len(self._warnings) < WARNINGS_MAX:
            self._warnings.append(Warned(message, page))

    def _page(self, found: Found, made: dict[str, ImportedPage]) -> ImportedPage:
        key = found.key

        def address(href: str, picture: bool) -> str:
            return self._address(key, href, picture=picture)

        data = b"" if found.kind == "folder" else self._origin.read(key)
        if len(data) > PAGE_BYTES and found.kind != "docx":
            raise Refused(f"The page {found.title} is larger than the {PAGE_BYTES:,} bytes allowed.")
        try:
            title, body = self._read(found, data, address)
        except RecursionError:
            raise Refused(f"The page {found.title} is nested too deeply to be read.") from None
        title = found.title if found.titled or not title else title
        title = " ".join(title.split())[:TITLE_MAX] or "Untitled"
        # Markdown keeps its own beginning; the title stands apart for one that has none.
        source = body if found.kind == "markdown" else text.headed(title, body)
        return ImportedPage(self._ids[key], title, source, self._parent(found, made))

    def _read(self, found: Found, data: bytes, address: Callable[[str, bool], str]) -> tuple[str | None, str]:
        match found.kind:
            case "markdown":
                return text.page(text.decoded(data), address)
            case "html":
                return html.page(data, address, titled=found.titled)
            case "docx":
                return html.page(docx.html_of(data), address)
            case "table":
                return None, text.table(text.decoded(data))
            case "folder":
                return None, ""

    def _parent(self, found: Found, made: dict[str, ImportedPage]) -> str | None:
        """The nearest page above that was taken over, and under which there is room for a level."""
        key, seen = found.parent, set[str]()
        while key is not None and (key not in made or self._depths[key] >= DEEPEST) and key not in seen:
            seen.add(key)
            key = self._above.get(key)
        self._depths[found.key] = 1 + (self._depths[key] if key in made else 0)
        return made[key].id if key in made else None

    def _address(self, page: str, href: str, *, picture: bool) -> str:
        """What is written instead of an address of the source."""
        if not href or href.startswith("#"):
            return href
        if href.startswith("data:"):
            return self._inline(href) if picture else href
        target = self._origin.find(page, href)
        if not isinstance(target, Target):
            return target or href
        if target.key in self._ids:
            return f"/pages/{self._ids[target.key]}" + (f"#{target.anchor}" if target.anchor else "")
        if target.key in self._above:
            return href
        if target.key not in self._files:
            self._files[target.key] = self._file(target.key)
            if self._files[target.key] is None:
                name = unquote(posixpath.basename(urlsplit(target.key).path)) or target.key
                self._warn(f"The file {name} could not be taken over; its address was left as it is.", self._ids[page])
        file = self._files[target.key]
        return f"/files/{file.id}" if file else href

    def _file(self, key: str) -> File | None:
        try:
            return self._taken(unquote(posixpath.basename(urlsplit(key).path)) or "file", self._origin.read(key))
        except (Refused, ValueError):
            return None

    def _inline(self, href: str) -> str:
        """A picture whose bytes stand in its address becomes a file."""
        key = sha256(href.encode()).hexdigest()
        if key not in self._files:
            self._files[key] = None
            if (matched := _DATA.fullmatch(href)) and matched[3]:
                self._drawn += 1
                name = f"image-{self._drawn}{_ENDINGS.get(matched[1] or '', '')}"
                try:
                    self._files[key] = self._taken(name, base64.b64decode(matched[4]))
                except (binascii.Error, Refused):
                    return ""
        file = self._files[key]
        return f"/files/{file.id}" if file else ""

    def _taken(self, name: str, data: bytes) -> File:
        if len(data) > FILE_BYTES or sum(file is not None for file in self._files.values()) >= FILES_MAX:
            raise Refused(f"The file {name} is larger than allowed, or one file too many.")
        try:
            kind = sniffed(name, None, data)
        except Mistaken as mistaken:
            raise Refused(str(mistaken)) from mistaken
        blob = sha256(data).hexdigest()
        self._keep(blob, data)
        width, height = size_of(name, data) or (None, None)
        return File(
            id=self._new_id(),
            name=name[-200:],
            content_type=kind,
            size=len(data),
            blob=blob,
            width=width,
            height=height,
        )
