"""Sites whose structure lies in a repository: their branches, operations, and where both were last the same."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "git_site_operations",
        sa.Column("id", _key(), primary_key=True),
        _column("organization", _key(), target="organizations.id"),
        _column("site", _key(), target="sites.id"),
        _column("number", sa.BigInteger()),
        *(_column(name, sa.Text()) for name in ("state", "phase", "url", "ref", "directory")),
        _column("keep", sa.Text(), null=True),
        *(_column(name, sa.BigInteger()) for name in ("quiet", "created_at", "attempts", "changed")),
        *(_column(name, sa.BigInteger(), null=True) for name in ("started_at", "ended_at", "retry_at")),
        _column("message", sa.Text(), null=True),
        _column("log", sa.Text()),
        _column("oid", _key(), null=True),
        *(_column(name, sa.Text()) for name in ("spaces", "gone")),
        _column("user", _key(), null=True),
    )
    op.create_index("git_site_operations_of_site", "git_site_operations", ["site", "number"], unique=True)
    unended = sa.text("ended_at IS NULL")
    op.create_index(
        "git_site_operations_waiting", "git_site_operations", ["site", "number"],
        sqlite_where=unended, postgresql_where=unended,
    )  # fmt: skip
    op.create_table(
        "git_site_bases",
        *_of_site(),
        _column("oid", _key()),
        *(_column(name, sa.Text()) for name in ("file", "described", "keys", "spaces")),
    )
    op.create_table(
        "git_site_connections",
        *_of_site(),
        _column("first", sa.Text()),
        _column("created_by", _key()),
        *(_column(name, sa.BigInteger()) for name in ("created_at", "updated_at")),
        *(_column(name, sa.Text(), null=True) for name in ("provider", "username")),
        *(_column(name, sa.Text(), null=True) for name in ("sealed_token", "sealed_webhook_secret", "sealed_key")),
        *(_column(name, sa.Text(), null=True) for name in ("public_key", "host_key")),
        _column("poll_minutes", sa.BigInteger(), null=True),
        _column("paused", sa.BigInteger()),
    )


def downgrade() -> None:
    for table in ("git_site_connections", "git_site_bases", "git_site_operations"):
        op.drop_table(table)


def _of_site() -> list[sa.Column[Any]]:
    key = sa.Column("site", _key(), sa.ForeignKey("sites.id", ondelete="CASCADE"), primary_key=True)
    return [
        key,
        _column("organization", _key(), target="organizations.id"),
        *(_column(name, sa.Text()) for name in ("url", "ref", "directory")),
    ]


def _key() -> Any:
    return sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def _column(name: str, kind: Any, *, null: bool = False, target: str | None = None) -> sa.Column[Any]:
    foreign = [sa.ForeignKey(target, ondelete="CASCADE")] if target else []
    return sa.Column(name, kind, *foreign, nullable=null)
