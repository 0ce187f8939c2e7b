"""Git of sites: operations in the queue of their site, where site and branch were last the same, branches kept so."""

from __future__ import annotations

from octavo.kernel.records.git import GitSiteBase, GitSiteConnection, GitSiteOperation
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.git_pushes import OF_SITES, Pushes
from octavo.store.shelf import Table, count

OPERATIONS = Table("git_site_operations", GitSiteOperation)
BASES = Table("git_site_bases", GitSiteBase, key=("site",))
CONNECTIONS = Table("git_site_connections", GitSiteConnection, key=("site",))

_PAGE = OPERATIONS.select('WHERE site = :site AND "number" < :before ORDER BY "number" DESC LIMIT :limit')
_COUNT = Statement("SELECT count(*) FROM git_site_operations WHERE site = :site")
_FIRST = OPERATIONS.select('WHERE site = :site AND ended_at IS NULL ORDER BY "number" LIMIT 1')
_WAITING = Statement("SELECT count(*) FROM git_site_operations WHERE site = :site AND ended_at IS NULL")
_OPEN = OPERATIONS.select('WHERE site = :site AND ended_at IS NULL ORDER BY "number"')
_LAST = Statement('SELECT coalesce(max("number"), 0) FROM git_site_operations WHERE site = :site')
_OLD = Statement('DELETE FROM git_site_operations WHERE site = :site AND ended_at IS NOT NULL AND "number" <= :until')


class GitSites:
    """Everything that a site has of Git."""

    def __init__(self, at: Connection) -> None:
        self._at = at
        self.pushes = Pushes(at, OF_SITES)

    async def operation(self, operation: str) -> GitSiteOperation | None:
        return await OPERATIONS.get(self._at, id=operation)

    async def operations(self, site: str, before: int, limit: int) -> list[GitSiteOperation]:
        """Those of a site with smaller numbers, the newest first."""
        return await OPERATIONS.list(self._at, _PAGE, {"site": site, "before": before, "limit": limit})

    async def count(self, site: str) -> int:
        return await count(self._at, _COUNT, {"site": site})

    async def waiting(self, site: str) -> int:
        """How many did not end yet."""
        return await count(self._at, _WAITING, {"site": site})

    async def first(self, site: str) -> GitSiteOperation | None:
        """The oldest that did not end yet."""
        return await OPERATIONS.first(self._at, _FIRST, {"site": site})

    async def open(self, site: str) -> list[GitSiteOperation]:
        """All that did not end yet, in their order."""
        return await OPERATIONS.list(self._at, _OPEN, {"site": site})

    async def next_number(self, site: str) -> int:
        """The number of the next one; whoever asks holds the lock of the site."""
        return await count(self._at, _LAST, {"site": site}) + 1

    async def add(self, operation: GitSiteOperation, kept: int) -> None:
        """Add one; of those that ended, a site keeps the newest."""
        await OPERATIONS.add(self._at, operation)
        await self._at.run(_OLD, {"site": operation.site, "until": operation.number - kept})

    async def change(self, operation: GitSiteOperation, **changed: object) -> GitSiteOperation:
        return await OPERATIONS.change(self._at, operation, **changed)

    async def forget(self, operation: GitSiteOperation) -> None:
        """Remove one that nobody has to know of."""
        await OPERATIONS.remove(self._at, id=operation.id)

    async def base(self, site: str) -> GitSiteBase | None:
        return await BASES.get(self._at, site=site)

    async def put_base(self, base: GitSiteBase) -> None:
        await BASES.remove(self._at, site=base.site)
        await BASES.add(self._at, base)

    async def connection(self, site: str) -> GitSiteConnection | None:
        return await CONNECTIONS.get(self._at, site=site)

    async def put_connection(self, connection: GitSiteConnection) -> None:
        await CONNECTIONS.remove(self._at, site=connection.site)
        await CONNECTIONS.add(self._at, connection)

    async def remove_connection(self, site: str) -> bool:
        return await CONNECTIONS.remove(self._at, site=site)
