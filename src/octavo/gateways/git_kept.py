"""Packs of a repository that stay on the disk between fetches, so that only what is new is sent.

A folder belongs to whoever holds its lock. It is bounded, and may be removed at any time: what is missing is fetched again.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import msgspec

PACKS = 24
"""Beyond so many, all is fetched anew as one."""
TIPS = 16
"""Commits that are named to the other side, the newest."""
_KNOWN = "known.json"
_LOCK = "lock"
_PLACE = struct.Struct("<20sQQ")
Places = list[tuple[bytes, int, int]]
"""Binary object id, offset in the pack, bytes of the object."""


class _Known(msgspec.Struct):
    tips: list[str] = []
    """Commits, or tags, with everything below them but files that are too large; the newest last."""
    packs: list[str] = []


class Kept:
    """What is known of one repository, open and locked; `close` it."""

    def __init__(self, folder: Path, lock: TextIO) -> None:
        self.folder, self._lock = folder, lock
        self._known = _Known()
        with contextlib.suppress(OSError, msgspec.DecodeError):
            self._known = msgspec.json.decode((folder / _KNOWN).read_bytes(), type=_Known)
        bare = [name for name in self._known.packs if name == Path(name).name and self._is_whole(name)]
        if len(bare) < len(self._known.packs) or len(bare) > PACKS:
            self.drop()
        else:
            self._sweep()

    @property
    def tips(self) -> list[bytes]:
        """What the other side need not send again."""
        return [tip.encode() for tip in self._known.tips]

    def packs(self) -> Iterator[tuple[Path, Places]]:
        """Every pack without its ending, with what it holds; the newest first."""
        for name in reversed(self._known.packs):
            base = self.folder / name
            yield base, list(_PLACE.iter_unpack(base.with_suffix(".places").read_bytes()))

    def add(self, base: Path, places: Iterable[tuple[bytes, int, int]], tip: bytes) -> Path:
        """Take over a pack with its index, which lies at `base`, and what it makes known; where it lies then."""
        at = max((int(name) for name in self._known.packs), default=0) + 1
        name = str(at)
        target = self.folder / name
        for ending in (".pack", ".idx"):
            shutil.move(base.with_suffix(ending), target.with_suffix(ending))
        target.with_suffix(".places").write_bytes(b"".join(_PLACE.pack(*place) for place in places))
        self._known.packs.append(name)
        self.know(tip)
        return target

    def know(self, tip: bytes) -> None:
        """Everything below the commit is there; it was used last now."""
        word = tip.decode()
        self._known.tips = [*(one for one in self._known.tips if one != word), word][-TIPS:]
        made = self.folder / f"{_KNOWN}.new"
        made.write_bytes(msgspec.json.encode(self._known))
        made.replace(self.folder / _KNOWN)

    def drop(self) -> None:
        """Forget everything."""
        self._known = _Known()
        (self.folder / _KNOWN).unlink(missing_ok=True)
        self._sweep()

    def close(self) -> None:
        self._lock.close()

    def _is_whole(self, name: str) -> bool:
        return name.isdigit() and all((self.folder / f"{name}{end}").is_file() for end in (".pack", ".idx", ".places"))

    def _sweep(self) -> None:
        """Remove what somebody left who was killed."""
        for path in self.folder.iterdir():
            if path.stem not in self._known.packs and path.name not in (_KNOWN, _LOCK):
                path.unlink(missing_ok=True)


def opened(folder: Path | None) -> Kept | None:
    """What is kept in a folder, made where it is not there; None where somebody else uses it, or it cannot be used."""
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / _LOCK).open("w")
        try:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            # One that was removed between the two is nobody's folder any more.
            if os.fstat(lock.fileno()).st_ino != (folder / _LOCK).stat().st_ino:
                raise BlockingIOError
            return Kept(folder, lock)
        except BaseException:
            lock.close()
            raise
    except OSError:
        return None


def trim(top: Path, most: int) -> None:
    """Remove what was not used for longest below a folder, until no more than so many bytes are left there."""
    found = sorted((_used(known), known.parent) for known in top.glob(f"*/*/{_KNOWN}"))
    sizes = {folder: sum(_size(file) for file in folder.iterdir()) for _, folder in found}
    for _, folder in found:
        if sum(sizes.values()) <= most:
            return
        kept = opened(folder)
        if kept is not None:
            kept.drop()
            shutil.rmtree(folder, ignore_errors=True)
            kept.close()
            del sizes[folder]


def _used(file: Path) -> float:
    with contextlib.suppress(OSError):
        return file.stat().st_mtime
    return 0.0


def _size(file: Path) -> int:
    with contextlib.suppress(OSError):
        return file.stat().st_size
    return 0
