"""What processes below a server hold and use while something runs, looked at again and again by a thread."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Self


class Sampling:
    """Calls `look` every so many seconds while the block runs."""

    EVERY = 0.05

    def __init__(self, server: int) -> None:
        self.server = server
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def look(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self.EVERY):
            self.look()


def read(path: Path) -> str:
    """A file of /proc; empty where its process has ended."""
    try:
        return path.read_text()
    except OSError:
        return ""


def high_water(status: str) -> float:
    """The most MiB that a process ever had resident, of what `/proc/…/status` says; 0 of one that is gone."""
    found = status.partition("VmHWM:")[2].split()
    return int(found[0]) / 1024 if found else 0.0
