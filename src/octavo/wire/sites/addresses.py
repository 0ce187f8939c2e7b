"""Addresses that clients ask about: what content one names, and what may be embedded of a page elsewhere."""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec import UNSET

from octavo.content.html.embeds import iframe
from octavo.wire.content.pages import DocumentPage, GroupPage, PageView, Shelf, present_page
from octavo.wire.fields import Maybe, Query, Shape, Url2048
from octavo.wire.library import collections, spaces
from octavo.wire.library.collections import Collection, CollectionView
from octavo.wire.library.spaces import Space, SpaceView
from octavo.wire.review import change_requests
from octavo.wire.review.change_requests import ChangeRequest, ChangeRequestView
from octavo.wire.view import View


class UrlQuery(Query, frozen=True):
    url: Url2048


class LinkEmbed(Shape, tag_field="type", tag="link", frozen=True):
    """A page that is shown as a link."""

    title: str
    site: str


class RichEmbed(Shape, tag_field="type", tag="rich", frozen=True):
    """A page whose provider shows it in a frame; `html` is the frame."""

    title: str
    site: str
    html: str


Embed: TypeAlias = LinkEmbed | RichEmbed


class Content(Shape, frozen=True):
    """A collection, or a space with a change request of it and a page of either."""

    collection: Maybe[Collection] = UNSET
    space: Maybe[Space] = UNSET
    change_request: Maybe[ChangeRequest] = UNSET
    page: Maybe[DocumentPage | GroupPage] = UNSET


class SpaceContentView(msgspec.Struct, frozen=True):
    """A space, a change request of it, and a page of either."""

    space: SpaceView
    change_request: ChangeRequestView | None = None
    page: tuple[PageView, Shelf] | None = None


def present_content(shown: SpaceContentView | CollectionView, view: View) -> Content:
    """What the address names, with what stands above it."""
    if isinstance(shown, CollectionView):
        return Content(collection=collections.present(shown, view))
    page = None if shown.page is None else present_page(*shown.page)
    assert page is None or isinstance(page, (DocumentPage, GroupPage))  # others have no address
    return Content(
        space=spaces.present(shown.space, view),
        change_request=UNSET if shown.change_request is None else change_requests.present(shown.change_request, view),
        page=UNSET if page is None else page,
    )


class Embeddable(msgspec.Struct, frozen=True):
    """A page elsewhere: its title and site in words, and the address of its frame where its provider has one."""

    title: str
    site: str
    frame: str = ""


def present_embed(shown: Embeddable, view: View) -> Embed:
    """The frame, where there is one; else a link."""
    if not shown.frame:
        return LinkEmbed(shown.title, shown.site)
    return RichEmbed(shown.title, shown.site, iframe(shown.frame, shown.title))
