"""Fonts as the web takes them: whether bytes are one, and of which kind, by what their header says of the rest."""

from __future__ import annotations

import struct
from typing import Literal

Kind = Literal["woff2", "woff"]

_FLAVORS = (b"\0\1\0\0", b"OTTO", b"true")
_TABLES_MAX = 128
_ENTRY = 20
"""Bytes of an entry in the directory of a WOFF file."""


def kind_of(data: bytes) -> Kind:
    """Which kind the font is. Raises ValueError, in a sentence, for what is none or not whole."""
    kinds: dict[bytes, Kind] = {b"wOF2": "woff2", b"wOFF": "woff"}
    kind = kinds.get(data[:4])
    if kind is None:
        raise ValueError("this is no font in the format WOFF2 or WOFF")
    size = 48 if kind == "woff2" else 44
    if len(data) < size or data[4:8] not in _FLAVORS:
        raise ValueError("this begins as a font and is none")
    length, tables, reserved, _sfnt = struct.unpack(">IHHI", data[8:20])
    if length != len(data):
        raise ValueError(f"the font says that it has {length} bytes, and has {len(data)}")
    if reserved or not 0 < tables <= _TABLES_MAX:
        raise ValueError("this begins as a font and is none")
    _require_whole(kind, data, tables)
    return kind


def _require_whole(kind: Kind, data: bytes, tables: int) -> None:
    """What the header speaks of lies within the file."""
    if kind == "woff2":
        (compressed,) = struct.unpack(">I", data[20:24])
        places: list[tuple[int, int]] = [(48, compressed)]
    else:
        if len(data) < 44 + tables * _ENTRY:
            raise ValueError("the font ends within its directory")
        entries = (data[44 + at * _ENTRY : 44 + (at + 1) * _ENTRY] for at in range(tables))
        places = [struct.unpack(">II", entry[4:12]) for entry in entries]
    if any(not amount or begin + amount > len(data) for begin, amount in places):
        raise ValueError("the font speaks of data that it does not have")
