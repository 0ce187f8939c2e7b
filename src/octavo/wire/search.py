"""Search: what is asked of an organization or a site, and what is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.wire.fields import Body, Id, Maybe, SearchWords, Shape
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

Score = Annotated[float, Meta(description="Higher is better; comparable within one answer")]


class ContentSearch(ListQuery, kw_only=True, frozen=True):
    """Of an organization, or of one space."""

    query: SearchWords


class SiteSearchQuery(ListQuery, frozen=True):
    """What goes into the query beside a body."""

    share_key: Maybe[str] = UNSET


class Restriction(Body, frozen=True):
    """Where to look, by ids; what is absent does not restrict."""

    site_spaces: Maybe[list[Id]] = UNSET
    site_sections: Maybe[list[Id]] = UNSET


class SearchScope(Body, frozen=True):
    """The nested way to say where to look."""

    mode: Literal["default", "all", "specific"] = "default"
    current_site_space: Maybe[Id] = UNSET
    site_space_ids: Maybe[list[Id]] = UNSET
    restrict_to: Maybe[Restriction | list[Id] | Literal["currentSiteSpace", "otherSiteSpaces"]] = UNSET
    """The words speak of `currentSiteSpace`: that one alone, or all but that one."""


class SiteSearch(Body, frozen=True):
    """The scope is flat (`mode` and ids) or nested; a nested one wins."""

    query: SearchWords
    scope: Maybe[SearchScope] = UNSET
    mode: Literal["all", "current", "specific", "default"] = "all"
    site_space_id: Maybe[Id] = UNSET
    site_space_ids: Maybe[list[Id]] = UNSET


class Where(msgspec.Struct, frozen=True):
    """Both ways to say where to look, as one."""

    site_spaces: tuple[str, ...] | None = None
    """None is the whole site."""
    site_sections: tuple[str, ...] | None = None
    current: str | None = None
    """The site-space that the reader is in: its hits come first, its siblings in other variants are left out."""
    without: str | None = None
    """The one site-space that is not wanted."""


def where(search: SiteSearch) -> Where:
    """Where the search looks. A mode whose ids are absent looks everywhere."""
    if not isinstance(search.scope, SearchScope):
        return _flat(search)
    scope = search.scope
    spaces = _ids(scope.site_space_ids) if scope.mode == "specific" else None
    sections = None
    if isinstance(scope.restrict_to, Restriction):
        sections = _ids(scope.restrict_to.site_sections)
        restricted = _ids(scope.restrict_to.site_spaces)
        spaces = restricted if restricted is not None else spaces
    elif isinstance(scope.restrict_to, list):
        spaces = _ids(scope.restrict_to)
    current = _one(scope.current_site_space) if scope.mode != "all" else None
    if current and scope.restrict_to == "currentSiteSpace":
        spaces = (current,)
    without = current if scope.restrict_to == "otherSiteSpaces" else None
    return Where(spaces, sections, current, without)


def _flat(search: SiteSearch) -> Where:
    current = _one(search.site_space_id)
    if search.mode == "current":
        return Where((current,) if current else None, current=current)
    if search.mode == "specific":
        return Where(_ids(search.site_space_ids), current=current)
    return Where(current=current if search.mode == "default" else None)


def _ids(given: object) -> tuple[str, ...] | None:
    return tuple(given) if isinstance(given, list) else None


def _one(given: object) -> str | None:
    return given if isinstance(given, str) else None


class HitUrls(Shape, frozen=True):
    app: str


class Ancestor(Shape, frozen=True):
    id: str
    title: str


class SectionHit(Shape, frozen=True):
    id: str
    title: str
    path: str
    """Of the page, with the section's anchor."""
    body: str
    score: Score
    urls: HitUrls


class PageHit(Shape, frozen=True):
    id: str
    title: str
    path: str
    score: Score
    rank: int
    """Place in the whole answer, from 1."""
    ancestors: list[Ancestor]
    """From the top down."""
    sections: list[SectionHit]
    urls: HitUrls
    description: str
    """Empty where the page has none."""


class SpaceHits(Shape, tag_field="type", tag="space", frozen=True):
    """Hits of one space; `id` and `title` are the space's."""

    id: str
    title: str
    score: Score
    pages: list[PageHit]


class RecordHit(Shape, tag_field="type", tag="record", frozen=True):
    """Something found outside of pages."""

    id: str
    title: str
    url: str
    score: Score
    description: Maybe[str] = UNSET


SearchHit = SpaceHits | RecordHit


class FoundSection(msgspec.Struct, frozen=True):
    id: str
    title: str
    path: str
    body: str
    score: float


class FoundPage(msgspec.Struct, frozen=True):
    id: str
    title: str
    path: str
    score: float
    rank: int
    app: str
    """Address of the page in the application."""
    ancestors: Sequence[tuple[str, str]] = ()
    """(id, title) from the top down."""
    sections: Sequence[FoundSection] = ()
    description: str | None = None


class FoundSpace(msgspec.Struct, frozen=True):
    """The hits of one space, best first."""

    id: str
    title: str
    pages: Sequence[FoundPage]


def present(found: FoundSpace, view: View) -> SearchHit:
    """One item of the answer; its score is that of its best page."""
    best = max((page.score for page in found.pages), default=0.0)
    return SpaceHits(found.id, found.title, best, [present_page(page, view) for page in found.pages])


def present_page(page: FoundPage, view: View) -> PageHit:
    """A page that was found, and its sections that have the words."""
    urls = HitUrls(page.app)
    return PageHit(
        id=page.id,
        title=page.title,
        path=page.path,
        score=page.score,
        rank=page.rank,
        ancestors=[Ancestor(id_, title) for id_, title in page.ancestors],
        sections=[SectionHit(hit.id, hit.title, hit.path, hit.body, hit.score, urls) for hit in page.sections],
        urls=urls,
        description=page.description or "",
    )
