"""What an engine is asked, and how the questions travel: a frame of MessagePack each way."""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from octavo.kernel.records.insights import Question

HEAD = struct.Struct("<I")
SPOOL = "spool"
FILE = "events.duckdb"
ADDRESS = "owner.address"
"""The file that says where the owner listens: paths of sockets are short, and a data directory may be anywhere."""
TAKEN = 3
"""How a process ends where another one owns the engine."""


class Aggregate(msgspec.Struct, frozen=True, tag=True):
    """Columns of an answer."""

    question: Question


class Segments(msgspec.Struct, frozen=True, tag=True):
    """Claims with how many events, visitors and sessions had them, most frequent first."""

    organization: str
    site: str
    limit: int


class ForgetVisitors(msgspec.Struct, frozen=True, tag=True):
    """Remove every event of visitors of a site; how many there were."""

    organization: str
    site: str
    visitors: list[int]


class Sites(msgspec.Struct, frozen=True, tag=True):
    """The ids of all sites that have events."""


class ForgetSites(msgspec.Struct, frozen=True, tag=True):
    """Remove every event of sites."""

    sites: list[str]


class Retain(msgspec.Struct, frozen=True, tag=True):
    """Remove what happened before a moment, and keys of events that were noted before another."""

    since: int
    keys: int


class Export(msgspec.Struct, frozen=True, tag=True):
    """Write everything into a file; how many events."""

    file: str


class Ready(msgspec.Struct, frozen=True, tag=True):
    """Whether the engine is there and has all that was acknowledged; how many events it holds."""


Request = Aggregate | Segments | ForgetVisitors | Sites | ForgetSites | Retain | Export | Ready


class Reply(msgspec.Struct, frozen=True):
    """A result, or what went wrong: `fault` is a word of FAULTS."""

    result: Any = None
    fault: str = ""
    sentence: str = ""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How an engine works."""

    memory: int = 512 << 20
    """Bytes for queries and what they keep."""
    seconds: float = 10.0
    """For one question."""
    threads: int = 2
    spool: int = 1 << 30
    """Bytes that the spool may hold."""
    countries: str | None = None
    """A file by which addresses become countries."""
    clickhouse: str | None = None
    """http://USER:PASSWORD@HOST:PORT/DATABASE of a ClickHouse; None = DuckDB, in the folder."""
    rotation: int = 0
    """Days after which visitors are hashed with something else; 0 = never."""
    days: int = 760
    """For which events are kept."""


class Slow(Exception):
    """A question took longer than it may."""


class Heavy(Exception):
    """A question takes more memory than it may."""


encode = msgspec.msgpack.Encoder().encode
read_request = msgspec.msgpack.Decoder(Request).decode
read_reply = msgspec.msgpack.Decoder(Reply).decode
