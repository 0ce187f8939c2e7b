"""Roles given to users and teams on spaces, collections and sites; one room, since the three are asked the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import UNSET

from octavo.access.caller import people_of
from octavo.access.locate import SeenCollection, SeenOrganization, SeenSite, SeenSpace
from octavo.access.standing import Resource, roles_of_people
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.events import CollectionChanged, Event, SiteChanged, SpaceChanged
from octavo.kernel.operation import READ, Nothing, Operation, write
from octavo.kernel.records import Role
from octavo.kernel.records.library import Collection, Grant, Space
from octavo.resources.call import Call, Page
from octavo.resources.embedded import show_teams, users_by_id
from octavo.wire.library.permissions import (
    AggregateQuery,
    Invite,
    TeamPermission,
    TeamPermissionView,
    UpdatePermission,
    UserPermission,
    UserPermissionView,
    present_team,
    present_user,
)
from octavo.wire.lists import Listing, ListQuery
from octavo.wire.view import View


@dataclass(frozen=True)
class AtSpace:
    space: SeenSpace

    @property
    def resource(self) -> Resource:
        return self.space.record


@dataclass(frozen=True)
class AtSpaceUser(AtSpace):
    user: str


@dataclass(frozen=True)
class AtSpaceTeam(AtSpace):
    team: str


@dataclass(frozen=True)
class AtCollection:
    collection: SeenCollection

    @property
    def resource(self) -> Resource:
        return self.collection.record


@dataclass(frozen=True)
class AtCollectionUser(AtCollection):
    user: str


@dataclass(frozen=True)
class AtCollectionTeam(AtCollection):
    team: str


@dataclass(frozen=True)
class AtSite:
    organization: SeenOrganization
    site: SeenSite

    @property
    def resource(self) -> Resource:
        return self.site.record


@dataclass(frozen=True)
class AtSiteUser(AtSite):
    user: str


@dataclass(frozen=True)
class AtSiteTeam(AtSite):
    team: str


At: TypeAlias = AtSpace | AtCollection | AtSite
AtUser: TypeAlias = AtSpaceUser | AtCollectionUser | AtSiteUser
AtTeam: TypeAlias = AtSpaceTeam | AtCollectionTeam | AtSiteTeam


async def invite(call: Call, at: At, body: Invite) -> None:
    """Everybody named gets the role in place of the one given before; null takes it back. All of them or none."""
    on = at.resource
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


async def list_users(call: Call, at: At, query: ListQuery) -> Page[UserPermissionView]:
    """Whom a role was given directly, by name."""
    given = {grant.user: grant.role for grant in await call.unit.grants.users_on((at.resource.id,))}
    users = await users_by_id(call, given)
    return _by_name(call, query, (UserPermissionView(given[user.id], user) for user in users.values()))


async def list_teams(call: Call, at: At, query: ListQuery) -> Page[TeamPermissionView]:
    """The teams that a role was given, by title."""
    given = {grant.team: grant.role for grant in await call.unit.grants.teams_on((at.resource.id,))}
    teams = await call.unit.teams.by_ids(team for team in given if team is not None)
    teams.sort(key=lambda one: (one.title.casefold(), one.id))
    page = call.cut(teams, query, lambda one: (one.title.casefold(), one.id))
    shown = [TeamPermissionView(given[one.team.id], one) for one in await show_teams(call, page.items)]
    return Page(shown, page.count, page.next)


async def list_aggregate(call: Call, at: At, query: AggregateQuery) -> Page[UserPermissionView]:
    """Everybody in the organization who has a role here, wherever it comes from, by name."""
    people = await people_of(call.unit, at.resource.organization)
    roles = await roles_of_people(call.unit, people, at.resource)
    shown = (
        UserPermissionView(role, one.user)
        for one in people
        if (role := roles[one.user.id]) is not None and (query.role is UNSET or role == query.role)
    )
    return _by_name(call, query, shown)


def _by_name(call: Call, query: ListQuery, shown: Iterable[UserPermissionView]) -> Page[UserPermissionView]:
    def key(one: UserPermissionView) -> tuple[str, str]:
        return one.user.name.casefold(), one.user.id

    return call.cut(sorted(shown, key=key), query, key)


async def update_user(call: Call, at: AtUser, body: UpdatePermission) -> None:
    """Another role for a user who was given one; null takes it back."""
    await call.unit.people.hold_organization(at.resource.organization)
    if all(grant.user != at.user for grant in await call.unit.grants.users_on((at.resource.id,))):
        raise absent("role of the user", at.user)
    if body.role is not UNSET:
        await _set(call, at.resource, body.role, user=at.user)
        await call.unit.emit(_changed(at.resource))


async def update_team(call: Call, at: AtTeam, body: UpdatePermission) -> None:
    """Another role for a team that was given one; null takes it back."""
    await call.unit.people.hold_organization(at.resource.organization)
    if all(grant.team != at.team for grant in await call.unit.grants.teams_on((at.resource.id,))):
        raise absent("role of the team", at.team)
    if body.role is not UNSET:
        await _set(call, at.resource, body.role, team=at.team)
        await call.unit.emit(_changed(at.resource))


async def remove_user(call: Call, at: AtUser, takes: Nothing) -> None:
    """What was given directly is taken back; what the user has otherwise stays."""
    if not await call.unit.grants.revoke_user(at.resource.id, at.user):
        raise absent("role of the user", at.user)
    await call.unit.emit(_changed(at.resource))


async def remove_team(call: Call, at: AtTeam, takes: Nothing) -> None:
    """What was given to the team is taken back."""
    if not await call.unit.grants.revoke_team(at.resource.id, at.team):
        raise absent("role of the team", at.team)
    await call.unit.emit(_changed(at.resource))


def _kind(on: Resource) -> Literal["space", "collection", "site"]:
    return "space" if isinstance(on, Space) else "collection" if isinstance(on, Collection) else "site"


def _changed(on: Resource) -> Event:
    if isinstance(on, Space):
        return SpaceChanged(organization=on.organization, space=on.id)
    if isinstance(on, Collection):
        return CollectionChanged(organization=on.organization, collection=on.id)
    return SiteChanged(organization=on.organization, site=on.id)


def _present_users(page: Page[UserPermissionView], view: View) -> Listing[UserPermission]:
    return page.present(lambda one: present_user(one, view))


def _present_teams(page: Page[TeamPermissionView], view: View) -> Listing[TeamPermission]:
    return page.present(lambda one: present_team(one, view))


def _nothing(done: None, view: View) -> None:
    """204 and 205 carry no body."""


AnyPlace = TypeVar("AnyPlace")
Takes = TypeVar("Takes")
Rec = TypeVar("Rec")
Out = TypeVar("Out")


@dataclass(frozen=True)
class _Kind:
    """What differs between the rows of spaces, collections and sites."""

    name: Literal["space", "collection", "site"]
    path: str
    scope: str

    def row(
        self,
        method: Literal["GET", "POST", "PATCH", "DELETE"],
        id_: str,
        path: str,
        at: type[AnyPlace],
        takes: type[Takes],
        does: Callable[[Call, AnyPlace, Takes], Awaitable[Rec]],
        present: Callable[[Rec, View], Out],
        gives: Any,
        summary: str,
    ) -> Operation[AnyPlace, Takes, Rec, Out]:
        """`gives` is typed by `present`; the kind follows on the id and on the summary."""
        reads = method == "GET"
        return Operation(
            id=id_ + self.name.title(),
            method=method,
            path=f"{self.path}/permissions{path}",
            at=at,
            takes=takes,
            does=does,
            present=present,
            gives=gives,
            status=200 if reads else 205 if method == "DELETE" else 204,
            needs=f"{self.name}.admin",
            pace="read" if reads else "write",
            unit=READ if reads else write(),
            scope=f"{self.scope}:permissions:{'read' if reads else 'write'}",
            summary=f"{summary} a {self.name}",
        )

    def rows(self, at: type[At], user: type[AtUser], team: type[AtTeam]) -> tuple[Operation[Any, Any, Any, Any], ...]:
        """The operations of one kind."""
        return (
            self.row(
                "POST", "inviteTo", "", at, Invite, invite, _nothing, None, "Give users and teams a role on"
            ),
            self.row(
                "GET", "listUserPermissionsIn", "/users", at, ListQuery, list_users,
                _present_users, Listing[UserPermission], "List the users who were given a role on",
            ),
            self.row(
                "PATCH", "updateUserPermissionIn", "/users/{user}", user, UpdatePermission, update_user,
                _nothing, None, "Change the role of a user on",
            ),
            self.row(
                "DELETE", "removeUserFrom", "/users/{user}", user, Nothing, remove_user,
                _nothing, None, "Take back the role of a user on",
            ),
            self.row(
                "GET", "listTeamPermissionsIn", "/teams", at, ListQuery, list_teams,
                _present_teams, Listing[TeamPermission], "List the teams that were given a role on",
            ),
            self.row(
                "PATCH", "updateTeamPermissionIn", "/teams/{team}", team, UpdatePermission, update_team,
                _nothing, None, "Change the role of a team on",
            ),
            self.row(
                "DELETE", "removeTeamFrom", "/teams/{team}", team, Nothing, remove_team,
                _nothing, None, "Take back the role of a team on",
            ),
            self.row(
                "GET", "listPermissionsAggregateIn", "/aggregate", at, AggregateQuery, list_aggregate,
                _present_users, Listing[UserPermission], "List everybody who has a role, given or inherited, on",
            ),
        )  # fmt: skip


OPERATIONS = (
    *_Kind("space", "/spaces/{space}", "space").rows(AtSpace, AtSpaceUser, AtSpaceTeam),
    *_Kind("collection", "/collections/{collection}", "space").rows(AtCollection, AtCollectionUser, AtCollectionTeam),
    *_Kind("site", "/orgs/{organization}/sites/{site}", "site").rows(AtSite, AtSiteUser, AtSiteTeam),
)
