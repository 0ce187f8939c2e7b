"""What visitors think of pages."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from octavo.kernel.records.sites import PageFeedback
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

FEEDBACK = Table("page_feedback", PageFeedback)

_BY_VISITOR = FEEDBACK.select("WHERE site = :site AND page = :page AND visitor = :visitor")
_WHERE = (
    "WHERE site = :site AND space IN :spaces[] AND (:page = '' OR page = :page) AND (:rating = '' OR rating = :rating)"
    " AND (:commented = 0 OR comment IS NOT NULL)"
)
_PAGE = FEEDBACK.select(
    f"{_WHERE} AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_COUNT = Statement(f"SELECT count(*) FROM page_feedback {_WHERE}")
_TALLIES = Statement(
    "SELECT space, page, sum(CASE rating WHEN 'good' THEN 1 ELSE 0 END), sum(CASE rating WHEN 'ok' THEN 1 ELSE 0 END),"
    " sum(CASE rating WHEN 'bad' THEN 1 ELSE 0 END), count(comment) FROM page_feedback"
    " WHERE site = :site AND space IN :spaces[] GROUP BY space, page ORDER BY count(*) DESC, space, page"
)


class Wanted(NamedTuple):
    """Which feedback is asked for; empty words ask for any."""

    site: str
    spaces: Collection[str]
    page: str = ""
    rating: str = ""
    commented: bool = False
    """Whether only what was said in words too."""


class Tally(NamedTuple):
    """How often a page was rated so, and how many visitors said something in words."""

    space: str
    page: str
    good: int
    ok: int
    bad: int
    comments: int


class PageFeedbacks:
    """The last word of each visitor about each page."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def of_visitor(self, site: str, page: str, visitor: str) -> PageFeedback | None:
        return await FEEDBACK.first(self._at, _BY_VISITOR, {"site": site, "page": page, "visitor": visitor})

    async def add(self, feedback: PageFeedback) -> None:
        await FEEDBACK.add(self._at, feedback)

    async def change(self, feedback: PageFeedback, **changed: object) -> PageFeedback:
        return await FEEDBACK.change(self._at, feedback, **changed)

    async def page(self, wanted: Wanted, before: tuple[int, str], limit: int) -> tuple[list[PageFeedback], int]:
        """Some of it, the newest first, and how much there is in all."""
        values = wanted._asdict() | {"spaces": sorted(wanted.spaces), "commented": int(wanted.commented)}
        cut = {"before": before[0], "before_id": before[1], "limit": limit}
        return await FEEDBACK.list(self._at, _PAGE, values | cut), await count(self._at, _COUNT, values)

    async def tallies(self, site: str, spaces: Collection[str]) -> list[Tally]:
        """Of each page that anybody rated, those with the most first."""
        rows = await self._at.rows(_TALLIES, {"site": site, "spaces": sorted(spaces)})
        return [Tally(str(row[0]), str(row[1]), *(int(number) for number in row[2:])) for row in rows]
