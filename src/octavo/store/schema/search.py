"""Tables of the search index, and what only one dialect has of it."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, PrimaryKeyConstraint, Table

from octavo.store.schema.columns import key, metadata, number, organization, text

Table(
    "search_heads",
    metadata,
    Column("number", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    key("space", "spaces.id", unique=True),
    organization(),
    Column("root", LargeBinary, nullable=True),
    Index("search_heads_of_organization", "organization"),
    sqlite_autoincrement=True,
)

Table(
    "search_pages",
    metadata,
    organization(),
    key("space", "spaces.id"),
    key("page"),
    number("number"),
    Column("digest", LargeBinary, nullable=False),
    PrimaryKeyConstraint("space", "page"),
    Index("search_pages_number", "space", "number", unique=True),
)

Table(
    "search_sections",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=False),
    organization(),
    key("space", "spaces.id"),
    key("page"),
    text("anchor", null=False),
    text("title", null=False),
    text("body", null=False),
    # What ranking counts in: see `store.search_rank`.
    text("words", null=False),
    Index("search_sections_of_page", "space", "page"),
)

Table(
    "search_words",
    metadata,
    organization(),
    key("space", "spaces.id"),
    key("word"),
    key("mirrored"),
    PrimaryKeyConstraint("space", "word"),
    Index("search_words_mirrored", "space", "mirrored"),
    sqlite_with_rowid=False,
)

BY_DIALECT = {
    "sqlite": [
        # Ranking reads `search_sections`: the index holds which sections a word is in, not where and how often. With
        # the 7 letters of an organization, 9 to 11 are beginnings of 2 to 4 letters, or of 1 to 3 in titles.
        "CREATE VIRTUAL TABLE search_index USING fts5(words, content='', contentless_delete=1, detail=none,"
        " tokenize=\"ascii tokenchars '=+#~@._-'\", prefix='9 10 11')",
        # A trigger, so that no way of deleting a section, cascades among them, leaves its words behind.
        "CREATE TRIGGER search_sections_deleted AFTER DELETE ON search_sections"
        " BEGIN DELETE FROM search_index WHERE rowid = old.id; END",
    ],
    "postgresql": [
        "CREATE TABLE search_index (id bigint PRIMARY KEY REFERENCES search_sections (id) ON DELETE CASCADE,"
        " words tsvector NOT NULL)",
        "CREATE INDEX search_index_words ON search_index USING gin (words) WITH (fastupdate = off)",
    ],
}
"""What only one dialect has."""
