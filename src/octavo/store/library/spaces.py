"""Collections, spaces and the last Git operation of each space."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records.git import GitSync
from octavo.kernel.records.library import Collection, Space
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.library import transfers
from octavo.store.shelf import Table, count

SPACES = Table("spaces", Space)
COLLECTIONS = Table("collections", Collection)
GIT_SYNCS = Table("git_syncs", GitSync, key=("space",))

_BY_IDS = SPACES.select("WHERE id IN :ids[]")
_HOLD = Statement(
    "SELECT 1 FROM spaces WHERE id IN :ids[]",
    postgres="SELECT 1 FROM spaces WHERE id IN :ids[] ORDER BY id FOR NO KEY UPDATE",
)
_IN_ORGANIZATION = "WHERE organization = :organization AND deleted_at IS NULL"
_PAGE = SPACES.select(
    f"{_IN_ORGANIZATION} AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_COUNT = Statement(f"SELECT count(*) FROM spaces {_IN_ORGANIZATION}")
_ALL = SPACES.select(f"{_IN_ORGANIZATION} ORDER BY created_at DESC, id DESC")
_DELETED = SPACES.select(
    "WHERE organization = :organization AND deleted_at IS NOT NULL ORDER BY created_at DESC, id DESC"
)
_LAST_POSITION = Statement(
    "SELECT max(position) FROM spaces WHERE organization = :organization AND coalesce(parent, '') = :parent"
)
_SIBLINGS = Statement(
    "SELECT id, position FROM collections WHERE organization = :organization AND coalesce(parent, '') = :parent"
    " UNION ALL SELECT id, position FROM spaces"
    " WHERE organization = :organization AND coalesce(parent, '') = :parent AND deleted_at IS NULL"
    " ORDER BY position, id"
)
_LEAVE_SITES = Statement(
    "UPDATE sites SET site_spaces = site_spaces - (SELECT count(*) FROM site_spaces"
    " WHERE site_spaces.site = sites.id AND site_spaces.space = :space)"
    " WHERE id IN (SELECT site FROM site_spaces WHERE space = :space)"
)
_MOVE_HEAD = Statement(
    "UPDATE spaces SET revision = :revision, updated_at = :now WHERE id = :id AND revision = :expected"
)
_COLLECTIONS = COLLECTIONS.select("WHERE organization = :organization ORDER BY position, id")
_IN_COLLECTION = SPACES.select("WHERE parent = :parent AND deleted_at IS NULL ORDER BY position, id")
_EMPTY_INTO = [
    Statement(f"UPDATE {table} SET parent = :parent, default_level = CASE WHEN default_level = 'inherit'"
              " THEN :level ELSE default_level END WHERE parent = :collection")
    for table in ("spaces", "collections")
]  # fmt: skip
_GIT_SYNCS = GIT_SYNCS.select("WHERE space IN :spaces[]")
_ANCESTORS = Statement(
    "WITH RECURSIVE up AS (SELECT * FROM collections WHERE id IN :ids[]"
    " UNION SELECT c.* FROM collections c JOIN up ON c.id = up.parent)"
    f" SELECT {COLLECTIONS.columns} FROM up"
)


class Spaces:
    """Spaces and the collections that hold them."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, space: str) -> Space | None:
        return await SPACES.get(self._at, id=space)

    async def by_ids(self, ids: Iterable[str]) -> list[Space]:
        wanted = sorted(set(ids))
        return await SPACES.list(self._at, _BY_IDS, {"ids": wanted}) if wanted else []

    async def hold(self, ids: Iterable[str]) -> None:
        """Until this unit ends, nobody else writes these spaces; on SQLite write units take turns anyway."""
        await self._at.rows(_HOLD, {"ids": sorted(set(ids))})

    async def page(self, organization: str, before: tuple[int, str], limit: int) -> tuple[list[Space], int]:
        """Active spaces of an organization, newest first, and how many there are."""
        values = {"organization": organization, "before": before[0], "before_id": before[1], "limit": limit}
        return await SPACES.list(self._at, _PAGE, values), await count(self._at, _COUNT, {"organization": organization})

    async def all(self, organization: str, *, deleted: bool = False) -> list[Space]:
        """Every active (or every deleted) space of an organization, newest first."""
        return await SPACES.list(self._at, _DELETED if deleted else _ALL, {"organization": organization})

    async def last_position(self, organization: str, parent: str | None) -> str | None:
        rows = await self._at.rows(_LAST_POSITION, {"organization": organization, "parent": parent or ""})
        return rows[0][0] if rows else None

    async def siblings(self, organization: str, parent: str | None) -> list[tuple[str, str]]:
        """(id, position) of the collections and active spaces below one collection or at the top, in order."""
        rows = await self._at.rows(_SIBLINGS, {"organization": organization, "parent": parent or ""})
        return [(row[0], row[1]) for row in rows]

    async def add(self, space: Space) -> None:
        await SPACES.add(self._at, space)

    async def change(self, space: Space, **changed: object) -> Space:
        return await SPACES.change(self._at, space, **changed)

    async def move_head(self, space: str, expected: str, revision: str, now: int) -> bool:
        """Compare and set the head of primary content; False when it was not `expected`."""
        values = {"id": space, "expected": expected, "revision": revision, "now": now}
        return await self._at.run(_MOVE_HEAD, values) == 1

    async def remove(self, space: str) -> None:
        """Remove a space and every row that hangs on it; objects and search entries are others' to remove."""
        await self._at.run(_LEAVE_SITES, {"space": space})
        await SPACES.remove(self._at, id=space)

    async def carry(self, space: str, organization: str) -> None:
        """Tell every row of a space that it belongs to another organization."""
        await transfers.carry(self._at, space, organization)

    async def roots(self, spaces: list[str]) -> list[bytes]:
        """The roots of every revision of these spaces, each once."""
        return await transfers.roots(self._at, spaces)

    async def shown(self, spaces: list[str]) -> set[str]:
        """Those of these spaces that a site shows."""
        return await transfers.shown(self._at, spaces)

    async def collection(self, collection: str) -> Collection | None:
        return await COLLECTIONS.get(self._at, id=collection)

    async def add_collection(self, collection: Collection) -> None:
        await COLLECTIONS.add(self._at, collection)

    async def collections(self, organization: str) -> list[Collection]:
        """Every collection of an organization, siblings in their order."""
        return await COLLECTIONS.list(self._at, _COLLECTIONS, {"organization": organization})

    async def in_collection(self, collection: str) -> list[Space]:
        """The active spaces directly in a collection, in their order."""
        return await SPACES.list(self._at, _IN_COLLECTION, {"parent": collection})

    async def change_collection(self, collection: Collection, **changed: object) -> Collection:
        return await COLLECTIONS.change(self._at, collection, **changed)

    async def remove_collection(self, collection: Collection) -> None:
        """Remove a collection; what it holds moves to its parent, what inherited keeps the level that it had here."""
        # A row that names itself as its parent would take what it holds along.
        parent = None if collection.parent == collection.id else collection.parent
        for statement in _EMPTY_INTO:
            values = {"collection": collection.id, "parent": parent, "level": collection.default_level}
            await self._at.run(statement, values)
        await COLLECTIONS.remove(self._at, id=collection.id)

    async def with_ancestors(self, collections: Iterable[str]) -> dict[str, Collection]:
        """These collections and all above them, by id."""
        wanted = sorted(set(collections))
        found = await COLLECTIONS.list(self._at, _ANCESTORS, {"ids": wanted}) if wanted else []
        return {one.id: one for one in found}

    async def git_sync(self, space: str) -> GitSync | None:
        return await GIT_SYNCS.get(self._at, space=space)

    async def git_syncs(self, spaces: Iterable[str]) -> dict[str, GitSync]:
        """The last Git operations of these spaces, by space."""
        wanted = list(spaces)
        if len(wanted) == 1:
            one = await self.git_sync(wanted[0])
            return {} if one is None else {one.space: one}
        found = await GIT_SYNCS.list(self._at, _GIT_SYNCS, {"spaces": wanted})
        return {sync.space: sync for sync in found}

    async def put_git_sync(self, sync: GitSync) -> None:
        await GIT_SYNCS.remove(self._at, space=sync.space)
        await GIT_SYNCS.add(self._at, sync)

    async def change_git_sync(self, sync: GitSync, **changed: object) -> GitSync:
        return await GIT_SYNCS.change(self._at, sync, **changed)
