"""The search index of an organization: sections of pages, indexed by their words, and kept apart from others'.

Every indexed word begins with a mark of its organization, so that a match reads nothing of the others. The id of a
section holds the numbers of its space and its page. Both engines keep in `search_index` which sections a word is in,
and no more: SQLite as a contentless FTS5 table, PostgreSQL as vectors without places. What differs between them is in
`search_sql`; finding is in `search_find`, and ranking, in `search_rank`, knows no engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from octavo.content.words import stem, words
from octavo.store.database.engine import Connection
from octavo.store.search import sql
from octavo.store.search.find import Finder, PageHit, Ranked, RankedPage, Worth, alike, read_pages
from octavo.store.search.query import IN_SPACE, PAGE, STEM, TITLE, exact_title, mark
from octavo.store.search.rank import analysed

_SPACE_BITS = sql.SPACE_BITS
_PAGE_BITS = sql.PAGE_BITS
_VECTOR_BYTES = 1_000_000
"""PostgreSQL holds no larger vector; the words of a section beyond it are not found."""
_LEARNED = range(3, 25)
"""Letters of a word that is proposed for a mistyped one."""


class Section(msgspec.Struct, frozen=True):
    """What is indexed under one heading; the first of a page has the anchor "" and the page's title."""

    anchor: str
    title: str
    body: str


class SearchIndex:
    """Writers of one space take turns; readers need nothing."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def head(self, space: str) -> bytes | None:
        """The root whose pages are indexed; None = none is."""
        rows = await self._at.rows(sql.HEAD, {"space": space})
        return None if not rows or rows[0][0] is None else bytes(rows[0][0])

    async def set_head(self, organization: str, space: str, root: bytes | None) -> None:
        """Say which root the index now shows."""
        await self._at.run(sql.SET_HEAD, {"organization": organization, "space": space, "root": root})

    async def pages(self, space: str) -> dict[str, bytes]:
        """The indexed pages with the digests they were indexed at."""
        return {page: bytes(digest) for page, digest in await self._at.rows(sql.PAGES, {"space": space})}

    async def marked(self, space: str, mark: bytes) -> dict[str, bytes]:
        """Those of them whose digests begin so."""
        rows = await self._at.rows(sql.MARKED, {"space": space, "mark": mark, "letters": len(mark)})
        return {page: bytes(digest) for page, digest in rows}

    async def replace(
        self, organization: str, space: str, page: str, digest: bytes, sections: Sequence[Section]
    ) -> None:
        """Index a page in place of what was indexed of it."""
        first = await self._first_id(organization, space, page)
        of_page = {"organization": organization, "space": space, "page": page}
        await self._at.run(sql.DELETE_SECTIONS, {"space": space, "pages": [page]})
        number = (first >> _PAGE_BITS) & sql.PAGE_MASK
        await self._at.run(sql.SET_PAGE, {**of_page, "number": number, "digest": digest})
        kept = [_clean(section) for section in _folded(sections)]
        if not kept:
            return
        learned = await self._add(of_page, first, kept)
        if learned:
            pairs = msgspec.json.encode({word: word[::-1] for word in sorted(learned)}).decode()
            await self._at.run(sql.LEARN, {"organization": organization, "space": space, "pairs": pairs})

    async def remove(self, space: str, pages: Iterable[str]) -> None:
        """Forget pages."""
        gone = {"space": space, "pages": sorted(set(pages))}
        await self._at.run(sql.DELETE_SECTIONS, gone)
        await self._at.run(sql.DELETE_PAGES, gone)

    async def shrink(self, space: str, count: int) -> bool:
        """Forget at most so many pages of a space, which counts as not indexed from then on; False when none was left."""
        await self._at.run(sql.LEAVE, {"space": space})
        gone = [page for (page,) in await self._at.rows(sql.SOME_PAGES, {"space": space, "count": count})]
        await self.remove(space, gone)
        return bool(gone)

    async def drop(self, space: str) -> None:
        """Forget a space at once; `shrink` it first where it may be large."""
        for statement in sql.DROP:
            await self._at.run(statement, {"space": space})

    async def rank(
        self, organization: str, query: str, *, spaces: Sequence[str] | None, worth: Worth = alike
    ) -> Ranked:
        """The pages of `spaces` (None = all of the organization) that match, best first; see `Finder.rank`.

        It takes milliseconds: read it apart.
        """
        return await Finder(self._at, organization, spaces, worth).rank(query)

    async def read(self, organization: str, pages: Sequence[RankedPage]) -> list[PageHit]:
        """The texts of some of the pages."""
        return await read_pages(self._at, organization, pages)

    async def _first_id(self, organization: str, space: str, page: str) -> int:
        """The id of a page's first section."""
        values = {"space": space, "page": page}
        rows = await self._at.rows(sql.NUMBERS, values)
        if not rows:
            await self._at.run(sql.ADD_HEAD, {"organization": organization, "space": space})
            rows = await self._at.rows(sql.NUMBERS, values)
        of_space, of_page, free = rows[0]
        return int(of_space << _SPACE_BITS | (of_page or free) << _PAGE_BITS)

    async def _add(self, of_page: dict[str, str], first: int, sections: Sequence[Section]) -> set[str]:
        """Index the sections; returns the words to learn."""
        rows: list[dict[str, Any]] = []
        seen: set[str] = set()
        spoken = words_of(sections)
        of_title = spoken[0].heading if not spoken[0].anchor else []
        for at, (section, (_, heading, body)) in enumerate(zip(sections, spoken, strict=True)):
            seen.update(heading, body)
            said = {**of_page, "anchor": section.anchor, "title": section.title, "body": section.body}
            rows.append({**said, "id": first + at, "words": analysed(heading, of_title if at else [], body)})
        written = indexed(self._at.dialect, of_page["organization"], of_page["space"], spoken)
        await self._at.many(sql.ADD_SECTION, rows)
        await self._at.many(sql.ADD_INDEX, [{"id": first + at, "words": one} for at, one in enumerate(written)])
        return {word for word in seen if len(word) in _LEARNED and word.isalpha()}


