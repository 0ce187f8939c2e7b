"""How people come into an organization: by a link, by an invitation of their address, by the domain of their address.

The API and the pages for people call the same functions. All of them raise Forbidden for somebody whose membership was
disabled, and hold the organization first, so that of two who take the last use of a link one is refused.
"""

from __future__ import annotations

import msgspec

from octavo.access.caller import Caller, Person, person_of
from octavo.access.people.proving import prove
from octavo.access.policy import allows, at_least
from octavo.access.standing import role_on_space, roles_on_collections
from octavo.kernel.errors import BadRequest, Conflict, Forbidden, absent
from octavo.kernel.events import CollectionChanged, SpaceChanged
from octavo.kernel.ids import new_id, token_hash
from octavo.kernel.records import Role
from octavo.kernel.records.invites import EmailInvite, Invite
from octavo.kernel.records.library import Collection, Grant, Space
from octavo.kernel.records.people import Member, Organization, User
from octavo.store.people.people import folded
from octavo.store.unit import Unit


class Link(msgspec.Struct, frozen=True):
    """An invite with what it invites to; `space` or `collection` where that is not the organization itself."""

    invite: Invite
    organization: Organization
    space: Space | None = None
    collection: Collection | None = None


async def link(unit: Unit, organization: str, word: str) -> Link | None:
    """The link of that id with what it leads to, used up or not; None when it is not there or leads nowhere any more."""
    invite = await unit.invites.get(word)
    record = await unit.people.organization(organization)
    if invite is None or record is None or invite.organization != record.id:
        return None
    space = None if invite.space is None else await unit.spaces.get(invite.space)
    collection = None if invite.collection is None else await unit.spaces.collection(invite.collection)
    if invite.space is not None and (space is None or space.deleted_at or space.organization != record.id):
        return None
    if invite.collection is not None and (collection is None or collection.organization != record.id):
        return None
    return Link(invite, record, space, collection)


def closed(link: Link, now: int) -> str | None:
    """Why nobody can join by the link at the moment, as a sentence; None = somebody can."""
    invite = link.invite
    if not link.organization.invite_links:
        return "the organization takes nobody by links at present"
    if invite.expires_at is not None and invite.expires_at <= now:
        return "this link has expired; ask for a new one"
    if invite.max_uses is not None and invite.uses >= invite.max_uses:
        return "this link was used as often as it may be; ask for a new one"
    return None


async def redundant(unit: Unit, person: Person, link: Link) -> bool:
    """Whether the link would give the person nothing that she does not have."""
    if not person.belongs(link.organization.id):
        return False
    return at_least(await _held(unit, person, link), link.invite.role)


async def _held(unit: Unit, person: Person, link: Link) -> Role | None:
    """The role of a person on what the link leads to."""
    if link.space is not None:
        return await role_on_space(unit, person, link.space)
    if link.collection is not None:
        return (await roles_on_collections(unit, person, (link.collection,)))[link.collection.id]
    return person.role_in(link.organization.id)


def may_invite(link: Link, role: Role | None, held: Role | None) -> bool:
    """Whether somebody manages the link: admins of the organization, where `role` is theirs, and those whose role `held`
    on the space or collection lets them see its invite links."""
    if allows("organization", "admin", role):
        return True
    if link.space is not None:
        return allows("space", "viewInviteLinks", held)
    return link.collection is not None and allows("collection", "viewInviteLinks", held)


async def join_by_link(unit: Unit, person: Person, organization: str, word: str) -> None:
    """Raises NotFound for a link that is not there, Conflict for one that lets nobody in at present.

    What it would give is added to what there is: nobody's role is lowered. A link that gives nothing is not used up.
    """
    await unit.people.hold_organization(organization)
    found = await link(unit, organization, word)
    if found is None:
        raise absent("invite", word)
    member = await _not_disabled(unit, organization, person.user)
    person = await person_of(unit, person.user)
    if member is not None and await redundant(unit, person, found):
        return
    reason = closed(found, unit.now) or await _powerless(unit, found)
    if reason is not None or not await unit.invites.use(found.invite.id, unit.now):
        raise Conflict(reason or "this link was used as often as it may be; ask for a new one")
    if found.space is None and found.collection is None:
        await admit(unit, found.organization, person.user, found.invite.role)
        return
    await admit(unit, found.organization, person.user, None)
    await _grant(unit, found, person.user)


async def _powerless(unit: Unit, link: Link) -> str | None:
    """Why nobody joins by a link whose maker could not make it any more: who lost a role would come back by it."""
    maker = await _maker(unit, link.invite.created_by)
    if maker is not None and may_invite(link, maker.role_in(link.organization.id), await _held(unit, maker, link)):
        return None
    return "who made this link may no longer invite; ask somebody else for a new one"


async def _maker(unit: Unit, word: str) -> Person | None:
    """Who invited, with the roles of now; None where the account is gone or going."""
    user = await unit.people.user(word)
    return None if user is None or user.deleted_at is not None else await person_of(unit, user)


