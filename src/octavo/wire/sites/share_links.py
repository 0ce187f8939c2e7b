"""Share links: secret addresses by which visitors come into a site that is not open to everybody."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import sites as records
from octavo.wire.fields import Body, DateTime, Maybe, Shape, maybe, trimmed
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

LinkName = Annotated[
    str,
    Meta(
        description="White space around it is dropped, then characters are counted",
        extra_json_schema={"maxLength": limits.SHARE_LINK_NAME_MAX},
    ),
]


class ShareLinkUrls(Shape, frozen=True):
    published: Maybe[str] = UNSET
    """With the secret; absent while the site is not published."""


class ShareLink(Shape, tag_field="object", tag="share-link", frozen=True):
    id: str
    created_at: DateTime
    name: str
    active: bool
    urls: ShareLinkUrls


class CreateShareLink(Body, frozen=True):
    name: LinkName

    def __post_init__(self) -> None:
        trimmed(self, "name", 0, limits.SHARE_LINK_NAME_MAX)


class UpdateShareLink(Body, frozen=True):
    name: Maybe[LinkName] = UNSET
    active: Maybe[bool] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "name", 0, limits.SHARE_LINK_NAME_MAX)


class ShareLinksQuery(ListQuery, frozen=True):
    """`search` is a part of the name."""

    search: Maybe[str] = UNSET


class ShareLinkView(msgspec.Struct, frozen=True):
    link: records.ShareLink
    published: str | None
    """The address with the secret."""


def present(shown: ShareLinkView, view: View) -> ShareLink:
    """The link as the API serves it."""
    link = shown.link
    return ShareLink(link.id, iso(link.created_at), link.name, link.active, ShareLinkUrls(maybe(shown.published)))
