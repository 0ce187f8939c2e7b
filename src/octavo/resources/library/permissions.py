"""Roles given to users and teams on spaces, collections and sites; one room, since the three are asked the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from msgspec import UNSET

from octavo.access.caller import Person, people_of
from octavo.access.standing import Reasons, Resource, reasons_of_people, roles_on_collections, roles_on_sites
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.events import CollectionChanged, Event, SiteChanged, SpaceChanged
from octavo.kernel.operation import AnyOperation, Nothing, Scope, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.library import Collection, Grant, Space
from octavo.kernel.records.sites import Site
from octavo.resources.call import Call, Slice, listed
from octavo.resources.embedded import show_teams, users_by_id
from octavo.resources.places import AtCollection, AtSite, AtSpace
from octavo.wire.library.permissions import (
    AggregateQuery,
    InvitePeople,
    PermissionReason,
    RulePlace,
    RuleTeam,
    TeamPermissionView,
    UpdatePermission,
    UserPermissionView,
    present_team,
    present_user,
)
from octavo.wire.lists import ListQuery


class AtSpaceUser(AtSpace, frozen=True):
    user: str


class AtSpaceTeam(AtSpace, frozen=True):
    team: str


class AtCollectionUser(AtCollection, frozen=True):
    user: str


class AtCollectionTeam(AtCollection, frozen=True):
    team: str


class AtSiteUser(AtSite, frozen=True):
    user: str


class AtSiteTeam(AtSite, frozen=True):
    team: str


At: TypeAlias = AtSpace | AtCollection | AtSite
AtUser: TypeAlias = AtSpaceUser | AtCollectionUser | AtSiteUser
AtTeam: TypeAlias = AtSpaceTeam | AtCollectionTeam | AtSiteTeam


def _on(at: At | AtUser | AtTeam) -> Resource:
    """What the roles are on."""
    if isinstance(at, AtSite):
        return at.site.record
    return at.space.record if isinstance(at, AtSpace) else at.collection.record


async def invite(call: Call, at: At, body: InvitePeople) -> None:
    """Everybody named gets the role in place of the one given before; null takes it back. All of them or none."""
    on = _on(at)
    # Held before anybody is looked up: who leaves meanwhile, or a team that is deleted, waits for this or is seen.
    await call.unit.people.hold_organization(on.organization)
    members = await call.unit.people.members_of(on.organization, body.users)
    _check("users", body.users, {member.user for member in members}, "has no member or guest")
    teams = await call.unit.teams.by_ids(body.teams)
    _check("teams", body.teams, {team.id for team in teams if team.organization == on.organization}, "has no team")
    for user in dict.fromkeys(body.users):
        await _set(call, on, body.role, user=user)
    for team in dict.fromkeys(body.teams):
        await _set(call, on, body.role, team=team)
    await call.unit.emit(_changed(on))


def _check(field: str, named: list[str], known: set[str], lacks: str) -> None:
    for place, key in enumerate(named):
        if key not in known:
            raise BadRequest(f"{field}[{place}]: the organization {lacks} {key!r}")


async def _set(
    call: Call, on: Resource, role: Role | None, *, user: str | None = None, team: str | None = None
) -> None:
    if role is not None:
        grant = Grant(organization=on.organization, kind=_kind(on), resource=on.id, role=role, user=user, team=team)
        await call.unit.grants.give(grant)
    elif user is not None:
        await call.unit.grants.revoke_user(on.id, user)
    elif team is not None:
        await call.unit.grants.revoke_team(on.id, team)


async def list_users(call: Call, at: At, query: ListQuery) -> Slice[UserPermissionView]:
    """Whom a role was given directly, by name."""
    given = {grant.user: grant.role for grant in await call.unit.grants.users_on((_on(at).id,))}
    users = await users_by_id(call, given)
    return _by_name(call, query, (UserPermissionView(given[user.id], user) for user in users.values()))


async def list_teams(call: Call, at: At, query: ListQuery) -> Slice[TeamPermissionView]:
    """The teams that a role was given, by title."""
    given = {grant.team: grant.role for grant in await call.unit.grants.teams_on((_on(at).id,))}
    teams = await call.unit.teams.by_ids(team for team in given if team is not None)
    teams.sort(key=lambda one: (one.title.casefold(), one.id))
    page = call.cut(teams, query, lambda one: (one.title.casefold(), one.id))
    shown = [TeamPermissionView(given[one.team.id], one) for one in await show_teams(call, page.items)]
    return Slice(shown, page.count, page.next)


async def list_aggregate(call: Call, at: At, query: AggregateQuery) -> Slice[UserPermissionView]:
    """Everybody in the organization who has a role here, wherever it comes from, by name."""
    people = await people_of(call.unit, _on(at).organization)
    reasons = await reasons_of_people(call.unit, people, _on(at))
    shown = (
        UserPermissionView(role, one.user)
        for one in people
        if (role := reasons.decisions[one.user.id].role) is not None and (query.role is UNSET or role == query.role)
    )
    page = _by_name(call, query, shown)
    asked = {one.user.id for one in page.items}
    told = await _because(call, _on(at), reasons, [one for one in people if one.user.id in asked])
    return Slice(
        [UserPermissionView(one.role, one.user, told[one.user.id]) for one in page.items], page.count, page.next
    )


async def _because(call: Call, on: Resource, reasons: Reasons, people: list[Person]) -> dict[str, PermissionReason]:
    """User id -> the rule that decides, named as far as the caller may see where it stands."""
    through = {one.user.id: reasons.through(one, on.organization) for one in people}
    teams = {one.id: one for one in await call.unit.teams.by_ids({key for keys in through.values() for key in keys})}
    seen = await _seen(call, reasons.said_on)

    def place(key: str) -> RulePlace:
        where = reasons.said_on[key]
        return RulePlace(_kind(where), key, where.title if key in seen else UNSET)

    def reason(user: str) -> PermissionReason:
        decision = reasons.decisions[user]
        by, most = decision.by, decision.most
        if by is None:
            return PermissionReason("organization-role", RulePlace("organization", on.organization), [])
        named = [RuleTeam(key, teams[key].title) for key in through[user] if key in teams]
        rule: Literal["user", "team", "level"] = "user" if by.user else "team" if by.granted else "level"
        return PermissionReason(rule, place(by.on), named, UNSET if most is None else place(most.on))

    return {one.user.id: reason(one.user.id) for one in people}


async def _seen(call: Call, places: Mapping[str, Resource]) -> set[str]:
    """Those of the places that the caller may see."""
    sites = await roles_on_sites(call.unit, call.caller, [one for one in places.values() if isinstance(one, Site)])
    above = [one for one in places.values() if isinstance(one, Collection)]
    collections = await roles_on_collections(call.unit, call.caller, above)
    spaces = {one.id: "read" for one in places.values() if isinstance(one, Space)}
    return {key for key, role in (*sites.items(), *collections.items(), *spaces.items()) if role is not None}


def _by_name(call: Call, query: ListQuery, shown: Iterable[UserPermissionView]) -> Slice[UserPermissionView]:
    def key(one: UserPermissionView) -> tuple[str, str]:
        return one.user.name.casefold(), one.user.id

    return call.cut(sorted(shown, key=key), query, key)


async def update_user(call: Call, at: AtUser, body: UpdatePermission) -> None:
    """Another role for a user who was given one; null takes it back."""
    await call.unit.people.hold_organization(_on(at).organization)
    if all(grant.user != at.user for grant in await call.unit.grants.users_on((_on(at).id,))):
        raise absent("role of the user", at.user)
    if body.role is not UNSET:
        await _set(call, _on(at), body.role, user=at.user)
        await call.unit.emit(_changed(_on(at)))


async def update_team(call: Call, at: AtTeam, body: UpdatePermission) -> None:
    """Another role for a team that was given one; null takes it back."""
    await call.unit.people.hold_organization(_on(at).organization)
    if all(grant.team != at.team for grant in await call.unit.grants.teams_on((_on(at).id,))):
        raise absent("role of the team", at.team)
    if body.role is not UNSET:
        await _set(call, _on(at), body.role, team=at.team)
        await call.unit.emit(_changed(_on(at)))


async def remove_user(call: Call, at: AtUser, takes: Nothing) -> None:
    """What was given directly is taken back; what the user has otherwise stays."""
    if not await call.unit.grants.revoke_user(_on(at).id, at.user):
        raise absent("role of the user", at.user)
    await call.unit.emit(_changed(_on(at)))


async def remove_team(call: Call, at: AtTeam, takes: Nothing) -> None:
    """What was given to the team is taken back."""
    if not await call.unit.grants.revoke_team(_on(at).id, at.team):
        raise absent("role of the team", at.team)
    await call.unit.emit(_changed(_on(at)))


def _kind(on: Resource) -> Literal["space", "collection", "site"]:
    return "space" if isinstance(on, Space) else "collection" if isinstance(on, Collection) else "site"


def _changed(on: Resource) -> Event:
    if isinstance(on, Space):
        return SpaceChanged(organization=on.organization, space=on.id)
    if isinstance(on, Collection):
        return CollectionChanged(organization=on.organization, collection=on.id)
    return SiteChanged(organization=on.organization, site=on.id)


class _Kind(NamedTuple):
    """What differs between the rows of spaces, collections and sites."""

    name: Literal["space", "collection", "site"]
    path: str
    reading: Scope
    writing: Scope

    def rows(self, at: type[At], user: type[AtUser], team: type[AtTeam]) -> tuple[AnyOperation, ...]:
        """The operations of one kind."""
        kind, on, path = self.name.title(), f"on a {self.name}", f"{self.path}/permissions"
        needs, told = f"{self.name}.admin", f"{self.name}.permissions"
        return (
            writes("POST", f"inviteTo{kind}", path, invite, nothing,
                   at=at, needs=needs, scope=self.writing, audit=f"{told}.invite",
                   summary=f"Give users and teams a role {on}"),
            reads(f"listUserPermissionsIn{kind}", f"{path}/users", list_users, listed(present_user),
                  at=at, needs=needs, scope=self.reading, summary=f"List the users who were given a role {on}"),
            writes("PATCH", f"updateUserPermissionIn{kind}", f"{path}/users/{{user}}", update_user, nothing,
                   at=user, needs=needs, scope=self.writing, audit=f"{told}.update-user",
                   summary=f"Change the role of a user {on}"),
            writes("DELETE", f"removeUserFrom{kind}", f"{path}/users/{{user}}", remove_user, nothing,
                   at=user, needs=needs, scope=self.writing, audit=f"{told}.remove-user",
                   summary=f"Take back the role of a user {on}"),
            reads(f"listTeamPermissionsIn{kind}", f"{path}/teams", list_teams, listed(present_team),
                  at=at, needs=needs, scope=self.reading, summary=f"List the teams that were given a role {on}"),
            writes("PATCH", f"updateTeamPermissionIn{kind}", f"{path}/teams/{{team}}", update_team, nothing,
                   at=team, needs=needs, scope=self.writing, audit=f"{told}.update-team",
                   summary=f"Change the role of a team {on}"),
            writes("DELETE", f"removeTeamFrom{kind}", f"{path}/teams/{{team}}", remove_team, nothing,
                   at=team, needs=needs, scope=self.writing, audit=f"{told}.remove-team",
                   summary=f"Take back the role of a team {on}"),
            reads(f"listPermissionsAggregateIn{kind}", f"{path}/aggregate", list_aggregate, listed(present_user),
                  at=at, needs=needs, scope=self.reading,
                  summary=f"List everybody who has a role, given or inherited, {on}"),
        )  # fmt: skip


_OF_SPACES: tuple[Scope, Scope] = ("space:permissions:read", "space:permissions:write")

OPERATIONS = (
    *_Kind("space", "/spaces/{space}", *_OF_SPACES).rows(AtSpace, AtSpaceUser, AtSpaceTeam),
    *_Kind("collection", "/collections/{collection}", *_OF_SPACES).rows(
        AtCollection, AtCollectionUser, AtCollectionTeam
    ),
    *_Kind("site", "/orgs/{organization}/sites/{site}", "site:permissions:read", "site:permissions:write").rows(
        AtSite, AtSiteUser, AtSiteTeam
    ),
)
