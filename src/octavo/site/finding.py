"""Search over spaces: hits of the index, checked again against the content as it is now."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from octavo.content.revision import Branch, Page
from octavo.content.words import snippet, words
from octavo.history.contents import Contents
from octavo.store.unit import Unit

SNIPPET = 160
"""Characters of a snippet."""


@dataclass(frozen=True)
class FoundSection:
    """A place in a found page; an empty anchor is its beginning."""

    anchor: str
    title: str
    snippet: str
    body: str
    score: float


@dataclass(frozen=True)
class FoundPage:
    """A found page; `above` are the entries over it, outermost first."""

    space: str
    contents: Contents
    branch: Branch
    above: list[Page]
    score: float
    sections: list[FoundSection]


async def find(
    unit: Unit,
    organization: str,
    spaces: Mapping[str, Contents],
    query: str,
    *,
    limit: int,
    offset: int = 0,
    open_: Callable[[Page], bool] = lambda page: True,
) -> tuple[list[FoundPage], int]:
    """Pages of these spaces that match, best first, and how many there are in all, as far as that is known.

    A hit whose page is gone, left search, or is not `open_` to whoever asks, is dropped before anything of it is shown.
    """
    if not query.strip() or not spaces or limit <= 0:
        return [], 0
    found = await unit.search.search(organization, query, spaces=sorted(spaces), limit=limit, offset=offset)
    terms = words(query)
    made: list[FoundPage] = []
    dropped = 0
    for hit in found.hits:
        contents = spaces[hit.space]
        branch = contents.by_id.get(hit.page)
        if branch is None or branch.page.no_index or not open_(branch.page):
            dropped += 1
            continue
        sections = [
            FoundSection(one.anchor, one.title, snippet(one.body, terms, SNIPPET).text, one.body, one.score)
            for one in hit.sections
        ]
        made.append(FoundPage(hit.space, contents, branch, above(contents, branch.page), hit.score, sections))
    return made, found.total - dropped


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
