"""Taking a space out of the search index, a few pages a unit: writers of other spaces never wait long."""

from __future__ import annotations

from octavo.jobs.work import Work

PAGES = 10
"""Pages that one unit takes out."""


async def forget(work: Work, space: str) -> None:
    """What is broken off is taken up again by the next run; until then nothing says that the space is indexed."""
    while await work.write(lambda unit: unit.search.shrink(space, PAGES)):
        pass
    await work.write(lambda unit: unit.search.drop(space))
