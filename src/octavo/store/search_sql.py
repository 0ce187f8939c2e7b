"""The statements of the search index.

An id of a section is, from its high bits: the number of the space, of the page in it (24 bits), of the section (12).
"""

from __future__ import annotations

from dataclasses import dataclass

from octavo.store.statement import Statement

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
    "INSERT INTO search_sections (id, organization, space, page, anchor, title, body)"
    " VALUES (:id, :organization, :space, :page, :anchor, :title, :body)"
)
ADD_INDEX = Statement(
    "INSERT INTO search_index (rowid, title, body, page) VALUES (:id, :title, :body, :page)",
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
DROP = [
    Statement(f"DELETE FROM {table} WHERE space = :space")
    for table in ("search_sections", "search_pages", "search_words", "search_heads")
]
SECTIONS = Statement(
    "SELECT id, space, page, anchor, title, body FROM search_sections"
    " WHERE organization = :organization AND id IN (SELECT value FROM json_each(:ids))",
    postgres="SELECT id, space, page, anchor, title, body FROM search_sections WHERE organization = :organization"
    " AND id IN (SELECT value::bigint FROM json_array_elements_text(:ids::json))",
)

# A page's own title counts more than a heading in it.
_TITLE = f"CASE WHEN {{}}.id & {PAGE_SECTIONS - 1} = 0 THEN 6 ELSE 4 END"
# A title counts on its own besides counting as text: in one sum, a long body would level it.
_SQLITE_SCORED = f"""
    matched AS MATERIALIZED (
        SELECT rowid AS id, -bm25(search_index, 1.0, 1.0, 0.0) AS score FROM search_index
        WHERE search_index MATCH :match AND rowid >> {SPACE_BITS} IN (SELECT number FROM scope)),
    titled AS MATERIALIZED (
        SELECT rowid AS id, -bm25(search_index) AS score FROM search_index
        WHERE search_index MATCH :titles AND rowid >> {SPACE_BITS} IN (SELECT number FROM scope)),
    scored AS MATERIALIZED (
        SELECT matched.id AS id, matched.score + coalesce(titled.score, 0) * {_TITLE.format("matched")} AS score
        FROM matched LEFT JOIN titled ON titled.id = matched.id WHERE matched.score > 0)
"""
# Arrays, because a join with the scope would run the match once for each space.
_POSTGRES_SCORED = f"""
    scored AS MATERIALIZED (
        SELECT id, CASE WHEN words @@ CAST(:exact::text AS tsquery) THEN 2 ELSE 0 END + {_TITLE.format("search_index")}
            * ts_rank('{{0.1, 0, 0.6, 1}}', words, CAST(:titles::text AS tsquery)) AS score FROM search_index
        WHERE words @@ CAST(:match::text AS tsquery) AND id >> {SPACE_BITS} = ANY(ARRAY(SELECT number FROM scope)))
"""


def _grouped(in_top: str) -> str:
    return f"""
    pages AS MATERIALIZED (
        SELECT id >> {PAGE_BITS} AS page, max(score) AS best FROM scored WHERE score > 0 GROUP BY id >> {PAGE_BITS}),
    top AS MATERIALIZED (SELECT page, best FROM pages ORDER BY best DESC, page LIMIT :limit OFFSET :offset),
    shown AS MATERIALIZED (SELECT id, score FROM scored WHERE score > 0 AND id >> {PAGE_BITS} {in_top})
    SELECT counted.total, hits.id, hits.score FROM (SELECT count(*) AS total FROM pages) counted LEFT JOIN (
        SELECT shown.id, shown.score, top.page, top.best FROM top JOIN shown ON shown.id >> {PAGE_BITS} = top.page
    ) hits ON true ORDER BY hits.best DESC, hits.page, hits.score DESC, hits.id
    """


@dataclass(frozen=True)
class Scoped:
    """The statements that search: `find` answers (total, id, score), with a null id when there is none to show; `count`
    how many sections match; `near` the words that may be one typo away."""

    find: Statement
    count: Statement
    near: Statement


def _scoped(scope: str) -> Scoped:
    head = f"WITH scope AS (SELECT number, space FROM search_heads WHERE organization = :organization{scope})"
    sqlite, postgres = "IN (SELECT {} FROM {})", "= ANY(ARRAY(SELECT {} FROM {}))"
    return Scoped(
        find=Statement(
            f"{head}, {_SQLITE_SCORED}, {_grouped(sqlite.format('page', 'top'))}",
            postgres=f"{head}, {_POSTGRES_SCORED}, {_grouped(postgres.format('page', 'top'))}",
        ),
        count=Statement(
            f"{head} SELECT count(*) FROM search_index WHERE search_index MATCH :match"
            f" AND rowid >> {SPACE_BITS} {sqlite.format('number', 'scope')}",
            postgres=f"{head} SELECT count(*) FROM search_index WHERE words @@ CAST(:match::text AS tsquery)"
            f" AND id >> {SPACE_BITS} {postgres.format('number', 'scope')}",
        ),
        near=Statement(
            f"{head} {_near(sqlite.format('space', 'scope'))}",
            postgres=f"{head} {_near(postgres.format('space', 'scope'))}",
        ),
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
