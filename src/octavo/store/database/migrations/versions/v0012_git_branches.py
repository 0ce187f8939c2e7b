"""Branches and pull requests that change requests follow, and what connections say of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
_OF_CONNECTIONS = ("previews", "sealed_api_token")
_NAMES = ("ref", "state", "head")
_TEXTS = (
    "pushed_revision",
    "pushed_oid",
    "message",
    "pull_state",
    "title",
    "link",
    "status",
    "told",
    "comment",
    "untold",
)


def upgrade() -> None:
    key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    for name in _OF_CONNECTIONS:
        op.add_column("git_connections", sa.Column(name, sa.Text()))
    op.create_table(
        "git_branches",
        sa.Column("id", key, primary_key=True),
        sa.Column("space", key, sa.ForeignKey("spaces.id", ondelete="CASCADE"), nullable=False),
        sa.Column("organization", key, sa.ForeignKey("organizations.id", ondelete="CASCADE"), nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _NAMES),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("created_at", "updated_at")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("oid", "revision", "base_oid", "base_revision")),
        sa.Column("change_request", key),
        *(sa.Column(name, sa.Text()) for name in _TEXTS),
        *(sa.Column(name, sa.BigInteger()) for name in ("pull", "told_at", "told_next")),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("archived", "tries")),
    )
    op.create_index("git_branches_of_space", "git_branches", ["space", "ref"], unique=True)
    op.create_index("git_branches_of_organization", "git_branches", ["organization"])


def downgrade() -> None:
    op.drop_table("git_branches")
    for name in reversed(_OF_CONNECTIONS):
        op.drop_column("git_connections", name)
