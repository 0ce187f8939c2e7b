"""Users, tokens, organizations, members, teams."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records import Member, Organization, Role, Team, Token, User
from octavo.store.engine import Connection
from octavo.store.shelf import Table, count
from octavo.store.statement import Statement

USERS = Table("users", User, extra=("email_folded",))
TOKENS = Table("tokens", Token)
ORGANIZATIONS = Table("organizations", Organization)
MEMBERS = Table("members", Member, key=("organization", "user"))
TEAMS = Table("teams", Team)

_USER_BY_EMAIL = USERS.select("WHERE email_folded = :email")
_USERS_BY_ID = USERS.select("WHERE id IN :ids[]")
_TOKEN_BY_HASH = TOKENS.select("WHERE hash = :hash")
_TOKENS_OF_USER = TOKENS.select('WHERE "user" = :user ORDER BY created_at, id')
_TOUCH_TOKEN = Statement("UPDATE tokens SET last_used_at = :now WHERE id = :id")
_ROLES_OF_USER = Statement('SELECT organization, role FROM members WHERE "user" = :user AND disabled = 0')
_TEAMS_OF_USER = Statement('SELECT organization, team, role FROM team_members WHERE "user" = :user')
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
_ALL = ORGANIZATIONS.select("ORDER BY created_at, id")


def folded(email: str) -> str:
    """The form by which e-mail addresses compare."""
    return email.strip().casefold()


class People:
    """Who there is, and in which organization with which role."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def user(self, user: str) -> User | None:
        return await USERS.get(self._at, id=user)

    async def users(self, ids: Iterable[str]) -> list[User]:
        wanted = sorted(set(ids))
        return await USERS.list(self._at, _USERS_BY_ID, {"ids": wanted}) if wanted else []

    async def user_by_email(self, email: str) -> User | None:
        return await USERS.first(self._at, _USER_BY_EMAIL, {"email": folded(email)})

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

    async def teams_of(self, user: str) -> dict[str, dict[str, str]]:
        """Organization id -> the user's teams there -> owner or member."""
        made: dict[str, dict[str, str]] = {}
        for organization, team, role in await self._at.rows(_TEAMS_OF_USER, {"user": user}):
            made.setdefault(organization, {})[team] = role
        return made

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

    async def add_team(self, team: Team) -> None:
        await TEAMS.add(self._at, team)
