"""Integrations, where they are installed and what they were told; webhooks and what they were sent."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_TABLES = (
    "webhook_deliveries",
    "webhooks",
    "integration_events",
    "integration_placements",
    "integration_installations",
    "integrations",
)


def upgrade() -> None:
    _integrations()
    _integration_installations()
    _integration_placements()
    _integration_events()
    _webhooks()
    _webhook_deliveries()


def downgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)


def _column(name: str, kind: str, *, null: bool = False, target: str = "", first: bool = False) -> sa.Column[Any]:
    types: dict[str, sa.types.TypeEngine[Any]] = {
        "text": sa.Text(),
        "number": sa.BigInteger(),
        "key": sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),
    }
    foreign = [sa.ForeignKey(target, ondelete="CASCADE")] if target else []
    return sa.Column(name, types[kind], *foreign, nullable=null, primary_key=first)


def _own() -> list[sa.Column[Any]]:
    """What every table begins with."""
    return [_column("id", "key", first=True), _column("organization", "key", target="organizations.id")]


def _where(name: str, table: str, condition: str, columns: list[str], *, unique: bool = False) -> None:
    said = sa.text(condition)
    op.create_index(name, table, columns, unique=unique, sqlite_where=said, postgresql_where=said)


def _integrations() -> None:
    op.create_table(
        "integrations",
        *_own(),
        _column("title", "text"),
        _column("description", "text", null=True),
        _column("summary", "text", null=True),
        _column("version", "number"),
        _column("runtime", "text"),
        _column("visibility", "text"),
        _column("target", "text"),
        _column("scopes", "text"),
        _column("categories", "text"),
        _column("blocks", "text"),
        _column("content_sources", "text"),
        _column("external_links", "text"),
        _column("configurations", "text"),
        _column("icon", "key", null=True),
        _column("previews", "text"),
        _column("script", "key"),
        _column("sealed_secrets", "text"),
        _column("sealed_key", "text"),
        _column("security_policy", "text", null=True),
        _column("created_at", "number"),
        _column("updated_at", "number"),
        _column("tunnel", "text", null=True),
        _column("tunnel_all", "number"),
    )
    op.create_index("integrations_of_organization", "integrations", ["organization"])


def _integration_installations() -> None:
    op.create_table(
        "integration_installations",
        *_own(),
        _column("integration", "key", target="integrations.id"),
        _column("status", "text"),
        _column("space_selection", "text"),
        _column("site_selection", "text"),
        _column("sealed_configuration", "text"),
        _column("external_ids", "text"),
        _column("installed_by", "key", null=True),
        _column("created_at", "number"),
        _column("updated_at", "number"),
    )
    op.create_index(
        "integration_installations_once", "integration_installations", ["integration", "organization"], unique=True
    )
    op.create_index("integration_installations_of_organization", "integration_installations", ["organization"])


def _integration_placements() -> None:
    op.create_table(
        "integration_placements",
        *_own(),
        _column("installation", "key", target="integration_installations.id"),
        _column("integration", "key"),
        _column("space", "key", null=True, target="spaces.id"),
        _column("site", "key", null=True, target="sites.id"),
        _column("status", "text"),
        _column("sealed_configuration", "text"),
        _column("external_ids", "text"),
        _column("created_at", "number"),
        _column("updated_at", "number"),
    )
    _where(
        "integration_placements_space",
        "integration_placements",
        "space IS NOT NULL",
        ["space", "installation"],
        unique=True,
    )
    _where(
        "integration_placements_site",
        "integration_placements",
        "site IS NOT NULL",
        ["site", "installation"],
        unique=True,
    )
    op.create_index("integration_placements_of_installation", "integration_placements", ["installation"])
    op.create_index("integration_placements_of_organization", "integration_placements", ["organization"])


def _integration_events() -> None:
    op.create_table(
        "integration_events",
        *_own(),
        _column("integration", "key", target="integrations.id"),
        _column("installation", "key", null=True),
        _column("type", "text"),
        _column("sealed_payload", "text"),
        _column("created_at", "number"),
        _column("status", "text", null=True),
        _column("logs", "text"),
    )
    op.create_index("integration_events_of_integration", "integration_events", ["integration", "created_at", "id"])
    op.create_index("integration_events_of_organization", "integration_events", ["organization"])
    op.create_index("integration_events_old", "integration_events", ["created_at"])


def _webhooks() -> None:
    op.create_table(
        "webhooks",
        *_own(),
        _column("title", "text"),
        _column("url", "text"),
        _column("events", "text"),
        _column("spaces", "text", null=True),
        _column("sites", "text", null=True),
        _column("sealed_secret", "text"),
        _column("sealed_former_secret", "text", null=True),
        _column("former_until", "number", null=True),
        _column("active", "number"),
        _column("disabled_reason", "text", null=True),
        _column("failing_since", "number", null=True),
        _column("created_by", "key", null=True),
        _column("created_at", "number"),
        _column("updated_at", "number"),
    )
    op.create_index("webhooks_of_organization", "webhooks", ["organization", "created_at", "id"])


def _webhook_deliveries() -> None:
    op.create_table(
        "webhook_deliveries",
        *_own(),
        _column("webhook", "key", target="webhooks.id"),
        _column("event", "key"),
        _column("type", "text"),
        _column("resource", "key"),
        _column("payload", "text"),
        _column("state", "text"),
        _column("attempts", "text"),
        _column("replay_of", "key", null=True),
        _column("created_at", "number"),
        _column("finished_at", "number", null=True),
    )
    op.create_index("webhook_deliveries_of_webhook", "webhook_deliveries", ["webhook", "created_at", "id"])
    op.create_index("webhook_deliveries_of_organization", "webhook_deliveries", ["organization"])
    op.create_index("webhook_deliveries_old", "webhook_deliveries", ["created_at"])
    _where(
        "webhook_deliveries_waiting",
        "webhook_deliveries",
        "state = 'waiting'",
        ["webhook", "resource", "created_at", "id"],
    )