async def _grant(unit: Unit, link: Link, user: User) -> None:
    role, organization = link.invite.role, link.organization.id
    resource = link.space or link.collection
    if role is None or resource is None:
        return
    kind = "collection" if link.space is None else "space"
    await unit.grants.give(
        Grant(organization=organization, kind=kind, resource=resource.id, role=role, user=user.id)  # type: ignore[arg-type]
    )
    if link.space is not None:
        await unit.emit(SpaceChanged(organization=organization, space=resource.id))
    else:
        await unit.emit(CollectionChanged(organization=organization, collection=resource.id))


async def admit(unit: Unit, organization: Organization, user: User, role: Role | None, *, sso: bool = False) -> bool:
    """Make the user a member (or, without a role, a guest) with at least that role; False when nothing changed."""
    member = await _not_disabled(unit, organization.id, user)
    if member is None:
        new = Member(organization=organization.id, user=user.id, role=role, joined_at=unit.now, sso=sso)
        await unit.people.add_member(new)
        return True
    changed: dict[str, object] = {} if at_least(member.role, role) else {"role": role}
    if sso and not member.sso:
        changed["sso"] = True
    await unit.people.change_member(member, **changed)
    return bool(changed)


async def _not_disabled(unit: Unit, organization: str, user: User) -> Member | None:
    member = await unit.people.member(organization, user.id)
    if member is not None and member.disabled:
        raise Forbidden("your membership of this organization is disabled; ask its admins")
    return member


async def email_invite(unit: Unit, word: str) -> EmailInvite | None:
    """The invitation whose link holds that word; None when it was taken back, accepted, or has expired."""
    found = await unit.invites.email_by_hash(token_hash(word))
    return None if found is None or found.expires_at <= unit.now else found


async def join_by_email(unit: Unit, caller: Caller, organization: str, word: str) -> bool:
    """Accept an invitation of the caller's own address; False when there is none. One that came by mail shows that the
    address is hers.

    Raises Forbidden when another address was invited.
    """
    await unit.people.hold_organization(organization)
    invite = await email_invite(unit, word)
    record = await unit.people.organization(organization)
    if invite is None or record is None or invite.organization != record.id:
        return False
    if folded(invite.email) != folded(caller.user.email):
        raise Forbidden("this invitation is for another address; ask for one for yours")
    await _accept(unit, record, invite, caller.user, caller)
    return True


async def welcome(unit: Unit, word: str, name: str) -> User:
    """Accept an invitation as somebody who holds its link and nothing else: an account is made for its address, unless
    there is one.

    Whoever calls this must sign in only somebody whose account was made here, `created_at == unit.now`, or has her prove
    who she is: a link in a mailbox is no password. Raises NotFound when there is no such invitation.
    """
    invite = await email_invite(unit, word)
    if invite is not None:
        await unit.people.hold_organization(invite.organization)
        invite = await email_invite(unit, word)
    organization = None if invite is None else await unit.people.organization(invite.organization)
    if invite is None or organization is None:
        raise absent("invitation", word[:4] + "…")
    user = await unit.people.user_by_email(invite.email)
    if user is None:
        user = User(id=new_id(), email=invite.email, name=name, created_at=unit.now)
        await unit.people.add_user(user)
    elif user.deleted_at is not None:
        raise Conflict("the account of this address is being deleted; an operator can restore it")
    return await _accept(unit, organization, invite, user)


async def _accept(
    unit: Unit, organization: Organization, invite: EmailInvite, user: User, by: Caller | None = None
) -> User:
    maker = await _maker(unit, invite.created_by)
    if maker is None or not allows("organization", "admin", maker.role_in(organization.id)):
        # Who lost the role would come back with it, by an invitation of another address of hers.
        raise Conflict("who sent this invitation may no longer invite; ask somebody else for a new one")
    known = await prove(unit, user, by=by) if invite.mailed else user
    # Who is elsewhere as herself does not come in by the single sign-on of this organization.
    sso = invite.sso and not await unit.people.belongs_elsewhere(organization.id, known.id)
    await admit(unit, organization, known, invite.role, sso=sso)
    await unit.invites.remove_email(organization.id, invite.email)
    return known


def domain_of(email: str) -> str:
    """The domain of an address, in the form that domains compare by."""
    return folded(email).rpartition("@")[2]


async def join_by_domain(unit: Unit, user: User, organization: str) -> None:
    """Join with the organization's default role, by an address whose domain is verified to be the organization's.

    Raises NotFound for no organization, BadRequest where user and organization share no such domain.
    """
    await unit.people.hold_organization(organization)
    record = await unit.people.organization(organization)
    if record is None:
        raise absent("organization", organization)
    if await _not_disabled(unit, record.id, user) is not None:
        return
    if not user.email_verified or domain_of(user.email) not in await unit.people.verified_domains(record.id):
        raise BadRequest("the domain of your e-mail address is not one that this organization takes members of")
    await admit(unit, record, user, record.default_role)
