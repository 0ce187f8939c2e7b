"""The caller of a request: a user by a token, with the roles and teams that hold for the moment."""

from __future__ import annotations

from dataclasses import dataclass

from octavo.kernel.ids import token_hash
from octavo.kernel.records import Role, Token, User
from octavo.store.unit import Unit


@dataclass(frozen=True)
class Caller:
    """Who asks."""

    user: User
    token: Token
    roles: dict[str, Role | None]
    """Organization -> role there; None = guest."""
    teams: dict[str, dict[str, str]]
    """Organization -> the caller's teams there -> owner or member."""

    def belongs(self, organization: str) -> bool:
        """A member or guest of the organization."""
        return organization in self.roles

    def role_in(self, organization: str) -> Role | None:
        return self.roles.get(organization)

    def owns_team_in(self, organization: str) -> bool:
        return "owner" in self.teams.get(organization, {}).values()

    def has_scope(self, scope: str | None) -> bool:
        """Whether the token may be used for that."""
        return scope is None or self.token.scopes is None or scope in self.token.scopes


async def caller_of(unit: Unit, secret: str) -> Caller | None:
    """Whom a token stands for; None when it is unknown, revoked or expired."""
    token = await unit.people.token_by_hash(token_hash(secret))
    if token is None or (token.expires_at is not None and token.expires_at <= unit.now):
        return None
    user = await unit.people.user(token.user)
    if user is None:
        return None
    return Caller(user, token, await unit.people.roles_of(user.id), await unit.people.teams_of(user.id))
