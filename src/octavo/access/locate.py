"""Words of a path, and ids in a body, become records that the caller may see, or the answer is 404.

A finder is named by the type that it makes: a row's `at` says `space: SeenSpace`, and the word in the path becomes one.
Finders run left to right, each with what was found before it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from octavo.access.caller import Caller
from octavo.access.people.teams import team_permissions
from octavo.access.policy import Kind, permissions
from octavo.access.standing import role_on_space, roles_on_collections
from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.errors import Forbidden, absent
from octavo.kernel.records import Role
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Collection, Space
from octavo.kernel.records.notifications import Notification
from octavo.kernel.records.people import Member, Organization, Session, Team, Token, User
from octavo.kernel.records.provisioning import DomainClaim, ScimToken
from octavo.kernel.records.review import ChangeRequest, Comment, CommentReply, RequestedReviewer
from octavo.kernel.records.saml import SamlProvider
from octavo.store.unit import Unit

_RESTORABLE = limits.DELETED_SPACE_DAYS * DAY
"""Milliseconds."""


class Seen(msgspec.Struct, frozen=True):
    """A record with the caller's role on it."""

    kind: ClassVar[Kind]
    role: Role | None

    @property
    def permissions(self) -> dict[str, bool]:
        """What the caller may do with it."""
        return permissions(self.kind, self.role)


class SeenOrganization(Seen, frozen=True):
    kind: ClassVar[Kind] = "organization"
    record: Organization


class SeenDeletedOrganization(Seen, frozen=True):
    """An organization that was deleted and can come back, for its admins."""

    kind: ClassVar[Kind] = "organization"
    record: Organization


class SeenMember(msgspec.Struct, frozen=True):
    """A member or guest of the organization that was found before."""

    record: Member


class SeenUser(msgspec.Struct, frozen=True):
    """The caller, or somebody who is in an organization with her."""

    record: User


class SeenSpace(Seen, frozen=True):
    kind: ClassVar[Kind] = "space"
    record: Space


class SeenSpaceOrDeleted(SeenSpace, frozen=True):
    """Also a soft-deleted space, for those who could restore it."""


class SeenCollection(Seen, frozen=True):
    kind: ClassVar[Kind] = "collection"
    record: Collection


class SeenOidcProvider(msgspec.Struct, frozen=True):
    """One by which members of an organization sign in."""

    record: SamlProvider


class SeenSamlProvider(msgspec.Struct, frozen=True):
    """An identity provider of the organization that was found before it."""

    record: SamlProvider


class SeenDomain(msgspec.Struct, frozen=True):
    """A domain that the organization found before it claims, or that the operator says is its own."""

    record: DomainClaim
    """Without a word where the operator says so."""
    proven: bool


class SeenScimToken(msgspec.Struct, frozen=True):
    """A token for SCIM of the organization that was found before it."""

    record: ScimToken


class SeenTeam(msgspec.Struct, frozen=True):
    """A team of the organization that was found before it."""

    record: Team


class SeenToken(msgspec.Struct, frozen=True):
    """A token of the caller."""

    record: Token


class SeenSession(msgspec.Struct, frozen=True):
    """A browser that the caller is signed in with."""

    record: Session


class SeenNotification(msgspec.Struct, frozen=True):
    """Something that the caller was told, and the space that it is about."""

    record: Notification
    space: Space


class SeenRevision(msgspec.Struct, frozen=True):
    """A revision of the space that was found before it."""

    record: Revision


class SeenChangeRequest(msgspec.Struct, frozen=True):
    """A change request, by its id or number, of the space that was found before it."""

    record: ChangeRequest


class SeenReviewable(SeenChangeRequest, frozen=True):
    """The same, with what asks the caller to review it: of her, or of a team of hers."""

    asked: Sequence[RequestedReviewer]


class SeenComment(msgspec.Struct, frozen=True):
    """A comment on the change request that was found before it, or on the primary content of the space."""

    record: Comment


class SeenCommentReply(msgspec.Struct, frozen=True):
    """A reply to the comment that was found before it."""

    record: CommentReply


def _bar(caller: Caller, organization: str | None) -> None:
    """Raises Forbidden for an organization of the caller that asks for its single sign-on, which this is not, and for one
    that another one's single sign-on does not open."""
    if organization in caller.apart:
        raise Forbidden(
            "you came in by the identity provider of another organization, which does not speak for this one: sign in as"
            " you do here"
        )
    if organization in caller.barred:
        raise Forbidden(
            "this organization is seen only by who signed in by its single sign-on (SSO, by SAML): sign in at"
            f" /sso?organization={organization} of this installation, and use that session or a token made in it"
        )


async def organization(unit: Unit, caller: Caller, word: str) -> SeenOrganization:
    """An organization that the caller belongs to."""
    _bar(caller, word)
    record = await unit.people.organization(word) if caller.belongs(word) else None
    if record is None:
        raise absent("organization", word)
    return SeenOrganization(caller.role_in(word), record)


