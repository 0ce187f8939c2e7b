"""Parts of files that requests ask for by Range: one part of bytes; whatever else is asked gets the whole."""

from __future__ import annotations

import re
from typing import NamedTuple

from octavo.web.asgi import Headers

_BYTES = re.compile(rb"bytes=\s*(\d{0,18})-(\d{0,18})\s*", re.IGNORECASE)


class Part(NamedTuple):
    """Bytes of a file."""

    first: int
    size: int

    def said(self, whole: int) -> str:
        """As the header Content-Range has it."""
        return f"bytes {self.first}-{self.first + self.size - 1}/{whole}"


class Unsatisfiable(Exception):
    """The file has no such bytes."""


def part_of(asked: Headers, etag: bytes, size: int) -> Part | None:
    """The part of a file of that version and size; None = all of it. Raises Unsatisfiable.

    >>> part_of({b"range": b"bytes=2-4"}, b'"a"', 10), part_of({b"range": b"bytes=-3"}, b'"a"', 10)
    (Part(first=2, size=3), Part(first=7, size=3))
    >>> part_of({b"range": b"bytes=2-", b"if-range": b'"b"'}, b'"a"', 10)
    """
    found = _BYTES.fullmatch(asked.get(b"range", b""))
    if found is None or not any(found.groups()) or asked.get(b"if-range", etag).strip() != etag:
        return None
    first, last = found.groups()
    if not first:
        begins, ends = max(0, size - int(last)), size
    else:
        begins, ends = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < begins:
            return None
    if begins >= ends:
        raise Unsatisfiable
    return Part(begins, ends - begins)
