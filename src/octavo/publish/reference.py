"""The documentation at /docs, in the look of published pages: the reference of the API, made of its description, and the
guides. Both are made in the process that serves them and kept there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from octavo.content.openapi.cutting import cut
from octavo.content.openapi.index import Index
from octavo.content.revision import Branch, Page, Root
from octavo.content.words import words as words_of
from octavo.history.contents import Contents
from octavo.kernel import limits
from octavo.publish import manual, templating
from octavo.publish.book import Book, Entry
from octavo.publish.messages import message
from octavo.publish.reading import Material
from octavo.publish.views import HeaderLink, MessageView
from octavo.site.apis import blocks_of, shown_in
from octavo.site.computed import OPENAPI, document_of, pages_of, schemes_of
from octavo.store.kept import Kept
from octavo.web.answers import Answer, redirect
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.beside import beside
from octavo.web.door import answered, only
from octavo.web.fields import Fields

BASE = "/docs/"
_SPACE = "api"
_ENTRY = "reference"
_REF = {"kind": "openapi", "spec": _SPACE}
_log = logging.getLogger("octavo.publish")


class Reference:
    """The ASGI application of /docs; `describe` gives the description of the API, `base` is where it answers."""

    def __init__(self, base: str, describe: Callable[[], bytes], kept: Kept) -> None:
        self._base = base
        self._describe = describe
        self._kept = kept
        self._api: _Api | None = None
        self._guides: manual.Guides | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def work(query: Fields) -> Answer:
            only(scope, "GET")
            path: str = scope["path"]
            if path + "/" in (BASE, manual.BASE):
                return redirect(308, path + "/")
            if path.startswith(manual.BASE):
                if self._guides is None:
                    self._guides = await beside(manual.Guides.of, self._base)
                return await self._guides.answer(scope, query, self._kept)
            if self._api is None:
                self._api = await beside(_Api.of, self._base, self._describe())
            return await self._api.answer(scope, query, self._kept)

        answer = await answered(scope, _log, work, _refuse)
        await answer.send(scope, send, templating.SECURITY)


class _Api(Book):
    """The reference of the API."""

    def __init__(self, base: str, parts: Mapping[str, bytes], index: Index, pages: dict[str, Page]) -> None:
        links = (
            HeaderLink("Guides", manual.BASE),
            HeaderLink("openapi.json", "/openapi.json"),
            HeaderLink("Tokens", "/account/tokens"),
        )
        super().__init__(base, BASE, _SPACE, index.title, Contents(_SPACE, Root(), pages, {}, {}), links)
        self._parts = parts
        self._index = index
        self._known = {one.part: one for one in index.operations}

    @classmethod
    def of(cls, base: str, description: bytes) -> _Api:
        """The book of a description that answers at `base`."""
        whole = cut(msgspec.json.decode(description), limits.OPENAPI_OPERATIONS_MAX)
        recipe: dict[str, Any] = {"type": OPENAPI, "props": {"grouping": "by-operation", "models": True}}
        entry = Page(
            id=_ENTRY, type="computed", title=whole.index.title, slug="", position="a", computed=recipe,
            layout={"width": "wide"},
        )  # fmt: skip
        pages = {page.id: page for page in pages_of(entry, _REF, whole.index)}
        # The entry is the first page; what is made of its tags stands beside it, not below.
        pages = {key: msgspec.structs.replace(page, parent=None if page.parent == _ENTRY else page.parent,
                                              position=f"b{page.position}" if key != _ENTRY else "a")
                 for key, page in pages.items()}  # fmt: skip
        return cls(base, whole.parts, whole.index, pages)

    async def material(self, branch: Branch) -> Material:
        """A page is what its recipe makes of the description."""
        recipe = branch.page.computed or {}
        schemes = {name: self._parts[name] for name in schemes_of(self._index) if name in self._parts}
        props = recipe.get("props") or {}
        document = await beside(lambda: document_of(self._index, _REF, props, schemes, entry=_ENTRY))
        apis = await shown_in(self._parts, "of this installation", blocks_of([document]))
        return Material(self.snapshot, self.place, self.contents, branch, document, apis=apis)

    def entry(self, branch: Branch, above: str) -> Entry:
        """Operations are found by their method, path and id too."""
        one = self._known.get(str((branch.page.computed or {}).get("seed", "")))
        called = "" if one is None else f"{one.method.upper()} {one.path}"
        said = f"{branch.page.title} {called} {one.id if one is not None else ''}"
        return Entry(branch, above, called, frozenset(words_of(said)), frozenset(words_of(above)))


def _refuse(status: int, sentence: str, reference: str | None) -> Answer:
    return message(None, status, MessageView("error", text=sentence, reference=reference or ""))
