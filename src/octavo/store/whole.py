"""What there is in the whole installation, for those who run it: numbers, organizations, accounts."""

from __future__ import annotations

from octavo.kernel.records.installation import Asked, Counts, Presence, Sizes
from octavo.kernel.records.people import Organization, User
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.people.people import ORGANIZATIONS, USERS, folded
from octavo.store.shelf import count

_COUNTS = Statement(
    "SELECT (SELECT count(*) FROM organizations WHERE deleted_at IS NULL),"
    " (SELECT count(*) FROM users WHERE deleted_at IS NULL),"
    " (SELECT count(*) FROM spaces WHERE deleted_at IS NULL),"
    " (SELECT count(*) FROM sites), (SELECT count(*) FROM sites WHERE published <> 0), (SELECT count(*) FROM blobs)"
)
_BEHIND = "(created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
_ORGANIZATIONS = ORGANIZATIONS.select(f"WHERE {_BEHIND}")
_ALL_ORGANIZATIONS = Statement("SELECT count(*) FROM organizations")
# Signing in by OpenID Connect has rows of the same table, which name a client.
_EXTRAS = Statement(
    "SELECT (SELECT count(*) FROM saml_providers WHERE client_id IS NULL AND organization IN"
    " (SELECT id FROM organizations WHERE deleted_at IS NULL)),"
    " (SELECT count(*) FROM scim_tokens WHERE organization IN (SELECT id FROM organizations WHERE deleted_at IS NULL)"
    " AND (expires_at IS NULL OR expires_at > :now)),"
    " (SELECT count(*) FROM jobs WHERE kind = 'pdf')"
)
_SIZES = [
    Statement(f"SELECT organization, count(*) FROM {table} WHERE organization IN :ids[]{only} GROUP BY organization")
    for table, only in (("members", " AND disabled = 0"), ("spaces", " AND deleted_at IS NULL"), ("sites", ""))
]
_CALLED = "(email_folded LIKE :like ESCAPE '!' OR lower(name) LIKE :like ESCAPE '!')"
_USERS = USERS.select(f"WHERE {_CALLED} AND {_BEHIND}")
_ALL_USERS = Statement(f"SELECT count(*) FROM users WHERE {_CALLED}")
_PLACES = Statement(
    'SELECT "user", count(*), max(coalesce(last_seen_at, 0)) FROM members WHERE "user" IN :ids[] AND disabled = 0'
    ' GROUP BY "user"'
)


class Whole:
    """Everything, across organizations."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def counts(self) -> Counts:
        return Counts(*(await self._at.rows(_COUNTS, {}))[0])

    async def asked_of_extras(self, now: int) -> Asked:
        """How much there is that counts on libraries which not every installation has."""
        return Asked(*(await self._at.rows(_EXTRAS, {"now": now}))[0])

    async def organizations(self, before: tuple[int, str], limit: int) -> tuple[list[Organization], int]:
        """A page of them, deleted ones too, the newest first, behind (created, id); and how many there are."""
        asked = {"before": before[0], "before_id": before[1], "limit": limit}
        return await ORGANIZATIONS.list(self._at, _ORGANIZATIONS, asked), await count(self._at, _ALL_ORGANIZATIONS, {})

    async def sizes(self, organizations: list[str]) -> dict[str, Sizes]:
        """Of each of these."""
        told: list[dict[str, int]] = [
            {row[0]: row[1] for row in await self._at.rows(one, {"ids": organizations})} for one in _SIZES
        ]
        return {one: Sizes(*(found.get(one, 0) for found in told)) for one in organizations}

    async def users(self, words: str, before: tuple[int, str], limit: int) -> tuple[list[User], int]:
        """A page of accounts, deleted ones too, whose address or name holds the words; the newest first."""
        like = folded(words).replace("!", "!!").replace("%", "!%").replace("_", "!_")
        asked = {"like": f"%{like}%"}
        page = asked | {"before": before[0], "before_id": before[1], "limit": limit}
        return await USERS.list(self._at, _USERS, page), await count(self._at, _ALL_USERS, asked)

    async def presence(self, users: list[str]) -> dict[str, Presence]:
        """Of each of these who is in an organization."""
        return {row[0]: Presence(row[1], row[2]) for row in await self._at.rows(_PLACES, {"ids": users})}
