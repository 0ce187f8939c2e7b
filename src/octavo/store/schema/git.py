"""Tables of Git: operations in their queues, where a space and a branch were last the same, and branches kept so; and the
same of sites whose structure lies in a repository."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table

from octavo.store.schema.columns import Key, identity, key, metadata, number, organization, text, where


def _of_space() -> Column[str]:
    return Column("space", Key, ForeignKey("spaces.id", ondelete="CASCADE"), primary_key=True)


def _of_site() -> Column[str]:
    return Column("site", Key, ForeignKey("sites.id", ondelete="CASCADE"), primary_key=True)


Table(
    "git_operations",
    metadata,
    identity(),
    organization(),
    key("space", "spaces.id"),
    number("number"),
    text("direction", null=False),
    text("state", null=False),
    text("url", null=False),
    text("ref", null=False),
    text("directory", null=False),
    text("payload", null=False),
    number("ordered_at"),
    number("created_at"),
    number("attempts"),
    number("started_at", null=True),
    number("ended_at", null=True),
    number("retry_at", null=True),
    text("message"),
    text("log", null=False),
    key("revision", null=True),
    key("oid", null=True),
    text("commit_url"),
    key("change_request", null=True),
    key("user", null=True),
    Index("git_operations_of_space", "space", "number", unique=True),
    where("git_operations_waiting", "ended_at IS NULL", "space", "number"),
)

Table(
    "git_bases",
    metadata,
    _of_space(),
    organization(),
    text("url", null=False),
    text("ref", null=False),
    text("directory", null=False),
    key("revision"),
    key("oid"),
    text("read_as"),
    key("pushed_revision", null=True),
    key("pushed_oid", null=True),
    key("held_request", null=True),
    key("held_revision", null=True),
    key("held_oid", null=True),
)

Table(
    "git_pushes",
    metadata,
    Column("space", Key, ForeignKey("spaces.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", Key, primary_key=True),
    organization(),
    number("taken_at"),
    Index("git_pushes_of_space", "space", "taken_at"),
    Index("git_pushes_of_organization", "organization"),
)

Table(
    "git_connections",
    metadata,
    _of_space(),
    organization(),
    text("url", null=False),
    text("ref", null=False),
    text("directory", null=False),
    text("first", null=False),
    key("created_by"),
    number("created_at"),
    number("updated_at"),
    text("provider"),
    text("username"),
    text("sealed_token"),
    text("sealed_webhook_secret"),
    text("sealed_key"),
    text("public_key"),
    text("host_key"),
    number("poll_minutes", null=True),
    number("paused"),
    text("previews"),
    text("sealed_api_token"),
    text("pulls_message"),
)

Table(
    "git_branches",
    metadata,
    identity(),
    key("space", "spaces.id"),
    organization(),
    text("ref", null=False),
    text("state", null=False),
    number("created_at"),
    number("updated_at"),
    text("oid", null=False),
    text("revision", null=False),
    text("base_oid", null=False),
    text("base_revision", null=False),
    text("pushed_revision"),
    text("pushed_oid"),
    key("change_request", null=True),
    text("message"),
    number("pull", null=True),
    text("pull_state"),
    text("title"),
    text("link"),
    number("archived"),
    text("head", null=False),
    text("status"),
    text("told"),
    number("told_at", null=True),
    text("comment"),
    number("tries"),
    text("untold"),
    number("told_next", null=True),
    Index("git_branches_of_space", "space", "ref", unique=True),
    Index("git_branches_of_organization", "organization"),
)

Table(
    "git_site_operations",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    number("number"),
    text("state", null=False),
    text("phase", null=False),
    text("url", null=False),
    text("ref", null=False),
    text("directory", null=False),
    text("keep"),
    number("quiet"),
    number("created_at"),
    number("attempts"),
    number("changed"),
    number("started_at", null=True),
    number("ended_at", null=True),
    number("retry_at", null=True),
    text("message"),
    text("log", null=False),
    key("oid", null=True),
    text("spaces", null=False),
    text("gone", null=False),
    key("user", null=True),
    Index("git_site_operations_of_site", "site", "number", unique=True),
    where("git_site_operations_waiting", "ended_at IS NULL", "site", "number"),
)

Table(
    "git_site_bases",
    metadata,
    _of_site(),
    organization(),
    text("url", null=False),
    text("ref", null=False),
    text("directory", null=False),
    key("oid"),
    text("file", null=False),
    text("described", null=False),
    text("keys", null=False),
    text("spaces", null=False),
)

Table(
    "git_site_pushes",
    metadata,
    Column("site", Key, ForeignKey("sites.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", Key, primary_key=True),
    organization(),
    number("taken_at"),
    Index("git_site_pushes_of_site", "site", "taken_at"),
    Index("git_site_pushes_of_organization", "organization"),
)

Table(
    "git_site_connections",
    metadata,
    _of_site(),
    organization(),
    text("url", null=False),
    text("ref", null=False),
    text("directory", null=False),
    text("first", null=False),
    key("created_by"),
    number("created_at"),
    number("updated_at"),
    text("provider"),
    text("username"),
    text("sealed_token"),
    text("sealed_webhook_secret"),
    text("sealed_key"),
    text("public_key"),
    text("host_key"),
    number("poll_minutes", null=True),
    number("paused"),
)
