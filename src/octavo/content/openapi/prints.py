"""Digests of what pages that are made of a description say, so that a new version concerns those pages alone that differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any

import msgspec

from octavo.content.openapi.index import SCHEMAS, Index, Operation, Part, part_of

_PART: msgspec.json.Decoder[Part] = msgspec.json.Decoder(Part)


def first_of(index: Index) -> list[str]:
    """The parts that are read first; those that they need come behind (`needed_by`)."""
    escaped = (name.replace("~", "~0").replace("/", "~1") for name in index.schemas)
    return [*(one.part for one in index.operations), *(SCHEMAS + name for name in escaped)]


def needed_by(index: Index, parts: Mapping[str, bytes]) -> set[str]:
    """The parts that operations need."""
    found = [_PART.decode(parts[one.part]) for one in index.operations if one.part in parts]
    return {name for part in found for name in part.needs}


class Prints:
    """Of one description; `parts` are its operations and what these need."""

    def __init__(self, index: Index, parts: Mapping[str, bytes]) -> None:
        self._index = index
        self._parts = parts
        self._digests = {name: _digest([data]) for name, data in parts.items()}

    def of(self, props: Mapping[str, Any]) -> bytes:
        """Of the page with these properties."""
        doc, page = props.get("doc"), str(props.get("page", ""))
        if doc == "operation":
            method = str(props.get("method"))
            hook = method == "hook"
            return _digest(
                self._operation(one)
                for one in self._index.operations
                if one.path == page and (one.webhook if hook else one.part == part_of(method, page))
            )
        if doc == "models":
            return self._schemas
        if doc in ("tag", "operations"):
            inside = [one for one in self._index.operations if (one.tags[0] if one.tags else "") == page]
            tag = [msgspec.json.encode(one) for one in self._index.tags if one.name == page]
            shown = (
                (self._operation(one) for one in inside) if doc == "operations" else map(msgspec.json.encode, inside)
            )
            return _digest([*tag, *shown])
        whole = self._index
        return _digest(
            [msgspec.json.encode([whole.title, whole.version, whole.description, whole.servers, whole.schemes])]
        )

    def _operation(self, one: Operation) -> bytes:
        data = self._parts.get(one.part)
        if data is None:
            return b""
        needs = (self._digests.get(name, b"") for name in _PART.decode(data).needs)
        return _digest([msgspec.json.encode(one), self._digests[one.part], *needs])

    @cached_property
    def _schemas(self) -> bytes:
        # Schemas refer to one another, so that one page may say something of many.
        return _digest(digest for name, digest in sorted(self._digests.items()) if name.startswith(SCHEMAS))


def _digest(pieces: Iterable[bytes]) -> bytes:
    made = blake2b(digest_size=16)
    for piece in pieces:
        made.update(len(piece).to_bytes(8) + piece)
    return made.digest()
