"""Posts of Git hosts that were taken, so that each is taken once: those to spaces, and those to sites."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from octavo.kernel.records.git import GitPush, GitSitePush, TakenPost
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

P = TypeVar("P", bound=TakenPost)


class PushTable(Generic[P]):
    """The table of one kind of owner, whose ids stand in the column `owner`."""

    def __init__(self, name: str, record: type[P], owner: Literal["space", "site"]) -> None:
        self.rows, self.owner = Table(name, record, key=(owner, "digest")), owner
        self.forgotten = Statement(
            f"DELETE FROM {name} WHERE {owner} = :owner AND taken_at < (SELECT min(taken_at) FROM (SELECT taken_at "
            f"FROM {name} WHERE {owner} = :owner ORDER BY taken_at DESC LIMIT :kept) AS newest)"
        )


OF_SPACES = PushTable("git_pushes", GitPush, "space")
OF_SITES = PushTable("git_site_pushes", GitSitePush, "site")


class Pushes(Generic[P]):
    """The posts that spaces, or sites, took."""

    def __init__(self, at: Connection, table: PushTable[P]) -> None:
        self._at, self._table = at, table

    async def is_known(self, owner: str, digest: str) -> bool:
        """Whether this post was taken."""
        return await self._table.rows.get(self._at, **{self._table.owner: owner}, digest=digest) is not None

    async def note(self, owner: str, organization: str, digest: str, now: int, kept: int) -> None:
        """Remember a post; of each owner the newest are remembered."""
        post: dict[str, Any] = {
            self._table.owner: owner,
            "organization": organization,
            "digest": digest,
            "taken_at": now,
        }
        await self._table.rows.add(self._at, self._table.rows.record(**post))
        await self._at.run(self._table.forgotten, {"owner": owner, "kept": kept})
