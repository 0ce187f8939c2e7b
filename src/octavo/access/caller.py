"""Users with the roles and teams that hold for the moment; the caller of a request is one, by a token."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from octavo.access.acting import Acting, Word, acting_of
from octavo.access.visits import Visit
from octavo.kernel.records import Role
from octavo.kernel.records.people import Member, Session, TeamMember, Token, User
from octavo.store.unit import Unit


class Person(msgspec.Struct, frozen=True):
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


class Visiting(msgspec.Struct, frozen=True):
    """What a visitor of a site may read, whose renderer asks for her."""

    organization: str
    visit: Visit
    spaces: frozenset[str]
    """That the site shows her."""


class Caller(Person, frozen=True):
    """Who asks."""

    token: Token
    session: Session | None = None
    """The browser that asks; None = a program with a token."""
    barred: frozenset[str] = frozenset()
    """The user's organizations that are seen only by who came in by their single sign-on, as this caller did not; and those
    that are apart."""
    apart: frozenset[str] = frozenset()
    """The user's organizations for which the provider that proved who this is does not speak."""
    visiting: Visiting | None = None
    """The visit that is all of this caller: nobody with an account."""

    acting: Acting | None = None
    """The integration that is all of this caller: nobody with an account."""
    operators: frozenset[str] = frozenset()
    """The addresses of those who run the installation, folded, as its settings name them."""

    @property
    def is_somebody(self) -> bool:
        """Somebody with an account."""
        return self.visiting is None and self.acting is None

    @property
    def operates(self) -> bool:
        """One of those who run the installation. What an organization's identity provider says of an address is that
        organization's word, and an address that nobody showed to be hers is nobody's."""
        named = self.user.email.strip().casefold() in self.operators
        return named and self.is_somebody and self.provider is None and self.user.email_verified > 0

    @property
    def provider(self) -> str | None:
        """The SAML provider that proved who this is, whether by session or by a token that was made in one."""
        return self.token.provider

    def has_scope(self, scope: str | None) -> bool:
        """Whether the token may be used for that."""
        return scope is None or self.token.scopes is None or scope in self.token.scopes

    def giving(self, scope: str) -> Caller:
        """An integration as it is seen where it needs that scope: organizations that have not agreed to it are not its own."""
        if self.acting is None:
            return self
        acting = self.acting.giving(scope)
        return self if acting is self.acting else replace(self, acting=acting, roles=_roles_of(acting))


async def caller_of(unit: Unit, digest: str) -> Caller | None:
    """Whom the token with that hash stands for; None when it is unknown, revoked or expired."""
    token = await unit.people.token_by_hash(digest)
    if token is None or not hmac.compare_digest(token.hash, digest):
        return None
    if token.expires_at is not None and token.expires_at <= unit.now:
        return None
    user = await unit.people.user(token.user)
    return None if user is None or user.deleted_at is not None else await caller_with(unit, user, token)


async def integration_caller(unit: Unit, word: Word) -> Caller | None:
    """The integration, or the installation of one, that a token stands for."""
    acting = await acting_of(unit, word)
    if acting is None:
        return None
    name = acting.integration.id
    user = User(id=f"integration:{name}", email="", name=acting.integration.title)
    token = Token(id=f"~integration:{word.installation or name}", user=user.id, hash="", created_at=0)
    return Caller(user, _roles_of(acting), {}, token, acting=acting)


def _roles_of(acting: Acting) -> dict[str, Role | None]:
    return {one.installation.organization: None for one in acting.held}


async def caller_with(unit: Unit, user: User, token: Token, session: Session | None = None) -> Caller:
    """A user as the caller of a request, with the roles and teams of the moment."""
    roles = await unit.people.roles_of(user.id)
    places = _places(await unit.teams.of_user(user.id))
    barred = await unit.saml.barred(user.id, token.provider)
    apart = await _apart(unit, user.id, token.provider, roles) - barred
    for organization in barred | apart:
        roles.pop(organization, None)
        places.pop(organization, None)
    return Caller(user, roles, places, token, session, barred | apart, apart=apart)


async def _apart(unit: Unit, user: str, provider: str | None, organizations: Iterable[str]) -> frozenset[str]:
    """A provider speaks for its organization. Whoever has joined another one as herself, be it later, is let into its
    own alone by it: else who runs it would be let into the other one in her name."""
    said = None if provider is None else await unit.saml.get(provider)
    if said is None or not await unit.people.belongs_elsewhere(said.organization, user):
        return frozenset()
    return frozenset(organizations) - {said.organization}


async def person_of(unit: Unit, user: User) -> Person:
    """A user as others are asked about."""
    return Person(user, await unit.people.roles_of(user.id), _places(await unit.teams.of_user(user.id)))


async def people_of(unit: Unit, organization: str) -> list[Person]:
    """Every member and guest of an organization who is not disabled, with what holds there and nowhere else."""
    members = await unit.people.all_members(organization)
    return await _people(unit, organization, members, await unit.teams.everybody(organization))


async def people_among(unit: Unit, organization: str, users: Iterable[str]) -> list[Person]:
    """The same of these users only."""
    asked = set(users)
    members = [member for member in await unit.people.members_of(organization, asked) if not member.disabled]
    return await _people(unit, organization, members, await unit.teams.of_users(organization, asked))


async def _people(unit: Unit, organization: str, members: Iterable[Member], held: Iterable[TeamMember]) -> list[Person]:
    roles = {member.user: member.role for member in members}
    places: dict[str, list[TeamMember]] = {}
    for place in held:
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
