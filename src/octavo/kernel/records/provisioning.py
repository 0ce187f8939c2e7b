"""Records of how people come from elsewhere: domains that organizations claim, and what SCIM says of users and groups."""

from __future__ import annotations

import msgspec

from octavo.kernel.records import Json, Record


class DomainClaim(Record, frozen=True, kw_only=True):
    """A domain of addresses that an organization says is its own, and is to prove."""

    organization: str
    domain: str
    """In lower case."""
    word: str
    """What the TXT record is to say; of this organization alone."""
    claimed_at: int
    checked_at: int | None = None
    """When the record was last looked for."""
    found_at: int | None = None
    """When it was last there."""
    problem: str | None = None
    """Why it was not, as a sentence."""


class ScimToken(Record, frozen=True, kw_only=True):
    """What an identity provider calls with: the organization's, nobody's in it."""

    id: str
    organization: str
    label: str
    hash: str
    created_by: str
    created_at: int
    expires_at: int | None = None
    last_used_at: int | None = None


class ScimUser(Record, frozen=True, kw_only=True):
    """What an identity provider says of a member."""

    organization: str
    user: str
    user_name: str
    external_id: str | None = None
    profile: Json
    """The resource as SCIM writes it, without what stands elsewhere."""
    created_at: int
    changed_at: int


class ScimGroup(Record, frozen=True, kw_only=True):
    """A team that follows a group of an identity provider."""

    team: str
    organization: str
    display_name: str
    """Whole; titles of teams are shorter."""
    external_id: str | None = None
    created_at: int
    changed_at: int


class Provisioned(msgspec.Struct, frozen=True):
    """A member or guest as SCIM sees one, whether or not it ever spoke of her."""

    user: str
    email: str
    name: str
    disabled: int
    joined_at: int
    user_name: str | None = None
    external_id: str | None = None
    profile: str | None = None
    """JSON."""
    created_at: int | None = None
    changed_at: int | None = None
