"""Tables of single sign-on; providers that speak OpenID Connect have a client id."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, PrimaryKeyConstraint, Table

from octavo.store.schema.columns import Key, identity, key, metadata, number, organization, text

Table(
    "saml_providers",
    metadata,
    identity(),
    organization(),
    text("label", null=False),
    number("created_at"),
    text("sso_url", null=False),
    text("entity_id", null=False),
    text("certificate", null=False),
    Column("default_team", Key, ForeignKey("teams.id", ondelete="SET NULL"), nullable=True),
    text("default_role"),
    number("ready"),
    text("client_id"),
    text("sealed_secret"),
    text("claims"),
    Index("saml_providers_of_organization", "organization", "created_at", "id"),
    Index("saml_providers_of_team", "default_team"),
)

Table(
    "saml_identities",
    metadata,
    organization(),
    key("provider", "saml_providers.id"),
    key("subject"),
    key("user", "users.id"),
    number("created_at"),
    PrimaryKeyConstraint("provider", "subject"),
    Index("saml_identities_of_user", "user"),
)

Table(
    "saml_used",
    metadata,
    organization(),
    key("provider", "saml_providers.id"),
    # Hashes of the ids of assertions, and of the requests that they answer.
    key("word"),
    number("expires_at"),
    PrimaryKeyConstraint("provider", "word"),
    Index("saml_used_expired", "expires_at"),
)

Table(
    "saml_logins",
    metadata,
    Column("hash", Key, primary_key=True),
    organization(),
    key("provider", "saml_providers.id"),
    key("browser"),
    text("subject", null=False),
    text("email", null=False),
    text("name", null=False),
    text("target", null=False),
    number("expires_at"),
    Index("saml_logins_expired", "expires_at"),
)

# People whom the provider of the whole installation has proven.
Table(
    "oidc_identities",
    metadata,
    key("issuer"),
    key("subject"),
    key("user", "users.id"),
    number("created_at"),
    PrimaryKeyConstraint("issuer", "subject"),
    Index("oidc_identities_of_user", "user"),
)
