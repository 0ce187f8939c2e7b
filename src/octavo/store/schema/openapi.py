"""Tables of OpenAPI specifications: each with its source, its versions, and the newest version cut into parts."""

from __future__ import annotations

from sqlalchemy import Column, Index, LargeBinary, PrimaryKeyConstraint, Table

from octavo.store.schema.columns import identity, key, metadata, number, organization, text

Table(
    "openapi_specs",
    metadata,
    identity(),
    organization(),
    key("slug"),
    number("created_at"),
    number("updated_at"),
    text("source_url"),
    key("source_blob", null=True),
    number("wanted"),
    text("visibility", null=False),
    text("state", null=False),
    key("last_version", null=True),
    number("processed_at", null=True),
    text("error_code"),
    text("errors"),
    number("error_count"),
    number("due_at", null=True),
    Index("openapi_specs_slug", "organization", "slug", unique=True),
    Index("openapi_specs_due", "due_at"),
)

Table(
    "openapi_versions",
    metadata,
    identity(),
    organization(),
    key("spec", "openapi_specs.id"),
    number("created_at"),
    key("blob"),
    number("size"),
    text("format", null=False),
    key("document"),
    number("document_size"),
    text("source_url"),
    Index("openapi_versions_of_spec", "spec", "created_at", "id"),
)

# Of the newest version only: pages show nothing else.
Table(
    "openapi_parts",
    metadata,
    organization(),
    key("spec", "openapi_specs.id"),
    key("name"),
    Column("data", LargeBinary, nullable=False),
    PrimaryKeyConstraint("spec", "name"),
)
