"""Imports into spaces: those that wait or run, and the last ones that are over."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.kernel.records.imports import ACTIVE, ImportRun
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

RUNS = Table("import_runs", ImportRun)

_SOME = (
    "WHERE organization = :organization AND status IN :statuses[] AND (space IN :spaces[] OR site = :site)"
    " AND space IN :seen[] AND (:change_request = '' OR change_request = :change_request)"
)
_PAGE = RUNS.select(
    f"{_SOME} AND (created_at < :before OR (created_at = :before AND id > :after))"
    " ORDER BY created_at DESC, id LIMIT :limit"
)
_COUNT = Statement(f"SELECT count(*) FROM import_runs {_SOME}")
_ACTIVE = Statement("SELECT count(*) FROM import_runs WHERE organization = :organization AND status IN :statuses[]")
_OLD = Statement(
    "DELETE FROM import_runs WHERE organization = :organization AND NOT (status IN :statuses[]) AND id NOT IN"
    " (SELECT id FROM import_runs WHERE organization = :organization ORDER BY created_at DESC, id LIMIT :keep)"
)


class Imports:
    """Each time that content was brought into a space."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, run: str) -> ImportRun | None:
        return await RUNS.get(self._at, id=run)

    async def page(
        self,
        organization: str,
        statuses: Sequence[str],
        *,
        seen: Sequence[str],
        spaces: Sequence[str],
        site: str,
        change_request: str,
        behind: tuple[int, str],
        limit: int,
    ) -> tuple[list[ImportRun], int]:
        """Those in one of these states that are into a space that is `seen`, and into one of `spaces` or for the site; of
        a change request, or (empty) of any; newest first, those behind a (created, id), and how many there are."""
        asked: dict[str, object] = {
            "organization": organization, "statuses": list(statuses), "seen": list(seen), "spaces": list(spaces),
            "site": site, "change_request": change_request,
        }  # fmt: skip
        part = asked | {"before": behind[0], "after": behind[1], "limit": limit}
        return await RUNS.list(self._at, _PAGE, part), await count(self._at, _COUNT, asked)

    async def active(self, organization: str) -> int:
        """How many wait or run."""
        return await count(self._at, _ACTIVE, {"organization": organization, "statuses": list(ACTIVE)})

    async def add(self, run: ImportRun, *, keep: int) -> None:
        """A further one; of those that are over only the last `keep` stay."""
        await RUNS.add(self._at, run)
        values: dict[str, object] = {"organization": run.organization, "statuses": list(ACTIVE), "keep": keep}
        await self._at.run(_OLD, values)

    async def change(self, run: ImportRun, **changed: object) -> ImportRun:
        return await RUNS.change(self._at, run, **changed)
