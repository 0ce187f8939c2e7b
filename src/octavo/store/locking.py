"""Locks of files: held as long as the file is open, and free again when its process is gone."""

from __future__ import annotations

import fcntl


def take(file: int) -> bool:
    """Take the lock of an open file, by its descriptor, without waiting; False where somebody else has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
