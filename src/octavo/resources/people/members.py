"""Members and guests of an organization: who is in it with which role, what they have there, how they leave."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from octavo.access.caller import person_of
from octavo.access.locate import SeenMember, SeenOrganization
from octavo.access.people import joining
from octavo.access.policy import allows
from octavo.access.standing import roles_on_spaces
from octavo.kernel.errors import BadRequest, Conflict, Forbidden, absent
from octavo.kernel.operation import READ, Nothing, Operation, write
from octavo.kernel.records import Role
from octavo.kernel.records.people import Member, User
from octavo.resources.call import Call, Page
from octavo.resources.embedded import show_members, show_teams, users_by_id
from octavo.site.shown import show_spaces
from octavo.wire.lists import Listing
from octavo.wire.people import members, memberships
from octavo.wire.people.members import MembersQuery, MemberView, UpdateMember
from octavo.wire.people.memberships import (
    MemberSpacesQuery,
    MemberSpaceView,
    MemberTeamsQuery,
    MemberTeamView,
    present_seen,
    present_space,
    present_team,
)
from octavo.wire.view import View

_Place = tuple[int | str, str]


@dataclass(frozen=True)
class AtOrganization:
    organization: SeenOrganization


@dataclass(frozen=True)
class AtMember:
    organization: SeenOrganization
    user: SeenMember


@dataclass(frozen=True)
class AtDoor:
    """An organization that the caller need not see."""

    organization: str


async def list_all(call: Call, at: AtOrganization, query: MembersQuery) -> Page[MemberView]:
    """Members and guests, the latest to join first unless the query says otherwise."""
    organization = at.organization.record.id
    everybody = await call.unit.people.whole(organization)
    users = await users_by_id(call, (member.user for member in everybody))
    found = [member for member in everybody if _asked_for(member, users[member.user], query)]
    keys = {member.user: _key(member, users[member.user], query) for member in found}
    found.sort(key=lambda one: keys[one.user], reverse=query.order == "desc")
    rest = found
    behind = call.behind(query)
    if behind is not None:
        rest = [one for one in found if _follows(keys[one.user], behind, query)]
    page = call.listing(rest[: query.limit + 1], len(found), query, lambda one: keys[one.user])
    return Page(await show_members(call, organization, page.items), page.count, page.next)


def _asked_for(member: Member, user: User, query: MembersQuery) -> bool:
    if query.role is not UNSET and (member.role or "guest") != query.role:
        return False
    words = "" if query.search is UNSET else query.search.strip().casefold()
    return words in user.name.casefold() or words in user.email.casefold()


def _key(member: Member, user: User, query: MembersQuery) -> _Place:
    if query.sort == "name":
        return user.name.casefold(), member.user
    return (member.joined_at if query.sort == "joinedAt" else member.last_seen_at or 0), member.user


def _follows(key: _Place, behind: tuple[int | str, ...], query: MembersQuery) -> bool:
    """Whether an entry comes after the one that ended the page before."""
    if type(behind[0]) is not type(key[0]):
        raise BadRequest("page: a page token of another list")
    return key < behind if query.order == "desc" else key > behind


async def get(call: Call, at: AtMember, takes: Nothing) -> MemberView:
    """One member or guest."""
    return await _shown(call, at.user.record)


async def update(call: Call, at: AtMember, body: UpdateMember) -> MemberView:
    """Another role; null makes a guest of a member. An organization keeps an admin."""
    member = at.user.record
    if body.role is UNSET or body.role == member.role:
        return await _shown(call, member)
    if member.role == "admin":
        await _keeps_an_admin(call, member)
    return await _shown(call, await call.unit.people.change_member(member, role=body.role))


async def require_sso(call: Call, at: AtMember, takes: Nothing) -> MemberView:
    """She counts as one who came by single sign-on; nothing else of her changes."""
    return await _shown(call, await call.unit.people.change_member(at.user.record, sso=True))


async def remove(call: Call, at: AtMember, takes: Nothing) -> None:
    """By an admin, or by the member herself. With her go her roles and places in teams here, reviews asked of her, and
    the links that she made; what she wrote stays."""
    member = at.user.record
    if member.user != call.caller.user.id and not allows("organization", "admin", at.organization.role):
        raise Forbidden("only admins of the organization remove somebody else (needs admin)")
    if member.role == "admin":
        await _keeps_an_admin(call, member)
    await call.unit.people.remove_member(member.organization, member.user)
    await call.unit.invites.remove_of(member.organization, member.user)


async def _keeps_an_admin(call: Call, member: Member) -> None:
    if await call.unit.people.other_admins(member.organization, member.user) == 0:
        raise Conflict("the organization has no other admin: make somebody else one first")


async def list_spaces(call: Call, at: AtMember, query: MemberSpacesQuery) -> Page[MemberSpaceView]:
    """The spaces that the member has a role on, newest first unless asked otherwise."""
    _own_or_admin(call, at)
    user = (await users_by_id(call, (at.user.record.user,)))[at.user.record.user]
    everything = await call.unit.spaces.all(at.organization.record.id)
    held = await roles_on_spaces(call.unit, await person_of(call.unit, user), everything)
    seen = [space for space in everything if held[space.id] is not None]
    sign = -1 if query.order == "desc" else 1
    seen.sort(key=lambda one: (sign * one.created_at, one.id))
    page = call.cut(seen, query, lambda one: (sign * one.created_at, one.id))
    mine: dict[str, Role | None] = held
    if user.id != call.caller.user.id:
        mine = await roles_on_spaces(call.unit, call.caller, page.items)
    shown = await show_spaces(call.unit, call.view, page.items, mine)
    roles = ((held[one.space.id], one) for one in shown)
    return Page([MemberSpaceView(role, one) for role, one in roles if role is not None], page.count, page.next)


def _own_or_admin(call: Call, at: AtMember) -> None:
    own = at.user.record.user == call.caller.user.id
    if not own and not allows("organization", "admin", at.organization.role):
        raise Forbidden("only admins of the organization and the member may see that (needs admin)")


async def list_teams(call: Call, at: AtMember, query: MemberTeamsQuery) -> Page[MemberTeamView]:
    """The teams that the member is in, newest first."""
    organization, member = at.organization.record.id, at.user.record.user
    places = await call.unit.teams.of_user(member)
    roles = {place.team: place.role for place in places if place.organization == organization}
    found = await call.unit.teams.by_ids(roles)
    if query.title is not UNSET:
        asked = query.title.casefold()
        found = [team for team in found if asked in team.title.casefold()]
    found.sort(key=lambda one: (-one.created_at, one.id))
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    shown = await show_teams(call, page.items)
    return Page([MemberTeamView(one, roles[one.team.id]) for one in shown], page.count, page.next)


async def join(call: Call, at: AtDoor, takes: Nothing) -> None:
    """With the default role, by the verified domain of the caller's verified address."""
    await joining.join_by_domain(call.unit, call.caller.user, at.organization)


