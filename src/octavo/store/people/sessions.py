"""Browser sessions."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.kernel.records.people import Session
from octavo.store.database.engine import Connection
from octavo.store.database.families import NOTHING
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

SESSIONS = Table("sessions", Session)

_BY_HASH = SESSIONS.select("WHERE hash = :hash")
_BY_ID = SESSIONS.select("WHERE id = :id")
_OF_USER = SESSIONS.select('WHERE "user" = :user ORDER BY created_at DESC, id DESC')
_NEWEST = Statement("SELECT provider, max(created_at) FROM sessions WHERE provider IN :ids[] GROUP BY provider")
# Who remembers a session goes by when it was used some moments ago, which is long before it ends by that.
_TOUCH = Statement("UPDATE sessions SET used_at = :now WHERE id = :id", stale=NOTHING)
_REMOVE_OF_USER = Statement('DELETE FROM sessions WHERE "user" = :user AND id <> :besides')
# The provider of the whole installation has no row.
_BY_PROVIDER = "how = 'oidc' AND coalesce(provider, '') = :provider AND created_at <= :begun"
_REMOVE_OF_PROVIDER = Statement(f'DELETE FROM sessions WHERE "user" = :user AND {_BY_PROVIDER}')
_REMOVE_OF_PROVIDERS_SESSION = Statement(
    f"DELETE FROM sessions WHERE provider_session = :session AND {_BY_PROVIDER} AND (:user = '' OR \"user\" = :user)"
)
_REMOVE_EXPIRED = Statement("DELETE FROM sessions WHERE expires_at <= :now")


class Sessions:
    """Who is signed in with which browser."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def by_hash(self, digest: str) -> Session | None:
        return await SESSIONS.first(self._at, _BY_HASH, {"hash": digest})

    async def get(self, session: str) -> Session | None:
        return await SESSIONS.first(self._at, _BY_ID, {"id": session})

    async def of_user(self, user: str) -> list[Session]:
        """Newest first, ended ones too until they are removed."""
        return await SESSIONS.list(self._at, _OF_USER, {"user": user})

    async def newest_by(self, providers: Sequence[str]) -> dict[str, int]:
        """Id of an identity provider -> when the newest session began that rests on its word, in milliseconds; those by which
        nobody is signed in are not there."""
        rows = await self._at.rows(_NEWEST, {"ids": list(providers)}) if providers else ()
        return {str(provider): int(at) for provider, at in rows}

    async def add(self, session: Session) -> None:
        await SESSIONS.add(self._at, session)

    async def touch(self, session: str, now: int) -> None:
        await self._at.run(_TOUCH, {"id": session, "now": now})

    async def remove(self, session: str) -> bool:
        """False when there was none."""
        return await SESSIONS.remove(self._at, id=session)

    async def remove_of_user(self, user: str, *, besides: str = "") -> int:
        """All of a user's, but that one; how many they were."""
        return await self._at.run(_REMOVE_OF_USER, {"user": user, "besides": besides})

    async def remove_by_provider(self, provider: str, begun: int, *, user: str = "", session: str = "") -> int:
        """Those by OpenID Connect that were begun until then: of a user, or of one session at the provider; how many they
        were. `provider`: empty for the one of the whole installation."""
        values = {"provider": provider, "begun": begun, "user": user}
        if session:
            return await self._at.run(_REMOVE_OF_PROVIDERS_SESSION, values | {"session": session})
        return await self._at.run(_REMOVE_OF_PROVIDER, values)

    async def remove_expired(self, now: int) -> int:
        """Those whose last day is over."""
        return await self._at.run(_REMOVE_EXPIRED, {"now": now})
