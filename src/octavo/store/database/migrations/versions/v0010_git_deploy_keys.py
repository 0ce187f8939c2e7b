"""Deploy keys of spaces that come to their repository by SSH, and the keys that hosts have to show."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
_COLUMNS = ("sealed_key", "public_key", "host_key")


def upgrade() -> None:
    for name in _COLUMNS:
        op.add_column("git_connections", sa.Column(name, sa.Text()))


def downgrade() -> None:
    for name in reversed(_COLUMNS):
        op.drop_column("git_connections", name)