async def deleted_organization(unit: Unit, caller: Caller, word: str) -> SeenDeletedOrganization:
    """A deleted organization that the caller is admin of, as long as it can come back."""
    _bar(caller, word)
    member = await unit.people.member(word, caller.user.id)
    record = await unit.people.organization_or_deleted(word)
    if member is None or member.role != "admin" or member.disabled or record is None or record.deleted_at is None:
        raise absent("deleted organization", word)
    if unit.now - record.deleted_at >= limits.DELETED_ORGANIZATION_DAYS * DAY:
        raise absent("deleted organization", word)
    return SeenDeletedOrganization("admin", record)


async def member(unit: Unit, caller: Caller, word: str, within: SeenOrganization) -> SeenMember:
    """A member or guest of the organization, for those who may list its members; everybody sees herself."""
    seen = word == caller.user.id or within.permissions["listMembers"]
    found = await unit.people.members_of(within.record.id, (word,)) if seen else []
    if not found:
        raise absent("member", word)
    return SeenMember(found[0])


async def user(unit: Unit, caller: Caller, word: str) -> SeenUser:
    """The caller, or somebody who is in an organization with her."""
    record = await unit.people.user(word)
    if record is None or record.deleted_at is not None:
        raise absent("user", word)
    if record.id != caller.user.id and not await unit.people.together(caller.user.id, record.id):
        raise absent("user", word)
    return SeenUser(record)


async def space(unit: Unit, caller: Caller, word: str) -> SeenSpace:
    """An active space that the caller has a role on."""
    record = await unit.spaces.get(word)
    if record is None or record.deleted_at is not None:
        raise absent("space", word)
    _bar(caller, record.organization)
    role = await role_on_space(unit, caller, record)
    if role is None:
        raise absent("space", word)
    return SeenSpace(role, record)


async def space_or_deleted(unit: Unit, caller: Caller, word: str) -> SeenSpaceOrDeleted:
    """A space that the caller has a role on; a deleted one only for its admins, and only as long as it can come back."""
    record = await unit.spaces.get(word)
    _bar(caller, None if record is None else record.organization)
    role = None if record is None else await role_on_space(unit, caller, record)
    if record is None or role is None:
        raise absent("space", word)
    if record.deleted_at is not None and (role != "admin" or unit.now - record.deleted_at >= _RESTORABLE):
        raise absent("space", word)
    return SeenSpaceOrDeleted(role, record)


async def collection(unit: Unit, caller: Caller, word: str) -> SeenCollection:
    """A collection that the caller has a role on."""
    record = await unit.spaces.collection(word)
    _bar(caller, None if record is None else record.organization)
    role = None if record is None else (await roles_on_collections(unit, caller, (record,)))[record.id]
    if record is None or role is None:
        raise absent("collection", word)
    return SeenCollection(role, record)


async def team(unit: Unit, caller: Caller, word: str, within: Organization) -> SeenTeam:
    """A team of the organization that the caller may see."""
    record = await unit.teams.get(word)
    if record is None or record.organization != within.id or not team_permissions(caller, record)["view"]:
        raise absent("team", word)
    return SeenTeam(record)


async def token(unit: Unit, caller: Caller, word: str) -> SeenToken:
    """A token of the caller."""
    record = await unit.people.token(word)
    if record is None or record.user != caller.user.id:
        raise absent("token", word)
    return SeenToken(record)


async def session(unit: Unit, caller: Caller, word: str) -> SeenSession:
    """A session of the caller."""
    record = await unit.sessions.get(word)
    if record is None or record.user != caller.user.id:
        raise absent("session", word)
    return SeenSession(record)


async def notification(unit: Unit, caller: Caller, word: str) -> SeenNotification:
    """What the caller was told about a space that she may still see."""
    record = await unit.notifications.get(word)
    if record is None or record.user != caller.user.id or not record.listed:
        raise absent("notification", word)
    about = await unit.spaces.get(record.space)
    if about is None or about.deleted_at is not None or await role_on_space(unit, caller, about) is None:
        raise absent("notification", word)
    return SeenNotification(record, about)


async def saml_provider(unit: Unit, word: str, within: Organization) -> SeenSamlProvider:
    """An identity provider of the organization that speaks SAML."""
    record = await unit.saml.get(word)
    if record is None or record.organization != within.id or record.oidc:
        raise absent("SAML provider", word)
    return SeenSamlProvider(record)


async def oidc_provider(unit: Unit, word: str, within: Organization) -> SeenOidcProvider:
    """An identity provider of the organization that speaks OpenID Connect."""
    record = await unit.saml.get(word)
    if record is None or record.organization != within.id or not record.oidc:
        raise absent("OpenID Connect provider", word)
    return SeenOidcProvider(record)


