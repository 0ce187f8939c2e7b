"""The first schema."""

from __future__ import annotations

from alembic import op

from octavo.store.schema.tables import BY_DIALECT, metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    bind = op.get_bind()
    metadata.create_all(bind, checkfirst=False)
    for statement in BY_DIALECT[bind.dialect.name]:
        op.execute(statement)
