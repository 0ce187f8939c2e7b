"""What a job and its child process that reads foreign content say to each other."""

from __future__ import annotations

import msgspec

PLAN = "plan"
"""In the folder: what the import adds, as `content.importing.Imported` in msgpack."""
FILES = "files"
"""In the folder: the bytes of its files, by digest."""

GIVEN = "given"
"""In the folder: what was uploaded; of several files the first, and behind it `given-1`, `given-2`, …"""


def given(number: int) -> str:
    """The name of one of them."""
    return f"{GIVEN}-{number}" if number else GIVEN


class Request(msgspec.Struct):
    """What to import."""

    url: str | None
    """None = what lies in the folder."""
    source: str
    """`file`: what it looks like."""
    allow_private: bool
    allowed_hosts: list[str]
    files: int = 1
    """That were uploaded."""
