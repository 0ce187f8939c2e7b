"""What one page needs from the store, read in one unit: entries, documents, highlighted code, neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from octavo.content.document import Node, walk
from octavo.content.html.openapi import listings as api_listings
from octavo.content.listings import highlight_key, listings
from octavo.content.reading import reads_of
from octavo.content.revision import Branch, Page
from octavo.history.contents import Contents, contents_of, raw_document_of
from octavo.kernel.records.sites import SiteSpace
from octavo.publish.boards import Asks, Board, asked_in
from octavo.publish.described_files import described
from octavo.site.apis import Shown, blocks_of, shown_by
from octavo.site.computed import expanded, is_made, made_document
from octavo.site.seeing import seen
from octavo.site.snapshot import Place, Snapshot
from octavo.store.content.blobs import Blobs
from octavo.store.kept import Kind
from octavo.store.unit import Store, Unit
from octavo.web.beside import at_hand, beside

_DOCUMENT: msgspec.json.Decoder[Node] = msgspec.json.Decoder(Node)
_BEGINNINGS: Kind[Contents] = Kind("contents that begin with another page", lambda contents: 2_000)
_LINES: msgspec.msgpack.Decoder[list[str]] = msgspec.msgpack.Decoder(list[str])


@dataclass(frozen=True)
class Material:
    """A page with everything that its HTML is made of."""

    snapshot: Snapshot
    place: Place
    contents: Contents
    branch: Branch
    document: Node | None
    reusables: Mapping[str, Node] = field(default_factory=dict)
    highlights: Mapping[bytes, list[str]] = field(default_factory=dict)
    others: Mapping[str, Contents] = field(default_factory=dict)
    """Contents of the other spaces that the page points into, by space."""
    reads: frozenset[str] = frozenset()
    """What the page, the tables of contents that it is read with and the site's structure read of visitors."""
    apis: Mapping[bytes, Shown] = field(default_factory=dict)
    """What blocks of the page show of APIs, by `site.apis.key_of` them."""
    asked: frozenset[Asks] = frozenset()
    """Blocks of integrations on it."""
    boards: Mapping[Asks, Board] = field(default_factory=dict)
    """What these show."""
    before: Node | None = None
    """The page as primary content has it, where it is looked at in a change request."""

    @property
    def scope(self) -> Mapping[str, Any]:
        """What the page's expressions may name for its visitor."""
        return self.snapshot.visitor.of(self.place.space.id).scope(
            self.contents.root.variables, self.branch.page.variables
        )


async def contents_at(unit: Unit, snapshot: Snapshot, space: str, shown: SiteSpace | None = None) -> Contents:
    """The entries of a space that the site shows, as its visitor sees them there, or where the space is shown first."""
    stored = await contents_of(unit, snapshot.revisions[space])
    whole = await expanded(unit, stored)
    if whole is not stored:
        at_hand("octavo.content.markdown")  # in which descriptions of APIs are written
    contents = seen(whole, snapshot.visitor.of(space))
    shown = shown or next((one for one in snapshot.shown if one.space == space), None)
    return contents if shown is None or shown.page is None else _beginning_with(contents, shown.page)


async def listed_contents(unit: Unit, snapshot: Snapshot, here: str = "") -> dict[str, Contents]:
    """By space, those that the visitor is led to, and of the space that is being read: what a search of the site looks in."""
    listed = [one for one in snapshot.shown if not one.hidden or one.space == here]
    return {one.space: await contents_at(unit, snapshot, one.space) for one in listed}


def _beginning_with(contents: Contents, page: str) -> Contents:
    """The same entries where another page is the first thing that visitors see."""
    branch = contents.by_id.get(page)
    if branch is None or branch.page.type != "document":
        return contents
    kept = contents.derived.get(_BEGINNINGS, page)
    if kept is None:
        made = replace(contents, derived=contents.derived.apart(page))
        # What was found out of the entries holds for these too.
        known = ("branches", "outside", "by_id", "by_path", "reads", "shape")
        vars(made).update({name: getattr(contents, name) for name in known})
        vars(made)["landing"] = branch
        kept = contents.derived.put(_BEGINNINGS, made, page)
    return kept


