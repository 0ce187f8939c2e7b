"""What a job and its child process that reads foreign content say to each other."""

from __future__ import annotations

import msgspec

PLAN = "plan"
"""In the folder: what the import adds, as `content.importing.Imported` in msgpack."""
FILES = "files"
"""In the folder: the bytes of its files, by digest."""

GIVEN = "given"
"""In the folder: what was uploaded."""


class Request(msgspec.Struct):
    """What to import."""

    url: str | None
    """None = what lies in the folder."""
    source: str
    allow_private: bool
    allowed_hosts: list[str]
