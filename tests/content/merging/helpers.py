"""Revisions in memory: made, merged, and held against what every revision promises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import msgspec

from octavo.content import trie
from octavo.content.layout.config import front_fields
from octavo.content.layout.report import Report
from octavo.content.markdown import parse
from octavo.content.merge import Conflict
from octavo.content.merge.revisions import Merged, merge
from octavo.content.ordering import between
from octavo.content.revision import Digest, File, Page, Reusable, Root
from octavo.content.trie import Steps

LABEL = "change request 1"
ADDRESSED = ("document", "group", "computed")
"""Types of pages that have an address."""
_encode = msgspec.msgpack.Encoder(order="deterministic").encode
_json = msgspec.json.Encoder(order="deterministic")
Links = Mapping[str, dict[str, Any]]


class Memory:
    """Objects of revisions by digest, and what the tests do with them."""

    def __init__(self) -> None:
        self.objects: dict[Digest, bytes] = {}
        self.loaded = 0
        """Objects that the last merge asked for."""
        self._sound: set[tuple[Digest, bytes]] = set()

    def put(self, data: bytes) -> Digest:
        name = trie.digest(data)
        self.objects[name] = data
        return name

    def load(self, wanted: frozenset[Digest]) -> dict[Digest, bytes]:
        self.loaded += len(wanted)
        return {name: self.objects[name] for name in wanted}

    def document(self, id: str, source: str, *, links: Links | None = None, **fields: Any) -> Page:
        """A document with the fields that its text gives it."""
        known = dict(links or {})
        found = self.written(source, known)
        blank: dict[str, Any] = {"type": "document", "title": "Untitled", "slug": id, "position": "a0", "links": known}
        return Page(id=id, **blank | found | fields)

    def written(self, source: str, links: Links) -> dict[str, Any]:
        """Fields of an entry that has this text: digests, title, what the front matter says."""
        parsed = parse(source, lambda href: links.get(href))
        fields = front_fields("", parsed.front, lambda href: links.get(href) or {"kind": "url", "url": href}, Report())
        named = {"text": self.put(source.encode()), "document": self.put(_json.encode(parsed.document))}
        return fields | named | ({"title": parsed.title} if parsed.title else {})

    def rewritten(self, page: Page, source: str) -> Page:
        return msgspec.structs.replace(page, **self.written(source, page.links))

    def group(self, id: str, **fields: Any) -> Page:
        return Page(id=id, **{"type": "group", "title": id, "slug": id, "position": "a0"} | fields)

    def reusable(self, id: str, source: str) -> Reusable:
        parsed = parse(source)
        return Reusable(
            id=id, title=id, text=self.put(source.encode()), document=self.put(_json.encode(parsed.document))
        )

    def root(
        self,
        pages: Iterable[Page] = (),
        files: Iterable[File] = (),
        reusables: Iterable[Reusable] = (),
        **rest: Any,
    ) -> Root:
        roots = []
        for entries in (pages, files, reusables):
            named, made = trie.build({entry.id: _encode(entry) for entry in entries})
            self.objects |= made
            roots.append(named)
        return Root(pages=roots[0], files=roots[1], reusables=roots[2], **rest)

    def pages(self, root: Root) -> dict[str, Page]:
        return self._read(root.pages, Page)

    def files(self, root: Root) -> dict[str, File]:
        return self._read(root.files, File)

    def reusables(self, root: Root) -> dict[str, Reusable]:
        return self._read(root.reusables, Reusable)

    def _read(self, entries: Digest | None, kind: type[Any]) -> dict[str, Any]:
        decode = msgspec.msgpack.Decoder(kind).decode
        return {key: decode(data) for key, data in trie.run(trie.items(entries), self.load).items()}

    def text(self, page: Page | Reusable) -> str:
        return "" if page.text is None else self.objects[page.text].decode()

    def merge(self, base: Root, ours: Root, theirs: Root, label: str = LABEL) -> Merged:
        """The merge; its objects are known from then on, and are all that it lacked."""
        self.loaded = 0
        made = trie.run(merge(base, ours, theirs, label=label), self.load)
        loaded = self.loaded
        assert all(trie.digest(data) == name for name, data in made.objects.items())
        assert self.merge_beside(base, ours, theirs, label) == made, "what is known beforehand changes nothing"
        self.objects |= made.objects
        self.loaded = loaded
        return made

    def merge_beside(self, base: Root, ours: Root, theirs: Root, label: str = LABEL) -> Merged:
        """The merge where it is known what is beside primary's pages; `loaded` are the objects that it asked for."""
        known = self.pages(ours).values()
        self.loaded = 0

        def beside(above: Set[str | None]) -> Steps[list[Page]]:
            return [page for page in known if page.parent in above]
            yield frozenset()  # never: whoever knows asks for nothing

        return trie.run(merge(base, ours, theirs, label=label, beside=beside), self.load)

    def problems(self, root: Root) -> list[str]:
        """What a revision promises and this one does not keep."""
        pages = self.pages(root)
        found = [f"{key} is stored as {page.id}" for key, page in pages.items() if key != page.id]
        found += misplaced(pages.values())
        for page in pages.values():
            found += self._unsound(page)
        for one in self.reusables(root).values():
            found += self._unsound(one)
        return found

    def _unsound(self, entry: Page | Reusable) -> list[str]:
        """What is wrong with text and document; what was found sound once is not read again."""
        if entry.text is None:
            return [] if entry.document is None else [f"{entry.id} has a document and no text"]
        key = (entry.text, _encode(entry))
        if key in self._sound:
            return []
        missing = [name for name in (entry.text, entry.document) if name not in self.objects]
        if missing or entry.document is None:
            return [f"{entry.id} names objects that do not exist"]
        expected = self.written(self.text(entry), entry.links)
        if msgspec.json.decode(self.objects[entry.document]) != msgspec.json.decode(self.objects[expected["document"]]):
            return [f"the document of {entry.id} is not what its text says"]
        if isinstance(entry, Page):
            wrong = [name for name, value in expected.items() if name != "document" and getattr(entry, name) != value]
            if wrong:
                return [f"{', '.join(wrong)} of {entry.id} differ from its text"]
        self._sound.add(key)
        return []


