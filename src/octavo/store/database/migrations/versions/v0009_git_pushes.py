"""Posts of Git hosts that were taken, so that each is taken once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "git_pushes",
        sa.Column("space", key, sa.ForeignKey("spaces.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("digest", key, primary_key=True),
        sa.Column("organization", key, sa.ForeignKey("organizations.id", ondelete="CASCADE"), nullable=False),
        sa.Column("taken_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("git_pushes_of_space", "git_pushes", ["space", "taken_at"])
    op.create_index("git_pushes_of_organization", "git_pushes", ["organization"])


def downgrade() -> None:
    op.drop_table("git_pushes")
