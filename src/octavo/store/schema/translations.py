"""Tables of translations: what is translated into which languages, the runs, what was translated before, the glossary."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, Table

from octavo.store.schema.columns import Key, identity, key, metadata, number, organization, text

Table(
    "translations",
    metadata,
    identity(),
    organization(),
    text("title", null=False),
    # A space that goes leaves the settings behind, which say then that it is missing.
    key("source", null=True),
    text("source_language"),
    text("instructions", null=False),
    number("automatic"),
    key("user", null=True),
    number("created_at"),
    number("updated_at"),
    Index("translations_of_organization", "organization", "created_at", "id"),
    Index("translations_of_source", "source"),
)

Table(
    "translation_languages",
    metadata,
    identity(),
    organization(),
    key("translation", "translations.id"),
    key("language"),
    number("position"),
    text("instructions", null=False),
    key("space", null=True),
    key("source", null=True),
    key("base", null=True),
    key("machine", null=True),
    key("result", null=True),
    text("recipe", null=False),
    text("unfinished", null=False),
    number("runs"),
    number("words"),
    number("pages"),
    number("duration"),
    Index("translation_languages_of_one", "translation", "language", unique=True),
    Index("translation_languages_of_space", "space"),
)

Table(
    "translation_runs",
    metadata,
    identity(),
    organization(),
    key("translation", "translations.id"),
    key("language"),
    text("status", null=False),
    key("user", null=True),
    number("automatic"),
    number("created_at"),
    number("started_at", null=True),
    number("finished_at", null=True),
    number("pages_total"),
    number("pages_done"),
    number("asked"),
    number("remembered"),
    number("kept"),
    number("words"),
    text("message"),
    text("problems", null=False),
    key("base", null=True),
    key("revision", null=True),
    Index("translation_runs_of_one", "translation", "language", "created_at", "id"),
)

Table(
    "translation_memory",
    metadata,
    Column("organization", Key, ForeignKey("organizations.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", LargeBinary, primary_key=True),
    text("text", null=False),
    number("used_at"),
    Index("translation_memory_unused", "used_at"),
)

Table(
    "glossary_entries",
    metadata,
    identity(),
    organization(),
    text("translations", null=False),
    number("created_at"),
    number("updated_at"),
    Index("glossary_of_organization", "organization", "created_at", "id"),
)
