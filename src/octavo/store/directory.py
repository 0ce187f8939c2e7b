"""The data directory: its owner's alone, one server at a time where the database is a file in it, and room for work."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from octavo.kernel.errors import Conflict, Unavailable
from octavo.kernel.ids import new_id
from octavo.store.locking import take

PRIVATE = 0o077
"""Bits of a mode that let others in: Octavo starts with this umask, too."""
DATABASE = "octavo.db"
BLOBS = "blobs"
LOCK = "octavo.lock"
WORK = "work"
"""Folders of processes that work, one for each; see `workroom`."""
INSIGHTS = "insights"
"""Events of readers: what waits for the engine, and the engine's own file."""
GIT = "git"
"""What was fetched of repositories, by organization; it may be removed at any time."""
_OURS = (BLOBS, LOCK, WORK, INSIGHTS, GIT)
_log = logging.getLogger("octavo.store")


def secure(data: Path) -> None:
    """Make the directory where it is not there, and close to others what is in it: the database holds the key that signs
    addresses. Raises Unavailable where that cannot be."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Unavailable(f"{data} cannot be the data directory: {error.strerror}") from error
    there = [*data.iterdir()]
    ours = [path for path in there if path.name in _OURS or path.name.startswith(DATABASE)]
    # A directory with something else in it may be anybody's, `/srv` for example.
    for path in [data, *ours] if len(ours) == len(there) else ours:
        _close(path)
    if not os.access(data, os.W_OK | os.X_OK):
        raise Unavailable(f"the data directory {data} cannot be written by this user")


def _close(path: Path) -> None:
    """Take from others what they may do with it; where it is somebody else's, only say so."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:  # SQLite's logs go with the last process that uses them
        return
    if not mode & PRIVATE:
        return
    told = {"path": str(path), "mode": f"{mode:04o}"}
    try:
        path.chmod(mode & ~PRIVATE)
    except OSError:
        _log.warning("other users of this machine may reach the data", extra=told)
    else:
        _log.warning("other users of this machine could reach the data; they cannot any more", extra=told)


@contextlib.contextmanager
def served(data: Path) -> Iterator[None]:
    """Be the one server of a directory for the block. Raises Conflict where there is another."""
    with (data / LOCK).open("a+") as lock:
        if not take(lock.fileno()):
            lock.seek(0)
            raise Conflict(
                f"another server (process {lock.read().strip() or 'unknown'}) uses {data}; with SQLite there is one: "
                "stop it first, or set OCTAVO_DATABASE_URL to run several on PostgreSQL"
            )
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


@contextlib.contextmanager
def workroom(data: Path) -> Iterator[Path]:
    """A folder of this process for the block, below which its jobs work. What processes that were killed left is removed:
    whoever lives holds a lock in its own."""
    made = data / WORK / new_id()
    with _begun(made) as lock:
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)
            lock.close()


def _begun(made: Path) -> TextIO:
    """The folder's lock, taken; those whose lock is free are swept."""
    made.parent.mkdir(exist_ok=True, mode=0o700)
    with (made.parent / LOCK).open("w") as gate:
        # One process at a time, so that nobody finds a folder whose lock is not taken yet.
        fcntl.flock(gate.fileno(), fcntl.LOCK_EX)
        for other in made.parent.iterdir():
            if other.is_dir() and not _lives(other):
                shutil.rmtree(other, ignore_errors=True)
        made.mkdir(mode=0o700)
        lock = (made / LOCK).open("w")
        take(lock.fileno())
        return lock


def _lives(folder: Path) -> bool:
    try:
        with (folder / LOCK).open("r+") as lock:
            return not take(lock.fileno())
    except FileNotFoundError:
        return False
