"""What an identity provider may do with people and teams of its organization, by SCIM.

It speaks for its organization only. An account is made or joined by an address whose domain the organization has proven;
its name and address follow the provider as long as the account is of nobody else. Raises `Conflict` for the rest.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from octavo.access.people.joining import domain_of
from octavo.access.people.proving import prove
from octavo.access.people.single_sign_on import is_address
from octavo.kernel import limits, names
from octavo.kernel.audit import Target
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.people import Member, Organization, Team, TeamMember, User
from octavo.kernel.records.provisioning import Provisioned, ScimGroup, ScimUser
from octavo.store.people.people import folded
from octavo.store.unit import Unit


class Taken(Conflict):
    """Somebody else has what has to be unique."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider says of somebody."""

    user_name: str
    address: str
    name: str
    external_id: str | None
    active: bool
    profile: Json


async def _organization(unit: Unit, organization: str) -> Organization:
    await unit.people.hold_organization(organization)
    found = await unit.people.organization(organization)
    if found is None:
        raise Conflict("the organization is no longer there")
    return found


async def create(unit: Unit, organization: str, told: Told, operators: Collection[str]) -> str:
    """Make a member: of the account of the address, or of a new one, which is none of an address of `operators`, as the
    settings name them. Returns the id of the user."""
    record = await _organization(unit, organization)
    await _require_free(unit, organization, told.user_name, None)
    _require_address(told.address)
    user = await unit.people.user_by_email(told.address)
    if user is not None and await unit.people.member(organization, user.id) is not None:
        raise Taken(f"{told.address} is the address of a member already")
    await _require_proven(unit, organization, told.address)
    if user is None:
        _require_no_operator(told.address, operators)
        user = User(id=new_id(), email=told.address, name=told.name, created_at=unit.now)
        await unit.people.add_user(user)
    elif user.deleted_at is not None:
        raise Conflict("the account of this address is being deleted; an operator can restore it")
    else:
        # Whoever opened it under an address that nobody showed to be hers does not come in by it.
        user = await prove(unit, user)
    member = Member(organization=organization, user=user.id, role=record.default_role, joined_at=unit.now)
    await unit.people.add_member(msgspec.structs.replace(member, disabled=not told.active))
    await _put(unit, organization, user.id, told, None)
    await _note(unit, "scim.user.create", organization, user)
    return user.id


async def update(unit: Unit, organization: str, before: Provisioned, told: Told, operators: Collection[str]) -> None:
    """What the provider says now; nobody gets an address of `operators`. `active` ends a membership, or brings it back."""
    await _organization(unit, organization)
    member = await unit.people.member(organization, before.user)
    user = await unit.people.user(before.user)
    if member is None or user is None:
        raise Conflict("the user is no longer a member")
    await _require_free(unit, organization, told.user_name, before.user)
    await _follow(unit, organization, user, told, operators)
    await _put(unit, organization, user.id, told, before.created_at)
    if told.active == (not member.disabled):
        await _note(unit, "scim.user.update", organization, user)
        return
    if told.active:
        await unit.people.change_member(member, disabled=False)
    else:
        await _keeps_an_admin(unit, member)
        await unit.people.change_member(member, disabled=True)
        await _end(unit, organization, user.id)
    await _note(unit, "scim.user.activate" if told.active else "scim.user.deactivate", organization, user)


async def remove(unit: Unit, organization: str, user: str) -> None:
    """Out of the organization, as an admin would do it; the account stays."""
    await _organization(unit, organization)
    member = await unit.people.member(organization, user)
    known = await unit.people.user(user)
    if member is None or known is None:
        raise Conflict("the user is no longer a member")
    await _keeps_an_admin(unit, member)
    await unit.people.remove_member(organization, user)
    await unit.invites.remove_of(organization, user)
    await _end(unit, organization, user)
    await _note(unit, "scim.user.remove", organization, known)


