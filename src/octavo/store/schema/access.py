"""Tables of how people prove who they are: browser sessions, passwords, codes by mail, and what is counted to slow guessing."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table

from octavo.store.schema.columns import Key, identity, key, metadata, number, text

Table(
    "sessions",
    metadata,
    identity(),
    key("user", "users.id"),
    key("hash", unique=True),
    text("how", null=False),
    key("provider", null=True),
    number("created_at"),
    number("used_at"),
    number("expires_at"),
    key("provider_session", null=True),
    Index("sessions_of_user", "user"),
    Index("sessions_of_provider", "provider_session"),
    Index("sessions_expired", "expires_at"),
)

Table(
    "passwords",
    metadata,
    Column("user", Key, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    text("hash", null=False),
    number("changed_at"),
)

Table(
    "login_codes",
    metadata,
    # The browser that asked: its code serves nowhere else.
    Column("visit", Key, primary_key=True),
    text("sealed_email", null=False),
    text("sign", null=False),
    number("tries"),
    number("expires_at"),
    Index("login_codes_expired", "expires_at"),
)

Table(
    "attempts",
    metadata,
    Column("key", Key, primary_key=True),
    number("count"),
    number("since"),
    Index("attempts_since", "since"),
)
