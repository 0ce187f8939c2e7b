"""What one page needs from the store, read in one unit: entries, documents, highlighted code, neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from octavo.content.document import Node, walk
from octavo.content.listings import highlight_key, listings
from octavo.content.reading import reusables_in
from octavo.content.revision import Branch
from octavo.history.contents import Contents, contents_of, document_of, reusable_documents
from octavo.site.snapshot import Place, Snapshot
from octavo.store.unit import Unit

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


async def contents_at(unit: Unit, snapshot: Snapshot, space: str) -> Contents:
    """The entries of a space that the site shows."""
    return await contents_of(unit, snapshot.revisions[space])


async def material(
    unit: Unit, snapshot: Snapshot, place: Place, contents: Contents, branch: Branch, *, coloured: bool = True
) -> Material:
    """Everything for one page; colours of its code only where they are wanted."""
    document = await document_of(unit, contents.organization, branch.page.document)
    includes = document is not None and bool(reusables_in(document))
    reusables = await reusable_documents(unit, contents) if includes else {}
    documents = [document or {"object": "document"}, *reusables.values()]
    return Material(
        snapshot,
        place,
        contents,
        branch,
        document,
        reusables,
        await _highlights(unit, documents) if coloured else {},
        await _others(unit, snapshot, place, documents),
    )


async def _highlights(unit: Unit, documents: list[Node]) -> dict[bytes, list[str]]:
    keys = {highlight_key(*listing) for document in documents for listing in listings(document)}
    return {key: _LINES.decode(data) for key, data in (await unit.cache.get(keys)).items()}


async def _others(unit: Unit, snapshot: Snapshot, place: Place, documents: list[Node]) -> dict[str, Contents]:
    refs = [node["data"].get("ref") for document in documents for node in walk(document) if "data" in node]
    wanted = {ref["space"] for ref in refs if isinstance(ref, dict) and isinstance(ref.get("space"), str)}
    return {
        space: await contents_of(unit, snapshot.revisions[space])
        for space in sorted(wanted - {place.space.id})
        if space in snapshot.revisions
    }