async def material(
    store: Store,
    blobs: Blobs,
    snapshot: Snapshot,
    place: Place,
    contents: Contents,
    branch: Branch,
    *,
    coloured: bool = True,
) -> Material:
    """Everything for one page; colours of its code only where they are wanted. Documents are read beside the event loop."""
    stored = await store.read_apart(lambda unit: _stored(unit, contents, branch.page))
    document, reusables, keys, spaces, named = await beside(_opened, stored, coloured)
    blocks = blocks_of([*([document] if document else []), *reusables.values()]) if stored.describes else []
    files = await described(blobs, store.kept, contents, place.space.id, blocks)
    apis = await store.read_apart(lambda unit: shown_by(unit, snapshot.specs, blocks, files)) if blocks else {}
    if apis and coloured:
        keys |= {highlight_key(*listing) for listing in api_listings(apis.values())}

    async def read(unit: Unit) -> tuple[dict[bytes, list[str]], dict[str, Contents]]:
        return await _highlights(unit, keys), await _others(unit, snapshot, spaces - {place.space.id})

    highlights, others = await store.read(read) if keys or spaces - {place.space.id} else ({}, {})
    reads = named.union(snapshot.reads, contents.reads, *(one.reads for one in others.values()))
    asked = asked_in([*([document] if document else []), *reusables.values()]) if stored.integrates else frozenset()
    return Material(
        snapshot, place, contents, branch, document, reusables, highlights, others, reads, apis, asked=asked
    )


class _Stored(NamedTuple):
    """Documents as they are stored: the page's, and reusable contents by their ids."""

    page: bytes | None
    reusables: dict[str, bytes]

    @property
    def describes(self) -> bool:
        """Whether a block may show something of an API."""
        return any(mark in one for one in (self.page or b"", *self.reusables.values()) for mark in _API)

    @property
    def integrates(self) -> bool:
        """Whether a block may be an integration's."""
        return any(b'"integration"' in one for one in (self.page or b"", *self.reusables.values()))


_API = (b'"openapi-', b'"swagger"')


async def _stored(unit: Unit, contents: Contents, page: Page) -> _Stored:
    if is_made(page):
        return _Stored(msgspec.json.encode(await made_document(unit, contents.organization, page)), {})
    raw = None if page.document is None else await raw_document_of(unit, contents.organization, page.document)
    if raw is None or b'"reusable-content"' not in bytes(raw):
        return _Stored(None if raw is None else bytes(raw), {})
    digests = {one.id: one.document for one in contents.reusables.values() if one.document is not None}
    found = await unit.objects.get(contents.organization, set(digests.values())) if digests else {}
    return _Stored(bytes(raw), {key: found[digest] for key, digest in digests.items() if digest in found})


def _opened(
    stored: _Stored, coloured: bool
) -> tuple[Node | None, dict[str, Node], set[bytes], set[str], frozenset[str]]:
    """(the page's document, those of reusable contents, names of its highlighted listings, spaces that it names, what its
    expressions read)."""
    document = None if stored.page is None else _DOCUMENT.decode(stored.page)
    reusables = {key: _DOCUMENT.decode(data) for key, data in stored.reusables.items()}
    documents = [*([document] if document else []), *reusables.values()]
    keys = {highlight_key(*listing) for one in documents for listing in listings(one)} if coloured else set()
    refs = [node["data"].get("ref") for one in documents for node in walk(one) if "data" in node]
    spaces = {ref["space"] for ref in refs if isinstance(ref, dict) and isinstance(ref.get("space"), str)}
    return document, reusables, keys, spaces, frozenset[str]().union(*map(reads_of, documents))


async def _highlights(unit: Unit, keys: set[bytes]) -> dict[bytes, list[str]]:
    return {key: _LINES.decode(data) for key, data in (await unit.cache.get(keys)).items()}


async def _others(unit: Unit, snapshot: Snapshot, wanted: set[str]) -> dict[str, Contents]:
    return {space: await contents_at(unit, snapshot, space) for space in sorted(wanted) if space in snapshot.revisions}
