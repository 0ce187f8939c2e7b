"""The file of a backup: a tar archive whose members are those of an installation, with the digest of each at its end."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import tarfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

import msgspec

from octavo.kernel.errors import BadRequest
from octavo.store import directory
from octavo.store.insights.asking import FILE

ABOUT, SUMS, POSTGRES = "octavo.json", "octavo.sums", "octavo.dump"
SQLITE, BLOBS = directory.DATABASE, directory.BLOBS
EVENTS = f"{directory.INSIGHTS}/{FILE}"
"""The rest lies in the archive as in the data directory."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SINGLE = (ABOUT, SUMS, SQLITE, POSTGRES, EVENTS)


class Stopped(Exception):
    """Nobody waits any more."""


class Hashed:
    """A file that is read once, and what its bytes come to. Reading ends when it is `stopped`: threads cannot be ended
    otherwise."""

    def __init__(self, file: IO[bytes], stopped: threading.Event | None = None) -> None:
        self._file = file
        self._stopped = stopped
        self.sum = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        if self._stopped is not None and self._stopped.is_set():
            raise Stopped
        data = self._file.read(size)
        self.sum.update(data)
        return data


class Writer:
    """An archive that is being written."""

    def __init__(self, tar: tarfile.TarFile, stopped: threading.Event) -> None:
        self._tar = tar
        self._stopped = stopped
        self._sums: dict[str, str] = {}

    def add_bytes(self, name: str, data: bytes) -> None:
        self._add(name, io.BytesIO(data), len(data))

    def add_file(self, name: str, path: Path) -> bool:
        """False where it is not there any more."""
        try:
            file = path.open("rb")
        except FileNotFoundError:
            return False
        with file:
            self._add(name, file, path.stat().st_size)
        return True

    def end(self) -> None:
        """Write down what everything comes to: an archive without that is not whole."""
        self.add_bytes(SUMS, msgspec.json.encode(self._sums))

    def _add(self, name: str, file: IO[bytes], size: int) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        hashed = Hashed(file, self._stopped)
        self._tar.addfile(member, hashed)
        self._sums[name] = hashed.sum.hexdigest()


@contextmanager
def reading(file: Path, called: str) -> Iterator[tarfile.TarFile]:
    """An archive, open for the block; `called` is its name. Raises BadRequest for what is none, or ends too early."""
    try:
        with tarfile.open(file, "r:") as tar:
            yield tar
    except (tarfile.TarError, EOFError) as error:
        raise BadRequest(f"{called} is no backup of Octavo, or it is cut off: {error}") from error


def about(tar: tarfile.TarFile) -> dict[str, Any]:
    """What the backup says of itself. Raises BadRequest where it is none."""
    try:
        found = tar.extractfile(ABOUT)
        told = {} if found is None else msgspec.json.decode(found.read(), type=dict[str, Any])
    except (KeyError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRequest("this file is no backup of Octavo") from error
    if not {"octavo", "migration", "dialect", "at"} <= told.keys():
        raise BadRequest("this file is no backup of Octavo")
    return told


def unpack(tar: tarfile.TarFile, members: Iterable[tarfile.TarInfo], folder: Path) -> dict[str, str]:
    """Write files below a folder; the digest of each. Nothing else of an archive is taken: no links, no modes, no place
    outside. (The filter of the standard library that says so is not in every Python 3.11.)"""
    sums = {}
    for member in members:
        place = PurePosixPath(member.name)
        if place.is_absolute() or ".." in place.parts or not (str(place) in _SINGLE or place.parts[:1] == (BLOBS,)):
            raise BadRequest(f"this file is no backup of Octavo: it would write to {member.name}")
        source = tar.extractfile(member) if member.isfile() else None
        if source is not None:
            target = folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            hashed = Hashed(source)
            with source, target.open("wb") as written:
                shutil.copyfileobj(hashed, written)
            sums[str(place)] = hashed.sum.hexdigest()
    return sums


def check(told: dict[str, Any], found: dict[str, str], folder: Path) -> None:
    """Whether everything that was unpacked is as it was written. Raises BadRequest for the first that is not."""
    seen = {name: digest for name, digest in found.items() if name != SUMS}
    if SUMS in found:
        try:
            wanted = msgspec.json.decode((folder / SUMS).read_bytes(), type=dict[str, str])
        except msgspec.MsgspecError as error:
            raise BadRequest(f"the backup is damaged: {SUMS} cannot be read") from error
    elif told.get("sums"):
        raise BadRequest(f"the backup is cut off: {SUMS}, which is the last in it, is not there")
    else:  # One that was made before there were sums: files of content are called by their digest.
        names = {name: name.rsplit("/", 1)[-1] for name in seen}
        wanted = seen | {name: last for name, last in names.items() if _DIGEST.fullmatch(last)}
    for name in sorted(wanted.keys() | seen.keys()):
        if name not in seen:
            raise BadRequest(f"the backup is damaged: {name} is missing")
        if seen[name] != wanted.get(name):
            raise BadRequest(f"the backup is damaged: {name} is not what was written")
