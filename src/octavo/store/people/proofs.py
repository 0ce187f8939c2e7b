"""What people show to sign in: passwords as hashes, codes as signatures; and what is counted to slow guessing."""

from __future__ import annotations

from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.records.people import LoginCode
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

CODES = Table("login_codes", LoginCode, key=("visit",))

_PASSWORD = Statement('SELECT hash FROM passwords WHERE "user" = :user')
_SET_PASSWORD = Statement(
    'INSERT INTO passwords ("user", hash, changed_at) VALUES (:user, :hash, :now)'
    ' ON CONFLICT ("user") DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at'
)
_REMOVE_PASSWORD = Statement('DELETE FROM passwords WHERE "user" = :user')
_REMOVE_OLD_CODES = Statement("DELETE FROM login_codes WHERE expires_at <= :now OR visit = :visit")
_TRIED = Statement("UPDATE login_codes SET tries = tries + 1 WHERE visit = :visit AND tries < :most")
_COUNT = Statement(
    "INSERT INTO attempts (key, count, since) VALUES (:key, :by, :now) ON CONFLICT (key) DO UPDATE SET"
    " count = CASE WHEN attempts.since <= :before THEN excluded.count ELSE attempts.count + excluded.count END,"
    " since = CASE WHEN attempts.since <= :before THEN excluded.since ELSE attempts.since END"
    " RETURNING count"
)
_FORGET = Statement("DELETE FROM attempts WHERE key = :key")
_FORGET_OLD = Statement("DELETE FROM attempts WHERE since <= :before")


class Proofs:
    """How people show who they are."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def password(self, user: str) -> str | None:
        """The hash of a user's password; None = there is none."""
        rows = await self._at.rows(_PASSWORD, {"user": user})
        return str(rows[0][0]) if rows else None

    async def set_password(self, user: str, digest: str, now: int) -> None:
        await self._at.run(_SET_PASSWORD, {"user": user, "hash": digest, "now": now})

    async def remove_password(self, user: str) -> bool:
        """False when there was none."""
        return await self._at.run(_REMOVE_PASSWORD, {"user": user}) > 0

    async def code(self, visit: str) -> LoginCode | None:
        """The code that a browser waits for, an expired one too."""
        return await CODES.get(self._at, visit=visit)

    async def add_code(self, code: LoginCode, now: int) -> None:
        """Instead of what this browser waited for before."""
        await self.drop_code(code.visit, now)
        await CODES.add(self._at, code)

    async def drop_code(self, visit: str, now: int) -> None:
        """That code and every expired one."""
        await self._at.run(_REMOVE_OLD_CODES, {"visit": visit, "now": now})

    async def try_code(self, visit: str, most: int) -> bool:
        """Count an attempt to type a code; False when there were `most` already, or there is none."""
        return await self._at.run(_TRIED, {"visit": visit, "most": most}) > 0

    async def count(self, key: str, now: int, window: int, by: int = 1) -> int:
        """Count attempts; how many there are of that key since the first one, at most `window` milliseconds ago."""
        await self._at.run(_FORGET_OLD, {"before": now - limits.ATTEMPTS_MINUTES * MINUTE})
        return int((await self._at.rows(_COUNT, {"key": key, "now": now, "before": now - window, "by": by}))[0][0])

    async def forget(self, key: str) -> None:
        """Count anew from now on."""
        await self._at.run(_FORGET, {"key": key})
