"""How the revision that a branch was last the same as was read from it, so that only what changed since is read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("git_bases", sa.Column("read_as", sa.Text()))


def downgrade() -> None:
    op.drop_column("git_bases", "read_as")
