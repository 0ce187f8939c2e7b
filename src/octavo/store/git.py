"""Git: operations in the queue of their space, where space and branch were last the same, branches that are kept so."""

from __future__ import annotations

from octavo.kernel.records.git import GitBase, GitBranch, GitConnection, GitOperation
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.git_pushes import OF_SPACES, Pushes
from octavo.store.shelf import Table, count

OPERATIONS = Table("git_operations", GitOperation)
BASES = Table("git_bases", GitBase, key=("space",))
CONNECTIONS = Table("git_connections", GitConnection, key=("space",))
BRANCHES = Table("git_branches", GitBranch)

_PAGE = OPERATIONS.select('WHERE space = :space AND "number" < :before ORDER BY "number" DESC LIMIT :limit')
_COUNT = Statement("SELECT count(*) FROM git_operations WHERE space = :space")
_FIRST = OPERATIONS.select('WHERE space = :space AND ended_at IS NULL ORDER BY "number" LIMIT 1')
_WAITING = Statement("SELECT count(*) FROM git_operations WHERE space = :space AND ended_at IS NULL")
_LAST = Statement('SELECT coalesce(max("number"), 0) FROM git_operations WHERE space = :space')
_OPEN = OPERATIONS.select('WHERE space = :space AND ended_at IS NULL ORDER BY "number"')
_OLD = Statement('DELETE FROM git_operations WHERE space = :space AND ended_at IS NOT NULL AND "number" <= :until')
_BRANCH = BRANCHES.select("WHERE space = :space AND ref = :ref")
_BRANCHES = BRANCHES.select("WHERE space = :space ORDER BY id DESC LIMIT :limit")
_BRANCH_PAGE = BRANCHES.select(
    "WHERE space = :space AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_BRANCH_COUNT = Statement("SELECT count(*) FROM git_branches WHERE space = :space")
_BRANCHES_OPEN = Statement("SELECT count(*) FROM git_branches WHERE space = :space AND state = 'open'")
_FORGET_BRANCHES = Statement("DELETE FROM git_branches WHERE space = :space")
_OLD_BRANCHES = Statement(
    "DELETE FROM git_branches WHERE space = :space AND state IN ('merged', 'closed') AND id NOT IN"
    " (SELECT id FROM git_branches WHERE space = :space ORDER BY id DESC LIMIT :kept)"
)


class GitShelf:
    """Everything that a space has of Git but the last word on it, which `Spaces` has."""

    def __init__(self, at: Connection) -> None:
        self._at = at
        self.pushes = Pushes(at, OF_SPACES)

    async def operation(self, operation: str) -> GitOperation | None:
        return await OPERATIONS.get(self._at, id=operation)

    async def operations(self, space: str, before: int, limit: int) -> list[GitOperation]:
        """Those of a space with smaller numbers, the newest first."""
        return await OPERATIONS.list(self._at, _PAGE, {"space": space, "before": before, "limit": limit})

    async def count(self, space: str) -> int:
        return await count(self._at, _COUNT, {"space": space})

    async def waiting(self, space: str) -> int:
        """How many did not end yet."""
        return await count(self._at, _WAITING, {"space": space})

    async def first(self, space: str) -> GitOperation | None:
        """The oldest that did not end yet."""
        return await OPERATIONS.first(self._at, _FIRST, {"space": space})

    async def open(self, space: str) -> list[GitOperation]:
        """All that did not end yet, in their order."""
        return await OPERATIONS.list(self._at, _OPEN, {"space": space})

    async def next_number(self, space: str) -> int:
        """The number of the next one; whoever asks holds the lock of the space."""
        return await count(self._at, _LAST, {"space": space}) + 1

    async def add(self, operation: GitOperation, kept: int) -> None:
        """Add one; of those that ended, a space keeps the newest."""
        await OPERATIONS.add(self._at, operation)
        await self._at.run(_OLD, {"space": operation.space, "until": operation.number - kept})

    async def change(self, operation: GitOperation, **changed: object) -> GitOperation:
        return await OPERATIONS.change(self._at, operation, **changed)

    async def forget(self, operation: GitOperation) -> None:
        """Remove one that nobody has to know of."""
        await OPERATIONS.remove(self._at, id=operation.id)

    async def base(self, space: str) -> GitBase | None:
        return await BASES.get(self._at, space=space)

    async def put_base(self, base: GitBase) -> None:
        await BASES.remove(self._at, space=base.space)
        await BASES.add(self._at, base)

    async def change_base(self, base: GitBase, **changed: object) -> GitBase:
        return await BASES.change(self._at, base, **changed)

    async def branch(self, space: str, ref: str) -> GitBranch | None:
        return await BRANCHES.first(self._at, _BRANCH, {"space": space, "ref": ref})

    async def branch_by_id(self, branch: str) -> GitBranch | None:
        return await BRANCHES.get(self._at, id=branch)

    async def branches(self, space: str, limit: int) -> list[GitBranch]:
        """Those that change requests of a space follow, or followed, the newest first."""
        return await BRANCHES.list(self._at, _BRANCHES, {"space": space, "limit": limit})

    async def branch_page(self, space: str, before: tuple[int, str], limit: int) -> list[GitBranch]:
        """Those made before, by time and id, the newest first."""
        cut = {"before": before[0], "before_id": before[1], "limit": limit}
        return await BRANCHES.list(self._at, _BRANCH_PAGE, {"space": space, **cut})

    async def branch_count(self, space: str) -> int:
        return await count(self._at, _BRANCH_COUNT, {"space": space})

    async def branches_open(self, space: str) -> int:
        """How many have an open change request."""
        return await count(self._at, _BRANCHES_OPEN, {"space": space})

    async def add_branch(self, branch: GitBranch, kept: int) -> None:
        """Add one; of those that came to an end, a space remembers the newest."""
        await BRANCHES.add(self._at, branch)
        await self._at.run(_OLD_BRANCHES, {"space": branch.space, "kept": kept})

    async def forget_branches(self, space: str) -> None:
        """Follow none any more; their change requests stay as they are."""
        await self._at.run(_FORGET_BRANCHES, {"space": space})

    async def change_branch(self, branch: GitBranch, **changed: object) -> GitBranch:
        return await BRANCHES.change(self._at, branch, **changed)

    async def connection(self, space: str) -> GitConnection | None:
        return await CONNECTIONS.get(self._at, space=space)

    async def put_connection(self, connection: GitConnection) -> None:
        await CONNECTIONS.remove(self._at, space=connection.space)
        await CONNECTIONS.add(self._at, connection)

    async def change_connection(self, connection: GitConnection, **changed: object) -> GitConnection:
        return await CONNECTIONS.change(self._at, connection, **changed)

    async def remove_connection(self, space: str) -> bool:
        return await CONNECTIONS.remove(self._at, space=space)
