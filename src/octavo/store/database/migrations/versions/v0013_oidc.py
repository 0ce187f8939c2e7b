"""Identity providers that speak OpenID Connect, and whom the one of the whole installation has proven."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from octavo.store.schema.columns import Key

revision = "0013"
down_revision = "0012"
_COLUMNS = ("client_id", "sealed_secret", "claims")


def upgrade() -> None:
    for name in _COLUMNS:
        op.add_column("saml_providers", sa.Column(name, sa.Text()))
    op.create_table(
        "oidc_identities",
        sa.Column("issuer", Key, nullable=False),
        sa.Column("subject", Key, nullable=False),
        sa.Column("user", Key, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject"),
    )
    op.create_index("oidc_identities_of_user", "oidc_identities", ["user"])


def downgrade() -> None:
    op.drop_table("oidc_identities")
    for name in reversed(_COLUMNS):
        op.drop_column("saml_providers", name)
