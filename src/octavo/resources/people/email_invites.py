"""Invitations of addresses into an organization: each gets a letter with a link, and joins by accepting it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable

from msgspec import UNSET

from octavo.access.locate import SeenOrganization
from octavo.access.people import attempts
from octavo.access.people.attempts import Allowance
from octavo.access.people.joining import domain_of
from octavo.access.people.mail import mail
from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.errors import Conflict, TooMany, absent
from octavo.kernel.ids import new_id, token_hash
from octavo.kernel.letters import Occasion
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.invites import EmailInvite
from octavo.kernel.records.people import Organization
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
    """Whoever has an account or none is asked in the same way, joins by the link and not before, and the answer is the
    same. Who is in the organization already is left as she is."""
    organization = at.organization.record
    asked = _asked(body, organization)
    members = await call.unit.people.named_by(organization.id, asked)
    wanted = {key: one for key, one in asked.items() if key not in members}
    domains = await call.unit.people.verified_domains(organization.id) if body.sso else set()
    failed = [email for key, (email, _) in wanted.items() if domain_of(key) not in domains] if body.sso else None
    if len(wanted) > limits.EMAIL_INVITES_MAX - await call.unit.invites.count_emails(organization.id):
        raise Conflict(f"{limits.EMAIL_INVITES_MAX} invitations wait already; take some back")
    await _pace(call, wanted)
    links = [
        (email, await _invite(call, organization, email, role, sso=body.sso and domain_of(key) in domains))
        for key, (email, role) in wanted.items()
    ]
    shown = None if call.settings.smtp_host is not None else links
    return InvitedView(len(links), failed, shown, organization.id)


async def _pace(call: Call, wanted: Iterable[str]) -> None:
    """Raises TooMany for more addresses than somebody invites, and for more letters than a mailbox wants."""
    addresses, minutes = list(wanted), limits.INVITES_MINUTES
    mine = Allowance(f"invitations by {call.caller.user.id}", limits.INVITES_OF_USER, minutes)
    if not await attempts.spend(call.unit, [mine], len(addresses)):
        raise TooMany(f"{limits.INVITES_OF_USER} addresses may be invited in {minutes} minutes; try again later")
    if call.settings.smtp_host is None:
        return
    for address in addresses:
        mailbox = Allowance(f"invitations of {address}", limits.INVITES_OF_MAILBOX, minutes)
        if not await attempts.spend(call.unit, [mailbox]):
            raise TooMany(
                f"{address} was written to {limits.INVITES_OF_MAILBOX} times in {minutes} minutes; try again later"
            )


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
        told = {
            "who": call.caller.user.name,
            "organization": organization.title,
            "address": address,
            "days": limits.EMAIL_INVITE_DAYS,
        }
        # Who is invited has not chosen a language yet; whoever invites is likely to share one.
        letter = Occasion(to=email, about="invitation", told=told, language=call.caller.user.language)
        await call.unit.emit(mail(call.signer.seal, letter, organization.id))
    else:
        _log.info("no mail server is set: the answer holds the link of an invitation, to be handed over")
    return word


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
