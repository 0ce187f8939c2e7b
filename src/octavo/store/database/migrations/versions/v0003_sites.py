"""Sites: hostnames that are asked for, links elsewhere, redirects, visitors who log in, servers of tools, fonts, feedback."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_ADDED = {
    "sites": {
        "wanted_hostname": "key",
        "hostname_wanted_at": "number",
        "hostname_secret": "key",
        "hostname_checked_at": "number",
        "hostname_problem": "text",
        "adaptive_schema": "text",
        "adaptive_updated_at": "number",
        "customized_at": "number",
    },
    "site_section_groups": {"localized_title": "text"},
    "site_sections": {"localized_title": "text", "localized_description": "text"},
    "site_spaces": {"page": "key", "customization": "text", "customized_at": "number"},
}
_TABLES = ("page_feedback", "fonts", "site_mcp_servers", "site_auths", "site_redirects", "site_external_links")


def upgrade() -> None:
    for table, columns in _ADDED.items():
        for name, kind in columns.items():
            op.add_column(table, _column(name, kind, null=True))
    # A hostname that began with "?" had been asked for and not been shown to be the site's.
    op.execute("UPDATE sites SET wanted_hostname = hostname WHERE hostname IS NOT NULL")
    op.execute("UPDATE sites SET wanted_hostname = substr(hostname, 2), hostname = NULL WHERE hostname LIKE '?%'")
    op.create_index("sites_of_wanted_hostname", "sites", ["wanted_hostname"])
    _external_links()
    _redirects()
    _visitors()
    _fonts()
    _feedback()


def downgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)
    op.drop_index("sites_of_wanted_hostname", "sites")
    # One of those who ask for the same name keeps its wish: the column takes each name once.
    op.execute(
        "UPDATE sites SET hostname = '?' || wanted_hostname WHERE hostname IS NULL AND id IN"
        " (SELECT min(id) FROM sites WHERE hostname IS NULL AND wanted_hostname IS NOT NULL GROUP BY wanted_hostname)"
    )
    for table, columns in _ADDED.items():
        for name in columns:
            op.drop_column(table, name)


def _column(name: str, kind: str, *, null: bool = False, target: str = "", gone: str = "CASCADE") -> sa.Column[Any]:
    types: dict[str, sa.types.TypeEngine[Any]] = {
        "text": sa.Text(),
        "number": sa.BigInteger(),
        "key": sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
    }
    foreign = [sa.ForeignKey(target, ondelete=gone)] if target else []
    return sa.Column(name, types[kind], *foreign, nullable=null)


def _of_site() -> list[sa.Column[Any]]:
    return [
        sa.Column("id", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), primary_key=True),
        _column("organization", "key", target="organizations.id"),
        _column("site", "key", target="sites.id"),
    ]


def _external_links() -> None:
    op.create_table(
        "site_external_links",
        *_of_site(),
        _column("title", "text"),
        _column("url", "text"),
        _column("position", "key"),
        _column("draft", "number"),
        _column("description", "text", null=True),
        _column("icon", "text", null=True),
        _column("condition", "text", null=True),
        _column("group", "key", null=True, target="site_section_groups.id", gone="SET NULL"),
        _column("localized_title", "text", null=True),
        _column("localized_description", "text", null=True),
    )
    op.create_index("site_external_links_of_site", "site_external_links", ["site", "position"])


def _redirects() -> None:
    op.create_table(
        "site_redirects",
        *_of_site(),
        _column("source", "key"),
        _column("destination", "text"),
        _column("capture_wildcard", "number"),
        _column("permanent", "number"),
        _column("draft", "number"),
        _column("created_at", "number"),
        _column("updated_at", "number", null=True),
    )
    op.create_index("site_redirects_source", "site_redirects", ["site", "source", "draft"], unique=True)
    op.create_index("site_redirects_of_site", "site_redirects", ["site", "created_at", "id"])


def _visitors() -> None:
    op.create_table(
        "site_auths",
        sa.Column(
            "site",
            sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
            sa.ForeignKey("sites.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        _column("organization", "key", target="organizations.id"),
        _column("backend", "text"),
        _column("sealed_key", "text"),
        _column("fallback_url", "text", null=True),
        _column("logout_url", "text", null=True),
        _column("integration", "key", null=True),
        _column("changed_at", "number"),
    )
    op.create_table(
        "site_mcp_servers",
        *_of_site(),
        _column("name", "text"),
        _column("url", "text"),
        _column("transport", "text"),
        _column("sealed_headers", "text"),
        _column("condition", "text", null=True),
        _column("created_at", "number"),
    )
    op.create_index("site_mcp_servers_of_site", "site_mcp_servers", ["site", "created_at", "id"])


def _fonts() -> None:
    op.create_table(
        "fonts",
        *_of_site()[:2],
        _column("family", "text"),
        _column("faces", "text"),
        _column("created_at", "number"),
        _column("updated_at", "number"),
    )
    op.create_index("fonts_of_organization", "fonts", ["organization", "created_at", "id"])


def _feedback() -> None:
    op.create_table(
        "page_feedback",
        *_of_site(),
        _column("space", "key"),
        _column("page", "key"),
        _column("visitor", "key"),
        _column("rating", "text"),
        _column("comment", "text", null=True),
        _column("created_at", "number"),
    )
    op.create_index("page_feedback_of_site", "page_feedback", ["site", "created_at", "id"])
    op.create_index("page_feedback_visitor", "page_feedback", ["site", "page", "visitor"], unique=True)
