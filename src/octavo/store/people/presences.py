"""Who is where: one row for each open tab, which goes by itself."""

from __future__ import annotations

from octavo.kernel import limits
from octavo.kernel.clock import SECOND
from octavo.kernel.records.presence import Presence
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

PRESENCES = Table("presences", Presence, key=("space", "user", "word"))

_HERE = PRESENCES.select('WHERE space = :space AND seen_at > :gone ORDER BY since, "user", word LIMIT :limit')
_SAY = Statement(
    f"INSERT INTO presences ({PRESENCES.columns}) VALUES"
    " (:space, :organization, :user, :word, :change_request, :page, :doing, :node, :since, :seen_at)"
    ' ON CONFLICT (space, "user", word) DO UPDATE SET change_request = excluded.change_request, page = excluded.page,'
    " doing = excluded.doing, node = excluded.node, seen_at = excluded.seen_at"
)
_FORGET = Statement("DELETE FROM presences WHERE space = :space AND seen_at <= :gone")
_TOO_MANY = Statement(
    'DELETE FROM presences WHERE space = :space AND "user" = :user AND word NOT IN (SELECT word FROM presences'
    ' WHERE space = :space AND "user" = :user ORDER BY seen_at DESC, word LIMIT :most)'
)
_FORGET_ALL = Statement("DELETE FROM presences WHERE seen_at <= :gone")


def gone(now: int) -> int:
    """Who was seen last at this moment or before is no longer there."""
    return now - limits.PRESENCE_SECONDS * SECOND


class Presences:
    """Open tabs."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def here(self, space: str, now: int) -> list[Presence]:
        """Those in a space, who came first first."""
        found = {"space": space, "gone": gone(now), "limit": limits.PRESENCES_SHOWN}
        return await PRESENCES.list(self._at, _HERE, found)

    async def say(self, one: Presence) -> None:
        """Where somebody is now; who is gone, and what one person has too much, makes room."""
        await self._at.run(_SAY, PRESENCES.values(one))
        await self._at.run(_FORGET, {"space": one.space, "gone": gone(one.seen_at)})
        await self._at.run(_TOO_MANY, {"space": one.space, "user": one.user, "most": limits.PRESENCES_OF_USER})

    async def leave(self, space: str, user: str, word: str) -> None:
        await PRESENCES.remove(self._at, space=space, user=user, word=word)

    async def forget(self, now: int) -> None:
        """All who are gone."""
        await self._at.run(_FORGET_ALL, {"gone": gone(now)})
