"""What the child process of a script is told, and what it answers; apart, so that neither side imports the other."""

from __future__ import annotations

import msgspec

LOADING = 10.0
"""Seconds at least for starting the engine and loading a script."""


class Order(msgspec.Struct, frozen=True):
    """The first request: which script is run, and within what."""

    program: str
    """Of the engine."""
    script: str
    seconds: float
    """For each event."""
    memory: int
    """Bytes."""
    api: str
    """The installation's own address, below whose /v1 the script may ask whatever its tokens open."""
    hosts: list[str]
    """Which it may reach besides; `*` stands for any number of labels."""
    allow_private: bool = False
    allowed_hosts: list[str] = []


class Sent(msgspec.Struct, frozen=True):
    """Every further request: an event, as multipart/form-data."""

    type: str
    body: bytes


class Log(msgspec.Struct, frozen=True):
    """A line that the script wrote; milliseconds since 1970."""

    level: str
    message: str
    timestamp: int


class Ran(msgspec.Struct, frozen=True):
    """What the script answered; `threw` where it answered nothing."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    logs: list[Log] = []
    threw: str | None = None
