"""Fonts to upload."""

from __future__ import annotations

import struct
import zlib
from importlib.resources import files
from urllib.parse import urlsplit

from tests.client import World

WOFF2 = files("octavo.publish").joinpath("static", "fonts", "mono-symbols.woff2").read_bytes()
OTHER = files("octavo.publish").joinpath("static", "fonts", "mono-latin-ext.woff2").read_bytes()


def woff(table: bytes = b"heron" * 10) -> bytes:
    """A file in the older format, with one table."""
    packed = zlib.compress(table)
    entry = struct.pack(">4sIIII", b"glyf", 64, len(packed), len(table), 0)
    size = 64 + len(packed)
    header = struct.pack(">4sIIHHIHHIIIII", b"wOFF", 0x00010000, size, 1, 0, len(table), 1, 0, 0, 0, 0, 0, 0)
    return header + entry + packed


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
