"""Moves of spaces and collections: to another parent, before or after a sibling; and to another organization."""

from __future__ import annotations

from msgspec import UNSET

from octavo.wire.fields import Body, Id, Maybe


class SpacePointer(Body, frozen=True, tag_field="type", tag="space"):
    space: Id


class CollectionPointer(Body, frozen=True, tag_field="type", tag="collection"):
    collection: Id


Pointer = SpacePointer | CollectionPointer


class Position(Body, frozen=True):
    """Before or after a sibling; neither is at the end."""

    before: Maybe[Pointer] = UNSET
    after: Maybe[Pointer] = UNSET

    def __post_init__(self) -> None:
        if self.before is not UNSET and self.after is not UNSET:
            raise ValueError("Expected at most one of `before` and `after`")


class Move(Body, frozen=True):
    """`parent` is a collection, or null for the top of the organization; absent is where it is."""

    parent: Maybe[Id | None] = UNSET
    position: Maybe[Position] = UNSET


class Transfer(Body, frozen=True):
    """To another organization; `parent` is a collection of it, absent its top."""

    organization: Id
    parent: Maybe[Id | None] = UNSET


def pointed(pointer: Pointer) -> str:
    """The id that a pointer holds."""
    return pointer.space if isinstance(pointer, SpacePointer) else pointer.collection
