"""What is wrong with the pages of a folder: links that lead nowhere and whatever else reading told, by file and line."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

import msgspec

from octavo.content.document import Node, walk
from octavo.content.html import PlainContext, render
from octavo.content.layout.report import Notice
from octavo.content.references import references
from octavo.content.revision import Digest, Page
from octavo.history.contents import Contents, contents_of
from octavo.kernel.records.library import Space
from octavo.store.unit import Store, Unit
from octavo.web.beside import beside

_WRITTEN = re.compile(r"(?P<file>.+?)(?::(?P<line>\d+))?: (?P<text>.*)", re.DOTALL)
_ID = re.compile(r'(?<=\sid=")[^"]+')
_FENCE = re.compile(r"^[ \t]*(```+|~~~+).*?^[ \t]*\1[`~]*[ \t]*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_AT_ONCE = 100
"""Documents that are read in one query."""
_DOCUMENT: msgspec.json.Decoder[Node] = msgspec.json.Decoder(Node)


class _Known(PlainContext):
    """Names every anchor that a document makes: what is highlighted does not matter."""

    def highlight(self, syntax: str, code: str) -> list[str] | None:
        return None


@dataclass(frozen=True)
class _Seen:
    """What one document asks of others, and what others may ask of it."""

    asks: tuple[tuple[str | None, str], ...]
    """(page, anchor) of its links to headings; None is the page itself."""
    anchors: frozenset[str]
    whole: bool
    """Whether all of it is in the document: what is included has headings of its own."""


@dataclass
class Anchors:
    """Links to headings that no page has; each document is looked through once."""

    _seen: dict[Digest, _Seen] = field(default_factory=dict)

    async def broken(self, store: Store, space: Space) -> list[Notice]:
        """One notice for each address that a file has, with the line of its first use."""
        contents = await store.read(lambda unit: _contents(unit, space))
        pages = [page for page in contents.pages.values() if page.document is not None]
        wanted = {page.document for page in pages if page.document is not None}
        self._seen = {digest: self._seen[digest] for digest in wanted & self._seen.keys()}
        new = sorted(wanted - self._seen.keys())
        for start in range(0, len(new), _AT_ONCE):
            await self._look(store, space, new[start : start + _AT_ONCE], pages)
        found = [(page, *ask) for page in pages for ask in self._missing(page, contents)]
        texts = await _texts(store, space, {page.text for page, _, _ in found if page.text is not None})
        return sorted({_notice(page, texts.get(page.text or b"", ""), anchor, title) for page, anchor, title in found})

    async def _look(self, store: Store, space: Space, digests: Sequence[Digest], pages: Sequence[Page]) -> None:
        stored = await store.read(lambda unit: unit.objects.get(space.organization, digests))
        by_document = {page.document: page for page in pages}

        def look() -> dict[Digest, _Seen]:
            return {digest: _look_through(by_document[digest], bytes(data)) for digest, data in stored.items()}

        self._seen |= await beside(look)

    def _missing(self, page: Page, contents: Contents) -> Iterator[tuple[str, str]]:
        """(anchor, title of the page that has it not; "" for the page itself)"""
        seen = self._seen.get(page.document or b"")
        for key, anchor in () if seen is None else seen.asks:
            target = page if key is None else contents.pages.get(key)
            held = None if target is None else self._seen.get(target.document or b"")
            if target is not None and held is not None and held.whole and anchor not in held.anchors:
                yield anchor, "" if target.id == page.id else target.title


def _look_through(page: Page, data: bytes) -> _Seen:
    document = _DOCUMENT.decode(data)
    asks: list[tuple[str | None, str]] = []
    for one in references(page, document):
        if one.ref["kind"] == "anchor" and not one.ref.get("space") and one.ref.get("anchor"):
            asks.append((one.ref["page"], unquote(str(one.ref["anchor"]))))
    asks += [(None, unquote(anchor)) for node in walk(document) if (anchor := _own_anchor(node))]
    whole = not any(mark in data for mark in (b'"reusable-content"', b'"openapi'))
    anchors = frozenset(_ID.findall(render(document, _Known()).html))
    return _Seen(tuple(asks), anchors, whole)


def _own_anchor(node: Node) -> str:
    """The heading of its own page that a node leads to; "" for any other node."""
    data = node.get("data")
    ref = data.get("ref") if isinstance(data, dict) else None
    if not isinstance(ref, dict) or ref.get("page") or ref.get("space"):
        return ""
    if ref.get("kind") == "anchor":
        return str(ref.get("anchor") or "")
    url = ref.get("url") if ref.get("kind") == "url" else None
    return url[1:] if isinstance(url, str) and url.startswith("#") else ""


def _notice(page: Page, text: str, anchor: str, title: str) -> Notice:
    line = line_of(text, anchor)
    where = f"the page “{title}”" if title else "this page"
    return Notice(page.path or page.title, line, f"links to #{anchor}, which {where} does not have")


def line_of(text: str, anchor: str) -> int | None:
    """The line of the first address in a text that ends with that anchor, outside of code."""
    hidden = _FENCE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in re.finditer(r"#([^\s)\"'<>]+)", hidden):
        if unquote(found[1]) == anchor:
            return hidden.count("\n", 0, found.start()) + 1
    return None


async def _texts(store: Store, space: Space, digests: set[Digest]) -> dict[Digest, str]:
    found = await store.read(lambda unit: unit.objects.get(space.organization, digests)) if digests else {}
    return {digest: bytes(data).decode("utf-8", "replace") for digest, data in found.items()}


async def _contents(unit: Unit, space: Space) -> Contents:
    now = await unit.spaces.get(space.id)
    assert now is not None  # the preview's own
    head = await unit.revisions.get(now.revision)
    assert head is not None  # a space's row names its head
    return await contents_of(unit, head)


def noticed(sentences: Sequence[str]) -> list[Notice]:
    """The warnings of an import, which are `file:line: text`."""
    made: list[Notice] = []
    for sentence in sentences:
        found = _WRITTEN.fullmatch(sentence)
        if found is None:
            made.append(Notice("", None, sentence))
        else:
            made.append(Notice(found["file"], int(found["line"]) if found["line"] else None, found["text"]))
    return made


def below(folder: str, notices: Sequence[Notice]) -> list[Notice]:
    """The same with their files as they lie below the folder that is previewed."""
    return [Notice(posixpath.join(folder, one.file), one.line, one.text) for one in notices]


def is_link(notice: Notice) -> bool:
    """Whether it tells of a link, not of something else that was read."""
    return notice.text.startswith(("links to ", "names "))
