"""The search index of an organization: sections of pages, found by their words, grouped by page.

Every indexed word begins with a mark of its organization, so that a match reads nothing of the others, and ranking
counts nobody else's words. The id of a section holds the numbers of its space and its page: a match is restricted to
spaces, and grouped by page, without a look at any row. Both engines keep the words in `search_index`: SQLite as a
contentless FTS5 table, PostgreSQL as vectors; what differs between them is in `search_sql`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from octavo.content.words import words
from octavo.store import search_sql as sql
from octavo.store.engine import Connection
from octavo.store.search_query import IN_SPACE, TITLE, Query, Term, exact_title, mark, one_typo, read_query
from octavo.store.shelf import count

SECTIONS_MAX = 5
"""Sections that a page of hits shows at the most."""

_SPACE_BITS = sql.SPACE_BITS
_PAGE_BITS = sql.PAGE_BITS
_VECTOR_BYTES = 1_000_000
"""PostgreSQL holds no larger vector; the words of a section beyond it are not found."""
_TYPOS_MAX = 8
_FORGIVEN_MAX = 4
_COUNTED_MAX = 12
_SHORT_TITLE = 9
"""Words of a title, counted with its two other forms, that say what the section is about."""
_FREQUENT = 50
"""Sections with a word, below which it is never too frequent to tell anything."""
_FREQUENT_RATIO = 10
_LEARNED = range(3, 25)
"""Letters of a word that is proposed for a mistyped one."""


@dataclass(frozen=True)
class Section:
    """What is indexed under one heading; the first of a page has the anchor "" and the page's title."""

    anchor: str
    title: str
    body: str


@dataclass(frozen=True)
class SectionHit:
    """A section that matches."""

    anchor: str
    title: str
    body: str
    score: float


@dataclass(frozen=True)
class PageHit:
    """A page with its best sections, best first; its score is that of the first."""

    space: str
    page: str
    score: float
    sections: list[SectionHit]


