"""Links: what the pages of primary content refer to, brought up to date by a job."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo.kernel.records.content import PageLink
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

LINKS = Table("links", PageLink, key=("space", "page"))

_HEAD = Statement("SELECT root FROM link_heads WHERE space = :space")
_SET_HEAD = Statement(
    "INSERT INTO link_heads (space, organization, root) VALUES (:space, :organization, :root)"
    " ON CONFLICT (space) DO UPDATE SET root = excluded.root"
)
_DROP = [Statement(f"DELETE FROM {table} WHERE space = :space") for table in ("links", "link_heads")]
# `in-app` are addresses of this installation's application, as they are and as they were before it had its own: ranges, so
# that the same expression serves both engines.
_IN_APP = "(target >= :app AND target < :app_end OR target >= :before AND target < :before_end)"
_STATUS = {
    "broken": "broken = 1",
    "in-app": f"broken = 0 AND {_IN_APP}",
    "ok": f"broken = 0 AND NOT {_IN_APP}",
    None: "1 = 1",
}
_BEHIND = '(page, "number") > (:page, :number) ORDER BY page, "number" LIMIT :limit'
_PAGES = {
    status: LINKS.select(f"WHERE space = :space AND {condition} AND {_BEHIND}") for status, condition in _STATUS.items()
}
_COUNTS = {
    status: Statement(f"SELECT count(*) FROM links WHERE space = :space AND {condition}")
    for status, condition in _STATUS.items()
}
_TO = LINKS.select('WHERE organization = :organization AND target IN :targets[] ORDER BY space, page, "number"')
_BROKEN_ON = Statement("SELECT DISTINCT target FROM links WHERE space = :space AND page = :page AND broken = 1")
_MARK = Statement(
    "UPDATE links SET broken = :broken WHERE organization = :organization AND target IN :targets[] AND broken <> :broken"
)
_MARK_INTO = Statement(
    "UPDATE links SET broken = 1 WHERE organization = :organization AND space <> :space"
    " AND ((target >= :start AND target < :stop) OR target = :whole)"
)


class Links:
    """References from pages; who writes them is the job that follows content."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def head(self, space: str) -> bytes | None:
        """The root up to which the links of a space are known."""
        rows = await self._at.rows(_HEAD, {"space": space})
        return bytes(rows[0][0]) if rows else None

    async def set_head(self, organization: str, space: str, root: bytes) -> None:
        await self._at.run(_SET_HEAD, {"space": space, "organization": organization, "root": root})

    async def replace(self, space: str, page: str, links: Iterable[PageLink]) -> None:
        """The links of one page, in place of those that it had."""
        await LINKS.remove(self._at, space=space, page=page)
        for link in links:
            await LINKS.add(self._at, link)

    async def drop(self, space: str) -> None:
        """Forget the links of a space."""
        for statement in _DROP:
            await self._at.run(statement, {"space": space})

    async def mark(self, organization: str, targets: Sequence[str], *, broken: bool) -> None:
        """What came or went: links to it hold again, or are broken."""
        if targets:
            values = {"organization": organization, "targets": list(targets), "broken": int(broken)}
            await self._at.run(_MARK, values)

    async def mark_into(self, organization: str, space: str) -> None:
        """A space went: links into it from others are broken."""
        for kind in ("page", "file", "reusable-content"):
            start = f"{kind}/{space}/"
            values = {"organization": organization, "space": space, "start": start, "stop": start[:-1] + "0"}
            await self._at.run(_MARK_INTO, values | {"whole": f"space/{space}"})

    async def page(
        self, space: str, status: str | None, app: str, behind: tuple[str, int], limit: int
    ) -> tuple[list[PageLink], int]:
        """Links of a space by page and place, and how many there are; `app` begins the application's addresses."""
        values = _range(app) if status in ("in-app", "ok") else {}
        cut = {"page": behind[0], "number": behind[1], "limit": limit}
        found = await LINKS.list(self._at, _PAGES[status], values | cut | {"space": space})
        return found, await count(self._at, _COUNTS[status], values | {"space": space})

    async def count(self, space: str, status: str | None = None) -> int:
        """How many links a space has, or how many broken ones."""
        return await count(self._at, _COUNTS[status], {"space": space})

    async def broken_on(self, space: str, page: str) -> set[str]:
        """What a page refers to in vain."""
        return {row[0] for row in await self._at.rows(_BROKEN_ON, {"space": space, "page": page})}

    async def to(self, organization: str, targets: Sequence[str]) -> list[PageLink]:
        """Links to these targets, from every space of the organization."""
        values = {"organization": organization, "targets": list(targets)}
        return await LINKS.list(self._at, _TO, values) if targets else []


def _range(app: str) -> dict[str, object]:
    now, before = f"url/{app}/app/o/", f"url/{app}/o/"
    return {"app": now, "app_end": now[:-1] + "0", "before": before, "before_end": before[:-1] + "0"}
