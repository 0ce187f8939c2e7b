"""What an identity provider calls the session that a browser's rests on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from octavo.store.schema.columns import Key

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("provider_session", Key))
    op.create_index("sessions_of_provider", "sessions", ["provider_session"])


def downgrade() -> None:
    op.drop_index("sessions_of_provider", "sessions")
    op.drop_column("sessions", "provider_session")