async def domain(unit: Unit, word: str, within: Organization) -> SeenDomain:
    """A domain of the organization, proven or not."""
    record = await unit.domains.get(within.id, word.casefold())
    proven = word.casefold() in await unit.people.verified_domains(within.id)
    if record is None and not proven:
        raise absent("domain", word)
    vouched = DomainClaim(organization=within.id, domain=word.casefold(), word="", claimed_at=0)
    return SeenDomain(record or vouched, proven)


async def scim_token(unit: Unit, word: str, within: Organization) -> SeenScimToken:
    """A token for SCIM of the organization."""
    record = await unit.scim.token(word)
    if record is None or record.organization != within.id:
        raise absent("token", word)
    return SeenScimToken(record)


async def revision(unit: Unit, word: str, within: Space) -> SeenRevision:
    """A revision of the space."""
    record = await unit.revisions.get(word)
    if record is None or record.space != within.id:
        raise absent("revision", word)
    return SeenRevision(record)


async def change_request(unit: Unit, caller: Caller, word: str, within: Space) -> SeenChangeRequest:
    """A change request of the space; to a visitor of a site, the one that she looks at."""
    record = await unit.change_requests.find(within.id, word)
    if record is None or not _looks_at(caller, record):
        raise absent("change request", word)
    return SeenChangeRequest(record)


def _looks_at(caller: Caller, request: ChangeRequest) -> bool:
    return caller.visiting is None or caller.visiting.visit.change_request == request.id


async def reviewable(unit: Unit, caller: Caller, word: str, within: Space) -> SeenReviewable:
    """A change request of the space, and whether the caller was asked to review it."""
    record = (await change_request(unit, caller, word, within)).record
    teams = caller.teams.get(within.organization, {})
    return SeenReviewable(record, await unit.reviews.requested_of(record.id, caller.user.id, teams))


async def comment(unit: Unit, word: str, space: Space, request: SeenChangeRequest | None) -> SeenComment:
    """A comment on the change request, or without one on the primary content of the space."""
    record = await unit.comments.get(word)
    place = None if request is None else request.record.id
    if record is None or (record.space, record.change_request) != (space.id, place):
        raise absent("comment", word)
    return SeenComment(record)


async def comment_reply(unit: Unit, word: str, within: Comment) -> SeenCommentReply:
    """A reply to the comment."""
    record = await unit.comments.reply(word)
    if record is None or record.comment != within.id:
        raise absent("reply", word)
    return SeenCommentReply(record)


Finder = Callable[[Unit, Caller, str, Mapping[str, Any]], Awaitable[Any]]

FINDERS: dict[type, Finder] = {
    SeenOrganization: lambda unit, caller, word, found: organization(unit, caller, word),
    SeenDeletedOrganization: lambda unit, caller, word, found: deleted_organization(unit, caller, word),
    SeenMember: lambda unit, caller, word, found: member(unit, caller, word, found["organization"]),
    SeenUser: lambda unit, caller, word, found: user(unit, caller, word),
    SeenSpace: lambda unit, caller, word, found: space(unit, caller, word),
    SeenSpaceOrDeleted: lambda unit, caller, word, found: space_or_deleted(unit, caller, word),
    SeenCollection: lambda unit, caller, word, found: collection(unit, caller, word),
    SeenTeam: lambda unit, caller, word, found: team(unit, caller, word, found["organization"].record),
    SeenSession: lambda unit, caller, word, found: session(unit, caller, word),
    SeenToken: lambda unit, caller, word, found: token(unit, caller, word),
    SeenOidcProvider: lambda unit, caller, word, found: oidc_provider(unit, word, found["organization"].record),
    SeenDomain: lambda unit, caller, word, found: domain(unit, word, found["organization"].record),
    SeenScimToken: lambda unit, caller, word, found: scim_token(unit, word, found["organization"].record),
    SeenSamlProvider: lambda unit, caller, word, found: saml_provider(unit, word, found["organization"].record),
    SeenNotification: lambda unit, caller, word, found: notification(unit, caller, word),
    SeenRevision: lambda unit, caller, word, found: revision(unit, word, found["space"].record),
    SeenChangeRequest: lambda unit, caller, word, found: change_request(unit, caller, word, found["space"].record),
    SeenReviewable: lambda unit, caller, word, found: reviewable(unit, caller, word, found["space"].record),
    SeenComment: lambda unit, caller, word, found: comment(
        unit, word, found["space"].record, found.get("change_request")
    ),
    SeenCommentReply: lambda unit, caller, word, found: comment_reply(unit, word, found["comment"].record),
    str: lambda unit, caller, word, found: _word(word),
}
"""Type of a field of `at` -> how its word is found. `str` leaves the word to the room (paths of pages)."""


async def _word(word: str) -> str:
    return word
