"""Fonts to upload."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from importlib.resources import files
from urllib.parse import urlsplit

from tests.client import World

WOFF2 = files("octavo.publish").joinpath("static", "fonts", "mono-symbols.woff2").read_bytes()
OTHER = files("octavo.publish").joinpath("static", "fonts", "mono-latin-ext.woff2").read_bytes()


TABLES = ("cmap", "glyf", "head", "hhea", "hmtx", "maxp")


def woff(table: bytes = b"heron" * 10, *, tags: Sequence[str] = TABLES, size: int | None = None) -> bytes:
    """A file in the older format, whose tables are all the same; `size` is what it says of each."""
    packed = zlib.compress(table)
    begin = 44 + 20 * len(tags)
    size = len(table) if size is None else size
    entries = b"".join(
        struct.pack(">4sIIII", tag.encode(), begin + at * len(packed), len(packed), size, 0)
        for at, tag in enumerate(tags)
    )
    length = begin + len(packed) * len(tags)
    header = struct.pack(">4sIIHHIHHIIIII", b"wOFF", 0x00010000, length, len(tags), 0, len(table), 1, 0, 0, 0, 0, 0, 0)
    return header + entries + packed * len(tags)


def uploaded(
    world: World, organization: str, data: bytes, *, send: bool = True, kind: str = "customization_font"
) -> str:
    """The key of an upload."""
    body = {"file": {"name": "a.woff2", "type": "font/woff2", "size": len(data)}, "kind": kind}
    made = world.api.post(f"/v1/orgs/{organization}/storage/upload", body)
    assert made.status == 201, made.text
    if send:
        assert world.api.put(urlsplit(made.json["url"]).path, body=data, token="").status == 204
    key: str = made.json["key"]
    return key
