"""Table of the audit log: one row for each write, kept as it was written."""

from __future__ import annotations

from sqlalchemy import Index, Table

from octavo.store.schema.columns import identity, key, metadata, number, organization, text

Table(
    "audit_events",
    metadata,
    identity(),
    organization(),
    number("occurred_at"),
    key("action"),
    text("actor_type", null=False),
    # Ids of what may be gone meanwhile: no foreign keys.
    key("actor"),
    text("actor_label"),
    text("source", null=False),
    text("target_type", null=False),
    key("target"),
    text("target_label"),
    text("address"),
    text("agent"),
    text("token"),
    text("session"),
    text("request"),
    text("details", null=False),
    Index("audit_events_of_organization", "organization", "occurred_at", "id"),
    Index("audit_events_of_action", "organization", "action", "occurred_at", "id"),
    Index("audit_events_of_actor", "organization", "actor", "occurred_at", "id"),
    Index("audit_events_of_target", "organization", "target", "occurred_at", "id"),
)
