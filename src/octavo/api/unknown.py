"""Fields of a body that no shape has: they are ignored, and the answer says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

_MOST = 10
"""Fields that are named."""
_LONGEST = 64
"""Characters of a name that are shown."""
_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_list = msgspec.json.Decoder(list[msgspec.Raw]).decode

Known = dict[str, Any]
"""Name of a field -> what is known of its value: fields of an object, of each object of a list, or None."""


def known_of(kind: Any) -> Known:
    """What a shape has, down to whatever contains itself: documents are not looked through."""
    return _known(inspect.type_info(kind), (), set()) or {}


def unknown_in(body: bytes, known: Known) -> str:
    """The names of fields that are not known, with their places; "" where there is none. The body fits the shape."""
    found: list[str] = []
    for name in _unknown(body, known, ""):
        found.append(name)
        if len(found) == _MOST:
            break
    return ", ".join(found)


def _unknown(raw: bytes | msgspec.Raw, known: Known, place: str) -> Iterator[str]:
    # The whole body is an object; what is within begins without white space.
    start = bytes(memoryview(raw)[:1]) if isinstance(raw, msgspec.Raw) else b"{"
    if start == b"[":
        for number, one in enumerate(_list(raw)):
            yield from _unknown(one, known, f"{place}[{number}]")
    elif start == b"{":
        for name, value in _object(raw).items():
            at = f"{place}.{_plain(name)}" if place else _plain(name)
            if name not in known:
                yield at
            elif (below := known[name]) is not None:
                yield from _unknown(value, below, at)


def _plain(name: str) -> str:
    """The name as a header can hold it."""
    return "".join(one if one.isascii() and one.isprintable() else "?" for one in name[:_LONGEST])


def _known(one: inspect.Type, above: tuple[type, ...], endless: set[type]) -> Known | None:
    """None for what is no object, or whose fields are not ours to name. `endless` collects what contains itself."""
    if isinstance(one, inspect.Metadata):
        return _known(one.type, above, endless)
    if isinstance(one, inspect.ListType):
        return _known(one.item_type, above, endless)
    if isinstance(one, inspect.UnionType):
        parts = [_known(part, above, endless) for part in one.types if isinstance(part, _HOLDING)]
        if not parts or None in parts:
            return None
        return {name: below for part in parts for name, below in (part or {}).items()}
    if not isinstance(one, inspect.StructType):
        return None
    if one.cls in above:
        endless.add(one.cls)
        return None
    fields: Known = {field.encode_name: _known(field.type, (*above, one.cls), endless) for field in one.fields}
    if one.tag_field:
        fields[one.tag_field] = None
    return None if one.cls in endless else fields


_HOLDING: tuple[type, ...] = (inspect.StructType, inspect.ListType, inspect.DictType, inspect.Metadata)