async def ping(call: Call, at: AtOrganization, takes: Nothing) -> int:
    """The caller is here."""
    organization = at.organization.record.id
    if await call.unit.people.member(organization, call.caller.user.id) is None:
        raise absent("organization", organization)
    await call.unit.people.note_seen(organization, call.caller.user.id, call.now)
    return call.now


async def _shown(call: Call, member: Member) -> MemberView:
    return (await show_members(call, member.organization, (member,)))[0]


def _present_page(page: Page[MemberView], view: View) -> Listing[members.Member]:
    return page.present(lambda one: members.present(one, view))


def _present_spaces(page: Page[MemberSpaceView], view: View) -> Listing[memberships.MemberSpace]:
    return page.present(lambda one: present_space(one, view))


def _present_teams(page: Page[MemberTeamView], view: View) -> Listing[memberships.MemberTeam]:
    return page.present(lambda one: present_team(one, view))


def _nothing(done: None, view: View) -> None:
    """204 and 205 carry no body."""


_ALL = "/orgs/{organization}/members"
_ONE = _ALL + "/{user}"

OPERATIONS = (
    Operation(
        id="listMembersInOrganizationById",
        method="GET",
        path=_ALL,
        at=AtOrganization,
        takes=MembersQuery,
        does=list_all,
        present=_present_page,
        gives=Listing[members.Member],
        status=200,
        needs="organization.listMembers",
        pace="read",
        unit=READ,
        scope="organization:members:read",
        summary="List the members of an organization",
    ),
    Operation(
        id="getMemberInOrganizationById",
        method="GET",
        path=_ONE,
        at=AtMember,
        takes=Nothing,
        does=get,
        present=members.present,
        gives=members.Member,
        status=200,
        needs="relation",
        pace="read",
        unit=READ,
        scope="organization:members:read",
        summary="Get a member of an organization",
    ),
    Operation(
        id="updateMemberInOrganizationById",
        method="PATCH",
        path=_ONE,
        at=AtMember,
        takes=UpdateMember,
        does=update,
        present=members.present,
        gives=members.Member,
        status=200,
        needs="organization.admin",
        pace="write",
        unit=write("organization"),
        scope="organization:members:write",
        summary="Change the role of a member",
    ),
    Operation(
        id="setUserAsSSOMemberForOrganization",
        method="POST",
        path=_ONE + "/sso",
        at=AtMember,
        takes=Nothing,
        does=require_sso,
        present=members.present,
        gives=members.Member,
        status=200,
        needs="organization.admin",
        pace="write",
        unit=write("organization"),
        scope="organization:members:write",
        summary="Count a member as one of single sign-on",
    ),
    Operation(
        id="removeMemberFromOrganizationById",
        method="DELETE",
        path=_ONE,
        at=AtMember,
        takes=Nothing,
        does=remove,
        present=_nothing,
        gives=None,
        status=205,
        needs="relation",
        pace="write",
        unit=write("organization"),
        scope="organization:members:write",
        summary="Remove a member from an organization, or leave it",
    ),
    Operation(
        id="listSpacesForOrganizationMember",
        method="GET",
        path=_ONE + "/spaces",
        at=AtMember,
        takes=MemberSpacesQuery,
        does=list_spaces,
        present=_present_spaces,
        gives=Listing[memberships.MemberSpace],
        status=200,
        needs="relation",
        pace="read",
        unit=READ,
        scope="organization:members:read",
        summary="List the spaces that a member has a role on",
        tag="organizations",
    ),
    Operation(
        id="listTeamsForOrganizationMember",
        method="GET",
        path=_ONE + "/teams",
        at=AtMember,
        takes=MemberTeamsQuery,
        does=list_teams,
        present=_present_teams,
        gives=Listing[memberships.MemberTeam],
        status=200,
        needs="relation",
        pace="read",
        unit=READ,
        scope="organization:members:read",
        summary="List the teams of a member",
    ),
    Operation(
        id="joinOrganization",
        method="POST",
        path="/orgs/{organization}/join",
        at=AtDoor,
        takes=Nothing,
        does=join,
        present=_nothing,
        gives=None,
        status=204,
        needs="user",
        pace="write",
        unit=write("organization"),
        scope="organization:members:write",
        summary="Join an organization by the domain of one's address",
    ),
    Operation(
        id="updateOrganizationMemberLastSeenAt",
        method="POST",
        path="/orgs/{organization}/ping",
        at=AtOrganization,
        takes=Nothing,
        does=ping,
        present=present_seen,
        gives=memberships.Seen,
        status=200,
        needs="relation",
        pace="write",
        unit=write(),
        scope="organization:read",
        summary="Note that the caller is here",
    ),
)
