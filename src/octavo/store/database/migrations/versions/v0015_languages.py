"""The language in which somebody wants letters."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("users", sa.Column("language", sa.Text()))


def downgrade() -> None:
    op.drop_column("users", "language")
