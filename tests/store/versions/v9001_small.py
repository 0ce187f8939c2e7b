"""A small one: a column with a value for rows that are there, an index, a table, rows that change."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Text

from octavo.store.database.migrate import HEAD

revision = "9001"
down_revision = HEAD


def upgrade() -> None:
    op.add_column("comments", Column("pinned", BigInteger, nullable=False, server_default="0"))
    op.create_index("comments_pinned", "comments", ["pinned"])
    op.create_table(
        "bookmarks",
        Column("id", Text, primary_key=True),
        Column("comment", Text, ForeignKey("comments.id", ondelete="CASCADE"), nullable=False),
    )
    op.execute("UPDATE comments SET pinned = 1 WHERE posted_at > 1700000000001")
    op.execute("INSERT INTO bookmarks (id, comment) SELECT 'of ' || id, id FROM comments WHERE pinned = 1")


def downgrade() -> None:
    op.drop_table("bookmarks")
    op.drop_index("comments_pinned", "comments")
    op.drop_column("comments", "pinned")
