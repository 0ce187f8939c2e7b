"""Which scopes of an integration were agreed to where it is installed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("integration_installations", sa.Column("scopes", sa.Text(), nullable=False, server_default="[]"))
    # What runs goes on: until now an installation gave what its integration asked for.
    op.execute(
        "UPDATE integration_installations SET scopes ="
        " (SELECT n.scopes FROM integrations AS n WHERE n.id = integration_installations.integration)"
    )


def downgrade() -> None:
    op.drop_column("integration_installations", "scopes")
