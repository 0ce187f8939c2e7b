"""Tables and constraints, for migrations only: serving never imports SQLAlchemy.

Conventions of both dialects: times are BIGINT milliseconds, booleans are 0 or 1, JSON is TEXT that is never queried
inside, ids are TEXT compared byte by byte. Every row carries its organization.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData()

Key: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")


def _key(name: str, target: str | None = None, *, null: bool = False, unique: bool = False) -> Column[str]:
    foreign = [ForeignKey(target, ondelete="CASCADE")] if target else []
    return Column(name, Key, *foreign, nullable=null, unique=unique)


def _text(name: str, *, null: bool = True) -> Column[str]:
    return Column(name, Text, nullable=null)


def _number(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=null)


def _id() -> Column[str]:
    return Column("id", Key, primary_key=True)


def _organization(*, null: bool = False) -> Column[str]:
    return _key("organization", "organizations.id", null=null)


def _unique_where(name: str, condition: str, *columns: str) -> Index:
    return Index(name, *columns, unique=True, sqlite_where=text(condition), postgresql_where=text(condition))


Table("installation", metadata, Column("name", Key, primary_key=True), _text("value", null=False))

Table(
    "users",
    metadata,
    _id(),
    _text("email", null=False),
    _key("email_folded", unique=True),
    _text("name", null=False),
    _text("photo_url"),
    _number("created_at"),
)

Table(
    "tokens",
    metadata,
    _id(),
    _key("user", "users.id"),
    _key("hash", unique=True),
    _text("label", null=False),
    _text("scopes"),
    _number("created_at"),
    _number("expires_at", null=True),
    _number("last_used_at", null=True),
    Index("tokens_of_user", "user"),
)

Table(
    "organizations",
    metadata,
    _id(),
    _text("title", null=False),
    _number("created_at"),
    _key("hostname", null=True, unique=True),
    _text("default_role"),
    _text("email_domains", null=False),
    _key("default_content", null=True),
    _text("logo"),
    _number("sso"),
    _number("ai"),
    _number("invite_links"),
    _text("use_case"),
    _text("community_type"),
    _text("merge_rules"),
)

Table(
    "members",
    metadata,
    _organization(),
    _key("user", "users.id"),
    _text("role"),
    _number("joined_at"),
    _number("last_seen_at", null=True),
    _number("disabled"),
    PrimaryKeyConstraint("organization", "user"),
    Index("members_of_user", "user"),
)

Table(
    "teams",
    metadata,
    _id(),
    _organization(),
    _text("title", null=False),
    _number("created_at"),
    Index("teams_of_organization", "organization", "created_at"),
)

Table(
    "team_members",
    metadata,
    _organization(),
    _key("team", "teams.id"),
    _key("user", "users.id"),
    _text("role", null=False),
    PrimaryKeyConstraint("team", "user"),
    Index("team_members_of_user", "user"),
)

Table(
    "collections",
    metadata,
    _id(),
    _organization(),
    _text("title", null=False),
    _key("position"),
    _number("created_at"),
    _text("description"),
    _key("parent", "collections.id", null=True),
    _text("default_level"),
    Index("collections_of_organization", "organization", "position"),
    Index("collections_of_parent", "parent"),
)

Table(
    "spaces",
    metadata,
    _id(),
    _organization(),
    _text("title", null=False),
    _text("emoji", null=False),
    _key("position"),
    _number("created_at"),
    _number("updated_at"),
    _key("revision"),
    _key("parent", "collections.id", null=True),
    _text("icon"),
    _text("edit_mode", null=False),
    _text("default_level"),
    _text("language"),
    _text("merge_rules"),
    _number("deleted_at", null=True),
    _number("comments"),
    _number("change_requests"),
    _number("change_requests_open"),
    _number("change_requests_draft"),
    Index("spaces_of_organization", "organization", "created_at", "id"),
    Index("spaces_of_parent", "parent"),
)

Table(
    "git_syncs",
    metadata,
    Column("space", Key, ForeignKey("spaces.id", ondelete="CASCADE"), primary_key=True),
    _organization(),
    _text("url", null=False),
    _text("repo_name", null=False),
    _number("updated_at"),
    _text("provider"),
    _text("integration"),
    _text("ref", null=False),
    _text("directory", null=False),
    _text("state", null=False),
    _text("direction", null=False),
    _text("message"),
    _number("ordered_at"),
    _key("operation", null=True),
)

Table(
    "revisions",
    metadata,
    _id(),
    _organization(),
    _key("space", "spaces.id"),
    Column("root", LargeBinary, nullable=False),
    _text("parents", null=False),
    _text("type", null=False),
    _number("created_at"),
    _key("author", null=True),
    _text("git"),
    _key("merged_from", null=True),
    Index("revisions_of_space", "space", "created_at"),
)

Table(
    "objects",
    metadata,
    _organization(),
    Column("digest", LargeBinary, nullable=False),
    Column("data", LargeBinary, nullable=False),
    _number("touched"),
    PrimaryKeyConstraint("organization", "digest"),
)

Table(
    "blobs",
    metadata,
    _organization(),
    _key("blob"),
    _number("size"),
    _number("touched"),
    PrimaryKeyConstraint("organization", "blob"),
)

Table(
    "sites",
    metadata,
    _id(),
    _organization(),
    _text("title", null=False),
    _number("created_at"),
    _text("type", null=False),
    _key("basename", null=True, unique=True),
    _key("hostname", null=True, unique=True),
    _text("visibility", null=False),
    _number("published"),
    _text("agents_context", null=False),
    _number("adaptive_enabled"),
    _text("icon"),
    _text("proxy"),
    _text("default_level"),
    _text("customization"),
    _number("site_spaces"),
    Index("sites_of_organization", "organization", "created_at", "id"),
)

Table(
    "site_section_groups",
    metadata,
    _id(),
    _organization(),
    _key("site", "sites.id"),
    _text("title", null=False),
    _key("position"),
    _text("icon"),
    _key("parent", "site_section_groups.id", null=True),
    _number("draft"),
    Index("site_section_groups_of_site", "site", "position"),
)

Table(
    "site_sections",
    metadata,
    _id(),
    _organization(),
    _key("site", "sites.id"),
    _text("title", null=False),
    _key("path"),
    _key("position"),
    Column("default", BigInteger, nullable=False),
    _text("description"),
    _text("condition"),
    Column("group", Key, ForeignKey("site_section_groups.id", ondelete="SET NULL"), nullable=True),
    _text("icon"),
    _number("draft"),
    Index("site_sections_of_site", "site", "position"),
    Index("site_sections_path", "site", "path", unique=True),
)

Table(
    "site_spaces",
    metadata,
    _id(),
    _organization(),
    _key("site", "sites.id"),
    _key("space", "spaces.id"),
    _text("title", null=False),
    _key("path"),
    _key("position"),
    Column("default", BigInteger, nullable=False),
    _key("section", "site_sections.id", null=True),
    _text("condition"),
    _number("hidden"),
    _number("draft"),
    Index("site_spaces_of_site", "site", "position"),
    Index("site_spaces_of_space", "space"),
    Index("site_spaces_path", "site", text("coalesce(section, '')"), "path", unique=True),
)

Table(
    "share_links",
    metadata,
    _id(),
    _organization(),
    _key("site", "sites.id"),
    _text("name", null=False),
    _key("key", unique=True),
    _number("active"),
    _number("created_at"),
    Index("share_links_of_site", "site"),
)

Table(
    "grants",
    metadata,
    _organization(),
    _text("kind", null=False),
    _key("resource"),
    _text("role", null=False),
    _key("user", "users.id", null=True),
    _key("team", "teams.id", null=True),
    Index(
        "grants_of_user",
        "resource",
        "user",
        unique=True,
        sqlite_where=text('"user" IS NOT NULL'),
        postgresql_where=text('"user" IS NOT NULL'),
    ),
    Index(
        "grants_of_team",
        "resource",
        "team",
        unique=True,
        sqlite_where=text("team IS NOT NULL"),
        postgresql_where=text("team IS NOT NULL"),
    ),
)

Table(
    "jobs",
    metadata,
    _id(),
    _organization(null=True),
    _text("kind", null=False),
    _text("payload", null=False),
    _text("state", null=False),
    _number("attempts"),
    _number("run_at"),
    _number("created_at"),
    _number("finished_at", null=True),
    _text("error"),
    _text("result"),
    _text("progress"),
    _key("lease", null=True),
    _number("lease_until", null=True),
    _key("dedup", null=True),
    Index("jobs_due", "state", "run_at"),
    Index(
        "jobs_dedup",
        "dedup",
        unique=True,
        sqlite_where=text("state = 'waiting'"),
        postgresql_where=text("state = 'waiting'"),
    ),
)

Table(
    "search_heads",
    metadata,
    Column("number", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    _key("space", "spaces.id", unique=True),
    _organization(),
    Column("root", LargeBinary, nullable=True),
    Index("search_heads_of_organization", "organization"),
    sqlite_autoincrement=True,
)

Table(
    "search_pages",
    metadata,
    _organization(),
    _key("space", "spaces.id"),
    _key("page"),
    _number("number"),
    Column("digest", LargeBinary, nullable=False),
    PrimaryKeyConstraint("space", "page"),
    Index("search_pages_number", "space", "number", unique=True),
)

Table(
    "search_sections",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=False),
    _organization(),
    _key("space", "spaces.id"),
    _key("page"),
    _text("anchor", null=False),
    _text("title", null=False),
    _text("body", null=False),
    Index("search_sections_of_page", "space", "page"),
)

Table(
    "search_words",
    metadata,
    _organization(),
    _key("space", "spaces.id"),
    _key("word"),
    _key("mirrored"),
    PrimaryKeyConstraint("space", "word"),
    Index("search_words_mirrored", "space", "mirrored"),
    sqlite_with_rowid=False,
)

Table(
    "cache",
    metadata,
    Column("key", LargeBinary, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    _number("touched"),
)

BY_DIALECT = {
    "sqlite": [
        "CREATE VIRTUAL TABLE search_index USING fts5(title, body, page, content='', contentless_delete=1,"
        " tokenize=\"ascii tokenchars '=+._-'\", prefix='9 10')",
        # A trigger, so that no way of deleting a section, cascades among them, leaves its words behind.
        "CREATE TRIGGER search_sections_deleted AFTER DELETE ON search_sections"
        " BEGIN DELETE FROM search_index WHERE rowid = old.id; END",
    ],
    "postgresql": [
        # The target keeps vectors in their rows, because a ranking reads every one that matches.
        "CREATE TABLE search_index (id bigint PRIMARY KEY REFERENCES search_sections (id) ON DELETE CASCADE,"
        " words tsvector NOT NULL) WITH (toast_tuple_target = 8160)",
        "CREATE INDEX search_index_words ON search_index USING gin (words) WITH (fastupdate = off)",
    ],
}
"""What only one dialect has."""
