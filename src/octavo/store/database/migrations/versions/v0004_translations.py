"""Translations: settings and languages, runs, what was translated before, and the glossary."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_TABLES = {
    "translations": {
        "title": "text", "source": "key?", "source_language": "text?", "instructions": "text", "automatic": "number",
        "user": "key?", "created_at": "number", "updated_at": "number",
    },
    "translation_languages": {
        "translation": "of", "language": "key", "position": "number", "instructions": "text", "space": "key?",
        "source": "key?", "base": "key?", "machine": "key?", "result": "key?", "recipe": "text", "unfinished": "text",
        "runs": "number", "words": "number", "pages": "number", "duration": "number",
    },
    "translation_runs": {
        "translation": "of", "language": "key", "status": "text", "user": "key?", "automatic": "number",
        "created_at": "number", "started_at": "number?", "finished_at": "number?", "pages_total": "number",
        "pages_done": "number", "asked": "number", "remembered": "number", "kept": "number", "words": "number",
        "message": "text?", "problems": "text", "base": "key?", "revision": "key?",
    },
    "glossary_entries": {"translations": "text", "created_at": "number", "updated_at": "number"},
}  # fmt: skip
_INDEXES: tuple[tuple[str, str, list[str], bool], ...] = (
    ("translations_of_organization", "translations", ["organization", "created_at", "id"], False),
    ("translations_of_source", "translations", ["source"], False),
    ("translation_languages_of_one", "translation_languages", ["translation", "language"], True),
    ("translation_languages_of_space", "translation_languages", ["space"], False),
    ("translation_runs_of_one", "translation_runs", ["translation", "language", "created_at", "id"], False),
    ("glossary_of_organization", "glossary_entries", ["organization", "created_at", "id"], False),
    ("translation_memory_unused", "translation_memory", ["used_at"], False),
)


def upgrade() -> None:
    for name, columns in _TABLES.items():
        made = [_column(column, kind.rstrip("?"), null=kind.endswith("?")) for column, kind in columns.items()]
        op.create_table(name, _key("id", primary_key=True), _organization(), *made)
    op.create_table(
        "translation_memory",
        _organization(primary_key=True),
        sa.Column("digest", sa.LargeBinary(), primary_key=True),
        _column("text", "text"),
        _column("used_at", "number"),
    )
    for name, table, indexed, unique in _INDEXES:
        op.create_index(name, table, indexed, unique=unique)


def downgrade() -> None:
    for name in ("translation_memory", *reversed(_TABLES)):
        op.drop_table(name)


def _key(name: str, *foreign: sa.ForeignKey, **more: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), *foreign, **more)


def _organization(**more: Any) -> sa.Column[Any]:
    return _key("organization", sa.ForeignKey("organizations.id", ondelete="CASCADE"), nullable=False, **more)


def _column(name: str, kind: str, *, null: bool = False) -> sa.Column[Any]:
    if kind == "of":
        return _key(name, sa.ForeignKey("translations.id", ondelete="CASCADE"), nullable=False)
    if kind == "key":
        return _key(name, nullable=null)
    return sa.Column(name, sa.Text() if kind == "text" else sa.BigInteger(), nullable=null)
