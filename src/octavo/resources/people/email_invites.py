"""Invitations of addresses into an organization: who has an account is added, others get a letter with a link."""

from __future__ import annotations

import logging
import secrets

from msgspec import UNSET

from octavo.access.locate import SeenOrganization
from octavo.access.people import joining
from octavo.access.people.mail import mail
from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.errors import Conflict, absent
from octavo.kernel.ids import new_id, token_hash
from octavo.kernel.letters import Letter
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.invites import EmailInvite
from octavo.kernel.records.people import Organization, User
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization, Place
from octavo.store.people.people import folded
from octavo.wire.lists import ListQuery
from octavo.wire.people import invites
from octavo.wire.people.invites import InvitedAddress, InvitedView, InviteUsers

_log = logging.getLogger("octavo.invites")


class AtEmailInvite(Place, frozen=True):
    organization: SeenOrganization
    invite: str


async def invite_users(call: Call, at: AtOrganization, body: InviteUsers) -> InvitedView:
    """Who has an account whose address is known to be hers is added at once; others are written to, and join by the
    link in the letter. Who is in the organization already is left as she is."""
    organization = at.organization.record
    asked = _asked(body, organization)
    users: list[str] = []
    failed: list[str] = []
    links: list[tuple[str, str]] = []
    known = await call.unit.people.users_by_email(asked)
    members = {
        one.user for one in await call.unit.people.members_of(organization.id, (one.id for one in known.values()))
    }
    elsewhere = await call.unit.people.members_elsewhere(organization.id, (one.id for one in known.values()))
    room = limits.EMAIL_INVITES_MAX - await call.unit.invites.count_emails(organization.id)
    for key, (email, role) in asked.items():
        user = known.get(key)
        if user is not None and user.id in members:
            continue
        sso = body.sso and (user is None or user.id not in elsewhere)
        if body.sso and not sso:
            failed.append(email)
        if user is not None and user.email_verified and user.deleted_at is None:
            await joining.admit(call.unit, organization, user, role, sso=sso)
            await call.unit.invites.remove_email(organization.id, email)
            await _tell(call, organization, user)
            users.append(user.id)
            continue
        if len(links) >= room:
            raise Conflict(f"{limits.EMAIL_INVITES_MAX} invitations wait already; take some back")
        links.append((email, await _invite(call, organization, email, role, sso=sso)))
    shown = None if call.settings.smtp_host is not None else links
    return InvitedView(users, len(users) + len(links), failed if body.sso else None, shown, organization.id)


def _asked(body: InviteUsers, organization: Organization) -> dict[str, tuple[str, Role | None]]:
    """Address as it compares -> as it was written, with its role; the last word counts for one that is named twice."""
    usual = organization.default_role if body.role is UNSET else body.role
    made: dict[str, tuple[str, Role | None]] = {}
    for one in body.emails:
        email, role = (one.email, one.role) if isinstance(one, InvitedAddress) else (one, UNSET)
        made[folded(email)] = (email, usual if role is UNSET else role)
    return made


async def _invite(call: Call, organization: Organization, email: str, role: Role | None, *, sso: bool) -> str:
    """The word of the link."""
    word = secrets.token_urlsafe(32)
    mailed = call.settings.smtp_host is not None
    await call.unit.invites.put_email(
        EmailInvite(
            id=new_id(),
            organization=organization.id,
            email=email,
            role=role,
            hash=token_hash(word),
            created_by=call.caller.user.id,
            created_at=call.now,
            expires_at=call.now + limits.EMAIL_INVITE_DAYS * DAY,
            sso=sso,
            mailed=mailed,
        )
    )
    address = call.view.invite(organization.id, word)
    if mailed:
        text = (
            f"{call.caller.user.name} invites you to {organization.title}.\n\nJoin here:\n{address}\n\n"
            f"This link is for you alone and serves for {limits.EMAIL_INVITE_DAYS} days."
            " If you do not know what this is about, there is nothing to do.\n"
        )
        letter = Letter(to=email, subject=f"Invitation to {organization.title}", text=text)
        await call.unit.emit(mail(call.signer.seal, letter, organization.id))
    else:
        _log.info("no mail server is set: hand this link to %s: %s", email, address)
    return word


async def _tell(call: Call, organization: Organization, user: User) -> None:
    if call.settings.smtp_host is None:
        return
    text = (
        f"{call.caller.user.name} added you to {organization.title}:\n{call.view.organization(organization.id)}\n\n"
        "You can leave it whenever you want.\n"
    )
    letter = Letter(to=user.email, subject=f"You were added to {organization.title}", text=text)
    await call.unit.emit(mail(call.signer.seal, letter, organization.id))


async def list_emails(call: Call, at: AtOrganization, query: ListQuery) -> Slice[EmailInvite]:
    """Invitations that nobody accepted, newest first; those that have expired too."""
    found = await call.unit.invites.emails(at.organization.record.id)
    return call.cut(found, query, lambda one: (-one.created_at, one.id))


async def delete_email(call: Call, at: AtEmailInvite, takes: Nothing) -> None:
    """Its link serves no more."""
    found = await call.unit.invites.email(at.invite)
    if found is None or found.organization != at.organization.record.id:
        raise absent("invitation", at.invite)
    await call.unit.invites.remove_email(found.organization, found.email)


_ALL = "/orgs/{organization}/invites"


OPERATIONS = (
    writes("POST", "inviteUsersToOrganization", _ALL, invite_users, invites.present_invited,
           lock="organization", needs="organization.admin", scope="organization:members:write",
           audit="email-invite.create", summary="Invite addresses into an organization"),
    reads("listOrganizationEmailInvites", _ALL, list_emails, listed(invites.present_email),
          needs="organization.admin", scope="organization:members:read",
          summary="List the invitations that nobody accepted"),
    writes("DELETE", "deleteOrganizationEmailInvite", _ALL + "/{invite}", delete_email, nothing,
           lock="organization", needs="organization.admin", scope="organization:members:write",
           audit="email-invite.delete", summary="Take back the invitation of an address"),
)  # fmt: skip
