"""Pictures that others send to be shown: whether the bytes are what they say, as far as their frame tells."""

from __future__ import annotations

import struct
import zlib

from octavo.content.images import dimensions

_PNG = b"\x89PNG\r\n\x1a\n"
_SIDE = 8192
"""Pixels."""
_STARTS = {
    "image/png": ("a.png", (_PNG,)),
    "image/jpeg": ("a.jpg", (b"\xff\xd8\xff",)),
    "image/gif": ("a.gif", (b"GIF87a", b"GIF89a")),
    "image/webp": ("a.webp", (b"RIFF",)),
}


def require_png(data: bytes) -> None:
    """Raises ValueError with a sentence for what is no whole PNG."""
    if not data.startswith(_PNG):
        raise ValueError("these bytes are no PNG")
    at, kinds = len(_PNG), []
    while at < len(data):
        kind, at = _chunk(data, at)
        kinds.append(kind)
        if kind == b"IEND":
            break
    if kinds[:1] != [b"IHDR"] or b"IDAT" not in kinds or kinds[-1] != b"IEND":
        raise ValueError("this PNG is not whole")
    _require_size("a.png", data)


def _chunk(data: bytes, at: int) -> tuple[bytes, int]:
    """The kind of the chunk that begins here, and where the next one does."""
    if at + 12 > len(data):
        raise ValueError("this PNG breaks off")
    length, kind = struct.unpack(">I4s", data[at : at + 8])
    end = at + 12 + length
    if end > len(data) or zlib.crc32(data[at + 4 : end - 4]) != struct.unpack(">I", data[end - 4 : end])[0]:
        raise ValueError("this PNG is damaged")
    return kind, end


def picture_type(data: bytes) -> str:
    """The media type of a PNG, JPEG, GIF or WebP. Raises ValueError with a sentence for anything else."""
    for media, (name, starts) in _STARTS.items():
        if data.startswith(starts) and (media != "image/webp" or data[8:12] == b"WEBP"):
            if media == "image/png":
                require_png(data)
            else:
                _require_size(name, data)
            return media
    raise ValueError("these bytes are no PNG, JPEG, GIF or WebP")


def _require_size(name: str, data: bytes) -> None:
    size = dimensions(name, data)
    if size is None or max(size) > _SIDE:
        raise ValueError(f"this picture has no size, or more than {_SIDE} pixels on a side")
