"""Finds pages in the search index: a bounded number of sections that match, ranked, grouped by page.

However frequent its words are, a question costs no more than a few looks at the index and the ranking of CANDIDATES.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec

from octavo.store.database.engine import Connection
from octavo.store.search import sql
from octavo.store.search.query import Query, read_query
from octavo.store.search.rank import Ranking, page_score

SECTIONS_MAX = 5
"""Sections that a page of hits shows at the most."""
CANDIDATES = 300
"""Sections that are ranked at the most, and so the bound of what is counted."""

_FEW = 10
"""Pages with all words, below which pages with some of them follow."""
_TERMS_ALONE = 8
"""Words of a question that are looked for each on its own."""
_FORGIVEN_MAX = 4
_TYPOS_MAX = 5

Worth = Callable[[str, str], float]
"""Of a space and a page: what its score is multiplied by; 0 for a page that who asks may not see."""


def alike(space: str, page: str) -> float:
    """Every page is worth the same."""
    return 1.0


class SectionHit(msgspec.Struct, frozen=True):
    """A section that matches."""

    anchor: str
    title: str
    body: str
    score: float


class PageHit(msgspec.Struct, frozen=True):
    """A page with its best sections, best first."""

    space: str
    page: str
    score: float
    sections: list[SectionHit]


@dataclass
class RankedPage:
    """A page that matches; `sections` are (score, id), best first; `every` = one of them has all words."""

    space: str
    page: str
    every: bool
    worth: float
    sections: list[tuple[float, int]] = field(default_factory=list)

    @cached_property
    def score(self) -> float:
        return round(page_score([score for score, _ in self.sections]) * self.worth, 6)


class Ranked(msgspec.Struct, frozen=True):
    """All pages to walk through, best first; `words` is what `content.snippets.Marker` marks.

    These are all that match and may be seen where fewer than CANDIDATES sections match, else those of the sections
    that were ranked.
    """

    pages: Sequence[RankedPage] = ()
    words: Sequence[str] = ()


_Pages = dict[tuple[str, str], RankedPage]
"""By space and page."""


class Finder:
    """Answers questions to some spaces of an organization, None = to all of it."""

    def __init__(self, at: Connection, organization: str, spaces: Sequence[str] | None, worth: Worth) -> None:
        self._at = at
        self._organization = organization
        self._spaces = None if spaces is None else sorted(set(spaces))
        self._scope: dict[str, Any] = {"organization": organization}
        if self._spaces is not None:
            self._scope["spaces"] = self._spaces
        self._statements = sql.WHOLE if spaces is None else sql.SOME
        self._worth = worth

    async def rank(self, query: str) -> Ranked:
        """The pages that match, best first.

        First come pages of which one section has all words (the page's title counts for each of its sections; weak
        words such as `how` may lack). The last word may be a beginning, of one or two letters: of a word of a title.
        Where no page has all of them, words that occur nowhere are taken for mistyped ones, or left out. Where few
        pages do, those with some of the words follow.
        """
        asked = read_query(query, self._organization, self._at.dialect, self._spaces)
        if not asked.terms or self._spaces == []:
            return Ranked()
        pages: _Pages = {}
        await self._add(pages, asked, await self._with_all(asked), every=True)
        if not pages:
            asked = await self._mended(asked)
            if not asked.terms:
                return Ranked()
            await self._add(pages, asked, await self._with_all(asked), every=True)
        if len(pages) < _FEW:
            await self._add(pages, asked, await self._with_some(asked), every=False)
        ordered = sorted(pages.values(), key=lambda page: (not page.every, -page.score, page.space, page.page))
        return Ranked(ordered, asked.marks())

    async def _with_all(self, asked: Query, *, parts: bool = False) -> set[int]:
        """Sections with every term; when there are more than can be ranked, those with them in their titles first."""
        anywhere: set[int] = set()
        if not asked.brief:
            anywhere = await self._ids(asked.match(parts=parts))
            if len(anywhere) < CANDIDATES:
                return anywhere
        found: dict[int, None] = {}
        for match in asked.titled(parts=parts):
            found.update(dict.fromkeys(sorted(await self._ids(match))))
            if len(found) >= CANDIDATES:
                break
        else:
            found.update(dict.fromkeys(sorted(anywhere or await self._ids(asked.match(parts=parts)))))
        return set([*found][:CANDIDATES])

    async def _with_some(self, asked: Query) -> set[int]:
        """Sections with some of the terms: those with the most and the rarest of them, and those with any in the title."""
        found: set[int] = set()
        if any(term.name for term in asked.terms):
            found = await self._with_all(asked, parts=True)
        if len(asked.terms) == 1:
            return found
        each = [await self._ids(asked.one(term)) for term in asked.terms[:_TERMS_ALONE]]
        # What occurs everywhere tells little alone: it counts in titles, and beside other words.
        telling = [ids for ids in each if len(ids) < CANDIDATES] or each
        tally: Counter[int] = Counter()
        for ids in telling:
            tally.update(dict.fromkeys(ids, CANDIDATES // max(len(ids), 1)))
        best = sorted(tally, key=lambda section: (-tally[section], section))[:CANDIDATES]
        return found.union(best, await self._ids(asked.any_title()))

    async def _mended(self, asked: Query) -> Query:
        """The question with words that occur nowhere spelled as they may be meant, and without those that mean nothing."""
        unknown = [word for match, word in asked.doubtful().items() if not await self._occurs(match)]
        meant = {word: likely for word in unknown[:_FORGIVEN_MAX] if (likely := await self._likely(asked, word))}
        asked = asked.meaning(meant)
        return asked.of([term for term in asked.terms if await self._occurs(asked.one(term))])

    async def _likely(self, asked: Query, word: str) -> list[str]:
        """The words one typo away from a mistyped one, likeliest first."""
        # Few questions hold a mistake: what measures mistakes is imported with the first.
        from rapidfuzz.distance import OSA

        rows = await self._at.rows(self._statements.near, {**self._scope, **_halves(word)})
        near = [row[0] for row in rows if OSA.distance(word, row[0], score_cutoff=1) <= 1]
        near.sort(key=lambda one: (word[0] != one[0], abs(len(word) - len(one)), one))
        return [one for one in near[:_TYPOS_MAX] if await self._occurs(asked.plain(one))]

    async def _occurs(self, match: str) -> bool:
        """Whether a section matches that who asks may see."""
        ids = await self._ids(match)
        places = await self._at.rows(sql.PLACES, in_ids(self._organization, ids)) if ids else []
        return any(self._worth(space, page) for space, page in places)

    async def _ids(self, match: str) -> set[int]:
        rows = await self._at.rows(self._statements.find, {**self._scope, "match": match, "most": CANDIDATES})
        return {row[0] for row in rows}

    async def _add(self, pages: _Pages, asked: Query, ids: set[int], *, every: bool) -> None:
        """Add the pages of the sections, with their scores; a page that is known already stays as it is."""
        if not ids:
            return
        ranking = Ranking(asked)
        added: _Pages = {}
        for section, space, page, words in await self._at.rows(sql.WORDS, in_ids(self._organization, ids)):
            if (space, page) in pages:
                continue
            known = added.get((space, page))
            if known is None:
                known = added[space, page] = RankedPage(space, page, every, self._worth(space, page))
            if known.worth:
                score = ranking.score(words, first=not section & (sql.PAGE_SECTIONS - 1), every=every)
                if score:
                    known.sections.append((score, section))
        for key, one in added.items():
            if one.sections:
                one.sections.sort(key=lambda section: (-section[0], section[1]))
                pages[key] = one


async def read_pages(at: Connection, organization: str, pages: Sequence[RankedPage]) -> list[PageHit]:
    """The pages with the texts of their best sections; sections that went meanwhile are absent."""
    ids = [section for page in pages for _, section in page.sections[:SECTIONS_MAX]]
    rows = await at.rows(sql.TEXTS, in_ids(organization, ids)) if ids else []
    texts = {section: (anchor, title, body) for section, anchor, title, body in rows}

    def sections(page: RankedPage) -> Iterator[SectionHit]:
        for score, section in page.sections[:SECTIONS_MAX]:
            if section in texts:
                anchor, title, body = texts[section]
                yield SectionHit(anchor, title, body, round(score, 6))

    return [PageHit(page.space, page.page, page.score, [*sections(page)]) for page in pages]


def in_ids(organization: str, ids: Iterable[int]) -> dict[str, str]:
    """Parameters of statements about sections by their ids."""
    return {"organization": organization, "ids": msgspec.json.encode(sorted(ids)).decode()}


def _halves(word: str) -> dict[str, Any]:
    """One typo leaves the first half of a word as it is, or what follows the letter after it."""
    half = len(word) // 2
    start, end = word[:half], word[half + 1 :][::-1]
    last = "\U0010ffff"
    bounds = {"start": start, "start_end": start + last, "tail": end, "tail_end": end + last}
    return {**bounds, "short": len(word) - 1, "long": len(word) + 1}
