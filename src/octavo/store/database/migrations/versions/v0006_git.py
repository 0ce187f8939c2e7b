"""Git both ways: operations in queues, where a space and a branch were last the same, branches that are kept so."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("git_syncs", sa.Column("tree_url", sa.Text(), nullable=True))
    op.create_table(
        "git_operations",
        sa.Column("id", _key(), primary_key=True),
        _column("organization", _key(), target="organizations.id"),
        _column("space", _key(), target="spaces.id"),
        _column("number", sa.BigInteger()),
        *(_column(name, sa.Text()) for name in ("direction", "state", "url", "ref", "directory", "payload")),
        *(_column(name, sa.BigInteger()) for name in ("ordered_at", "created_at", "attempts")),
        *(_column(name, sa.BigInteger(), null=True) for name in ("started_at", "ended_at", "retry_at")),
        _column("message", sa.Text(), null=True),
        _column("log", sa.Text()),
        *(_column(name, _key(), null=True) for name in ("revision", "oid")),
        _column("commit_url", sa.Text(), null=True),
        *(_column(name, _key(), null=True) for name in ("change_request", "user")),
    )
    op.create_index("git_operations_of_space", "git_operations", ["space", "number"], unique=True)
    unended = sa.text("ended_at IS NULL")
    op.create_index(
        "git_operations_waiting", "git_operations", ["space", "number"], sqlite_where=unended, postgresql_where=unended
    )
    op.create_table(
        "git_bases",
        *_of_space(),
        *(_column(name, _key()) for name in ("revision", "oid")),
        *(_column(name, _key(), null=True) for name in ("pushed_revision", "pushed_oid")),
        *(_column(name, _key(), null=True) for name in ("held_request", "held_revision", "held_oid")),
    )
    op.create_table(
        "git_connections",
        *_of_space(),
        _column("first", sa.Text()),
        _column("created_by", _key()),
        *(_column(name, sa.BigInteger()) for name in ("created_at", "updated_at")),
        *(_column(name, sa.Text(), null=True) for name in ("provider", "username")),
        *(_column(name, sa.Text(), null=True) for name in ("sealed_token", "sealed_webhook_secret")),
        _column("poll_minutes", sa.BigInteger(), null=True),
        _column("paused", sa.BigInteger()),
    )


def downgrade() -> None:
    for table in ("git_connections", "git_bases", "git_operations"):
        op.drop_table(table)
    op.drop_column("git_syncs", "tree_url")


def _key() -> sa.types.TypeEngine[Any]:
    return sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def _column(name: str, kind: sa.types.TypeEngine[Any], *, null: bool = False, target: str = "") -> sa.Column[Any]:
    foreign = [sa.ForeignKey(target, ondelete="CASCADE")] if target else []
    return sa.Column(name, kind, *foreign, nullable=null)


def _of_space() -> list[sa.Column[Any]]:
    return [
        sa.Column("space", _key(), sa.ForeignKey("spaces.id", ondelete="CASCADE"), primary_key=True),
        _column("organization", _key(), target="organizations.id"),
        *(_column(name, sa.Text()) for name in ("url", "ref", "directory")),
    ]
