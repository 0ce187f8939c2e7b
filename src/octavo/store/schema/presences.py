"""The table of who is where: a row for each open tab of the application, which goes by itself."""

from __future__ import annotations

from sqlalchemy import Index, PrimaryKeyConstraint, Table

from octavo.store.schema.columns import key, metadata, number, organization, text

Table(
    "presences",
    metadata,
    key("space", "spaces.id"),
    organization(),
    key("user", "users.id"),
    # Chosen by the tab.
    key("word"),
    key("change_request", "change_requests.id", null=True),
    text("page"),
    text("doing", null=False),
    text("node"),
    number("since"),
    number("seen_at"),
    PrimaryKeyConstraint("space", "user", "word"),
    Index("presences_seen", "seen_at"),
    Index("presences_of_organization", "organization"),
    Index("presences_of_user", "user"),
    Index("presences_of_change_request", "change_request"),
)