class Spoken(NamedTuple):
    """The words of a section."""

    anchor: str
    heading: list[str]
    body: list[str]


def words_of(sections: Iterable[Section]) -> list[Spoken]:
    """The words of each section."""
    return [Spoken(section.anchor, words(section.title), words(section.body)) for section in sections]


def indexed(dialect: str, organization: str, space: str, spoken: Sequence[Spoken]) -> list[str]:
    """What the index of a database is given of each section of a page: it is made of nothing else."""
    scope, marked = mark(organization), mark(space)
    of_title = spoken[0].heading if not spoken[0].anchor else []
    made = []
    for at, (anchor, heading, body) in enumerate(spoken):
        found_by = _found_by(heading, [*heading, *body, *of_title], marked, first=not at and not anchor)
        made.append((_text if dialect == "sqlite" else _vector)(scope, found_by))
    return made


def _folded(sections: Sequence[Section]) -> Sequence[Section]:
    """As many sections as an id can count; the rest become part of the last."""
    most = sql.PAGE_SECTIONS
    if len(sections) <= most:
        return sections
    last = sections[most - 1]
    rest = "\n".join(f"{one.title}\n{one.body}" for one in sections[most:])
    return [*sections[: most - 1], Section(last.anchor, last.title, f"{last.body}\n{rest}")]


def _clean(section: Section) -> Section:
    """Without what no database column of text holds: NUL and halves of surrogate pairs."""

    def clean(text: str) -> str:
        return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")

    return Section(clean(section.anchor), clean(section.title), clean(section.body))


def _found_by(heading: list[str], everything: list[str], space: str, *, first: bool) -> dict[str, None]:
    """What a section is found by, each once: its space, its title, its words, and stems that are not words themselves."""
    found: dict[str, None] = {IN_SPACE + space: None}
    if heading:
        found[exact_title(heading)] = None
    for where, some in ((PAGE, heading if first else []), (TITLE, heading), ("", everything)):
        for word in some:
            found[where + word] = None
            if (root := stem(word)) != word:
                found[where + STEM + root] = None
    return found


def _text(scope: str, found_by: Iterable[str]) -> str:
    return " ".join(scope + one for one in found_by)


def _vector(scope: str, found_by: Iterable[str]) -> str:
    """A tsvector, without places."""
    room = _VECTOR_BYTES
    made = []
    for one in found_by:
        room -= len(one.encode()) + 24
        if room < 0:
            break
        made.append(f"'{scope}{one}'")
    return " ".join(made)
