"""Users with the roles and teams that hold for the moment; the caller of a request is one, by a token."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from octavo.kernel.ids import token_hash
from octavo.kernel.records import Role, TeamMember, Token, User
from octavo.store.unit import Unit


@dataclass(frozen=True)
class Person:
    """Somebody whose rights are asked for."""

    user: User
    roles: dict[str, Role | None]
    """Organization -> role there; None = guest."""
    teams: dict[str, dict[str, str]]
    """Organization -> the user's teams there -> owner or member."""

    def belongs(self, organization: str) -> bool:
        """A member or guest of the organization."""
        return organization in self.roles

    def role_in(self, organization: str) -> Role | None:
        return self.roles.get(organization)

    def owns_team_in(self, organization: str) -> bool:
        return "owner" in self.teams.get(organization, {}).values()


@dataclass(frozen=True)
class Caller(Person):
    """Who asks."""

    token: Token

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
    return Caller(user, await unit.people.roles_of(user.id), _places(await unit.teams.of_user(user.id)), token)


async def person_of(unit: Unit, user: User) -> Person:
    """A user as others are asked about."""
    return Person(user, await unit.people.roles_of(user.id), _places(await unit.teams.of_user(user.id)))


async def people_of(unit: Unit, organization: str) -> list[Person]:
    """Every member and guest of an organization who is not disabled, with what holds there and nowhere else."""
    roles = {member.user: member.role for member in await unit.people.all_members(organization)}
    places: dict[str, list[TeamMember]] = {}
    for place in await unit.teams.everybody(organization):
        places.setdefault(place.user, []).append(place)
    return [
        Person(user, {organization: roles[user.id]}, _places(places.get(user.id, ())))
        for user in await unit.people.users(roles)
    ]


def _places(held: Iterable[TeamMember]) -> dict[str, dict[str, str]]:
    made: dict[str, dict[str, str]] = {}
    for place in held:
        made.setdefault(place.organization, {})[place.team] = place.role
    return made
