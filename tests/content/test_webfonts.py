"""Fonts that are uploaded: what they say of themselves has to be there, and may not be more than anybody has room for."""

from __future__ import annotations

import random
import re
import struct

import pytest

from octavo.content.webfonts import UNPACKED_MAX, kind_of
from tests.resources.typefaces import OTHER, TABLES, WOFF2, woff

PLAIN = {"cmap": 0, "head": 1, "hhea": 2, "hmtx": 3, "maxp": 4}
"""Tables by their numbers in WOFF2."""


def _number(value: int) -> bytes:
    made = bytes([value & 0x7F])
    while value := value >> 7:
        made = bytes([value & 0x7F | 0x80]) + made
    return made


def _woff2(*entries: bytes, packed: int = 8, **fields: int) -> bytes:
    """A file with this directory and a stream of any bytes."""
    directory = b"".join(entries)
    rest = [fields.get(name, 0) for name in ("meta", "meta_size", "meta_unpacked", "private", "private_size")]
    length = 48 + len(directory) + 8
    header = struct.pack(">4sIIHHIIHHIIIII", b"wOF2", 0x00010000, length, len(entries), 0, 0, packed, 1, 0, *rest)
    return header + directory + bytes(8)


def _entry(number: int, size: int = 10) -> bytes:
    return bytes([number]) + _number(size)


DIRECTORY = [_entry(number) for number in PLAIN.values()]
REFUSED = {
    "a table is missing": (_woff2(*DIRECTORY[1:]), "no table cmap"),
    "a table stands twice": (_woff2(*DIRECTORY, DIRECTORY[0]), "twice"),
    "a table of a gigabyte": (_woff2(*DIRECTORY, _entry(5, 1 << 30)), "8 MiB"),
    "tables of a gigabyte": (_woff2(*DIRECTORY, *(_entry(at, UNPACKED_MAX // 2) for at in (5, 6, 7))), "8 MiB"),
    "a transformed table of a gigabyte": (
        _woff2(*DIRECTORY, _entry(10) + _number(1 << 30), _entry(11) + b"\0"),
        "8 MiB",
    ),
    "a form that there is not": (_woff2(*DIRECTORY, _entry(5 | 2 << 6)), "form"),
    "outlines without their places": (_woff2(*DIRECTORY, _entry(10 | 3 << 6)), "without the other"),
    "places that are not made of outlines": (_woff2(*DIRECTORY, _entry(10) + b"\1", _entry(11) + b"\1"), "none"),
    "a number that begins with nothing": (_woff2(*DIRECTORY, b"\5\x80\1"), "none"),
    "a number without an end": (_woff2(*DIRECTORY, b"\5" + b"\xff" * 5), "none"),
    "a number of 35 bits": (_woff2(*DIRECTORY, b"\5\xff\xff\xff\xff\x7f"), "none"),
    "a stream behind the end": (_woff2(*DIRECTORY, packed=9), "does not have"),
    "no stream": (_woff2(*DIRECTORY, packed=0), "does not have"),
    "words about it behind the end": (_woff2(*DIRECTORY, meta=60, meta_size=1000), "does not have"),
    "private data behind the end": (_woff2(*DIRECTORY, private=60, private_size=1000), "does not have"),
    "an older one without a table": (woff(tags=TABLES[1:]), "no table cmap"),
    "an older one with more in it than it says": (woff(b"a" * 5000, size=4999), "damaged"),
    "an older one with less in it than it says": (woff(b"a" * 5000, size=5001), "damaged"),
    "an older one of a gigabyte": (woff(b"a" * 5000, size=1 << 30), "8 MiB"),
    "an older one with bytes that are none": (woff().replace(b"\x78\x9c", b"\xff\xff"), "damaged"),
}


def test_those_that_are_whole() -> None:
    assert kind_of(_woff2(*DIRECTORY)) == kind_of(WOFF2) == kind_of(OTHER) == "woff2"
    assert kind_of(_woff2(*DIRECTORY, bytes([63]) + b"ABCD" + _number(10))) == "woff2"
    assert kind_of(_woff2(*DIRECTORY, _entry(10) + _number(7), _entry(11) + b"\0")) == "woff2"
    assert kind_of(woff()) == "woff"


@pytest.mark.parametrize("kind", REFUSED)
def test_those_that_are_not(kind: str) -> None:
    data, said = REFUSED[kind]
    with pytest.raises(ValueError, match=re.escape(said)):
        kind_of(data)


def test_any_bytes_are_a_font_or_refused() -> None:
    chance = random.Random(7)
    for whole in (WOFF2, woff(), _woff2(*DIRECTORY)):
        for _ in range(2000):
            data = bytearray(whole[: 48 + 200])
            for _ in range(chance.randrange(1, 6)):
                data[chance.randrange(8, len(data))] = chance.randrange(256)
            data[8:12] = struct.pack(">I", len(data))
            try:
                kind_of(bytes(data))
            except ValueError as error:
                assert str(error)  # noqa: PT017
