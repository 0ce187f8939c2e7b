"""Invite links of an organization, for whoever has them; and joining, by them or by an invitation of one's address."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from msgspec import UNSET, UnsetType

from octavo.access import locate
from octavo.access.locate import SeenOrganization
from octavo.access.people import joining
from octavo.access.people.joining import Link
from octavo.access.policy import allows, at_least, permissions
from octavo.access.standing import roles_on_collections, roles_on_spaces
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, Forbidden, absent
from octavo.kernel.operation import ANYBODY, Nothing, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.invites import Invite
from octavo.kernel.records.library import Collection, Space
from octavo.kernel.records.people import Organization
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization, Place
from octavo.resources.rules import MEMBERS
from octavo.site.shown import show_spaces
from octavo.store.shelf import by_id
from octavo.wire.fields import milliseconds
from octavo.wire.library.collections import CollectionView
from octavo.wire.lists import ListQuery
from octavo.wire.people import invites
from octavo.wire.people.invites import CreateInvite, InviteView, UpdateInvite


class AtDoor(Place, frozen=True):
    """An invite of an organization that the caller need not see: knowing its id is enough."""

    organization: str
    invite: str


async def list_links(call: Call, at: AtOrganization, query: ListQuery) -> Slice[InviteView]:
    """Those that the caller may change, newest first: admins of the organization all, others those of their spaces and
    collections."""
    organization = at.organization.record
    links = await _links(call, organization, await call.unit.invites.all(organization.id))
    held = await _roles(call, links)
    seen = [one for one in links if _manages(at.organization.role, one, held)]
    page = call.cut(seen, query, lambda one: (-one.invite.created_at, one.invite.id))
    return Slice(await _show(call, page.items), page.count, page.next)


async def _links(call: Call, organization: Organization, found: Sequence[Invite]) -> list[Link]:
    """Invites with what they lead to; those that lead nowhere are left out."""
    spaces = by_id(await call.unit.spaces.by_ids(one.space for one in found if one.space is not None))
    collections = {one.id: one for one in await call.unit.spaces.collections(organization.id)}
    links = []
    for one in found:
        space: Space | None = spaces.get(one.space or "")
        collection = collections.get(one.collection or "")
        lost = one.space is not None and (space is None or space.deleted_at or space.organization != organization.id)
        if not lost and not (one.collection is not None and collection is None):
            links.append(Link(one, organization, space, collection))
    return links


async def _roles(call: Call, links: Sequence[Link]) -> dict[str, Role | None]:
    """The caller's role on each space and collection that these links lead to."""
    spaces: dict[str, Space] = {one.space.id: one.space for one in links if one.space is not None}
    collections: dict[str, Collection] = {one.collection.id: one.collection for one in links if one.collection}
    roles = await roles_on_spaces(call.unit, call.caller, list(spaces.values()))
    return roles | await roles_on_collections(call.unit, call.caller, list(collections.values()))


def _manages(role: Role | None, link: Link, held: dict[str, Role | None]) -> bool:
    target = link.space or link.collection
    return joining.may_invite(link, role, None if target is None else held[target.id])


async def create_link(call: Call, at: AtOrganization, body: CreateInvite) -> InviteView:
    """Into the organization by its admins; to a space or collection by those who may see its invite links."""
    organization = at.organization.record
    target = await _target(call, at.organization, body)
    if not organization.invite_links:
        raise Conflict("the organization has turned invite links off (inviteLinks)")
    if await call.unit.invites.count(organization.id) >= limits.LINK_INVITES_MAX:
        raise Conflict(f"an organization has {limits.LINK_INVITES_MAX} invite links at most; delete some")
    role = body.role if target is None else body.level
    invite = Invite(
        id=secrets.token_urlsafe(16),
        organization=organization.id,
        role=None if role is UNSET else role,
        created_by=call.caller.user.id,
        created_at=call.now,
        space=target.id if isinstance(target, Space) else None,
        collection=target.id if isinstance(target, Collection) else None,
        expires_at=None if isinstance(body.expires_at, UnsetType) else _later(call, body.expires_at),
        max_uses=None if body.max_uses is UNSET else body.max_uses,
    )
    await call.unit.invites.add(invite)
    return (await _show(call, await _links(call, organization, [invite])))[0]


async def _target(call: Call, organization: SeenOrganization, body: CreateInvite) -> Space | Collection | None:
    """What the link is to lead to; None = the organization itself."""
    if body.space is not UNSET:
        space = await locate.space(call.unit, call.caller, body.space)
        if space.record.organization != organization.record.id:
            raise absent("space", body.space)
        if not allows("space", "viewInviteLinks", space.role):
            raise Forbidden("your role on this space does not allow inviting to it (needs viewInviteLinks)")
        return space.record
    if body.collection is not UNSET:
        collection = await locate.collection(call.unit, call.caller, body.collection)
        if collection.record.organization != organization.record.id:
            raise absent("collection", body.collection)
        if not allows("collection", "viewInviteLinks", collection.role):
            raise Forbidden("your role on this collection does not allow inviting to it (needs viewInviteLinks)")
        return collection.record
    if not allows("organization", "admin", organization.role):
        raise Forbidden("only admins of the organization invite into it (needs admin)")
    return None


def _later(call: Call, at: datetime) -> int:
    if milliseconds(at) <= call.now:
        raise BadRequest("expiresAt: this is past already")
    return milliseconds(at)


