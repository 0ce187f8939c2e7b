"""What a child process is and may take; apart, so that the server does not import what runs in one."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec


@dataclass(frozen=True)
class Child:
    """One kind of child process."""

    module: str
    """Its `work(line)` is what the child does."""
    memory: int
    """Bytes of address space."""
    computing: int
    """Seconds of CPU time."""
    seconds: float
    """Of its life, whatever it does or waits for."""
    exhausted: str
    """What is said when it took more, or was killed."""
    niceness: int = 5
    """By how much requests come first."""


class Terms(msgspec.Struct, frozen=True):
    """The first thing that a child is told: where it works, and what it may take."""

    folder: str
    memory: int
    computing: int
    niceness: int
