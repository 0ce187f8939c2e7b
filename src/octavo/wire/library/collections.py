"""Collections: groups of spaces."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET

from octavo.kernel import limits
from octavo.kernel.records import library as records
from octavo.wire.fields import (
    Body,
    CollectionDescription,
    CollectionTitle,
    Id,
    Level,
    Maybe,
    Shape,
    maybe,
    permissions,
    trimmed,
)
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

PERMISSIONS = ("view", "admin", "viewInviteLinks", "create")
"""The keys of a collection's `permissions`."""


class CollectionUrls(Shape, frozen=True):
    location: str
    app: str


class Collection(Shape, tag_field="object", tag="collection", frozen=True):
    id: str
    title: str
    organization: str
    default_level: Level | None
    urls: CollectionUrls
    permissions: Annotated[dict[str, bool], permissions(*PERMISSIONS)]
    description: Maybe[str] = UNSET
    parent: Maybe[str] = UNSET


class CreateCollection(Body, frozen=True):
    title: Maybe[CollectionTitle] = UNSET
    parent: Maybe[Id] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 0, limits.COLLECTION_TITLE_MAX)


class UpdateCollection(Body, frozen=True):
    title: Maybe[CollectionTitle] = UNSET
    description: Maybe[CollectionDescription] = UNSET
    default_level: Maybe[Level | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 0, limits.COLLECTION_TITLE_MAX)


class CollectionsQuery(ListQuery, frozen=True):
    """`nested` false lists the collections at the top only."""

    nested: bool = True


class CollectionView(msgspec.Struct, frozen=True):
    collection: records.Collection
    permissions: dict[str, bool]


def present(shown: CollectionView, view: View) -> Collection:
    """The collection as the API serves it."""
    collection = shown.collection
    return Collection(
        id=collection.id,
        title=collection.title,
        organization=collection.organization,
        default_level=collection.default_level,
        urls=CollectionUrls(
            view.location("collections", collection.id), view.collection(collection.organization, collection.id)
        ),
        permissions=shown.permissions,
        description=maybe(collection.description),
        parent=maybe(collection.parent),
    )
