"""Frames: length-prefixed msgpack values over a pipe or in a file, between a job and its child process."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

LARGEST = 64 << 20
"""Bytes of the largest frame that is taken from a pipe."""

_LENGTH = struct.Struct(">I")


class TooLarge(Exception):
    """A frame of more bytes than are taken."""


def write(to: BinaryIO, *value: Any) -> None:
    """Append one frame: a list of values."""
    data = msgspec.msgpack.encode(list(value))
    to.write(_LENGTH.pack(len(data)))
    to.write(data)


def read(source: BinaryIO) -> list[Any] | None:
    """The next frame; None at the end. Raises EOFError for a torn one."""
    head = source.read(_LENGTH.size)
    if not head:
        return None
    data = source.read(_LENGTH.unpack(head)[0]) if len(head) == _LENGTH.size else b""
    if len(head) < _LENGTH.size or len(data) < _LENGTH.unpack(head)[0]:
        raise EOFError("a frame was cut off")
    frame: list[Any] = msgspec.msgpack.decode(data)
    return frame


def every(source: BinaryIO) -> Iterator[list[Any]]:
    """All frames that are left."""
    while (frame := read(source)) is not None:
        yield frame


async def receive(stream: asyncio.StreamReader) -> list[Any] | None:
    """The next frame of a pipe; None when the other side closed it.

    Raises TooLarge, or DecodeError of msgspec, for what is no frame of ours.
    """
    try:
        head = await stream.readexactly(_LENGTH.size)
        size: int = _LENGTH.unpack(head)[0]
        if size > LARGEST:
            raise TooLarge(f"a frame of {size:,} bytes")
        data = await stream.readexactly(size)
    except asyncio.IncompleteReadError:
        return None
    frame: list[Any] = msgspec.msgpack.decode(data)
    return frame


def packed(*value: Any) -> bytes:
    """One frame as bytes."""
    data = msgspec.msgpack.encode(list(value))
    return _LENGTH.pack(len(data)) + data
