"""The one envelope of lists, and the query that pages through it."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.wire.fields import Maybe, Query

Item = TypeVar("Item")

Limit = Annotated[int, Meta(ge=0, le=limits.LIST_LIMIT_MAX)]


class Next(msgspec.Struct, frozen=True):
    """How to ask for the page that follows."""

    page: str


class Listing(msgspec.Struct, Generic[Item], frozen=True):
    """One page of a list; `next` is absent on the last."""

    items: list[Item]
    count: Maybe[int] = UNSET
    """How many there are on all pages."""
    next: Maybe[Next] = UNSET


class ListQuery(Query, frozen=True):
    """Where to go on, and how many items to give."""

    page: Maybe[str] = UNSET
    limit: Limit = limits.LIST_LIMIT_DEFAULT


class SharedListQuery(ListQuery, frozen=True):
    """A list that also resolves published addresses by the key of a share link."""

    share_key: Maybe[str] = UNSET


def listing(items: list[Item], count: int | None = None, after: str | None = None) -> Listing[Item]:
    """The envelope of these items; `after` is the token of the page that follows, None on the last."""
    return Listing(items, UNSET if count is None else count, UNSET if after is None else Next(after))
