"""Teams: groups of members, to whom a role is given and of whom a review is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from msgspec import UNSET

from octavo.access.locate import SeenOrganization, SeenTeam
from octavo.access.people.teams import team_permissions
from octavo.kernel.errors import BadRequest, Forbidden, absent
from octavo.kernel.ids import new_id
from octavo.kernel.operation import READ, Nothing, Operation, write
from octavo.kernel.records.people import Team, TeamMember
from octavo.resources.call import Call, Page
from octavo.resources.embedded import show_members, show_teams, users_by_id
from octavo.wire.lists import Listing, ListQuery
from octavo.wire.people import teams
from octavo.wire.people.teams import (
    CreateTeam,
    Membership,
    TeamMemberView,
    TeamRole,
    TeamsQuery,
    TeamView,
    UpdateTeam,
    UpdateTeamMembers,
)
from octavo.wire.view import View


@dataclass(frozen=True)
class InOrganization:
    organization: SeenOrganization


@dataclass(frozen=True)
class AtTeam(InOrganization):
    team: SeenTeam


@dataclass(frozen=True)
class AtMember(AtTeam):
    user: str
    """An id or an e-mail address."""


async def list_in_organization(call: Call, at: InOrganization, query: TeamsQuery) -> Page[TeamView]:
    """Newest first."""
    organization = at.organization.record.id
    found = await call.unit.teams.all(organization)
    if query.title is not UNSET:
        asked = query.title.casefold()
        found = [team for team in found if asked in team.title.casefold()]
    if query.owner is not UNSET:
        managed = await _managed(call, organization, query.owner)
        found = [team for team in found if managed is None or team.id in managed]
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Page(await show_teams(call, page.items), page.count, page.next)


async def _managed(call: Call, organization: str, user: str) -> set[str] | None:
    """The teams whose members that user manages; None = all, for an admin of the organization."""
    member = await call.unit.people.member(organization, user)
    if member is None or member.disabled:
        return set()
    if member.role == "admin":
        return None
    return {place.team for place in await call.unit.teams.of_user(user) if place.role == "owner"}


async def create(call: Call, at: InOrganization, body: CreateTeam) -> TeamView:
    """Exactly those who are named are in it, as members; the caller is not unless named."""
    organization = at.organization.record.id
    team = Team(id=new_id(), organization=organization, title=body.title, created_at=call.now)
    users = [] if body.members is UNSET else list(dict.fromkeys(body.members))
    known = {member.user for member in await call.unit.people.members_of(organization, users)}
    for place, user in enumerate(users):
        if user not in known:
            raise BadRequest(f"members[{place}]: the organization has no member or guest {user!r}")
    await call.unit.teams.add(team)
    for user in users:
        await _join(call, team, user)
    return await _shown(call, team)


async def _join(call: Call, team: Team, user: str, role: TeamRole = "member") -> None:
    await call.unit.teams.join(TeamMember(organization=team.organization, team=team.id, user=user, role=role))


async def get(call: Call, at: AtTeam, takes: Nothing) -> TeamView:
    """One team."""
    return await _shown(call, at.team.record)


async def update(call: Call, at: AtTeam, body: UpdateTeam) -> TeamView:
    """Its title is all that changes."""
    return await _shown(call, await call.unit.teams.change(at.team.record, title=body.title))


async def delete(call: Call, at: AtTeam, takes: Nothing) -> None:
    """What it was given and the reviews asked of it go with it; the people stay."""
    await call.unit.teams.remove(at.team.record.id)


async def list_members(call: Call, at: AtTeam, query: ListQuery) -> Page[TeamMemberView]:
    """Owners, then the others, each by name."""
    team = at.team.record
    places = {place.user: place for place in await call.unit.teams.members(team.id)}
    found = {member.user: member for member in await call.unit.people.members_of(team.organization, places)}
    users = await users_by_id(call, found)

    def key(user: str) -> tuple[int, str, str]:
        return int(places[user].role != "owner"), users[user].name.casefold(), user

    page = call.cut(sorted(found, key=key), query, key)
    shown = await show_members(call, team.organization, [found[user] for user in page.items])
    may = {"view": True}
    return Page([TeamMemberView(one, places[one.user.id].role, may) for one in shown], page.count, page.next)


async def update_members(call: Call, at: AtTeam, body: UpdateTeamMembers) -> None:
    """First who is added, then who gets a role, then who is removed: who is removed is out, whatever else is said."""
    team = _managed_by_caller(call, at)
    added = [] if body.add is UNSET else body.add
    removed = [] if body.remove is UNSET else body.remove
    roles = {} if body.memberships is UNSET else body.memberships
    named = await call.unit.people.named_by(team.organization, [*added, *removed, *roles])
    for field, words in (("add", added), ("remove", removed), ("memberships", roles)):
        for word in words:
            if word not in named:
                raise BadRequest(f"{field}: the organization has no member or guest {word!r}")
    before: dict[str, TeamRole] = {place.user: place.role for place in await call.unit.teams.members(team.id)}
    after = before | {named[word]: before.get(named[word], "member") for word in added}
    for word, given in roles.items():
        after[named[word]] = after.get(named[word], "member") if given.role is UNSET else given.role
    for word in removed:
        after.pop(named[word], None)
    for user in sorted(before.keys() - after.keys()):
        await call.unit.teams.leave(team.id, user)
    for user, role in sorted(after.items()):
        if before.get(user) != role:
            await _join(call, team, user, role)


async def put_member(call: Call, at: AtMember, body: Membership) -> None:
    """Add somebody, or change the role in the team; without a role it stays what it is, `member` for who is new."""
    team = _managed_by_caller(call, at)
    user = await _user(call, at)
    places = await call.unit.teams.members(team.id)
    held: TeamRole = next((place.role for place in places if place.user == user), "member")
    await _join(call, team, user, held if body.role is UNSET else body.role)


async def remove_member(call: Call, at: AtMember, takes: Nothing) -> None:
    """The member stays in the organization."""
    team = _managed_by_caller(call, at)
    if not await call.unit.teams.leave(team.id, await _user(call, at)):
        raise absent("member", at.user)


async def _user(call: Call, at: AtMember) -> str:
    """Whom the word of the path names. Raises NotFound for nobody in the organization."""
    named = await call.unit.people.named_by(at.organization.record.id, [at.user])
    if at.user not in named:
        raise absent("member", at.user)
    return named[at.user]


def _managed_by_caller(call: Call, at: AtTeam) -> Team:
    """The team, when the caller may say who is in it."""
    if not team_permissions(call.caller, at.team.record)["admin"]:
        raise Forbidden("only owners of the team and admins of the organization say who is in it")
    return at.team.record


async def _shown(call: Call, team: Team) -> TeamView:
    return (await show_teams(call, (team,)))[0]


def _present_page(page: Page[TeamView], view: View) -> Listing[teams.Team]:
    return page.present(lambda one: teams.present(one, view))


def _present_members(page: Page[TeamMemberView], view: View) -> Listing[teams.TeamMember]:
    return page.present(lambda one: teams.present_member(one, view))


def _nothing(done: None, view: View) -> None:
    """204 carries no body."""


_ALL = "/orgs/{organization}/teams"
_ONE = _ALL + "/{team}"
_MEMBERS = _ONE + "/members"
_MEMBER = _MEMBERS + "/{user}"
AnyPlace = TypeVar("AnyPlace")
Takes = TypeVar("Takes")
Rec = TypeVar("Rec")
Out = TypeVar("Out")


def _row(
    method: Literal["GET", "PUT", "PATCH", "DELETE"],
    id_: str,
    path: str,
    at: type[AnyPlace],
    takes: type[Takes],
    does: Callable[[Call, AnyPlace, Takes], Awaitable[Rec]],
    present: Callable[[Rec, View], Out],
    gives: Any,
    summary: str,
    *,
    status: int = 200,
    needs: str = "relation",
) -> Operation[AnyPlace, Takes, Rec, Out]:
    """`gives` is typed by `present`. A row without `needs` asks what the caller is to the team."""
    reads = method == "GET"
    return Operation(
        id=id_,
        method=method,
        path=path,
        at=at,
        takes=takes,
        does=does,
        present=present,
        gives=gives,
        status=status,
        needs=needs,
        pace="read" if reads else "write",
        unit=READ if reads else write("organization"),
        scope=f"organization:members:{'read' if reads else 'write'}",
        summary=summary,
    )


OPERATIONS = (
    _row(
        "GET", "listTeamsInOrganizationById", _ALL, InOrganization, TeamsQuery, list_in_organization,
        _present_page, Listing[teams.Team], "List the teams of an organization", needs="organization.listTeams",
    ),
    _row(
        "PUT", "createOrganizationTeam", _ALL, InOrganization, CreateTeam, create,
        teams.present, teams.Team, "Create a team", status=201, needs="organization.admin",
    ),
    _row(
        "GET", "getTeamInOrganizationById", _ONE, AtTeam, Nothing, get,
        teams.present, teams.Team, "Get a team",
    ),
    _row(
        "PATCH", "updateTeamInOrganizationById", _ONE, AtTeam, UpdateTeam, update,
        teams.present, teams.Team, "Change a team", needs="organization.admin",
    ),
    _row(
        "DELETE", "removeTeamFromOrganizationById", _ONE, AtTeam, Nothing, delete,
        _nothing, None, "Delete a team", status=204, needs="organization.admin",
    ),
    _row(
        "GET", "listTeamMembersInOrganizationById", _MEMBERS, AtTeam, ListQuery, list_members,
        _present_members, Listing[teams.TeamMember], "List the members of a team",
    ),
    _row(
        "PUT", "updateMembersInOrganizationTeam", _MEMBERS, AtTeam, UpdateTeamMembers, update_members,
        _nothing, None, "Add, change and remove members of a team", status=204,
    ),
    _row(
        "PUT", "addMemberToOrganizationTeamById", _MEMBER, AtMember, Membership, put_member,
        _nothing, None, "Add a member to a team, or change the role there", status=204,
    ),
    _row(
        "DELETE", "deleteMemberFromOrganizationTeamById", _MEMBER, AtMember, Nothing, remove_member,
        _nothing, None, "Remove a member from a team", status=204,
    ),
)  # fmt: skip
