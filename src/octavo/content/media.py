"""What the bytes of a file are: their type is read from them, and a claim is believed only where they do not say."""

from __future__ import annotations

import re

from octavo.content.images import content_type, dimensions

_SVG = b"<svg"
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
"""What may be a type, after RFC 6838."""
_OPAQUE = "application/octet-stream"
_SPEAKING = ("image/", "audio/", "video/", "font/")
"""Types whose bytes always say what they are: a claim without them is wrong."""
_ACTIVE = ("text/html", "application/xhtml+xml", "text/javascript", "application/javascript", "text/xml")
"""Types that a browser would run or render as a page; such files are kept as plain text."""


class Mistaken(ValueError):
    """The bytes are not what was claimed."""


def sniffed(name: str, claimed: str | None, data: bytes) -> str:
    """The type of a file. Raises Mistaken where it was claimed to be an image, a sound, a film or a font and is not."""
    if _is_svg(data):
        found: str | None = "image/svg+xml"
    else:
        import filetype  # type: ignore[import-untyped]  # with the first file: no start needs it

        kind = filetype.guess(data[:8192])
        found = None if kind is None else str(kind.mime)
    wanted = (claimed or content_type(name)).split(";")[0].strip().lower()
    wanted = wanted if _TYPE.fullmatch(wanted) else _OPAQUE
    family = wanted.partition("/")[0] + "/"
    if claimed and family in _SPEAKING and (found is None or not found.startswith(family)):
        raise Mistaken(f"{name} is said to be {wanted}, but its bytes are {found or 'something else'}")
    if found is not None:
        # Containers that only their names tell apart: office documents are zip archives.
        return (
            wanted if found == "application/zip" and wanted.startswith("application/") and wanted != _OPAQUE else found
        )
    if family in _SPEAKING:
        return _OPAQUE
    return "text/plain" if wanted in _ACTIVE else wanted


def size_of(name: str, data: bytes) -> tuple[int, int] | None:
    """Width and height of a picture in pixels; None for anything else."""
    return dimensions(name, data)


def _is_svg(data: bytes) -> bool:
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith(_SVG) or (
        start.startswith((b"<?xml", b"<!--", b"<!doctype svg")) and _SVG in data[:8192].lower()
    )
