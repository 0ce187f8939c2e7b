"""Users, tokens, organizations, members."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records import Member, Organization, Role, Token, User
from octavo.store.engine import Connection
from octavo.store.shelf import Table, count
from octavo.store.statement import Statement

USERS = Table("users", User, extra=("email_folded",))
TOKENS = Table("tokens", Token)
ORGANIZATIONS = Table("organizations", Organization)
MEMBERS = Table("members", Member, key=("organization", "user"))

_USER_BY_EMAIL = USERS.select("WHERE email_folded = :email")
_USERS_BY_ID = USERS.select("WHERE id IN :ids[]")
_TOKEN_BY_HASH = TOKENS.select("WHERE hash = :hash")
_TOKENS_OF_USER = TOKENS.select('WHERE "user" = :user ORDER BY created_at, id')
_TOUCH_TOKEN = Statement("UPDATE tokens SET last_used_at = :now WHERE id = :id")
_ROLES_OF_USER = Statement('SELECT organization, role FROM members WHERE "user" = :user AND disabled = 0')
_ORGANIZATIONS_OF_USER = ORGANIZATIONS.select(
    'WHERE id IN (SELECT organization FROM members WHERE "user" = :user AND disabled = 0)'
    " AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_COUNT_ORGANIZATIONS = Statement('SELECT count(*) FROM members WHERE "user" = :user AND disabled = 0')
_HOSTNAME_TAKEN = Statement("SELECT 1 FROM organizations WHERE hostname = :hostname AND id <> :id")
_FIRST_ADMINISTERED = ORGANIZATIONS.select(
    "WHERE id IN (SELECT organization FROM members WHERE \"user\" = :user AND role = 'admin' AND disabled = 0)"
    " ORDER BY created_at, id LIMIT 1"
)
_NAMED = Statement(
    'SELECT users.id FROM users JOIN members ON members."user" = users.id'
    " WHERE members.organization = :organization AND members.disabled = 0"
    " AND (users.id IN :ids[] OR users.email_folded IN :emails[]) ORDER BY users.id"
)
_NAMED_BY = Statement(
    'SELECT users.id, users.email_folded FROM users JOIN members ON members."user" = users.id'
    " WHERE members.organization = :organization AND (users.id IN :ids[] OR users.email_folded IN :emails[])"
)
_MEMBERS_OF = MEMBERS.select('WHERE organization = :organization AND "user" IN :users[]')
_ALL_MEMBERS = MEMBERS.select("WHERE organization = :organization AND disabled = 0")
_HOLD = Statement(
    "SELECT 1 FROM organizations WHERE id = :id",
    postgres="SELECT 1 FROM organizations WHERE id = :id FOR NO KEY UPDATE",
)
_ALL = ORGANIZATIONS.select("ORDER BY created_at, id")


def folded(email: str) -> str:
    """The form by which e-mail addresses compare."""
    return email.strip().casefold()


class People:
    """Who there is, and in which organization with which role."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def hold_organization(self, organization: str) -> None:
        """Until this unit ends, no other that holds the organization goes on; on SQLite write units take turns anyway."""
        await self._at.rows(_HOLD, {"id": organization})

    async def user(self, user: str) -> User | None:
        return await USERS.get(self._at, id=user)

    async def users(self, ids: Iterable[str]) -> list[User]:
        wanted = sorted(set(ids))
        return await USERS.list(self._at, _USERS_BY_ID, {"ids": wanted}) if wanted else []

    async def user_by_email(self, email: str) -> User | None:
        return await USERS.first(self._at, _USER_BY_EMAIL, {"email": folded(email)})

    async def named(self, organization: str, ids: Iterable[str], emails: Iterable[str]) -> list[str]:
        """Which users of an organization these ids and addresses name; their ids."""
        values = {"organization": organization, "ids": list(ids), "emails": [folded(email) for email in emails]}
        found = values["ids"] or values["emails"]
        return [row[0] for row in await self._at.rows(_NAMED, values)] if found else []

    async def named_by(self, organization: str, words: Iterable[str]) -> dict[str, str]:
        """Word -> whose id or e-mail it is, of members and guests of an organization, disabled ones too."""
        asked = {word: folded(word) for word in words}
        values = {"organization": organization, "ids": list(asked), "emails": list(asked.values())}
        rows = await self._at.rows(_NAMED_BY, values) if asked else ()
        known = {email: user for user, email in rows} | {user: user for user, _ in rows}
        found = ((word, known.get(word) or known.get(email)) for word, email in asked.items())
        return {word: user for word, user in found if user is not None}

    async def add_user(self, user: User) -> None:
        await USERS.add(self._at, user, email_folded=folded(user.email))

    async def token_by_hash(self, digest: str) -> Token | None:
        return await TOKENS.first(self._at, _TOKEN_BY_HASH, {"hash": digest})

    async def token(self, token: str) -> Token | None:
        return await TOKENS.get(self._at, id=token)

    async def tokens_of(self, user: str) -> list[Token]:
        return await TOKENS.list(self._at, _TOKENS_OF_USER, {"user": user})

    async def add_token(self, token: Token) -> None:
        await TOKENS.add(self._at, token)

    async def touch_token(self, token: str, now: int) -> None:
        await self._at.run(_TOUCH_TOKEN, {"id": token, "now": now})

    async def revoke_token(self, token: str) -> bool:
        return await TOKENS.remove(self._at, id=token)

    async def roles_of(self, user: str) -> dict[str, Role | None]:
        """Organization id -> role; None = guest."""
        return {row[0]: row[1] for row in await self._at.rows(_ROLES_OF_USER, {"user": user})}

    async def organization(self, organization: str) -> Organization | None:
        return await ORGANIZATIONS.get(self._at, id=organization)

    async def organizations(self) -> list[Organization]:
        """All of the installation, oldest first."""
        return await ORGANIZATIONS.list(self._at, _ALL, {})

    async def organizations_of(self, user: str, before: tuple[int, str], limit: int) -> tuple[list[Organization], int]:
        """A page of the user's organizations, newest first, and how many there are."""
        values = {"user": user, "before": before[0], "before_id": before[1], "limit": limit}
        page = await ORGANIZATIONS.list(self._at, _ORGANIZATIONS_OF_USER, values)
        return page, await count(self._at, _COUNT_ORGANIZATIONS, {"user": user})

    async def first_administered(self, user: str) -> Organization | None:
        return await ORGANIZATIONS.first(self._at, _FIRST_ADMINISTERED, {"user": user})

    async def add_organization(self, organization: Organization) -> None:
        await ORGANIZATIONS.add(self._at, organization)

    async def change_organization(self, organization: Organization, **changed: object) -> Organization:
        return await ORGANIZATIONS.change(self._at, organization, **changed)

    async def hostname_taken(self, hostname: str, besides: str) -> bool:
        return bool(await self._at.rows(_HOSTNAME_TAKEN, {"hostname": hostname, "id": besides}))

    async def member(self, organization: str, user: str) -> Member | None:
        return await MEMBERS.get(self._at, organization=organization, user=user)

    async def add_member(self, member: Member) -> None:
        await MEMBERS.add(self._at, member)

    async def change_member(self, member: Member, **changed: object) -> Member:
        return await MEMBERS.change(self._at, member, **changed)

    async def members_of(self, organization: str, users: Iterable[str]) -> list[Member]:
        """Those of these users who are members or guests of the organization."""
        values = {"organization": organization, "users": sorted(set(users))}
        return await MEMBERS.list(self._at, _MEMBERS_OF, values) if values["users"] else []

    async def all_members(self, organization: str) -> list[Member]:
        """Every member and guest of an organization who is not disabled."""
        return await MEMBERS.list(self._at, _ALL_MEMBERS, {"organization": organization})
