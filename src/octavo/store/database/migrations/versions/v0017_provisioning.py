"""Domains that organizations claim, and users and groups by SCIM."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from octavo.store.schema.columns import Key

revision = "0017"
down_revision = "0016"


def _key(name: str, target: str | None = None, *, null: bool = False, primary: bool = False) -> sa.Column[str]:
    foreign = [sa.ForeignKey(target, ondelete="CASCADE")] if target else []
    return sa.Column(name, Key, *foreign, nullable=null, primary_key=primary)


def _number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=null)


def _organization() -> sa.Column[str]:
    return _key("organization", "organizations.id")


def upgrade() -> None:
    op.create_table(
        "domain_claims",
        _organization(),
        _key("domain"),
        _key("word"),
        _number("claimed_at"),
        _number("checked_at", null=True),
        _number("found_at", null=True),
        _text("problem", null=True),
        sa.PrimaryKeyConstraint("organization", "domain"),
    )
    op.create_index("domain_claims_by_check", "domain_claims", ["checked_at"])
    op.create_table(
        "scim_tokens",
        _key("id", primary=True),
        _organization(),
        _text("label"),
        sa.Column("hash", Key, nullable=False, unique=True),
        _key("created_by"),
        _number("created_at"),
        _number("expires_at", null=True),
        _number("last_used_at", null=True),
    )
    op.create_index("scim_tokens_of_organization", "scim_tokens", ["organization", "created_at", "id"])
    op.create_table(
        "scim_users",
        _organization(),
        _key("user", "users.id"),
        _text("user_name"),
        _key("user_name_folded"),
        _key("external_id", null=True),
        _text("profile"),
        _number("created_at"),
        _number("changed_at"),
        sa.PrimaryKeyConstraint("organization", "user"),
    )
    op.create_index("scim_users_by_name", "scim_users", ["organization", "user_name_folded"], unique=True)
    op.create_index("scim_users_by_external_id", "scim_users", ["organization", "external_id"])
    op.create_index("scim_users_of_user", "scim_users", ["user"])
    op.create_table(
        "scim_groups",
        _key("team", "teams.id", primary=True),
        _organization(),
        _text("display_name"),
        _key("display_name_folded"),
        _key("external_id", null=True),
        _number("created_at"),
        _number("changed_at"),
    )
    op.create_index("scim_groups_by_name", "scim_groups", ["organization", "display_name_folded"], unique=True)


def downgrade() -> None:
    for name in ("scim_groups", "scim_users", "scim_tokens", "domain_claims"):
        op.drop_table(name)