@dataclass(frozen=True)
class Found:
    """One page of hits out of `total` pages; `words` is what `content.words.snippet` marks."""

    hits: list[PageHit] = field(default_factory=list)
    total: int = 0
    words: list[str] = field(default_factory=list)


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
        rows = [
            {**of_page, "id": first + at, "anchor": one.anchor, "title": one.title, "body": one.body}
            for at, one in enumerate(kept)
        ]
        await self._at.many(sql.ADD_SECTION, rows)
        learned = await self._add_words(mark(organization), mark(space), first, kept)
        if learned:
            pairs = msgspec.json.encode({word: word[::-1] for word in sorted(learned)}).decode()
            await self._at.run(sql.LEARN, {"organization": organization, "space": space, "pairs": pairs})

    async def remove(self, space: str, pages: Iterable[str]) -> None:
        """Forget pages."""
        gone = {"space": space, "pages": sorted(set(pages))}
        await self._at.run(sql.DELETE_SECTIONS, gone)
        await self._at.run(sql.DELETE_PAGES, gone)

    async def drop(self, space: str) -> None:
        """Forget a space."""
        for statement in sql.DROP:
            await self._at.run(statement, {"space": space})

    async def search(
        self, organization: str, query: str, *, spaces: Sequence[str] | None, limit: int, offset: int = 0
    ) -> Found:
        """The pages of `spaces` (None = all of the organization) that match, best first.

        All words of the query stand in one section (a page's title counts for each of its sections), the last one
        may be a beginning (of one or two letters: of a word of a title). When nothing is found so, words that occur
        nowhere are taken for mistyped ones; then words that are frequent or occur nowhere are left out; at last any
        word will do.
        """
        asked = read_query(query, organization, spaces)
        if not asked.terms or (spaces is not None and not spaces):
            return Found()
        scope: dict[str, Any] = {"organization": organization}
        if spaces is not None:
            scope["spaces"] = sorted(set(spaces))
        page = {"limit": max(limit, 0), "offset": max(offset, 0)}
        found = await self._find(asked, scope, page, every=True)
        if found.total:
            return found
        for milder, every in await self._milder(asked, scope):
            found = await self._find(milder, scope, page, every=every)
            if found.total:
                break
        return found

    async def _find(self, asked: Query, scope: Mapping[str, Any], page: Mapping[str, Any], *, every: bool) -> Found:
        statements = sql.SOME if "spaces" in scope else sql.WHOLE
        rows = await self._at.rows(statements.find, {**scope, **page, **asked.match(self._at.dialect, every=every)})
        total = int(rows[0][0])
        grouped: dict[int, list[tuple[int, float]]] = {}
        for _, section, score in rows:
            if section is not None:
                best = grouped.setdefault(section >> _PAGE_BITS, [])
                if len(best) < SECTIONS_MAX:
                    best.append((section, round(float(score), 6)))
        hits = await self._read(str(scope["organization"]), [*grouped.values()])
        return Found(hits, total, asked.marks())

    async def _read(self, organization: str, grouped: list[list[tuple[int, float]]]) -> list[PageHit]:
        if not grouped:
            return []
        ids = msgspec.json.encode([section for group in grouped for section, _ in group]).decode()
        rows = await self._at.rows(sql.SECTIONS, {"organization": organization, "ids": ids})
        texts = {row[0]: row[1:] for row in rows}
        hits = []
        for group in grouped:
            shown = [(texts[section], score) for section, score in group if section in texts]
            if shown:
                (space, page, *_), best = shown[0]
                sections = [SectionHit(anchor, title, body, score) for (*_, anchor, title, body), score in shown]
                hits.append(PageHit(space, page, best, sections))
        return hits

    async def _milder(self, asked: Query, scope: Mapping[str, Any]) -> list[tuple[Query, bool]]:
        """What to ask instead, in turn, each with whether every term must match."""
        each, doubtful = asked.each(self._at.dialect), asked.doubtful(self._at.dialect)
        counts: dict[str, int] = {}
        for match in [*dict.fromkeys([*each.values(), *doubtful])][:_COUNTED_MAX]:
            counts[match] = await self._count(asked.within(match, self._at.dialect), scope)
        meant: dict[str, list[str]] = {}
        for word in [word for match, word in doubtful.items() if counts.get(match) == 0][:_FORGIVEN_MAX]:
            if likely := await self._likely(word, scope):
                meant[word] = likely
        mended = asked.meaning(meant)
        kept = _telling(asked, {term: counts.get(match) for term, match in each.items()}, meant)
        steps = [(mended, True)] if meant else []
        if kept and len(kept) < len(asked.terms):
            steps.append((mended.of(kept), True))
        if len(kept) > 1:
            steps.append((mended.of(kept), False))
        return steps

    async def _count(self, match: str, scope: Mapping[str, Any]) -> int:
        statements = sql.SOME if "spaces" in scope else sql.WHOLE
        return await count(self._at, statements.count, {**scope, "match": match})

    async def _likely(self, word: str, scope: Mapping[str, Any]) -> list[str]:
        """The words one typo away from a mistyped one, likeliest first."""
        statements = sql.SOME if "spaces" in scope else sql.WHOLE
        near = await self._at.rows(statements.near, {**scope, **_halves(word)})
        return sorted((row[0] for row in near if one_typo(word, row[0])), key=lambda one: _unlike(word, one))[
            :_TYPOS_MAX
        ]

    async def _first_id(self, organization: str, space: str, page: str) -> int:
        """The id of a page's first section."""
        values = {"space": space, "page": page}
        rows = await self._at.rows(sql.NUMBERS, values)
        if not rows:
            await self._at.run(sql.ADD_HEAD, {"organization": organization, "space": space})
            rows = await self._at.rows(sql.NUMBERS, values)
        of_space, of_page, free = rows[0]
        return int(of_space << _SPACE_BITS | (of_page or free) << _PAGE_BITS)

    async def _add_words(self, scope: str, space: str, first: int, sections: Sequence[Section]) -> set[str]:
        """Index the sections; returns the words to learn."""
        rows: list[dict[str, Any]] = []
        seen: set[str] = set()
        of_page = words(sections[0].title) if not sections[0].anchor else []
        for at, section in enumerate(sections):
            title, body = words(section.title), words(section.body)
            seen.update(title, body)
            marked = [TITLE + word for word in title] + [exact_title(title)] if title else []
            fields = ([*title, *marked], body, of_page if at else [])
            if self._at.dialect == "sqlite":
                texts = (" ".join(scope + word for word in one) for one in fields)
                rows.append({"id": first + at, **dict(zip(("title", "body", "page"), texts))})
            else:
                rows.append({"id": first + at, "words": f"'{scope}{IN_SPACE}{space}' {_vector(scope, *fields)}"})
        await self._at.many(sql.ADD_INDEX, rows)
        return {word for word in seen if len(word) in _LEARNED and word.isalpha()}


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


def _vector(scope: str, title: list[str], body: list[str], page: list[str]) -> str:
    """A tsvector: A = title, B = long title, C = the page's title, D = body; places only count occurrences."""
    heading = "A" if len(title) <= _SHORT_TITLE else "B"
    titles, bodies, pages = Counter(title), Counter(body), frozenset(page)
    room = _VECTOR_BYTES
    made = []
    for word in {**titles, **bodies, **dict.fromkeys(page)}:
        room -= len(word.encode()) + 24
        if room < 0:
            break
        labels = [heading] * min(titles[word], 1) + ["C"] * (word in pages) + [""] * min(bodies[word], 4)
        places = ",".join(f"{place}{label}" for place, label in enumerate(labels, 1))
        made.append(f"'{scope}{word}':{places}")
    return " ".join(made)


def _telling(asked: Query, counts: Mapping[Term, int | None], meant: Mapping[str, object]) -> list[Term]:
    """The terms that occur and are not far more frequent than the rarest: `how to` says nothing beside `retention`."""
    rarest = min((known for known in counts.values() if known), default=0)
    most = max(_FREQUENT, rarest * _FREQUENT_RATIO)

    def tells(term: Term) -> bool:
        known = counts[term]
        return known is None or 0 < known <= most or any(word in meant for word, _ in term.words)

    return [term for term in asked.terms if tells(term)]


def _halves(word: str) -> dict[str, Any]:
    """One typo leaves the first half of a word as it is, or what follows the letter after it."""
    half = len(word) // 2
    start, end = word[:half], word[half + 1 :][::-1]
    last = "\U0010ffff"
    bounds = {"start": start, "start_end": start + last, "tail": end, "tail_end": end + last}
    return {**bounds, "short": len(word) - 1, "long": len(word) + 1}


def _unlike(word: str, other: str) -> tuple[bool, int, str]:
    return word[0] != other[0], abs(len(word) - len(other)), other
