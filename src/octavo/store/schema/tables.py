"""Tables and constraints, for migrations only: serving never imports SQLAlchemy. See `columns` for the conventions."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, PrimaryKeyConstraint, Table
from sqlalchemy import text as sql

from octavo.store.schema import access as schema_access
from octavo.store.schema import audit as schema_audit
from octavo.store.schema import git as schema_git
from octavo.store.schema import imports as schema_imports
from octavo.store.schema import integrations as schema_integrations
from octavo.store.schema import notifications as schema_notifications
from octavo.store.schema import openapi as schema_openapi
from octavo.store.schema import people as schema_people
from octavo.store.schema import presences as schema_presences
from octavo.store.schema import provisioning as schema_provisioning
from octavo.store.schema import saml as schema_saml
from octavo.store.schema import sites as schema_sites
from octavo.store.schema import translations as schema_translations
from octavo.store.schema.columns import Key, identity, key, metadata, number, organization, text, unique_where, where
from octavo.store.schema.search import BY_DIALECT

__all__ = [
    "BY_DIALECT",
    "metadata",
    "schema_access",
    "schema_audit",
    "schema_git",
    "schema_imports",
    "schema_integrations",
    "schema_notifications",
    "schema_openapi",
    "schema_people",
    "schema_presences",
    "schema_provisioning",
    "schema_saml",
    "schema_sites",
    "schema_translations",
]

Table("installation", metadata, Column("name", Key, primary_key=True), text("value", null=False))

Table(
    "users",
    metadata,
    identity(),
    text("email", null=False),
    key("email_folded", unique=True),
    text("name", null=False),
    text("photo_url"),
    number("created_at"),
    number("email_verified"),
    number("deleted_at", null=True),
    text("language"),
    where("users_deleted", "deleted_at IS NOT NULL", "id"),
)

Table(
    "tokens",
    metadata,
    identity(),
    key("user", "users.id"),
    key("hash", unique=True),
    text("label", null=False),
    text("scopes"),
    key("provider", null=True),
    number("created_at"),
    number("expires_at", null=True),
    number("last_used_at", null=True),
    Index("tokens_of_user", "user"),
)

Table(
    "organizations",
    metadata,
    identity(),
    text("title", null=False),
    number("created_at"),
    key("hostname", null=True, unique=True),
    text("default_role"),
    text("email_domains", null=False),
    key("default_content", null=True),
    text("logo"),
    number("sso"),
    number("ai"),
    number("invite_links"),
    text("use_case"),
    text("community_type"),
    text("merge_rules"),
    number("deleted_at", null=True),
    where("organizations_deleted", "deleted_at IS NOT NULL", "id"),
)

Table(
    "members",
    metadata,
    organization(),
    key("user", "users.id"),
    text("role"),
    number("joined_at"),
    number("last_seen_at", null=True),
    number("disabled"),
    number("sso"),
    PrimaryKeyConstraint("organization", "user"),
    Index("members_of_user", "user"),
)

Table(
    "teams",
    metadata,
    identity(),
    organization(),
    text("title", null=False),
    number("created_at"),
    Index("teams_of_organization", "organization", "created_at"),
)

Table(
    "team_members",
    metadata,
    organization(),
    key("team", "teams.id"),
    key("user", "users.id"),
    text("role", null=False),
    PrimaryKeyConstraint("team", "user"),
    Index("team_members_of_user", "user"),
)

Table(
    "collections",
    metadata,
    identity(),
    organization(),
    text("title", null=False),
    key("position"),
    number("created_at"),
    text("description"),
    key("parent", "collections.id", null=True),
    text("default_level"),
    Index("collections_of_organization", "organization", "position"),
    Index("collections_of_parent", "parent"),
)

Table(
    "spaces",
    metadata,
    identity(),
    organization(),
    text("title", null=False),
    text("emoji", null=False),
    key("position"),
    number("created_at"),
    number("updated_at"),
    key("revision"),
    key("parent", "collections.id", null=True),
    text("icon"),
    text("edit_mode", null=False),
    text("default_level"),
    text("language"),
    text("merge_rules"),
    number("deleted_at", null=True),
    number("comments"),
    number("change_requests"),
    number("change_requests_open"),
    number("change_requests_draft"),
    Index("spaces_of_organization", "organization", "created_at", "id"),
    Index("spaces_of_parent", "parent"),
)

Table(
    "git_syncs",
    metadata,
    Column("space", Key, ForeignKey("spaces.id", ondelete="CASCADE"), primary_key=True),
    organization(),
    text("url", null=False),
    text("repo_name", null=False),
    number("updated_at"),
    text("provider"),
    text("integration"),
    text("ref", null=False),
    text("directory", null=False),
    text("state", null=False),
    text("direction", null=False),
    text("message"),
    number("ordered_at"),
    key("operation", null=True),
    text("tree_url"),
)

Table(
    "revisions",
    metadata,
    identity(),
    organization(),
    key("space", "spaces.id"),
    Column("root", LargeBinary, nullable=False),
    text("parents", null=False),
    text("type", null=False),
    number("created_at"),
    key("author", null=True),
    text("git"),
    key("merged_from", null=True),
    text("conflicts"),
    # The first of `parents`, and how many there are from it to the beginning: what a list of a line needs.
    key("parent", null=True),
    number("number"),
    Index("revisions_of_space", "space", "created_at"),
)

Table(
    "objects",
    metadata,
    organization(),
    Column("digest", LargeBinary, nullable=False),
    Column("data", LargeBinary, nullable=False),
    number("touched"),
    PrimaryKeyConstraint("organization", "digest"),
)

Table(
    "blobs",
    metadata,
    organization(),
    key("blob"),
    number("size"),
    number("touched"),
    PrimaryKeyConstraint("organization", "blob"),
)

Table(
    "links",
    metadata,
    organization(),
    key("space", "spaces.id"),
    key("page"),
    number("number"),
    key("target"),
    text("ref", null=False),
    key("node", null=True),
    number("broken"),
    PrimaryKeyConstraint("space", "page", "number"),
    Index("links_to", "organization", "target"),
    where("links_broken", "broken = 1", "space"),
)

Table(
    "link_heads",
    metadata,
    Column("space", Key, ForeignKey("spaces.id", ondelete="CASCADE"), primary_key=True),
    organization(),
    Column("root", LargeBinary, nullable=False),
)

Table(
    "change_requests",
    metadata,
    identity(),
    organization(),
    key("space", "spaces.id"),
    number("number"),
    text("subject", null=False),
    key("status"),
    key("created_by"),
    number("created_at"),
    number("updated_at"),
    key("revision"),
    key("revision_initial"),
    key("merged_ancestor", null=True),
    key("revision_merged", null=True),
    number("merged_at", null=True),
    key("merged_by", null=True),
    number("comments"),
    text("description"),
    text("links", null=False),
    Index("change_requests_number", "space", "number", unique=True),
    Index("change_requests_updated", "space", "status", "updated_at", "id"),
    Index("change_requests_created", "space", "status", "created_at", "id"),
    Index("change_requests_of_organization", "organization", "status"),
)

Table(
    "requested_reviewers",
    metadata,
    identity(),
    organization(),
    key("change_request", "change_requests.id"),
    key("revision"),
    key("requested_by"),
    number("created_at"),
    key("user", "users.id", null=True),
    key("team", "teams.id", null=True),
    unique_where("requested_reviewers_user", '"user" IS NOT NULL', "change_request", "user"),
    unique_where("requested_reviewers_team", "team IS NOT NULL", "change_request", "team"),
    Index("requested_reviewers_of_user", "user"),
)

Table(
    "reviews",
    metadata,
    identity(),
    organization(),
    key("change_request", "change_requests.id"),
    key("revision"),
    key("reviewer"),
    text("status", null=False),
    number("created_at"),
    number("updated_at"),
    key("requested_by", null=True),
    number("superseded"),
    number("asked_again"),
    Index("reviews_of_change_request", "change_request", "created_at", "id"),
    unique_where("reviews_standing", "superseded = 0", "change_request", "reviewer"),
)

Table(
    "comments",
    metadata,
    identity(),
    organization(),
    key("space", "spaces.id"),
    key("revision"),
    key("posted_by"),
    number("posted_at"),
    text("markdown", null=False),
    key("change_request", "change_requests.id", null=True),
    key("review", "reviews.id", null=True),
    key("page", null=True),
    text("page_title"),
    key("node", null=True),
    Column("document", LargeBinary, nullable=True),
    text("preview"),
    number("edited_at", null=True),
    number("resolved_at", null=True),
    key("resolved_by", null=True),
    Index("comments_of_space", "space", "change_request", "posted_at", "id"),
    Index("comments_of_page", "space", "change_request", "page", "posted_at", "id"),
    where("comments_of_change_request", "change_request IS NOT NULL", "change_request"),
    unique_where("comments_of_review", "review IS NOT NULL", "review"),
)

Table(
    "comment_replies",
    metadata,
    identity(),
    organization(),
    key("comment", "comments.id"),
    key("posted_by"),
    number("posted_at"),
    text("markdown", null=False),
    number("edited_at", null=True),
    Index("comment_replies_of_comment", "comment", "posted_at", "id"),
)

Table(
    "reactions",
    metadata,
    organization(),
    key("comment", "comments.id"),
    key("reply"),
    key("user", "users.id"),
    text("emoji", null=False),
    number("reacted_at"),
    PrimaryKeyConstraint("comment", "reply", "user", "emoji"),
    Index("reactions_of_user", "user"),
)

Table(
    "contributors",
    metadata,
    organization(),
    key("change_request", "change_requests.id"),
    key("user"),
    text("action", null=False),
    number("count"),
    number("updated_at"),
    PrimaryKeyConstraint("change_request", "user", "action"),
    Index("contributors_of_user", "user"),
)

Table(
    "grants",
    metadata,
    organization(),
    text("kind", null=False),
    key("resource"),
    text("role", null=False),
    key("user", "users.id", null=True),
    key("team", "teams.id", null=True),
    unique_where("grants_of_user", '"user" IS NOT NULL', "resource", "user"),
    unique_where("grants_of_team", "team IS NOT NULL", "resource", "team"),
)

Table(
    "jobs",
    metadata,
    identity(),
    organization(null=True),
    text("kind", null=False),
    text("payload", null=False),
    text("state", null=False),
    number("attempts"),
    number("run_at"),
    number("created_at"),
    number("finished_at", null=True),
    text("error"),
    text("result"),
    text("progress"),
    key("lease", null=True),
    number("lease_until", null=True),
    key("dedup", null=True),
    Index("jobs_due", "state", "run_at"),
    # What waits of a kind for an organization, in its order; also for none.
    where("jobs_lines", "state = 'waiting'", "kind", sql("coalesce(organization, '')"), "run_at", "id"),
    unique_where("jobs_dedup", "state = 'waiting'", "dedup"),
)

Table(
    "cache",
    metadata,
    Column("key", LargeBinary, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    number("touched"),
)
