"""What the child that runs a translator's program is asked."""

from __future__ import annotations

import msgspec


class Command(msgspec.Struct, frozen=True):
    """A program with its arguments, what it reads, and the seconds that it may take."""

    command: list[str]
    reads: bytes
    seconds: int
