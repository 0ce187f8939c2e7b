"""The log of a Git operation: what was done, step by step, for whoever looks why."""

from __future__ import annotations

from octavo.jobs.work import Work
from octavo.store.unit import Unit

KEPT = 100
"""Lines that an operation keeps, the newest."""


class Log:
    """Writes lines to the record of an operation; without one, nowhere."""

    def __init__(self, work: Work, operation: str | None) -> None:
        self._work = work
        self._operation = operation

    async def say(self, *lines: str) -> None:
        """Add lines."""
        if self._operation is not None:
            await self._work.write(lambda unit: said(unit, str(self._operation), *lines))


async def said(unit: Unit, operation: str, *lines: str) -> None:
    """The same within a unit."""
    found = await unit.git.operation(operation)
    if found is not None:
        added = [{"at": unit.now, "message": line} for line in lines]
        await unit.git.change(found, log=[*found.log, *added][-KEPT:])
