"""Jobs that wait stand in lines, one for each kind and organization: the next one is found without looking at all."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute("CREATE INDEX jobs_lines ON jobs (kind, coalesce(organization, ''), run_at, id) WHERE state = 'waiting'")


def downgrade() -> None:
    op.execute("DROP INDEX jobs_lines")
