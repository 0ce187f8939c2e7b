"""The spool: what was acknowledged is in a file, in frames with checksums, until an engine has it.

A process that writes has a folder of its own below the spool's and holds a lock in it, by which others tell what is left
behind. Frames are `length, checksum, payload`; a payload is a list of events.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import shutil
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from octavo.kernel.errors import Unavailable
from octavo.kernel.ids import new_id
from octavo.kernel.records.insights import Event
from octavo.store.locking import take

HEAD = struct.Struct("<II")
SEGMENT = 16 << 20
"""Bytes of a file after which the next one begins."""
LOCK = "writer.lock"
_ENDING = ".frames"
_ASIDE = "."
"""How the name of a folder begins until its writer has it: no reader looks there."""
_LARGEST = 1 << 28
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Event]).decode
_log = logging.getLogger("octavo.insights")


class Writer:
    """Appends events; whoever waits for the disk at the same time shares one wait."""

    def __init__(self, spool: Path, most: int) -> None:
        """`most`: bytes that the spool may hold, of all writers together."""
        self._spool = spool
        self._most = most
        self._folder = spool / new_id()
        self._lock: int | None = None
        self._file: int | None = None
        self._number = 0
        self._size = 0
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._flushing: asyncio.Future[None] | None = None

    async def append(self, events: Sequence[Event]) -> None:
        """Return when they are on the disk. Raises Unavailable where they cannot be: then none of them is kept."""
        if not events:
            return
        payload = _encode(events)
        frame = HEAD.pack(len(payload), zlib.crc32(payload)) + payload
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((frame, done))
        if self._flushing is None:
            # A task of its own: whoever waits may go, and the others wait on.
            self._flushing = asyncio.ensure_future(self._flush())
        await done

    async def _flush(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                failure = await asyncio.to_thread(self._write, b"".join(frame for frame, _ in batch))
                for _, done in batch:
                    if not done.done():
                        done.set_result(None) if failure is None else done.set_exception(failure)
        finally:
            self._flushing = None

    def _write(self, data: bytes) -> Unavailable | None:
        try:
            self._put(data)
        except OSError as error:
            _log.exception("events could not be written")
            return Unavailable(f"events cannot be kept now: {error.strerror or error}")
        return None

    def _put(self, data: bytes) -> None:
        if self._lock is None:
            self._begin()
        if self._file is None or self._size >= SEGMENT:
            self._roll()
        assert self._file is not None  # _roll opened it
        try:
            if sum(one.stat().st_size for one in self._spool.glob(f"*/*{_ENDING}")) > self._most:
                raise OSError(28, "the spool is full: its engine does not take what is in it")
            view = memoryview(data)
            while view:
                view = view[os.write(self._file, view) :]
            os.fsync(self._file)
            self._size += len(data)
        except OSError:
            # What was written of it must not stand before later frames.
            os.close(self._file)
            self._file = None
            with contextlib.suppress(OSError):
                os.truncate(self._folder / f"{self._number:08}{_ENDING}", self._size)
            raise

    def _begin(self) -> None:
        # Readers look at locks by trying them: none may see the folder until its lock is held.
        aside = self._spool / f"{_ASIDE}{self._folder.name}"
        aside.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(aside / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            take(lock)
            aside.rename(self._folder)
            _settle(self._spool)
        except BaseException:
            os.close(lock)
            raise
        self._lock = lock

    def _roll(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._number += 1
        self._size = 0
        path = self._folder / f"{self._number:08}{_ENDING}"
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        _settle(self._folder)

    def close(self) -> None:
        """Let go of the folder: an engine removes it when it has what is in it."""
        for handle in (self._file, self._lock):
            if handle is not None:
                os.close(handle)
        self._file = self._lock = None


def _settle(folder: Path) -> None:
    """Have the names in a folder on the disk, as well as what is in its files."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Portion(msgspec.Struct, frozen=True):
    """Frames of one file from `begin` to `end`, and the events in them."""

    writer: str
    segment: int
    begin: int
    end: int
    events: list[Event]


class Reader:
    """Finds what the engine does not have yet."""

    def __init__(self, spool: Path) -> None:
        self._spool = spool

    def portions(self, positions: dict[tuple[str, int], int], most: int) -> Iterator[Portion]:
        """Portions of about `most` bytes, in the order in which each writer wrote them. `positions` says how far the engine
        is in a file; whoever asks puts down there what it took."""
        for writer, lives, files in self._writers():
            for number, path in files:
                whole = not lives or number != files[-1][0]
                while True:
                    begin = positions.get((writer, number), 0)
                    portion = _read(path, writer, number, begin, most, whole=whole)
                    if portion is None:
                        break
                    yield portion

    def tidy(self, positions: dict[tuple[str, int], int]) -> list[tuple[str, int]]:
        """Remove files that the engine has all of; which."""
        gone = []
        for writer, lives, files in self._writers():
            for number, path in files:
                if (not lives or number != files[-1][0]) and positions.get((writer, number), 0) >= path.stat().st_size:
                    path.unlink(missing_ok=True)
                    gone.append((writer, number))
            if not lives and not any((self._spool / writer).glob(f"*{_ENDING}")):
                shutil.rmtree(self._spool / writer, ignore_errors=True)
        return gone

    def _writers(self) -> Iterator[tuple[str, bool, list[tuple[int, Path]]]]:
        if not self._spool.is_dir():
            return
        for folder in sorted(self._spool.glob("[!.]*")):
            # Asked first: who is found gone has written everything that the listing finds.
            lives = _lives(folder)
            yield folder.name, lives, sorted((int(path.stem), path) for path in folder.glob(f"*{_ENDING}"))


def _lives(folder: Path) -> bool:
    try:
        with (folder / LOCK).open("r+") as lock:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
    except FileNotFoundError:
        return folder.exists() and not any(folder.glob(f"*{_ENDING}"))
    except OSError:
        return True


def _read(path: Path, writer: str, number: int, begin: int, most: int, *, whole: bool) -> Portion | None:
    """The next portion; None at the end. `whole`: nobody writes there any more, and what is no frame at the end never
    was acknowledged."""
    try:
        with path.open("rb") as file:
            file.seek(begin)
            data = file.read(most)
            while (need := _needed(data)) > len(data) and (more := file.read(need - len(data))):
                data += more
    except FileNotFoundError:
        return None
    events: list[Event] = []
    at = 0
    while at + HEAD.size <= len(data):
        size, checksum = HEAD.unpack_from(data, at)
        payload = data[at + HEAD.size : at + HEAD.size + size]
        if size > _LARGEST or len(payload) < size:
            break
        if zlib.crc32(payload) == checksum:
            events += _decode(payload)
        elif at + HEAD.size + size < len(data) or whole:
            _log.error("events in the spool are damaged and left out", extra={"file": str(path), "at": begin + at})
        else:
            break
        at += HEAD.size + size
    if at == 0:
        if whole and data:
            _log.warning("a frame was never finished", extra={"file": str(path), "at": begin})
            return Portion(writer, number, begin, path.stat().st_size, [])
        return None
    return Portion(writer, number, begin, begin + at, events)


def _needed(data: bytes) -> int:
    """How many bytes the first frame has, as far as is known."""
    size = HEAD.unpack_from(data)[0] if len(data) >= HEAD.size else 0
    return HEAD.size + size if size <= _LARGEST else 0
