"""Posts of Git hosts that sites took, so that each is taken once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from octavo.store.schema.columns import Key

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "git_site_pushes",
        sa.Column("site", Key, sa.ForeignKey("sites.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("digest", Key, primary_key=True),
        sa.Column("organization", Key, sa.ForeignKey("organizations.id", ondelete="CASCADE"), nullable=False),
        sa.Column("taken_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("git_site_pushes_of_site", "git_site_pushes", ["site", "taken_at"])
    op.create_index("git_site_pushes_of_organization", "git_site_pushes", ["organization"])


def downgrade() -> None:
    op.drop_table("git_site_pushes")
