"""Fonts as the web takes them: whether bytes are one, of which kind, and whether all that their directory names is there."""

from __future__ import annotations

import struct
import zlib
from typing import Literal, NamedTuple

Kind = Literal["woff2", "woff"]

UNPACKED_MAX = 8 << 20
"""Bytes that the tables of one font may have; those of a file as large as is taken here have half of that."""

_FLAVORS = (b"\0\1\0\0", b"OTTO", b"true")
_TABLES_MAX = 128
_ENTRY = 20
"""Bytes of an entry in the directory of a WOFF file."""
_NEEDED = frozenset((b"cmap", b"head", b"hhea", b"hmtx", b"maxp"))
"""Tables without which no browser takes a font."""
_KNOWN = (
    b"cmap head hhea hmtx maxp name OS/2 post cvt- fpgm glyf loca prep CFF- VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX "
    b"vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG- sbix acnt avar bdat bloc bsln cvar fdsc feat "
    b"fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill"
).replace(b"-", b" ")
_TAGS = [_KNOWN[at : at + 4] for at in range(0, len(_KNOWN), 5)]
"""Tables that a WOFF2 file names by a number; the next number says that the name follows."""
_TRANSFORMED = {b"glyf": 0, b"loca": 0, b"hmtx": 1}
"""Tables that WOFF2 may hold in another form, and the number that says so."""
_PLAIN = {b"glyf": 3, b"loca": 3}
"""The number that says that they are as they are; for all others that is 0."""

_NONE = "this begins as a font and is none"
_BEYOND = "the font speaks of data that it does not have"
_ENDS = "the font ends within its directory"


class _Table(NamedTuple):
    tag: bytes
    size: int
    """Bytes of the table itself."""


def kind_of(data: bytes) -> Kind:
    """Which kind the font is. Raises ValueError, in a sentence, for what is none or not whole.

    Tables of a WOFF file are unpacked; those of a WOFF2 file are one packed stream, of which the directory is read alone.
    """
    kinds: dict[bytes, Kind] = {b"wOF2": "woff2", b"wOFF": "woff"}
    kind = kinds.get(data[:4])
    if kind is None:
        raise ValueError("this is no font in the format WOFF2 or WOFF")
    size = 48 if kind == "woff2" else 44
    if len(data) < size or data[4:8] not in _FLAVORS:
        raise ValueError(_NONE)
    length, tables, reserved, _sfnt = struct.unpack(">IHHI", data[8:20])
    if length != len(data):
        raise ValueError(f"the font says that it has {length} bytes, and has {len(data)}")
    if reserved or not 0 < tables <= _TABLES_MAX:
        raise ValueError(_NONE)
    _require_font(_woff2(data, tables) if kind == "woff2" else _woff(data, tables))
    return kind


def _require_font(tables: list[_Table]) -> None:
    tags = {table.tag for table in tables}
    if len(tags) < len(tables):
        raise ValueError("the font has a table twice")
    missing = sorted(tag.decode() for tag in _NEEDED - tags)
    if missing:
        raise ValueError(f"the font has no table {' and no '.join(missing)}")


def _require_room(sizes: int) -> None:
    if sizes > UNPACKED_MAX:
        raise ValueError(f"the font would unpack to more than {UNPACKED_MAX >> 20} MiB")


def _woff(data: bytes, tables: int) -> list[_Table]:
    if len(data) < 44 + tables * _ENTRY:
        raise ValueError(_ENDS)
    made, unpacked = [], 0
    for at in range(44, 44 + tables * _ENTRY, _ENTRY):
        tag, begin, packed, size, _sum = struct.unpack(">4sIIII", data[at : at + _ENTRY])
        if not packed or begin < 44 + tables * _ENTRY or begin + packed > len(data) or packed > size:
            raise ValueError(_BEYOND)
        unpacked += size
        _require_room(unpacked)
        if packed < size and _unpacked(data[begin : begin + packed], size) != size:
            raise ValueError(f"the table {tag.decode('latin-1')} of the font is damaged")
        made.append(_Table(tag, size))
    _require_inside(data, *struct.unpack(">IIIII", data[24:44]))
    return made


def _unpacked(packed: bytes, size: int) -> int:
    """How many bytes there are in it; no more are unpacked than it should have, and one."""
    reader = zlib.decompressobj()
    try:
        found = len(reader.decompress(packed, size + 1))
    except zlib.error:
        return -1
    return found if reader.eof else -1


def _woff2(data: bytes, tables: int) -> list[_Table]:
    made: list[_Table] = []
    at, stream, unpacked = 48, 0, 0
    for _ in range(tables):
        table, held, at = _entry(data, at)
        stream, unpacked = stream + held, unpacked + table.size
        _require_room(max(stream, unpacked))
        made.append(table)
    (packed,) = struct.unpack(">I", data[20:24])
    if not packed or at + packed > len(data):
        raise ValueError(_BEYOND)
    if ({b"glyf", b"loca"} & {table.tag for table in made}) not in (set(), {b"glyf", b"loca"}):
        raise ValueError("the font has one of the tables glyf and loca without the other")
    _require_inside(data, *struct.unpack(">IIIII", data[28:48]))
    return made


def _entry(data: bytes, at: int) -> tuple[_Table, int, int]:
    """(a table, its bytes in the stream, where the next entry begins)."""
    if at >= len(data):
        raise ValueError(_ENDS)
    number, form = data[at] & 63, data[at] >> 6
    at += 1
    tag = _TAGS[number] if number < len(_TAGS) else data[at : at + 4]
    at += 0 if number < len(_TAGS) else 4
    size, at = _number(data, at)
    if form == _PLAIN.get(tag, 0):
        return _Table(tag, size), size, at
    if form != _TRANSFORMED.get(tag):
        raise ValueError(f"the table {tag.decode('latin-1')} of the font is in a form that there is not")
    held, at = _number(data, at)
    if tag == b"loca" and held:
        raise ValueError(_NONE)
    return _Table(tag, size), held, at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number in groups of seven bits, and where it ends."""
    made = 0
    for place in range(at, at + 5):
        if place >= len(data):
            raise ValueError(_ENDS)
        if place == at and data[place] == 0x80:
            break
        made = made << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            if made >> 32:
                break
            return made, place + 1
    raise ValueError(_NONE)


def _require_inside(
    data: bytes, meta: int, meta_size: int, _meta_unpacked: int, private: int, private_size: int
) -> None:
    """What may follow the tables lies within the file."""
    if meta + meta_size > len(data) or private + private_size > len(data):
        raise ValueError(_BEYOND)
