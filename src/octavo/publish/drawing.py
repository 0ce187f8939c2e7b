"""Pictures of this process's sites: drawn in threads, two at a time, and kept by what is on them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from octavo.kernel import extras
from octavo.store.kept import Kept, Kind
from octavo.typesetting.drawing import Sheet, digest, drawn

_PICTURES: Kind[bytes] = Kind("drawn pictures", len)


class Drawings:
    """Draws pictures, and remembers the last ones."""

    def __init__(self, kept: Kept) -> None:
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="drawing")
        self._kept = kept

    async def png(self, sheet: Sheet, given: object) -> bytes:
        """The picture that a sheet makes of its values, a JSON object; one point of the sheet is one pixel. Raises
        NotInstalled where nothing can draw."""
        extras.require("pdf")
        key = digest(sheet, given)
        kept = self._kept.get(_PICTURES, key)
        if kept is None:
            made = await asyncio.get_running_loop().run_in_executor(self._threads, drawn, sheet, given)
            kept = self._kept.put(_PICTURES, key, made)
        return kept
