"""The guides at /docs/guides: Octavo's own documentation, as it is for this very version, from the package."""

from __future__ import annotations

import itertools
import re
from importlib.resources import files as resources
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from octavo.content.document import Node
from octavo.content.revision import Branch, Root
from octavo.content.words import words as words_of
from octavo.history.contents import Contents
from octavo.publish.book import INTERNAL, Book, Entry
from octavo.publish.reading import Material
from octavo.publish.views import HeaderLink
from octavo.store.kept import Kept
from octavo.web.answers import Answer
from octavo.web.asgi import Scope
from octavo.web.fields import Fields

if TYPE_CHECKING:
    from octavo.content.layout.read import Layout

BASE = "/docs/guides/"
_SPACE = "guides"
_TITLE = "Octavo"
_DOCUMENT: msgspec.json.Decoder[Node] = msgspec.json.Decoder(Node)
_FILE = re.compile(rf"{INTERNAL}files/{_SPACE}/(\w+)/")


class Guides(Book):
    """The files of `docs/` as a book. A page answers at its address, and leads there from its file's path without `.md`,
    which is what the application knows it by."""

    def __init__(self, base: str, layout: Layout, folder: Traversable) -> None:
        # The reference of the API is a book of its own.
        pages = {one.id: one for one in layout.pages if one.type != "computed"}
        kept = {one.id: one for one in layout.files}
        contents = Contents(_SPACE, Root(), pages, kept, {one.id: one for one in layout.reusables})
        super().__init__(base, BASE, _SPACE, _TITLE, contents, (HeaderLink("API", "/docs/"),))
        self._layout = layout
        self._folder = folder
        self._by_file = {one.path.removesuffix(".md").lower(): one.id for one in pages.values() if one.path}

    @classmethod
    def of(cls, base: str) -> Guides:
        """Those of this package; an empty book where it was installed without."""
        # The parser is imported with the first guide that somebody reads.
        from octavo.content.layout.read import read

        folder = resources("octavo.publish") / "guides"
        there = dict(_walked(folder)) if folder.is_dir() else {}
        numbers = itertools.count()
        layout = read({path: one.read_bytes for path, one in there.items()}, new_id=lambda: f"g{next(numbers)}", now=0)
        return cls(base, layout, folder)

    def found(self, path: str) -> Branch | None:
        """By the address of a page, else by the path of its file."""
        branch = super().found(path)
        return branch or self.contents.by_id.get(self._by_file.get(path.lower(), ""))

    async def answer(self, scope: Scope, query: Fields, kept: Kept) -> Answer:
        """Pictures too, which pages of an API have not."""
        asked = _FILE.match(scope["path"].removeprefix(BASE))
        file = self.contents.files.get(asked[1]) if asked else None
        if file is None:
            return await super().answer(scope, query, kept)
        data = self._folder.joinpath(*PurePosixPath(self._layout.blobs[file.blob]).parts).read_bytes()
        headers = [(b"content-type", file.content_type.encode()), (b"cache-control", b"public, max-age=86400")]
        return Answer(200, data, headers)

    async def material(self, branch: Branch) -> Material:
        """What was read of its file."""
        reusables = {one.id: self._document(one.document) for one in self._layout.reusables if one.document}
        document = self._document(branch.page.document) if branch.page.document else None
        return Material(self.snapshot, self.place, self.contents, branch, document, reusables)

    def _document(self, digest: bytes) -> Node:
        return _DOCUMENT.decode(self._layout.objects[digest])

    def entry(self, branch: Branch, above: str) -> Entry:
        """By title ahead of everything else that is written there."""
        page = branch.page
        text = self._layout.objects[page.text].decode() if page.text else ""
        return Entry(branch, above, "", frozenset(words_of(page.title)), frozenset(words_of(f"{above} {text}")))


def _walked(folder: Traversable, within: str = "") -> list[tuple[str, Traversable]]:
    found = []
    for one in sorted(folder.iterdir(), key=lambda each: each.name):
        path = f"{within}{one.name}"
        found += _walked(one, f"{path}/") if one.is_dir() else [(path, one)]
    return found
