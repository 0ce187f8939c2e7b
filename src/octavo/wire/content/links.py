"""Links: references between pages, files, spaces and addresses, each with both ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import UNSET

from octavo.content.revision import File as FileEntry
from octavo.content.revision import Reusable
from octavo.kernel.records.people import User
from octavo.wire import openapi
from octavo.wire.content import revisions
from octavo.wire.fields import Json, Maybe, Shape
from octavo.wire.library import collections, spaces
from octavo.wire.library.collections import CollectionView
from octavo.wire.library.spaces import SpaceView
from octavo.wire.lists import Listing, ListQuery, listing
from octavo.wire.openapi import SpecView
from octavo.wire.people import organizations, users
from octavo.wire.people.organizations import OrganizationView
from octavo.wire.view import View

Status = Literal["ok", "broken", "in-app"]


class LinksQuery(ListQuery, frozen=True):
    status: Maybe[Status] = UNSET


class LinkedPage(Shape, frozen=True):
    """A page without what is below it."""

    id: str
    type: str
    title: str
    path: Maybe[str] = UNSET


class Location(Shape, frozen=True):
    """One end of a reference: {kind, …} with the resources that it names."""

    kind: str
    organization: Maybe[organizations.Organization] = UNSET
    space: Maybe[spaces.Space] = UNSET
    version_context: Maybe[Json] = UNSET
    page: Maybe[LinkedPage] = UNSET
    internal_location: Maybe[Json] = UNSET
    file: Maybe[revisions.File] = UNSET
    reusable_content: Maybe[revisions.ReusableContent] = UNSET
    url: Maybe[str] = UNSET
    user: Maybe[users.User] = UNSET
    collection: Maybe[collections.Collection] = UNSET
    open_api_spec: Maybe[openapi.OpenAPISpec] = msgspec.field(default=UNSET, name="openAPISpec")
    ref: Maybe[Json] = UNSET
    """The reference as it was written, where nothing is known of its target."""


class Link(Shape, frozen=True):
    status: Status
    relation: Literal["reference", "dependsOn"]
    target_reference: Location
    location_references: list[Location]


class BrokenStats(Shape, frozen=True):
    total: int
    change_request: Maybe[int] = UNSET
    """Those that hold in primary content, or are not there; in a change request alone."""


class LinkStats(Shape, frozen=True):
    total: int
    broken: BrokenStats


class NextPage(Shape, frozen=True):
    page: str


class Links(Shape, frozen=True):
    """The list envelope with counts over all links, whatever the filter."""

    count: int
    items: list[Link]
    stats: LinkStats
    next: Maybe[NextPage] = UNSET


class End(msgspec.Struct, frozen=True):
    """One end of a reference, with what was found of it."""

    kind: str
    space: SpaceView | None = None
    version: Json | None = None
    page: LinkedPage | None = None
    inside: Json | None = None
    file: FileEntry | None = None
    reusable: Reusable | None = None
    url: str | None = None
    user: User | None = None
    collection: CollectionView | None = None
    spec: SpecView | None = None
    ref: Json | None = None


class LinkView(msgspec.Struct, frozen=True):
    status: Status
    target: End
    location: End


class LinksView(msgspec.Struct, frozen=True):
    """A page of links with what all of them share."""

    items: list[LinkView]
    count: int
    next: str | None
    total: int
    broken: int
    drafted: int | None
    """How many of the broken ones the change request broke; None in primary content."""
    organization: OrganizationView
    download: Callable[[FileEntry], str]


def present(shown: LinksView, view: View) -> Links:
    """Links with counts."""
    ends = _Ends(shown, view)
    broken = BrokenStats(shown.broken, UNSET if shown.drafted is None else shown.drafted)
    return Links(
        count=shown.count,
        items=[
            Link(one.status, "reference", ends.present(one.target), [ends.present(one.location)]) for one in shown.items
        ],
        stats=LinkStats(shown.total, broken),
        next=UNSET if shown.next is None else NextPage(shown.next),
    )


def present_locations(shown: LinksView, view: View) -> Listing[Location]:
    """Where the links stand, alone."""
    ends = _Ends(shown, view)
    return listing([ends.present(one.location) for one in shown.items], shown.count, shown.next)


class _Ends:
    """Presents the ends of an answer's links; the organization and each space once."""

    def __init__(self, shown: LinksView, view: View) -> None:
        self._shown = shown
        self._view = view
        self._organization = organizations.present(shown.organization, view)
        self._spaces: dict[str, spaces.Space] = {}

    def present(self, end: End) -> Location:
        return Location(
            kind=end.kind,
            organization=UNSET if end.kind in ("url", "user") else self._organization,
            space=UNSET if end.space is None else self._space(end.space),
            version_context=UNSET if end.version is None else end.version,
            page=UNSET if end.page is None else end.page,
            internal_location=UNSET if end.inside is None else end.inside,
            file=UNSET if end.file is None else revisions.present_file(end.file, self._shown.download(end.file)),
            reusable_content=UNSET if end.reusable is None else revisions.present_reusable(end.reusable),
            url=UNSET if end.url is None else end.url,
            user=UNSET if end.user is None else users.present(end.user, self._view),
            collection=UNSET if end.collection is None else collections.present(end.collection, self._view),
            open_api_spec=UNSET if end.spec is None else openapi.present(end.spec, self._view),
            ref=UNSET if end.ref is None else end.ref,
        )

    def _space(self, given: SpaceView) -> spaces.Space:
        key = given.space.id
        if key not in self._spaces:
            self._spaces[key] = spaces.present(given, self._view)
        return self._spaces[key]