async def put_group(
    unit: Unit, organization: str, group: ScimGroup | None, display_name: str, external_id: str | None, users: set[str]
) -> str:
    """Make a team of a group, or have the team follow it. Raises BadRequest for members who are none of the organization.
    Returns the id of the team."""
    await _organization(unit, organization)
    other = await unit.scim.group_by_name(organization, display_name)
    if other is not None and (group is None or other.team != group.team):
        raise Taken(f"another group is called {display_name!r}")
    title = names.plain(display_name, limits.TEAM_TITLE_MAX)
    if not title:
        raise BadRequest("displayName: a group needs a name")
    known = {one.user for one in await unit.people.members_of(organization, users)}
    for user in sorted(users - known):
        raise BadRequest(f"members: the organization has no member {user!r}")
    team = None if group is None else await unit.teams.get(group.team)
    if team is None:
        team = Team(id=new_id(), organization=organization, title=title, created_at=unit.now)
        await unit.teams.add(team)
    elif team.title != title:
        team = await unit.teams.change(team, title=title)
    present = {one.user for one in await unit.teams.members(team.id)}
    for user in sorted(users - present):
        await unit.teams.join(TeamMember(organization=organization, team=team.id, user=user))
    for user in sorted(present - users):
        await unit.teams.leave(team.id, user)
    await unit.scim.put_group(
        ScimGroup(
            team=team.id,
            organization=organization,
            display_name=display_name,
            external_id=external_id,
            created_at=unit.now if group is None else group.created_at,
            changed_at=unit.now,
        )
    )
    action = "scim.group.create" if group is None else "scim.group.update"
    await unit.audit.append(action, Target("team", team.id, team.title), [organization])
    return team.id


async def remove_group(unit: Unit, group: ScimGroup) -> None:
    """The team goes, with what it was given; its members stay."""
    await _organization(unit, group.organization)
    await unit.teams.remove(group.team)
    target = Target("team", group.team, group.display_name)
    await unit.audit.append("scim.group.remove", target, [group.organization])


async def _follow(unit: Unit, organization: str, user: User, told: Told, operators: Collection[str]) -> None:
    """Name and address of an account that is the organization's alone; nobody else's is touched."""
    proven = await unit.people.verified_domains(organization)
    if domain_of(user.email) not in proven or await unit.people.belongs_elsewhere(organization, user.id):
        return
    if folded(told.address) != folded(user.email):
        _require_address(told.address)
        await _require_proven(unit, organization, told.address)
        if await unit.people.user_by_email(told.address) is not None:
            raise Taken(f"{told.address} is the address of another account")
        _require_no_operator(told.address, operators)
        user = await unit.people.change_address(user, told.address)
    if user.name != told.name:
        await unit.people.change_user(user, name=told.name)


async def _put(unit: Unit, organization: str, user: str, told: Told, created_at: int | None) -> None:
    await unit.scim.put_user(
        ScimUser(
            organization=organization,
            user=user,
            user_name=told.user_name,
            external_id=told.external_id,
            profile=told.profile,
            created_at=unit.now if created_at is None else created_at,
            changed_at=unit.now,
        )
    )


async def _end(unit: Unit, organization: str, user: str) -> None:
    """What a user holds who is out: everything where she is nowhere else, else what rests on this organization's word."""
    if await unit.people.roles_of(user):
        await unit.scim.end_by_providers(organization, user)
        return
    await unit.sessions.remove_of_user(user)
    await unit.people.revoke_tokens(user)


async def _keeps_an_admin(unit: Unit, member: Member) -> None:
    if member.role == "admin" and await unit.people.other_admins(member.organization, member.user) == 0:
        raise Conflict("the organization has no other admin: make somebody else one first")


async def _require_free(unit: Unit, organization: str, user_name: str, user: str | None) -> None:
    other = await unit.scim.user_by_name(organization, user_name)
    if other is not None and other.user != user:
        raise Taken(f"another user of the organization is called {user_name!r}")


def _require_address(address: str) -> None:
    if not is_address(address):
        raise BadRequest("emails: there is no address of e-mail, neither there nor as userName")


def _require_no_operator(address: str, operators: Collection[str]) -> None:
    """A provider's word is its organization's; who runs the installation is named by address, whoever has it."""
    if folded(address) in {folded(one) for one in operators}:
        raise Taken(f"{address} is the address of an operator of this installation, who signs up herself")


async def _require_proven(unit: Unit, organization: str, address: str) -> None:
    domain = domain_of(address)
    if domain not in await unit.people.verified_domains(organization):
        raise Conflict(
            f"the organization has not proven that the domain {domain} is its own: prove it in its settings, or invite"
            f" {address} by mail"
        )


async def _note(unit: Unit, action: str, organization: str, user: User) -> None:
    await unit.audit.append(action, Target("user", user.id, user.name), [organization])