async def get_link(call: Call, at: AtDoor, takes: Nothing) -> InviteView:
    """For those who may change it; and, as long as one can join by it, for everybody who knows its id."""
    link = await _found(call, at)
    if joining.closed(link, call.now) is not None and not await _managed(call, link):
        raise absent("invite", at.invite)
    return (await _show(call, [link]))[0]


async def update_link(call: Call, at: AtDoor, body: UpdateInvite) -> InviteView:
    """Only the fields that were sent change; who joined already keeps the role. The link is the caller's from then on: it
    lets people in as long as the caller could make it, and goes with the caller."""
    link = await _found_to_change(call, at)
    own, other = ("role", "level") if link.space is None and link.collection is None else ("level", "role")
    if getattr(body, other) is not UNSET:
        raise BadRequest(f"{other}: this link has a {own}")
    changed: dict[str, object] = {}
    if getattr(body, own) is not UNSET:
        changed["role"] = getattr(body, own)
    if not isinstance(body.expires_at, UnsetType):
        changed["expires_at"] = None if body.expires_at is None else _later(call, body.expires_at)
    if body.max_uses is not UNSET:
        changed["max_uses"] = body.max_uses
    if changed:
        # A link is worth what its maker may give: who changes it answers for what it gives from now on.
        changed["created_by"] = call.caller.user.id
    invite = await call.unit.invites.change(link.invite, **changed)
    return (await _show(call, [Link(invite, link.organization, link.space, link.collection)]))[0]


async def delete_link(call: Call, at: AtDoor, takes: Nothing) -> None:
    """Nobody joins by it any more; who did stays."""
    await call.unit.invites.remove((await _found_to_change(call, at)).invite.id)


async def _found(call: Call, at: AtDoor) -> Link:
    link = await joining.link(call.unit, at.organization, at.invite)
    if link is None:
        raise absent("invite", at.invite)
    return link


async def _found_to_change(call: Call, at: AtDoor) -> Link:
    """Raises NotFound for whoever is not in the organization, Forbidden for who is and may not change the link."""
    organization = await locate.organization(call.unit, call.caller, at.organization)
    link = await joining.link(call.unit, organization.record.id, at.invite)
    if link is None and not allows("organization", "admin", organization.role):
        raise Forbidden("your role does not allow changing invite links (needs admin)")
    if link is None:
        raise absent("invite", at.invite)
    if not await _managed(call, link):
        raise Forbidden("your role does not allow changing this invite link (needs admin)")
    return link


async def _managed(call: Call, link: Link) -> bool:
    role = call.caller.role_in(link.organization.id)
    return _manages(role, link, await _roles(call, [link]))


async def _show(call: Call, links: Sequence[Link]) -> list[InviteView]:
    held = await _roles(call, links)
    spaces = [one.space for one in links if one.space is not None]
    shown = {one.space.id: one for one in await show_spaces(call.unit, call.view, spaces, held)} if spaces else {}
    made = []
    for one in links:
        collection = one.collection
        made.append(
            InviteView(
                one.invite,
                _redundant(call, one, held),
                None if one.space is None else shown[one.space.id],
                None
                if collection is None
                else CollectionView(collection, permissions("collection", held[collection.id])),
            )
        )
    return made


def _redundant(call: Call, link: Link, held: dict[str, Role | None]) -> bool:
    """As `joining.redundant`, for roles that are known."""
    if not call.caller.belongs(link.organization.id):
        return False
    target = link.space or link.collection
    role = call.caller.role_in(link.organization.id) if target is None else held[target.id]
    return at_least(role, link.invite.role)


async def accept(call: Call, at: AtDoor, takes: Nothing) -> str:
    """By the id of a link, or by the word in the link of an invitation of the caller's address."""
    if await joining.join_by_email(call.unit, call.caller, at.organization, at.invite):
        return at.organization
    await joining.join_by_link(call.unit, call.caller, at.organization, at.invite)
    return at.organization


_MANAGERS = "`admin` on the organization; `viewInviteLinks` on the space or collection of the link"
_LINKS = "/orgs/{organization}/link-invites"


OPERATIONS = (
    reads("listOrganizationInviteLinks", _LINKS, list_links, listed(invites.present),
          needs=MEMBERS, also="the list holds what they may change", scope="organization:members:read",
          summary="List the invite links of an organization"),
    writes("POST", "createOrganizationInvite", _LINKS, create_link, invites.present,
           lock="organization", status=201, needs=MEMBERS,
           also="`admin` on the organization; for a space or collection `viewInviteLinks` on that",
           scope="organization:members:write",
           audit="invite.create", about=lambda made: made.invite,
           summary="Make an invite link"),
    reads("getOrganizationInviteLink", _LINKS + "/{invite}", get_link, invites.present,
          needs=ANYBODY, scope="organization:members:read", also="who knows the id of the link",
          summary="Get an invite link"),
    writes("PATCH", "updateOrganizationInviteById", _LINKS + "/{invite}", update_link, invites.present,
           lock="organization", needs=ANYBODY, also=_MANAGERS, scope="organization:members:write",
           audit="invite.update",
           summary="Change an invite link"),
    writes("DELETE", "deleteOrganizationInviteById", _LINKS + "/{invite}", delete_link, nothing,
           lock="organization", needs=ANYBODY, also=_MANAGERS, scope="organization:members:write",
           audit="invite.delete",
           summary="Delete an invite link"),
    writes("POST", "joinOrganizationWithInvite", "/orgs/{organization}/invites/{invite}", accept,
           invites.present_joined,
           lock="organization", needs=ANYBODY, scope="organization:members:write", audit="member.join-by-invite",
           also="who knows the link or was invited", summary="Join an organization by an invite link or an invitation"),
)  # fmt: skip
