"""Turns of the processes that write into one SQLite file: whoever waits is next, however busy another one is."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from octavo.store.locking import take

PATIENCE = 5.0
"""Seconds that anybody waits for another process."""
POLL = 0.001
"""Seconds between two looks."""


class Turns:
    """A lock of a file beside the database, held from asking for the database's own lock until that is given.

    SQLite knows no line: a process that writes without a pause takes its lock again before another one looks. Here that
    process meets the lock of the one that waits, and so comes behind it.
    """

    def __init__(self, database: Path) -> None:
        self._file = os.open(f"{database}-turn", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def close(self) -> None:
        os.close(self._file)

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """The turn; without it when its holder does not go on, as the database's own lock still decides."""
        until = time.monotonic() + PATIENCE
        while not (held := take(self._file)) and time.monotonic() < until:
            time.sleep(POLL)
        try:
            yield
        finally:
            if held:
                fcntl.flock(self._file, fcntl.LOCK_UN)


def wait(looks: int) -> bool:
    """How a connection waits for the database's own lock: whether to look again, `looks` times having been too few."""
    time.sleep(POLL)
    return looks < PATIENCE / POLL
