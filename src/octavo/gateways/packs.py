"""A survey of a git pack before anything of it is read into memory: what is where, how large, all within the limits."""

from __future__ import annotations

import hashlib
import mmap
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from octavo.gateways.failures import Refused, TooLarge
from octavo.gateways.snapshots import Limits

OFS_DELTA, REF_DELTA = 6, 7
HEADER, OID = 12, 20
OBJECTS_PER_FILE = 4
_PIECE = 1 << 16
_DELTA_HEAD = 20


class Malformed(Refused):
    """What was sent, or is kept of it, is no repository."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One object of a pack: its kind there (1 to 4, or a delta), what a delta stands on (a distance back or a binary
    object id), and the bytes of the object after deltas are applied."""

    offset: int
    kind: int
    base: int | bytes | None
    size: int


def survey(path: Path, limits: Limits, alive: Callable[[], None]) -> Iterator[Placed]:
    """Every object of the pack in the file, in order; `alive` is called for each and may raise.

    Raises Refused where the pack is malformed and TooLarge where it would inflate past the limits. Inflates in pieces.
    """
    if path.stat().st_size < HEADER + OID:
        raise malformed()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pack:
        yield from _survey(pack, limits, alive)


def checksum(path: Path) -> bytes:
    """The pack's own digest, its last 20 bytes; Refused where the pack differs from it."""
    digest, left = hashlib.sha1(usedforsecurity=False), path.stat().st_size - OID
    with path.open("rb") as file:
        while left > 0:
            piece = file.read(min(_PIECE, left))
            left -= len(piece)
            digest.update(piece)
        if file.read() != digest.digest():
            raise malformed()
    return digest.digest()


def _survey(pack: mmap.mmap, limits: Limits, alive: Callable[[], None]) -> Iterator[Placed]:
    count = int.from_bytes(pack[8:HEADER], "big")
    if pack[:4] != b"PACK" or pack[4:8] not in (b"\0\0\0\2", b"\0\0\0\3"):
        raise malformed()
    if count > limits.files * OBJECTS_PER_FILE:
        raise TooLarge(
            f"The repository has {count:,} objects, more than the {limits.files * OBJECTS_PER_FILE:,} allowed."
        )
    end, offset, total = len(pack) - OID, HEADER, 0
    for _ in range(count):
        alive()
        kind, size, base, start = _head(pack, offset, end)
        if size > limits.object_bytes:
            raise _heavy(limits.object_bytes)
        following, first = _inflate(pack, start, end, size)
        result = _delta_result(first) if kind in (OFS_DELTA, REF_DELTA) else size
        total += size + result
        if result > limits.object_bytes:
            raise _heavy(limits.object_bytes)
        if total > limits.inflated:
            raise TooLarge(f"The repository unpacks to more than the {limits.inflated:,} bytes allowed.")
        yield Placed(offset, kind, base, result)
        offset = following
    if offset != end:
        raise malformed()


def malformed() -> Malformed:
    return Malformed("What the server sent is not a valid git repository.")


def _heavy(most: int) -> TooLarge:
    return TooLarge(f"The repository has a file of more than the {most:,} bytes allowed for one object.")


def _head(pack: mmap.mmap, offset: int, end: int) -> tuple[int, int, int | bytes | None, int]:
    """Kind, size, base and where the compressed data begins."""
    byte, position = _byte(pack, offset, end), offset + 1
    kind, size, shift = (byte >> 4) & 7, byte & 15, 4
    while byte & 0x80:
        byte, position = _byte(pack, position, end), position + 1
        size |= (byte & 0x7F) << shift
        shift += 7
        if shift > 63:
            raise malformed()
    if kind in (0, 5):
        raise malformed()
    if kind == REF_DELTA:
        return kind, size, pack[position : position + OID], position + OID
    if kind == OFS_DELTA:
        distance, position = _distance(pack, position, end)
        if distance <= 0 or distance > offset - HEADER:
            raise malformed()
        return kind, size, distance, position
    return kind, size, None, position


def _distance(pack: mmap.mmap, position: int, end: int) -> tuple[int, int]:
    byte, first = _byte(pack, position, end), position
    distance = byte & 0x7F
    while byte & 0x80:
        position += 1
        if position - first > 8:
            raise malformed()
        byte = _byte(pack, position, end)
        distance = ((distance + 1) << 7) | (byte & 0x7F)
    return distance, position + 1


def _byte(pack: mmap.mmap, position: int, end: int) -> int:
    if position >= end:
        raise malformed()
    return pack[position]


def _inflate(pack: mmap.mmap, position: int, end: int, size: int) -> tuple[int, bytes]:
    """Where the compressed data ends, and its first bytes; the data must have exactly `size` bytes."""
    engine, first, seen = zlib.decompressobj(), b"", 0
    # Compressed data is rarely longer than the data: a near guess spares copying what follows.
    step = min(_PIECE, max(64, size + 32))
    try:
        while not engine.eof:
            if position >= end:
                raise malformed()
            piece = pack[position : min(position + step, end)]
            position += len(piece)
            while piece and not engine.eof:
                out = engine.decompress(piece, _PIECE)
                seen += len(out)
                if seen > size:
                    raise malformed()
                if len(first) < _DELTA_HEAD:
                    first = (first + out)[:_DELTA_HEAD]
                piece = engine.unconsumed_tail
    except zlib.error:
        raise malformed() from None
    if seen != size:
        raise malformed()
    return position - len(engine.unused_data), first


def _delta_result(head: bytes) -> int:
    """The second of the two sizes that a delta begins with."""
    size, shift, numbers = 0, 0, 0
    for byte in head:
        size |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            numbers += 1
            if numbers == 2:
                return size
            size, shift = 0, 0
    raise malformed()
