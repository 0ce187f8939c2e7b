"""The table of imports into spaces."""

from __future__ import annotations

from sqlalchemy import Index, Table

from octavo.store.schema.columns import identity, key, metadata, number, organization, text

Table(
    "import_runs",
    metadata,
    identity(),
    organization(),
    key("space", "spaces.id"),
    text("status", null=False),
    text("kind", null=False),
    text("format"),
    text("url"),
    number("files"),
    key("created_by"),
    number("created_at"),
    number("updated_at"),
    key("change_request", null=True),
    text("page"),
    key("site", null=True),
    number("started_at", null=True),
    number("finished_at", null=True),
    text("message"),
    text("step"),
    number("done"),
    number("total"),
    key("revision", null=True),
    text("pages", null=False),
    text("warnings", null=False),
    Index("import_runs_of_organization", "organization", "created_at", "id"),
    Index("import_runs_of_space", "space", "created_at", "id"),
)
