"""The statements of the search index.

An id of a section is, from its high bits: the number of the space, of the page in it (24 bits), of the section (12).
"""

from __future__ import annotations

import msgspec

from octavo.store.database.statement import Statement

PAGE_BITS = 12
SPACE_BITS = 36
PAGE_SECTIONS = 1 << PAGE_BITS
PAGE_MASK = (1 << (SPACE_BITS - PAGE_BITS)) - 1

HEAD = Statement("SELECT root FROM search_heads WHERE space = :space")
SET_HEAD = Statement(
    "INSERT INTO search_heads (space, organization, root) VALUES (:space, :organization, :root)"
    " ON CONFLICT (space) DO UPDATE SET root = excluded.root"
)
ADD_HEAD = Statement(
    "INSERT INTO search_heads (space, organization) VALUES (:space, :organization) ON CONFLICT (space) DO NOTHING"
)
PAGES = Statement("SELECT page, digest FROM search_pages WHERE space = :space")
MARKED = Statement("SELECT page, digest FROM search_pages WHERE space = :space AND substr(digest, 1, :letters) = :mark")
NUMBERS = Statement(
    "SELECT h.number, p.number, (SELECT coalesce(max(number), 0) + 1 FROM search_pages WHERE space = :space)"
    " FROM search_heads h LEFT JOIN search_pages p ON p.space = h.space AND p.page = :page WHERE h.space = :space"
)
SET_PAGE = Statement(
    "INSERT INTO search_pages (organization, space, page, number, digest)"
    " VALUES (:organization, :space, :page, :number, :digest)"
    " ON CONFLICT (space, page) DO UPDATE SET digest = excluded.digest"
)
ADD_SECTION = Statement(
    "INSERT INTO search_sections (id, organization, space, page, anchor, title, body, words)"
    " VALUES (:id, :organization, :space, :page, :anchor, :title, :body, :words)"
)
ADD_INDEX = Statement(
    "INSERT INTO search_index (rowid, words) VALUES (:id, :words)",
    postgres="INSERT INTO search_index (id, words) VALUES (:id, CAST(:words::text AS tsvector))",
)
LEARN = Statement(
    "INSERT INTO search_words (organization, space, word, mirrored)"
    " SELECT :organization, :space, key, value FROM json_each(:pairs) WHERE true ON CONFLICT DO NOTHING",
    postgres="INSERT INTO search_words (organization, space, word, mirrored)"
    " SELECT :organization, :space, key, value FROM json_each_text(:pairs::json) ON CONFLICT DO NOTHING",
)
DELETE_SECTIONS = Statement("DELETE FROM search_sections WHERE space = :space AND page IN :pages[]")
DELETE_PAGES = Statement("DELETE FROM search_pages WHERE space = :space AND page IN :pages[]")
LEAVE = Statement("UPDATE search_heads SET root = NULL WHERE space = :space AND root IS NOT NULL")
SOME_PAGES = Statement("SELECT page FROM search_pages WHERE space = :space LIMIT :count")
DROP = [
    Statement(f"DELETE FROM {table} WHERE space = :space")
    for table in ("search_sections", "search_pages", "search_words", "search_heads")
]
_OF_IDS = "FROM search_sections WHERE organization = :organization AND id IN (SELECT value FROM json_each(:ids))"
_OF_IDS_POSTGRES = (
    "FROM search_sections WHERE organization = :organization"
    " AND id = ANY(ARRAY(SELECT value::bigint FROM json_array_elements_text(:ids::json)))"
)
WORDS = Statement(
    f"SELECT id, space, page, words {_OF_IDS}", postgres=f"SELECT id, space, page, words {_OF_IDS_POSTGRES}"
)
PLACES = Statement(f"SELECT DISTINCT space, page {_OF_IDS}", postgres=f"SELECT DISTINCT space, page {_OF_IDS_POSTGRES}")
TEXTS = Statement(
    f"SELECT id, anchor, title, body {_OF_IDS}", postgres=f"SELECT id, anchor, title, body {_OF_IDS_POSTGRES}"
)


class Scoped(msgspec.Struct, frozen=True):
    """The statements that search: `find` answers the ids of at most `most` sections that match, without an order, and
    as fast as the index gives them; `near` words one typo away may be among."""

    find: Statement
    near: Statement


def _scoped(scope: str) -> Scoped:
    head = f"WITH scope AS (SELECT number, space FROM search_heads WHERE organization = :organization{scope})"
    sqlite, postgres = "IN (SELECT {} FROM scope)", "= ANY(ARRAY(SELECT {} FROM scope))"
    find = f"FROM search_index WHERE search_index MATCH :match AND rowid >> {SPACE_BITS} {sqlite.format('number')}"
    find_postgres = (
        "FROM search_index WHERE words @@ CAST(:match::text AS tsquery)"
        f" AND id >> {SPACE_BITS} {postgres.format('number')}"
    )
    return Scoped(
        find=Statement(
            f"{head} SELECT rowid {find} LIMIT :most", postgres=f"{head} SELECT id {find_postgres} LIMIT :most::bigint"
        ),
        near=Statement(f"{head} {_near(sqlite.format('space'))}", postgres=f"{head} {_near(postgres.format('space'))}"),
    )


def _near(in_scope: str) -> str:
    return " UNION ".join(
        f"SELECT word FROM search_words WHERE space {in_scope} AND {column} >= :{bound} AND {column} < :{bound}_end"
        " AND length(word) BETWEEN :short AND :long"
        for column, bound in (("word", "start"), ("mirrored", "tail"))
    )


WHOLE = _scoped("")
"""Of every space of the organization."""
SOME = _scoped(" AND space IN :spaces[]")
"""Of `spaces`."""
