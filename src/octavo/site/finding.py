"""Search over spaces: what the index finds, checked against the content as it is now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from octavo.content.revision import Branch, Page
from octavo.content.words import fold, words
from octavo.history.contents import Contents
from octavo.store.search.find import Ranked, RankedPage, SectionHit
from octavo.store.unit import Store, Unit

UNLISTED = 0.7
"""What the score of a page is multiplied by that its author keeps out of the table of contents."""

COMPARED = 1_000
"""Pages whose titles are compared with a query that found nothing."""
ALIKE = 72
"""Of 100, how much of a title has to be in such a query."""


class FoundPage(msgspec.Struct, frozen=True):
    """A found page with its best sections, whose empty anchor is its beginning; `above` are the entries over it,
    outermost first."""

    space: str
    contents: Contents
    branch: Branch
    above: list[Page]
    score: float
    sections: list[SectionHit]


async def rank(
    store: Store,
    organization: str,
    spaces: Mapping[str, Contents],
    query: str,
) -> Ranked:
    """The pages of these spaces that match, best first.

    A page that is gone, left search, or is not among the contents as whoever asks sees them, is dropped before it is
    counted or shown, and no word of it alone makes a difference to what else is found.
    """
    if not query.strip() or not spaces:
        return Ranked()

    def worth(space: str, key: str) -> float:
        contents = spaces[space]
        branch = contents.by_id.get(key)
        if branch is None or branch.page.no_index:
            return 0.0
        return UNLISTED if any(page.hidden for page in (branch.page, *above(contents, branch.page))) else 1.0

    return await store.read_apart(
        lambda unit: unit.search.rank(organization, query, spaces=sorted(spaces), worth=worth)
    )


async def found(
    unit: Unit, organization: str, spaces: Mapping[str, Contents], pages: Sequence[RankedPage]
) -> list[FoundPage]:
    """Some of the ranked pages, with what is shown of them."""
    made = []
    for hit in await unit.search.read(organization, pages):
        contents = spaces[hit.space]
        branch = contents.by_id[hit.page]
        made.append(FoundPage(hit.space, contents, branch, above(contents, branch.page), hit.score, hit.sections))
    return made


def above(contents: Contents, page: Page) -> list[Page]:
    """The entries over a page, outermost first."""
    chain: list[Page] = []
    at = page.parent
    while at is not None and at in contents.pages and len(chain) < 64:
        chain.append(contents.pages[at])
        at = contents.pages[at].parent
    return chain[::-1]


def nearest(path: str, candidates: Sequence[Branch], most: int = 5) -> list[Branch]:
    """Pages whose paths share the most words with an address that leads nowhere."""
    wanted = set(words(path.replace("/", " ")))
    scored = [(len(wanted & set(words(branch.path.replace("/", " ")))), branch) for branch in candidates]
    return [branch for score, branch in sorted(scored, key=lambda pair: -pair[0]) if score][:most]


def resembling(query: str, candidates: Sequence[Branch], most: int = 3) -> list[Branch]:
    """Pages whose paths share words with a query that found nothing, and those whose titles are written much like it."""
    # Few questions find nothing: what compares letters is imported with the first.
    from rapidfuzz import fuzz, process

    titles = [fold(branch.page.title) for branch in candidates[:COMPARED]]
    alike = process.extract(fold(query), titles, scorer=fuzz.WRatio, score_cutoff=ALIKE, limit=most)
    known = {branch.page.id: branch for branch in nearest(query, candidates, most)}
    known.update({candidates[at].page.id: candidates[at] for _, _, at in alike})
    return [*known.values()][:most]
