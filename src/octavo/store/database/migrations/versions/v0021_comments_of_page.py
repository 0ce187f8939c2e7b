"""What was said of one page is found without what was said of the others."""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_index("comments_of_page", "comments", ["space", "change_request", "page", "posted_at", "id"])


def downgrade() -> None:
    op.drop_index("comments_of_page", "comments")
