"""Entries of a revision that differ from those of another: the root that the revision then has."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from octavo.content import trie
from octavo.content.revision import Digest, Root

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def root_with(
    root: Root, pages: Mapping[str, bytes], files: Mapping[str, bytes], reusables: Mapping[str, bytes]
) -> trie.Steps[tuple[Digest, dict[Digest, bytes]]]:
    """The root with these entries, by their ids as they are stored, and the objects that it takes."""
    objects: dict[Digest, bytes] = {}
    named: list[Digest | None] = []
    for entries, changed in ((root.pages, pages), (root.files, files), (root.reusables, reusables)):
        made, more = yield from trie.apply(entries, dict(changed))
        named.append(made)
        objects |= more
    data = _encode(msgspec.structs.replace(root, pages=named[0], files=named[1], reusables=named[2]))
    return trie.digest(data), {**objects, trie.digest(data): data}
