"""Invitations into organizations: links, and letters to addresses."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, field

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import invites as records
from octavo.wire.fields import Body, DateTime, EmailAddress, Id, Instant, Maybe, Role, Shape, maybe
from octavo.wire.library import collections, spaces
from octavo.wire.view import View

Uses = Annotated[int, Meta(ge=1, le=1_000_000)]


class InviteUrls(Shape, frozen=True):
    location: str
    app: str
    """What is handed out: the page where somebody joins."""


class Invite(Shape, tag_field="object", tag="invite", frozen=True):
    """A link; `role` in the organization, or `level` on the one space or collection that it leads to."""

    id: str
    redundant: bool
    """The caller has at least that already."""
    created_at: DateTime
    uses: int
    """How many joined by it."""
    urls: InviteUrls
    role: Maybe[Role | None] = UNSET
    level: Maybe[Role | None] = UNSET
    space: Maybe[spaces.Space] = UNSET
    collection: Maybe[collections.Collection] = UNSET
    expires_at: Maybe[DateTime] = UNSET
    max_uses: Maybe[int] = UNSET


class CreateInvite(Body, frozen=True):
    """`role` must be there, or `level` with either `space` or `collection`; null invites guests."""

    role: Maybe[Role | None] = UNSET
    level: Maybe[Role | None] = UNSET
    space: Maybe[Id] = UNSET
    collection: Maybe[Id] = UNSET
    expires_at: Maybe[Instant] = UNSET
    max_uses: Maybe[Uses] = UNSET

    def __post_init__(self) -> None:
        if self.space is UNSET and self.collection is UNSET:
            if self.role is UNSET:
                raise ValueError("Object missing required field `role`")
        elif self.role is not UNSET:
            raise ValueError("Expected a level in place of a role for a space or collection - at `$.role`")
        elif self.space is not UNSET and self.collection is not UNSET:
            raise ValueError("Expected either a space or a collection - at `$.collection`")
        elif self.level is UNSET:
            raise ValueError("Object missing required field `level`")


class UpdateInvite(Body, frozen=True):
    """`role` of a link to the organization, `level` of one to a space or collection; null for the others lifts them."""

    role: Maybe[Role | None] = UNSET
    level: Maybe[Role | None] = UNSET
    expires_at: Maybe[Instant | None] = UNSET
    max_uses: Maybe[Uses | None] = UNSET


class InvitedAddress(Body, frozen=True):
    """An address with a role of its own."""

    email: EmailAddress
    role: Maybe[Role | None] = UNSET


class InviteUsers(Body, frozen=True):
    """Addresses; `role` is for those that have none of their own, and is the organization's default where it is absent."""

    emails: Annotated[list[EmailAddress | InvitedAddress], Meta(min_length=1, max_length=limits.INVITES_EMAILS_MAX)]
    role: Maybe[Role | None] = UNSET
    sso: bool = False


class InvitationLink(Shape, frozen=True):
    email: str
    url: str


class Invited(Shape, frozen=True):
    """How many were asked to join. Who they are, and whether they have an account, is not told before they did."""

    users: list[str]
    """Nobody: all join by accepting the invitation."""
    invited: int
    failed_sso_emails: Maybe[list[str]] = field(name="failedSSOEmails", default=UNSET)
    """Addresses that the single sign-on of the organization speaks not for: their domain is not verified to be its own.
    They are invited without it."""
    links: Maybe[list[InvitationLink]] = UNSET
    """Where no mail is sent: what to hand to whom. Shown once."""


class EmailInvite(Shape, tag_field="object", tag="email-invite", frozen=True):
    """An invitation that nobody accepted."""

    id: str
    email: str
    role: Role | None
    sso: bool
    created_at: DateTime
    expires_at: DateTime


class Joined(Shape, frozen=True):
    """What the caller belongs to now."""

    organization: str


class InviteView(msgspec.Struct, frozen=True):
    invite: records.Invite
    redundant: bool
    space: spaces.SpaceView | None = None
    collection: collections.CollectionView | None = None


class InvitedView(msgspec.Struct, frozen=True):
    invited: int
    failed: list[str] | None
    links: list[tuple[str, str]] | None
    """Address, and the word of its link."""
    organization: str


def present(shown: InviteView, view: View) -> Invite:
    """The link as the API serves it."""
    invite = shown.invite
    given: dict[str, Any] = {"role" if shown.space is None and shown.collection is None else "level": invite.role}
    return Invite(
        id=invite.id,
        redundant=shown.redundant,
        created_at=iso(invite.created_at),
        uses=invite.uses,
        urls=InviteUrls(
            view.location("orgs", invite.organization, "link-invites", invite.id),
            view.invite(invite.organization, invite.id),
        ),
        space=UNSET if shown.space is None else spaces.present(shown.space, view),
        collection=UNSET if shown.collection is None else collections.present(shown.collection, view),
        expires_at=UNSET if invite.expires_at is None else iso(invite.expires_at),
        max_uses=maybe(invite.max_uses),
        **given,
    )


def present_invited(shown: InvitedView, view: View) -> Invited:
    """What became of a request to invite addresses."""
    links = shown.links
    return Invited(
        [],
        shown.invited,
        maybe(shown.failed),
        UNSET
        if links is None
        else [InvitationLink(email, view.invite(shown.organization, word)) for email, word in links],
    )


def present_email(invite: records.EmailInvite, view: View) -> EmailInvite:
    """An invitation as admins see it: without its link."""
    return EmailInvite(invite.id, invite.email, invite.role, invite.sso, iso(invite.created_at), iso(invite.expires_at))


def present_joined(organization: str, view: View) -> Joined:
    """The answer to who joined."""
    return Joined(organization)
