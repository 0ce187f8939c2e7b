"""What visitors of sites think of pages."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET

from octavo.kernel.clock import iso
from octavo.kernel.records.sites import PageFeedback as Record
from octavo.wire.fields import DateTime, Id, Maybe, Shape, maybe
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

Rating = Literal["bad", "ok", "good"]


class RatedPageUrls(Shape, frozen=True):
    published: Maybe[str] = UNSET
    """Where visitors find it; absent while the site is not published."""


class RatedPage(Shape, frozen=True):
    """A page that was rated; title, path and address are absent where it is no more."""

    id: str
    title: Maybe[str] = UNSET
    path: Maybe[str] = UNSET
    urls: RatedPageUrls = RatedPageUrls()


class PageFeedback(Shape, tag_field="object", tag="page-feedback", frozen=True):
    """The last word of one visitor about a page."""

    id: str
    rating: Rating
    created_at: DateTime
    """When she said it."""
    space: str
    page: RatedPage
    comment: Maybe[str] = UNSET


class PageRatings(Shape, tag_field="object", tag="page-ratings", frozen=True):
    """How many visitors rated a page so, and how many said something in words."""

    space: str
    page: RatedPage
    good: int
    ok: int
    bad: int
    comments: int


class FeedbackQuery(ListQuery, frozen=True):
    """`commented` true leaves out what was said without words."""

    page_id: Maybe[Id] = UNSET
    space_id: Maybe[Id] = UNSET
    rating: Maybe[Rating] = UNSET
    commented: bool = False


class RatingsQuery(ListQuery, frozen=True):
    space_id: Maybe[Id] = UNSET


class PageView(msgspec.Struct, frozen=True):
    """A rated page, and how it is called where it still is."""

    id: str
    title: str | None = None
    path: str | None = None
    published: str | None = None


class FeedbackView(msgspec.Struct, frozen=True):
    record: Record
    page: PageView


class RatingsView(msgspec.Struct, frozen=True):
    space: str
    page: PageView
    good: int
    ok: int
    bad: int
    comments: int


def present(shown: FeedbackView, view: View) -> PageFeedback:
    """What one visitor thinks, as the API serves it; who she is, it does not tell."""
    said = shown.record
    return PageFeedback(said.id, said.rating, iso(said.created_at), said.space, _page(shown.page), maybe(said.comment))


def present_ratings(shown: RatingsView, view: View) -> PageRatings:
    """The numbers of a page as the API serves them."""
    page = _page(shown.page)
    return PageRatings(shown.space, page, shown.good, shown.ok, shown.bad, shown.comments)


def _page(shown: PageView) -> RatedPage:
    return RatedPage(shown.id, maybe(shown.title), maybe(shown.path), RatedPageUrls(maybe(shown.published)))
