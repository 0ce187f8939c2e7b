"""Members and guests of an organization: who is in it with which role, what they have there, how they leave."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.access.caller import Caller, person_of
from octavo.access.locate import SeenMember, SeenOrganization
from octavo.access.people import joining
from octavo.access.policy import allows
from octavo.access.standing import roles_on_spaces
from octavo.kernel.errors import BadRequest, Conflict, absent
from octavo.kernel.operation import ANYBODY, Nothing, Rule, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.people import Member, User
from octavo.resources.call import Call, Slice, listed
from octavo.resources.embedded import show_members, show_teams, users_by_id
from octavo.resources.places import AtOrganization, Place
from octavo.resources.rules import MEMBERS
from octavo.site.shown import show_spaces
from octavo.wire.people import members
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

_Place = tuple[int | str, str]


class AtMember(Place, frozen=True):
    organization: SeenOrganization
    user: SeenMember


class AtDoor(Place, frozen=True):
    """An organization that the caller need not see."""

    organization: str


async def list_all(call: Call, at: AtOrganization, query: MembersQuery) -> Slice[MemberView]:
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
    return Slice(await show_members(call, organization, page.items), page.count, page.next)


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
    if member.role == "admin":
        await _keeps_an_admin(call, member)
    await call.unit.people.remove_member(member.organization, member.user)
    await call.unit.invites.remove_of(member.organization, member.user)


async def _keeps_an_admin(call: Call, member: Member) -> None:
    if await call.unit.people.other_admins(member.organization, member.user) == 0:
        raise Conflict("the organization has no other admin: make somebody else one first")


async def list_spaces(call: Call, at: AtMember, query: MemberSpacesQuery) -> Slice[MemberSpaceView]:
    """The spaces that the member has a role on, newest first unless asked otherwise."""
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
    return Slice([MemberSpaceView(role, one) for role, one in roles if role is not None], page.count, page.next)


async def list_teams(call: Call, at: AtMember, query: MemberTeamsQuery) -> Slice[MemberTeamView]:
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
    return Slice([MemberTeamView(one, roles[one.team.id]) for one in shown], page.count, page.next)


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


def _herself_or(word: str) -> Rule[AtMember, Any]:
    def may(caller: Caller, at: AtMember, takes: object) -> bool:
        own = at.user.record.user == caller.user.id
        return own or allows("organization", word, at.organization.role)

    return Rule(
        f"the member herself; `{word}` on the organization",
        may,
        f"this is for the member herself, and for who has {word} on the organization",
    )


ADMINS = _herself_or("admin")
LISTERS = _herself_or("listMembers")

_ALL = "/orgs/{organization}/members"
_ONE = _ALL + "/{user}"


OPERATIONS = (
    reads("listMembersInOrganizationById", _ALL, list_all, listed(members.present),
          needs="organization.listMembers", scope="organization:members:read",
          summary="List the members of an organization"),
    reads("getMemberInOrganizationById", _ONE, get, members.present,
          needs=LISTERS, scope="organization:members:read", summary="Get a member of an organization"),
    writes("PATCH", "updateMemberInOrganizationById", _ONE, update, members.present,
           lock="organization", needs="organization.admin", scope="organization:members:write", audit="member.update",
           summary="Change the role of a member"),
    writes("POST", "setUserAsSSOMemberForOrganization", _ONE + "/sso", require_sso, members.present,
           lock="organization", needs="organization.admin", scope="organization:members:write",
           audit="member.require-sso", summary="Count a member as one of single sign-on"),
    writes("DELETE", "removeMemberFromOrganizationById", _ONE, remove, nothing,
           lock="organization", needs=ADMINS, scope="organization:members:write", audit="member.remove",
           summary="Remove a member from an organization, or leave it"),
    reads("listSpacesForOrganizationMember", _ONE + "/spaces", list_spaces, listed(present_space),
          needs=ADMINS, scope="organization:members:read", tag="organizations",
          summary="List the spaces that a member has a role on"),
    reads("listTeamsForOrganizationMember", _ONE + "/teams", list_teams, listed(present_team),
          needs=LISTERS, scope="organization:members:read", summary="List the teams of a member"),
    writes("POST", "joinOrganization", "/orgs/{organization}/join", join, nothing,
           lock="organization", needs=ANYBODY, scope="organization:members:write", audit="member.join-by-domain",
           also="who has an address of a domain of the organization; both are verified",
           summary="Join an organization by the domain of one's address"),
    writes("POST", "updateOrganizationMemberLastSeenAt", "/orgs/{organization}/ping", ping, present_seen,
           needs=MEMBERS, scope="organization:read", audit=None, summary="Note that the caller is here"),
)  # fmt: skip