def misplaced(pages: Iterable[Page]) -> list[str]:
    """What is wrong with parents, addresses and positions."""
    known = {page.id: page for page in pages}
    found: list[str] = []
    addresses: dict[tuple[str | None, str], str] = {}
    places: dict[tuple[str | None, str], str] = {}
    for page in known.values():
        if page.parent is not None and page.parent not in known:
            found.append(f"{page.id} stands below {page.parent}, which does not exist")
        if below_itself(known, page):
            found.append(f"{page.id} stands below itself")
        if not page.listed:
            continue
        between(page.position, None)
        for value, taken in (((page.parent, page.position), places), ((page.parent, page.slug.lower()), addresses)):
            if taken is addresses and page.type not in ADDRESSED:
                continue
            if value in taken:
                found.append(f"{page.id} and {taken[value]} have one place or address: {value}")
            taken[value] = page.id
    return found


def below_itself(pages: Mapping[str, Page], page: Page) -> bool:
    at, seen = page.parent, {page.id}
    while at is not None and at in pages:
        if at in seen:
            return at == page.id
        seen.add(at)
        at = pages[at].parent
    return False


def order(pages: Iterable[Page], parent: str | None = None) -> list[str]:
    """Ids of the listed pages below one, in order."""
    below = [page for page in pages if page.listed and page.parent == parent]
    return [page.id for page in sorted(below, key=lambda page: (page.position, page.id))]


def told(conflicts: Iterable[Conflict]) -> set[tuple[str, str, str, tuple[str, ...]]]:
    """Conflicts as values: (kind, reason, id, fields)."""
    return {(one.kind, one.reason, one.id, tuple(one.fields)) for one in conflicts}
