"""Change requests and who contributed to them; the counters of their space move with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from octavo.kernel.records.review import ChangeRequest, Contributor
from octavo.store.database.engine import Connection
from octavo.store.database.families import NOTHING
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

CHANGE_REQUESTS = Table("change_requests", ChangeRequest)
CONTRIBUTORS = Table("contributors", Contributor, key=("change_request", "user", "action"))

Order = Literal["updatedAt", "createdAt"]


class Wanted(msgspec.Struct, frozen=True):
    """Which change requests a list holds; None asks nothing."""

    statuses: Sequence[str]
    creator: str | None = None
    contributor: str | None = None
    reviewer: str | None = None
    """Asked to review, alone or in a team."""
    order: Order = "updatedAt"


_COLUMNS: dict[Order, str] = {"updatedAt": "updated_at", "createdAt": "created_at"}
_FILTER = (
    " AND (CAST(:creator AS TEXT) IS NULL OR created_by = :creator)"
    " AND (CAST(:contributor AS TEXT) IS NULL OR id IN"
    ' (SELECT change_request FROM contributors WHERE "user" = :contributor))'
    " AND (CAST(:reviewer AS TEXT) IS NULL OR id IN"
    ' (SELECT change_request FROM requested_reviewers WHERE "user" = :reviewer'
    ' OR team IN (SELECT team FROM team_members WHERE "user" = :reviewer)))'
)
# One status is compared and not listed, so that the index gives the order too.
_IN_SPACE = f"WHERE space = :space AND status = :status{_FILTER}"
_IN_SPACES = f"WHERE organization = :organization AND space IN :spaces[] AND status IN :statuses[]{_FILTER}"


def _page(where: str, column: str) -> Statement:
    return CHANGE_REQUESTS.select(
        f"{where} AND ({column}, id) < (:before, :before_id) ORDER BY {column} DESC, id DESC LIMIT :limit"
    )


_PAGE = {order: _page(_IN_SPACE, column) for order, column in _COLUMNS.items()}
_COUNT = Statement(f"SELECT count(*) FROM change_requests {_IN_SPACE}")
_PAGE_ACROSS = {order: _page(_IN_SPACES, column) for order, column in _COLUMNS.items()}
_COUNT_ACROSS = Statement(f"SELECT count(*) FROM change_requests {_IN_SPACES}")
_BY_ID = CHANGE_REQUESTS.select("WHERE space = :space AND id = :id")
_BY_NUMBER = CHANGE_REQUESTS.select('WHERE space = :space AND "number" = :number')
_BY_IDS = CHANGE_REQUESTS.select("WHERE id IN :ids[]")
_COUNT_ON_SPACE = Statement(
    "UPDATE spaces SET change_requests = change_requests + :total,"
    " change_requests_open = change_requests_open + :open,"
    " change_requests_draft = change_requests_draft + :draft WHERE id = :space",
    stale=NOTHING,  # No site shows how many there are.
)
_CONTRIBUTE = Statement(
    'INSERT INTO contributors (organization, change_request, "user", action, "count", updated_at)'
    " VALUES (:organization, :change_request, :user, :action, 1, :now)"
    ' ON CONFLICT (change_request, "user", action)'
    ' DO UPDATE SET "count" = contributors."count" + 1, updated_at = excluded.updated_at'
)
_CONTRIBUTORS = CONTRIBUTORS.select('WHERE change_request = :change_request ORDER BY updated_at DESC, "user", action')


class ChangeRequests:
    """Proposed edits, by their space. Who writes holds the lock of the space."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def find(self, space: str, word: str) -> ChangeRequest | None:
        """The one of a space with this id or number."""
        if word.isascii() and word.isdigit() and len(word) < 16:
            return await CHANGE_REQUESTS.first(self._at, _BY_NUMBER, {"space": space, "number": int(word)})
        return await CHANGE_REQUESTS.first(self._at, _BY_ID, {"space": space, "id": word})

    async def by_ids(self, ids: Iterable[str]) -> dict[str, ChangeRequest]:
        """Those that exist among these, by id."""
        wanted = sorted(set(ids))
        found = await CHANGE_REQUESTS.list(self._at, _BY_IDS, {"ids": wanted}) if wanted else []
        return {one.id: one for one in found}

    async def page(
        self, space: str, wanted: Wanted, before: tuple[int, str], limit: int
    ) -> tuple[list[ChangeRequest], int]:
        """Those of a space with the one wanted status, newest first, and how many there are."""
        values = _values(wanted) | {"space": space, "status": wanted.statuses[0]}
        cut = {"before": before[0], "before_id": before[1], "limit": limit}
        page = await CHANGE_REQUESTS.list(self._at, _PAGE[wanted.order], values | cut)
        return page, await count(self._at, _COUNT, values)

    async def page_across(
        self, organization: str, spaces: Sequence[str], wanted: Wanted, before: tuple[int, str], limit: int
    ) -> tuple[list[ChangeRequest], int]:
        """The same over several spaces of an organization."""
        values = _values(wanted) | {
            "organization": organization,
            "spaces": spaces,
            "statuses": wanted.statuses,
        }
        cut = {"before": before[0], "before_id": before[1], "limit": limit}
        page = await CHANGE_REQUESTS.list(self._at, _PAGE_ACROSS[wanted.order], values | cut)
        return page, await count(self._at, _COUNT_ACROSS, values)

    async def add(self, request: ChangeRequest) -> None:
        await CHANGE_REQUESTS.add(self._at, request)
        await self._count(request.space, None, request.status)

    async def change(self, request: ChangeRequest, now: int, **changed: object) -> ChangeRequest:
        """Write the changed fields and the time; returns the record as it now is."""
        new = await CHANGE_REQUESTS.change(self._at, request, **changed, updated_at=now)
        await self._count(request.space, request.status, new.status)
        return new

    async def contributed(
        self, request: ChangeRequest, user: str, action: Literal["edit", "comment"], now: int
    ) -> None:
        """Count one more edit or comment of a user."""
        values = {"organization": request.organization, "change_request": request.id, "user": user, "action": action}
        await self._at.run(_CONTRIBUTE, values | {"now": now})

    async def contributors(self, request: str) -> list[Contributor]:
        """Everybody who contributed, the latest first; once for edits and once for comments."""
        return await CONTRIBUTORS.list(self._at, _CONTRIBUTORS, {"change_request": request})

    async def _count(self, space: str, before: str | None, after: str) -> None:
        if before == after:
            return
        moved = {status: (after == status) - (before == status) for status in ("open", "draft")}
        await self._at.run(_COUNT_ON_SPACE, moved | {"space": space, "total": int(before is None)})


def _values(wanted: Wanted) -> dict[str, object]:
    return {"creator": wanted.creator, "contributor": wanted.contributor, "reviewer": wanted.reviewer}
