"""Users, tokens, organizations, members."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from octavo.kernel.records import Role
from octavo.kernel.records.people import Member, Organization, Token, User
from octavo.store.database.engine import Connection
from octavo.store.database.families import NOTHING
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

USERS = Table("users", User, extra=("email_folded",))
TOKENS = Table("tokens", Token)
ORGANIZATIONS = Table("organizations", Organization)
MEMBERS = Table("members", Member, key=("organization", "user"))

_USER_BY_EMAIL = USERS.select("WHERE email_folded = :email")
# What was joined before somebody showed the address to be hers, anybody may have joined in her name.
_BELONGS_ELSEWHERE = Statement(
    'SELECT 1 FROM members JOIN users ON users.id = members."user" WHERE members."user" = :user'
    " AND members.organization <> :organization AND members.disabled = 0"
    " AND users.email_verified > 0 AND members.joined_at >= users.email_verified LIMIT 1"
)
_USERS_BY_EMAIL = USERS.select("WHERE email_folded IN :emails[]")
_READDRESS = Statement("UPDATE users SET email = :email, email_folded = :folded WHERE id = :id")
_USERS_BY_ID = USERS.select("WHERE id IN :ids[]")
_TOKEN_BY_HASH = TOKENS.select("WHERE hash = :hash")
_TOKENS_OF_USER = TOKENS.select('WHERE "user" = :user ORDER BY created_at, id')
# When somebody was here last is for others to read: it changes nothing of who they are.
_TOUCH_TOKEN = Statement("UPDATE tokens SET last_used_at = :now WHERE id = :id", stale=NOTHING)
# A deleted organization is nobody's, so that nothing in it is found; a deleted user is nobody's member.
_THERE = "organization NOT IN (SELECT id FROM organizations WHERE deleted_at IS NOT NULL)"
_ALIVE = '"user" NOT IN (SELECT id FROM users WHERE deleted_at IS NOT NULL)'
_ROLES_OF_USER = Statement(f'SELECT organization, role FROM members WHERE "user" = :user AND disabled = 0 AND {_THERE}')
_ALL_ROLES = Statement(f'SELECT "user", organization, role FROM members WHERE disabled = 0 AND {_THERE}')
_SIZES = Statement(f"SELECT organization, count(*) FROM members WHERE disabled = 0 AND {_ALIVE} GROUP BY organization")
_ORGANIZATIONS_OF_USER = ORGANIZATIONS.select(
    'WHERE id IN (SELECT organization FROM members WHERE "user" = :user AND disabled = 0) AND deleted_at IS NULL'
    " AND NOT (id IN :besides[]) AND (created_at, id) < (:before, :before_id) ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_COUNT_ORGANIZATIONS = Statement(
    f'SELECT count(*) FROM members WHERE "user" = :user AND disabled = 0 AND {_THERE}'
    " AND NOT (organization IN :besides[])"
)
_DELETED_OF_ADMIN = ORGANIZATIONS.select(
    "WHERE id IN (SELECT organization FROM members WHERE \"user\" = :user AND role = 'admin' AND disabled = 0)"
    " AND deleted_at IS NOT NULL ORDER BY created_at DESC, id DESC"
)
_WITH_DOMAIN = ORGANIZATIONS.select(
    "WHERE id IN (SELECT organization FROM verified_domains WHERE domain = :domain) AND deleted_at IS NULL"
    " ORDER BY created_at DESC, id DESC"
)
_OF_MEMBER = ORGANIZATIONS.select(
    'WHERE id IN (SELECT organization FROM members WHERE "user" = :user AND disabled = 0) AND deleted_at IS NULL'
    " ORDER BY created_at DESC, id DESC"
)
_BY_HOSTNAME = ORGANIZATIONS.select("WHERE hostname = :hostname")
_VERIFIED = Statement("SELECT domain FROM verified_domains WHERE organization = :organization")
_VERIFY = Statement(
    "INSERT INTO verified_domains (organization, domain, verified_at) VALUES (:organization, :domain, :now)"
    " ON CONFLICT (organization, domain) DO NOTHING"
)
_UNVERIFY = Statement("DELETE FROM verified_domains WHERE organization = :organization AND domain = :domain")
_HOSTNAME_TAKEN = Statement("SELECT 1 FROM organizations WHERE hostname = :hostname AND id <> :id")
_FIRST_ADMINISTERED = ORGANIZATIONS.select(
    "WHERE id IN (SELECT organization FROM members WHERE \"user\" = :user AND role = 'admin' AND disabled = 0)"
    " AND deleted_at IS NULL ORDER BY created_at, id LIMIT 1"
)
_NAMED = Statement(
    'SELECT users.id FROM users JOIN members ON members."user" = users.id'
    " WHERE members.organization = :organization AND members.disabled = 0 AND users.deleted_at IS NULL"
    " AND (users.id IN :ids[] OR users.email_folded IN :emails[]) ORDER BY users.id"
)
_NAMED_BY = Statement(
    'SELECT users.id, users.email_folded FROM users JOIN members ON members."user" = users.id'
    " WHERE members.organization = :organization AND users.deleted_at IS NULL"
    " AND (users.id IN :ids[] OR users.email_folded IN :emails[])"
)
_MEMBERS_OF = MEMBERS.select(f'WHERE organization = :organization AND "user" IN :users[] AND {_ALIVE}')
_ALL_MEMBERS = MEMBERS.select(f"WHERE organization = :organization AND disabled = 0 AND {_ALIVE}")
_WHOLE = MEMBERS.select(f"WHERE organization = :organization AND {_ALIVE}")
_OTHER_ADMINS = Statement(
    "SELECT count(*) FROM members WHERE organization = :organization AND role = 'admin' AND disabled = 0"
    f' AND "user" <> :user AND {_ALIVE}'
)
_LAST_ADMIN_OF = ORGANIZATIONS.select(
    "WHERE deleted_at IS NULL AND id IN (SELECT organization FROM members WHERE \"user\" = :user AND role = 'admin')"
    " AND NOT EXISTS (SELECT 1 FROM members WHERE organization = organizations.id AND role = 'admin' AND disabled = 0"
    f' AND "user" <> :user AND {_ALIVE}) ORDER BY created_at, id'
)
_TOGETHER = Statement(
    'SELECT 1 FROM members mine JOIN members theirs ON theirs.organization = mine.organization WHERE mine."user" = :one'
    ' AND mine.disabled = 0 AND theirs."user" = :other'
    f" AND mine.{_THERE} LIMIT 1"
)
_SEEN = Statement(
    'UPDATE members SET last_seen_at = :now WHERE organization = :organization AND "user" = :user'
    " AND (last_seen_at IS NULL OR last_seen_at < :now)",
    stale=NOTHING,
)
_LEAVE = [
    Statement(f'DELETE FROM {table} WHERE organization = :organization AND "user" = :user')
    for table in ("grants", "team_members", "requested_reviewers", "scim_users")
]
_REVOKE_TOKENS = Statement('DELETE FROM tokens WHERE "user" = :user AND id <> :besides')
_HOLD = Statement(
    "SELECT 1 FROM organizations WHERE id = :id",
    postgres="SELECT 1 FROM organizations WHERE id = :id FOR NO KEY UPDATE",
)
_ALL = ORGANIZATIONS.select("ORDER BY created_at, id")
_ANYBODY = Statement("SELECT 1 FROM users LIMIT 1")
_EVERYBODY = USERS.select("ORDER BY created_at, id")


def folded(email: str) -> str:
    """The form by which e-mail addresses compare."""
    return email.strip().casefold()


class People:
    """Who there is, and in which organization with which role."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def anybody(self) -> bool:
        """Whether there is an account."""
        return bool(await self._at.rows(_ANYBODY, {}))

    async def hold_organization(self, organization: str) -> None:
        """Until this unit ends, no other that holds the organization goes on; on SQLite write units take turns anyway."""
        await self._at.rows(_HOLD, {"id": organization})

    async def user(self, user: str) -> User | None:
        """Also one whose account is deleted but not yet removed."""
        return await USERS.get(self._at, id=user)

    async def users(self, ids: Iterable[str]) -> list[User]:
        wanted = sorted(set(ids))
        return await USERS.list(self._at, _USERS_BY_ID, {"ids": wanted}) if wanted else []

    async def user_by_email(self, email: str) -> User | None:
        return await USERS.first(self._at, _USER_BY_EMAIL, {"email": folded(email)})

    async def users_by_email(self, emails: Iterable[str]) -> dict[str, User]:
        """By the folded address, also those whose account is deleted but not yet removed."""
        wanted = sorted({folded(one) for one in emails})
        found = await USERS.list(self._at, _USERS_BY_EMAIL, {"emails": wanted}) if wanted else []
        return {folded(one.email): one for one in found}

    async def everybody(self) -> list[User]:
        """Every account of the installation, the first one first."""
        return await USERS.list(self._at, _EVERYBODY, {})

    async def belongs_elsewhere(self, organization: str, user: str) -> bool:
        """Whether the user has joined another organization since her address is known to be hers."""
        return bool(await self._at.rows(_BELONGS_ELSEWHERE, {"organization": organization, "user": user}))

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

    async def change_user(self, user: User, **changed: object) -> User:
        return await USERS.change(self._at, user, **changed)

    async def change_address(self, user: User, email: str) -> User:
        """Another address of the account, which no other one may have."""
        await self._at.run(_READDRESS, {"id": user.id, "email": email, "folded": folded(email)})
        return msgspec.structs.replace(user, email=email)

    async def remove_user(self, user: str) -> None:
        """With tokens, memberships, places in teams and roles; what the user wrote stays, of nobody known."""
        await USERS.remove(self._at, id=user)

    async def together(self, one: str, other: str) -> bool:
        """Whether two users are in one organization."""
        return bool(await self._at.rows(_TOGETHER, {"one": one, "other": other}))

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

    async def revoke_tokens(self, user: str, *, besides: str = "") -> int:
        """All of a user's, but that one; how many they were."""
        return await self._at.run(_REVOKE_TOKENS, {"user": user, "besides": besides})

    async def roles_of(self, user: str) -> dict[str, Role | None]:
        """Organization id -> role; None = guest."""
        return {row[0]: row[1] for row in await self._at.rows(_ROLES_OF_USER, {"user": user})}

    async def roles_of_everybody(self) -> dict[str, dict[str, Role | None]]:
        """User id -> organization id -> role, None = guest; without those who are nowhere."""
        found: dict[str, dict[str, Role | None]] = {}
        for user, organization, role in await self._at.rows(_ALL_ROLES, {}):
            found.setdefault(user, {})[organization] = role
        return found

    async def sizes(self) -> dict[str, int]:
        """Organization id -> members and guests who are not disabled; without those that have none."""
        return {row[0]: row[1] for row in await self._at.rows(_SIZES, {})}

    async def organization(self, organization: str) -> Organization | None:
        """One that is not deleted."""
        found = await ORGANIZATIONS.get(self._at, id=organization)
        return None if found is None or found.deleted_at is not None else found

    async def organization_or_deleted(self, organization: str) -> Organization | None:
        """Also one that is deleted but not yet removed."""
        return await ORGANIZATIONS.get(self._at, id=organization)

    async def remove_organization(self, organization: str) -> None:
        """With every row that carries it."""
        await ORGANIZATIONS.remove(self._at, id=organization)

    async def organization_of_hostname(self, hostname: str) -> Organization | None:
        """Also a deleted one: its name is taken as long as it may come back."""
        return await ORGANIZATIONS.first(self._at, _BY_HOSTNAME, {"hostname": hostname})

    async def deleted_of(self, user: str) -> list[Organization]:
        """Deleted organizations that the user is admin of, newest first."""
        return await ORGANIZATIONS.list(self._at, _DELETED_OF_ADMIN, {"user": user})

    async def all_of(self, user: str) -> list[Organization]:
        """Every organization that the user is a member or guest of, newest first."""
        return await ORGANIZATIONS.list(self._at, _OF_MEMBER, {"user": user})

    async def with_domain(self, domain: str) -> list[Organization]:
        """Those whose verified domain it is, newest first."""
        return await ORGANIZATIONS.list(self._at, _WITH_DOMAIN, {"domain": folded(domain)})

    async def verified_domains(self, organization: str) -> set[str]:
        """The domains of addresses, in lower case, that are known to be the organization's."""
        return {row[0] for row in await self._at.rows(_VERIFIED, {"organization": organization})}

    async def verify_domain(self, organization: str, domain: str, now: int) -> None:
        """Note that a domain of addresses is the organization's."""
        await self._at.run(_VERIFY, {"organization": organization, "domain": folded(domain), "now": now})

    async def forget_domain(self, organization: str, domain: str) -> None:
        """The inverse."""
        await self._at.run(_UNVERIFY, {"organization": organization, "domain": folded(domain)})

    async def organizations(self) -> list[Organization]:
        """All of the installation, oldest first."""
        return await ORGANIZATIONS.list(self._at, _ALL, {})

    async def organizations_of(
        self, user: str, before: tuple[int, str], limit: int, *, besides: Iterable[str] = ()
    ) -> tuple[list[Organization], int]:
        """A page of the user's organizations but those, newest first, and how many there are."""
        left_out = sorted(besides)
        values = {"user": user, "before": before[0], "before_id": before[1], "limit": limit, "besides": left_out}
        page = await ORGANIZATIONS.list(self._at, _ORGANIZATIONS_OF_USER, values)
        return page, await count(self._at, _COUNT_ORGANIZATIONS, {"user": user, "besides": left_out})

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

    async def whole(self, organization: str) -> list[Member]:
        """Every member and guest of an organization, disabled ones too."""
        return await MEMBERS.list(self._at, _WHOLE, {"organization": organization})

    async def other_admins(self, organization: str, user: str) -> int:
        """How many admins an organization has besides that user."""
        return await count(self._at, _OTHER_ADMINS, {"organization": organization, "user": user})

    async def last_admin_of(self, user: str) -> list[Organization]:
        """Organizations that nobody else is admin of."""
        return await ORGANIZATIONS.list(self._at, _LAST_ADMIN_OF, {"user": user})

    async def note_seen(self, organization: str, user: str, now: int) -> None:
        """Note when a member was last seen."""
        await self._at.run(_SEEN, {"organization": organization, "user": user, "now": now})

    async def remove_member(self, organization: str, user: str) -> bool:
        """With roles given to the user, places in teams, and reviews asked there; False when there was no such member."""
        for statement in _LEAVE:
            await self._at.run(statement, {"organization": organization, "user": user})
        return await MEMBERS.remove(self._at, organization=organization, user=user)
