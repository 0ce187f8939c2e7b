"""Tables of how people come into organizations: links, invitations by e-mail, domains of addresses."""

from __future__ import annotations

from sqlalchemy import Index, PrimaryKeyConstraint, Table

from octavo.store.schema.columns import identity, key, metadata, number, organization, text

Table(
    "invites",
    metadata,
    identity(),
    organization(),
    text("role"),
    key("created_by"),
    number("created_at"),
    key("space", "spaces.id", null=True),
    key("collection", "collections.id", null=True),
    number("expires_at", null=True),
    number("max_uses", null=True),
    number("uses"),
    Index("invites_of_organization", "organization", "created_at", "id"),
    Index("invites_of_space", "space"),
    Index("invites_of_collection", "collection"),
)

Table(
    "email_invites",
    metadata,
    identity(),
    organization(),
    text("email", null=False),
    key("email_folded"),
    text("role"),
    key("hash", unique=True),
    key("created_by"),
    number("created_at"),
    number("expires_at"),
    number("sso"),
    number("mailed"),
    Index("email_invites_of_address", "organization", "email_folded", unique=True),
    Index("email_invites_of_organization", "organization", "created_at", "id"),
)

Table(
    "verified_domains",
    metadata,
    organization(),
    key("domain"),
    number("verified_at"),
    PrimaryKeyConstraint("organization", "domain"),
    Index("verified_domains_by_name", "domain"),
)
