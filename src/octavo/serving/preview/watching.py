"""What changes below a folder, told as soon as it does."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path
from types import TracebackType
from typing import Self

from watchfiles import Change, DefaultFilter, awatch

_SETTLES = 60
"""Milliseconds without a further change until what changed is told: editors write in several steps."""
_WAITS = 1000
"""Milliseconds after which it is told even so."""
_log = logging.getLogger("octavo.preview")


class _Content(DefaultFilter):
    """Leaves out what editors, Git and package managers write."""

    def __call__(self, change: Change, path: str) -> bool:
        return super().__call__(change, path) and not path.endswith(("~", ".tmp", ".part"))


class Watch:
    """Watches a folder for the block."""

    def __init__(self, source: Path) -> None:
        self._source = source
        self._paths: set[str] = set()
        self._told = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._watch(), name="watch")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def changed(self) -> list[str]:
        """Paths below the folder, with `/`, that came, went or changed since the last time; waits for one."""
        await self._told.wait()
        self._told.clear()
        found, self._paths = sorted(self._paths), set()
        return found

    async def _watch(self) -> None:
        try:
            await self._follow(polling=False)
        except OSError as error:
            # A system has only so many of its watches, and some file systems none.
            _log.warning("the folder is looked at again and again: it cannot be watched", extra={"error": str(error)})
            await self._follow(polling=True)

    async def _follow(self, *, polling: bool) -> None:
        watching = awatch(
            self._source, watch_filter=_Content(), debounce=_WAITS, step=_SETTLES, force_polling=polling or None
        )
        async for some in watching:
            self._paths |= {Path(path).relative_to(self._source).as_posix() for _, path in some}
            self._told.set()
