"""One that SQLite can only do by writing a table anew, to which others refer: a team may be without a title."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, ForeignKey, Index, MetaData, Table, Text

revision = "9002"
down_revision = "9001"
offline = ("sqlite",)


def upgrade() -> None:
    with op.batch_alter_table("teams", copy_from=_teams(titled=True)) as batch:
        batch.alter_column("title", existing_type=Text, nullable=True)


def downgrade() -> None:
    with op.batch_alter_table("teams", copy_from=_teams(titled=False)) as batch:
        batch.alter_column("title", existing_type=Text, nullable=False)


def _teams(*, titled: bool) -> Table:
    """The table as it was."""
    return Table(
        "teams",
        MetaData(),
        Column("id", Text, primary_key=True),
        Column("organization", Text, ForeignKey("organizations.id", ondelete="CASCADE"), nullable=False),
        Column("title", Text, nullable=not titled),
        Column("created_at", BigInteger, nullable=False),
        Index("teams_of_organization", "organization", "created_at"),
    )
