"""Why the host of a repository could not be asked for its pull requests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("git_connections", sa.Column("pulls_message", sa.Text()))


def downgrade() -> None:
    op.drop_column("git_connections", "pulls_message")
