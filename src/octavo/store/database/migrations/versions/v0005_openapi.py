"""OpenAPI specifications, their versions, and the parts of the newest ones."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "openapi_specs",
        sa.Column("id", _key(), primary_key=True),
        _of("organization", "organizations.id"),
        _word("slug"),
        _number("created_at"),
        _number("updated_at"),
        _text("source_url"),
        _word("source_blob", null=True),
        _number("wanted"),
        _text("visibility", null=False),
        _text("state", null=False),
        _word("last_version", null=True),
        _number("processed_at", null=True),
        _text("error_code"),
        _text("errors"),
        _number("error_count"),
        _number("due_at", null=True),
    )
    op.create_index("openapi_specs_slug", "openapi_specs", ["organization", "slug"], unique=True)
    op.create_index("openapi_specs_due", "openapi_specs", ["due_at"])
    op.create_table(
        "openapi_versions",
        sa.Column("id", _key(), primary_key=True),
        _of("organization", "organizations.id"),
        _of("spec", "openapi_specs.id"),
        _number("created_at"),
        _word("blob"),
        _number("size"),
        _text("format", null=False),
        _word("document"),
        _number("document_size"),
        _text("source_url"),
    )
    op.create_index("openapi_versions_of_spec", "openapi_versions", ["spec", "created_at", "id"])
    op.create_table(
        "openapi_parts",
        _of("organization", "organizations.id"),
        _of("spec", "openapi_specs.id"),
        _word("name"),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("spec", "name"),
    )


def downgrade() -> None:
    for table in ("openapi_parts", "openapi_versions", "openapi_specs"):
        op.drop_table(table)


def _key() -> Any:
    return sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def _word(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, _key(), nullable=null)


def _of(name: str, target: str) -> sa.Column[Any]:
    return sa.Column(name, _key(), sa.ForeignKey(target, ondelete="CASCADE"), nullable=False)


def _text(name: str, *, null: bool = True) -> sa.Column[Any]:
    return sa.Column(name, sa.Text, nullable=null)


def _number(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger, nullable=null)
