"""What a job that reads a specification and its child process say to each other."""

from __future__ import annotations

from typing import Literal

import msgspec

GIVEN = "given"
"""In the folder: the text as it came."""
DOCUMENT = "document.json"
"""In the folder: the same as JSON of OpenAPI 3."""
PARTS = "parts"
"""In the folder: frames of a name and the bytes of that part."""


class Request(msgspec.Struct):
    """What to read."""

    operations: int
    """That it may have at most."""
    errors: int
    """That are told at most; the others are counted."""


class Processed(msgspec.Struct):
    """What the text is."""

    format: Literal["json", "yaml"]
    errors: list[tuple[str, str]]
    """(code, sentence)."""
    error_count: int
    size: int
    """Bytes of the document."""
