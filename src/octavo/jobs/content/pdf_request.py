"""What a job and its child process that sets a PDF say to each other."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.content.revision import File, Page

RESULT = "book.pdf"
"""In the folder: what came out."""
PICTURES = "pictures"
"""In the folder: the bytes of picture files, by their blobs."""


class Place(msgspec.Struct):
    """A page to set, in its place; see `content.typst.Chapter`."""

    page: str
    level: int = 1
    groups: list[tuple[int, str]] = []
    above: str = ""


class Request(msgspec.Struct):
    """What to set."""

    title: str
    running: str
    """What stands at the head of every sheet."""
    over: str
    under: list[str]
    mark: str
    language: str
    whole: bool
    updated: int
    """When the newest of its pages was changed."""
    space: str
    places: list[Place]
    pages: list[Page]
    """Those to set, and those that they may name."""
    addresses: dict[str, str]
    files: list[File]
    tags: dict[str, str]
    variables: dict[str, Any]
    claims: dict[str, Any]
    """What is known of who reads it."""
    documents: dict[bytes, bytes]
    """Documents of the pages to set, by digest, as JSON."""
    reusables: dict[str, bytes]
    """Documents of reusable contents, by id, as JSON."""
