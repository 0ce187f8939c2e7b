"""Tables of sites: how each is put together, who may read it and at which address, how it looks, and what readers say."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table
from sqlalchemy import text as sql

from octavo.store.schema.columns import Key, identity, key, metadata, number, organization, text

Table(
    "sites",
    metadata,
    identity(),
    organization(),
    text("title", null=False),
    number("created_at"),
    text("type", null=False),
    key("basename", null=True, unique=True),
    key("hostname", null=True, unique=True),
    text("visibility", null=False),
    number("published"),
    text("agents_context", null=False),
    number("adaptive_enabled"),
    text("icon"),
    text("proxy"),
    text("default_level"),
    text("customization"),
    number("site_spaces"),
    # What was asked for; `hostname` holds it from when it was shown to be the site's to have.
    key("wanted_hostname", null=True),
    number("hostname_wanted_at", null=True),
    key("hostname_secret", null=True),
    number("hostname_checked_at", null=True),
    text("hostname_problem"),
    text("adaptive_schema"),
    number("adaptive_updated_at", null=True),
    number("customized_at", null=True),
    Index("sites_of_organization", "organization", "created_at", "id"),
    Index("sites_of_wanted_hostname", "wanted_hostname"),
)

Table(
    "site_section_groups",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    text("title", null=False),
    key("position"),
    text("icon"),
    key("parent", "site_section_groups.id", null=True),
    number("draft"),
    text("localized_title"),
    Index("site_section_groups_of_site", "site", "position"),
)

Table(
    "site_sections",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    text("title", null=False),
    key("path"),
    key("position"),
    Column("default", BigInteger, nullable=False),
    text("description"),
    text("condition"),
    Column("group", Key, ForeignKey("site_section_groups.id", ondelete="SET NULL"), nullable=True),
    text("icon"),
    number("draft"),
    text("localized_title"),
    text("localized_description"),
    Index("site_sections_of_site", "site", "position"),
    Index("site_sections_path", "site", "path", unique=True),
)

Table(
    "site_spaces",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    key("space", "spaces.id"),
    text("title", null=False),
    key("path"),
    key("position"),
    Column("default", BigInteger, nullable=False),
    key("section", "site_sections.id", null=True),
    text("condition"),
    number("hidden"),
    number("draft"),
    key("page", null=True),
    text("customization"),
    number("customized_at", null=True),
    Index("site_spaces_of_site", "site", "position"),
    Index("site_spaces_of_space", "space"),
    Index("site_spaces_path", "site", sql("coalesce(section, '')"), "path", unique=True),
)

Table(
    "share_links",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    text("name", null=False),
    key("key", unique=True),
    number("active"),
    number("created_at"),
    Index("share_links_of_site", "site"),
)

Table(
    "site_external_links",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    text("title", null=False),
    text("url", null=False),
    key("position"),
    number("draft"),
    text("description"),
    text("icon"),
    text("condition"),
    Column("group", Key, ForeignKey("site_section_groups.id", ondelete="SET NULL"), nullable=True),
    text("localized_title"),
    text("localized_description"),
    Index("site_external_links_of_site", "site", "position"),
)

Table(
    "site_redirects",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    key("source"),
    text("destination", null=False),
    number("capture_wildcard"),
    number("permanent"),
    number("draft"),
    number("created_at"),
    number("updated_at", null=True),
    Index("site_redirects_source", "site", "source", "draft", unique=True),
    Index("site_redirects_of_site", "site", "created_at", "id"),
)

Table(
    "site_auths",
    metadata,
    Column("site", Key, ForeignKey("sites.id", ondelete="CASCADE"), primary_key=True),
    organization(),
    text("backend", null=False),
    text("sealed_key", null=False),
    text("fallback_url"),
    text("logout_url"),
    key("integration", null=True),
    number("changed_at"),
)

Table(
    "site_mcp_servers",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    text("name", null=False),
    text("url", null=False),
    text("transport", null=False),
    text("sealed_headers", null=False),
    text("condition"),
    number("created_at"),
    Index("site_mcp_servers_of_site", "site", "created_at", "id"),
)

Table(
    "fonts",
    metadata,
    identity(),
    organization(),
    text("family", null=False),
    text("faces", null=False),
    number("created_at"),
    number("updated_at"),
    Index("fonts_of_organization", "organization", "created_at", "id"),
)

Table(
    "page_feedback",
    metadata,
    identity(),
    organization(),
    key("site", "sites.id"),
    key("space"),
    key("page"),
    key("visitor"),
    text("rating", null=False),
    text("comment"),
    number("created_at"),
    Index("page_feedback_of_site", "site", "created_at", "id"),
    Index("page_feedback_visitor", "site", "page", "visitor", unique=True),
)
