"""Tables of how an organization's people come from elsewhere: claimed domains, and what SCIM says."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, PrimaryKeyConstraint, Table

from octavo.store.schema.columns import Key, identity, key, metadata, number, organization, text

Table(
    "domain_claims",
    metadata,
    organization(),
    key("domain"),
    key("word"),
    number("claimed_at"),
    number("checked_at", null=True),
    number("found_at", null=True),
    text("problem"),
    PrimaryKeyConstraint("organization", "domain"),
    Index("domain_claims_by_check", "checked_at"),
)

Table(
    "scim_tokens",
    metadata,
    identity(),
    organization(),
    text("label", null=False),
    key("hash", unique=True),
    key("created_by"),
    number("created_at"),
    number("expires_at", null=True),
    number("last_used_at", null=True),
    Index("scim_tokens_of_organization", "organization", "created_at", "id"),
)

Table(
    "scim_users",
    metadata,
    organization(),
    key("user", "users.id"),
    text("user_name", null=False),
    key("user_name_folded"),
    key("external_id", null=True),
    text("profile", null=False),
    number("created_at"),
    number("changed_at"),
    PrimaryKeyConstraint("organization", "user"),
    Index("scim_users_by_name", "organization", "user_name_folded", unique=True),
    Index("scim_users_by_external_id", "organization", "external_id"),
    Index("scim_users_of_user", "user"),
)

Table(
    "scim_groups",
    metadata,
    Column("team", Key, ForeignKey("teams.id", ondelete="CASCADE"), primary_key=True),
    organization(),
    text("display_name", null=False),
    key("display_name_folded"),
    key("external_id", null=True),
    number("created_at"),
    number("changed_at"),
    Index("scim_groups_by_name", "organization", "display_name_folded", unique=True),
)
