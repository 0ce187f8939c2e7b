"""Who is where: a row for each open tab of the application."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from octavo.store.schema.columns import Key

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    gone = "CASCADE"
    op.create_table(
        "presences",
        sa.Column("space", Key, sa.ForeignKey("spaces.id", ondelete=gone), nullable=False),
        sa.Column("organization", Key, sa.ForeignKey("organizations.id", ondelete=gone), nullable=False),
        sa.Column("user", Key, sa.ForeignKey("users.id", ondelete=gone), nullable=False),
        sa.Column("word", Key, nullable=False),
        sa.Column("change_request", Key, sa.ForeignKey("change_requests.id", ondelete=gone)),
        sa.Column("page", sa.Text()),
        sa.Column("doing", sa.Text(), nullable=False),
        sa.Column("node", sa.Text()),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("space", "user", "word"),
    )
    op.create_index("presences_seen", "presences", ["seen_at"])
    op.create_index("presences_of_organization", "presences", ["organization"])
    op.create_index("presences_of_user", "presences", ["user"])
    op.create_index("presences_of_change_request", "presences", ["change_request"])


def downgrade() -> None:
    op.drop_table("presences")
