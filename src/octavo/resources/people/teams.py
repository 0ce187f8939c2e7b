"""Teams: groups of members, to whom a role is given and of whom a review is asked."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.access.caller import Caller
from octavo.access.locate import SeenTeam
from octavo.access.people.teams import team_permissions
from octavo.kernel.errors import BadRequest, Conflict, absent
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, Rule, nothing, reads, writes
from octavo.kernel.records.people import Team, TeamMember
from octavo.resources.call import Call, Slice, listed
from octavo.resources.embedded import show_members, show_teams, users_by_id
from octavo.resources.places import AtOrganization
from octavo.wire.lists import ListQuery
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


class AtTeam(AtOrganization, frozen=True):
    team: SeenTeam


class AtMember(AtTeam, frozen=True):
    user: str
    """An id or an e-mail address."""


async def list_in_organization(call: Call, at: AtOrganization, query: TeamsQuery) -> Slice[TeamView]:
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
    return Slice(await show_teams(call, page.items), page.count, page.next)


async def _managed(call: Call, organization: str, user: str) -> set[str] | None:
    """The teams whose members that user manages; None = all, for an admin of the organization."""
    member = await call.unit.people.member(organization, user)
    if member is None or member.disabled:
        return set()
    if member.role == "admin":
        return None
    return {place.team for place in await call.unit.teams.of_user(user) if place.role == "owner"}


async def create(call: Call, at: AtOrganization, body: CreateTeam) -> TeamView:
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
    await _by_hand(call, at.team.record)
    return await _shown(call, await call.unit.teams.change(at.team.record, title=body.title))


async def delete(call: Call, at: AtTeam, takes: Nothing) -> None:
    """What it was given and the reviews asked of it go with it; the people stay."""
    await _by_hand(call, at.team.record)
    await call.unit.teams.remove(at.team.record.id)


async def list_members(call: Call, at: AtTeam, query: ListQuery) -> Slice[TeamMemberView]:
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
    return Slice([TeamMemberView(one, places[one.user.id].role, may) for one in shown], page.count, page.next)


async def update_members(call: Call, at: AtTeam, body: UpdateTeamMembers) -> None:
    """First who is added, then who gets a role, then who is removed: who is removed is out, whatever else is said."""
    team = at.team.record
    await _by_hand(call, team)
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
    team = at.team.record
    await _by_hand(call, team)
    user = await _user(call, at)
    places = await call.unit.teams.members(team.id)
    held: TeamRole = next((place.role for place in places if place.user == user), "member")
    await _join(call, team, user, held if body.role is UNSET else body.role)


async def remove_member(call: Call, at: AtMember, takes: Nothing) -> None:
    """The member stays in the organization."""
    team = at.team.record
    await _by_hand(call, team)
    if not await call.unit.teams.leave(team.id, await _user(call, at)):
        raise absent("member", at.user)


async def _by_hand(call: Call, team: Team) -> None:
    """Raises Conflict for a team that an identity provider keeps."""
    if await call.unit.scim.managed((team.id,)):
        raise Conflict(
            "this team follows a group of the organization's identity provider, by SCIM: change the group there, or revoke"
            " the organization's tokens for SCIM first"
        )


async def _user(call: Call, at: AtMember) -> str:
    """Whom the word of the path names. Raises NotFound for nobody in the organization."""
    named = await call.unit.people.named_by(at.organization.record.id, [at.user])
    if at.user not in named:
        raise absent("member", at.user)
    return named[at.user]


def _views(caller: Caller, at: AtTeam, takes: object) -> bool:
    return team_permissions(caller, at.team.record)["view"]


def _owns(caller: Caller, at: AtTeam, takes: object) -> bool:
    return team_permissions(caller, at.team.record)["admin"]


VIEWERS: Rule[AtTeam, Any] = Rule(
    "who is in the team; `listTeams` on the organization", _views, "only who is in the team sees it"
)
OWNERS: Rule[AtTeam, Any] = Rule(
    "owners of the team; `admin` on the organization",
    _owns,
    "only owners of the team and admins of the organization say who is in it",
)


async def _shown(call: Call, team: Team) -> TeamView:
    return (await show_teams(call, (team,)))[0]


_ALL = "/orgs/{organization}/teams"
_ONE = _ALL + "/{team}"
_MEMBERS = _ONE + "/members"
_MEMBER = _MEMBERS + "/{user}"


OPERATIONS = (
    reads("listTeamsInOrganizationById", _ALL, list_in_organization, listed(teams.present),
          needs="organization.listTeams", scope="organization:members:read",
          summary="List the teams of an organization"),
    writes("PUT", "createOrganizationTeam", _ALL, create, teams.present,
           lock="organization", status=201, needs="organization.admin", scope="organization:members:write",
           audit="team.create", about=lambda made: made.team, stands="teams",
           summary="Create a team"),
    reads("getTeamInOrganizationById", _ONE, get, teams.present,
          needs=VIEWERS, scope="organization:members:read", summary="Get a team"),
    writes("PATCH", "updateTeamInOrganizationById", _ONE, update, teams.present,
           lock="organization", needs="organization.admin", scope="organization:members:write", audit="team.update",
           summary="Change a team"),
    writes("DELETE", "removeTeamFromOrganizationById", _ONE, delete, nothing,
           lock="organization", status=204, needs="organization.admin", scope="organization:members:write",
           audit="team.delete", summary="Delete a team"),
    reads("listTeamMembersInOrganizationById", _MEMBERS, list_members, listed(teams.present_member),
          needs=VIEWERS, scope="organization:members:read", summary="List the members of a team"),
    writes("PUT", "updateMembersInOrganizationTeam", _MEMBERS, update_members, nothing,
           lock="organization", needs=OWNERS, scope="organization:members:write", audit="team.members.update",
           summary="Add, change and remove members of a team"),
    writes("PUT", "addMemberToOrganizationTeamById", _MEMBER, put_member, nothing,
           at=AtMember, lock="organization", needs=OWNERS, scope="organization:members:write",
           audit="team.members.add",
           summary="Add a member to a team, or change the role there"),
    writes("DELETE", "deleteMemberFromOrganizationTeamById", _MEMBER, remove_member, nothing,
           at=AtMember, lock="organization", status=204, needs=OWNERS, scope="organization:members:write",
           audit="team.members.remove", summary="Remove a member from a team"),
)  # fmt: skip
