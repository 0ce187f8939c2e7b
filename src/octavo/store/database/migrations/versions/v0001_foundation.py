"""The first schema, as it was written: SQL beside this file, one a database, that follows no later change."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    file = Path(__file__).with_name(f"foundation.{op.get_context().dialect.name}.sql")
    for statement in file.read_text().splitlines():
        op.execute(statement.removesuffix(";"))


def downgrade() -> None:
    """Nothing was before."""
    raise NotImplementedError("there is no schema before the first")
