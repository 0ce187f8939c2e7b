"""Imports into spaces: how far each is, and what came of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from octavo.store.schema.columns import Key

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    gone = "CASCADE"
    op.create_table(
        "import_runs",
        sa.Column("id", Key, primary_key=True),
        sa.Column("organization", Key, sa.ForeignKey("organizations.id", ondelete=gone), nullable=False),
        sa.Column("space", Key, sa.ForeignKey("spaces.id", ondelete=gone), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("format", sa.Text()),
        sa.Column("url", sa.Text()),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("created_by", Key, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("change_request", Key),
        sa.Column("page", sa.Text()),
        sa.Column("site", Key),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("finished_at", sa.BigInteger()),
        sa.Column("message", sa.Text()),
        sa.Column("step", sa.Text()),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("revision", Key),
        sa.Column("pages", sa.Text(), nullable=False),
        sa.Column("warnings", sa.Text(), nullable=False),
    )
    op.create_index("import_runs_of_organization", "import_runs", ["organization", "created_at", "id"])
    op.create_index("import_runs_of_space", "import_runs", ["space", "created_at", "id"])


def downgrade() -> None:
    op.drop_table("import_runs")
