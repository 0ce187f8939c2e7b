"""What a file is by its name and first bytes: content type, and the size of a picture in pixels."""

from __future__ import annotations

import io
import mimetypes
import re

# A table of our own reading: the installed system's files would make the answer depend on the machine.
_TYPES = mimetypes.MimeTypes()
_EXTRA = {
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".md": "text/markdown",
    ".woff2": "font/woff2",
}
_SVG = re.compile(r"<svg\b", re.IGNORECASE)
_LENGTH = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?)\s*(px|pt|in|cm|mm|pc)?\s*")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}


def content_type(name: str) -> str:
    """The media type by the name's ending."""
    ending = "." + name.rpartition(".")[2].lower()
    return _EXTRA.get(ending) or _TYPES.guess_type("x" + ending)[0] or "application/octet-stream"


def dimensions(name: str, data: bytes) -> tuple[int, int] | None:
    """(width, height) of a PNG, JPEG, GIF, WebP, SVG, …; None for anything else and for a broken picture."""
    kind = content_type(name)
    if not kind.startswith("image/"):
        return None
    if kind == "image/svg+xml":
        return _svg(data[: 1 << 16].decode(errors="replace"))
    import imagesize  # with the first picture: no start needs it

    try:
        width, height = imagesize.get(io.BytesIO(data))
    except Exception:  # noqa: BLE001, RUF100 - a broken picture has no size, in whatever way its reader stumbles
        return None
    return (int(width), int(height)) if width > 0 and height > 0 else None


def _svg(text: str) -> tuple[int, int] | None:
    start = _SVG.search(text)
    end = text.find(">", start.end()) if start else -1
    if start is None or end < 0:
        return None
    tag = text[start.end() : end]
    width, height = (_pixels(_attribute(tag, name)) for name in ("width", "height"))
    box = [float(n) for n in re.findall(r"-?\d{1,9}(?:\.\d{1,9})?", _attribute(tag, "viewBox") or "")]
    if len(box) == 4 and box[2] > 0 and box[3] > 0:
        ratio = box[3] / box[2]
        if width and not height:
            height = width * ratio
        elif height and not width:
            width = height / ratio
        elif not width:
            width, height = box[2], box[3]
    return (max(1, round(width)), max(1, round(height))) if width and height else None


def _attribute(tag: str, name: str) -> str | None:
    found = re.search(rf"\s{name}\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", tag)
    return (found[1] or found[2]) if found else None


def _pixels(length: str | None) -> float | None:
    found = _LENGTH.fullmatch(length or "")
    return float(found[1]) * _PIXELS[found[2] or ""] if found else None
