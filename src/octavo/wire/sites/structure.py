"""Moves inside a site's structure: an item goes before or after one of its siblings."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from octavo.wire.fields import Body, Id, Maybe
from octavo.wire.sites import site_section_groups, site_spaces
from octavo.wire.sites.site_section_groups import Entry, EntryView
from octavo.wire.sites.site_spaces import SiteSpace, SiteSpaceView
from octavo.wire.view import View

ItemType = Literal["site-space", "site-section", "site-section-group", "site-external-link"]
Item = SiteSpace | Entry
ItemView = SiteSpaceView | EntryView


class ItemPointer(Body, frozen=True):
    type: ItemType
    id: Id


class SectionPointer(Body, frozen=True, tag_field="type", tag="site-section"):
    site_section: Id


class SiteSpacePointer(Body, frozen=True, tag_field="type", tag="site-space"):
    site_space: Id


class GroupPointer(Body, frozen=True):
    """Groups stand among sections."""

    type: Literal["site-section", "site-section-group"]
    id: Id


class _Position(Body, frozen=True):
    def __post_init__(self) -> None:
        if getattr(self, "before", UNSET) is not UNSET and getattr(self, "after", UNSET) is not UNSET:
            raise ValueError("Expected at most one of `before` and `after`")


class ItemPosition(_Position, frozen=True):
    """Before or after a sibling; neither is at the end."""

    before: Maybe[ItemPointer] = UNSET
    after: Maybe[ItemPointer] = UNSET


class SectionPosition(_Position, frozen=True):
    before: Maybe[SectionPointer] = UNSET
    after: Maybe[SectionPointer] = UNSET


class GroupPosition(_Position, frozen=True):
    before: Maybe[GroupPointer] = UNSET
    after: Maybe[GroupPointer] = UNSET


class SiteSpacePosition(_Position, frozen=True):
    before: Maybe[SiteSpacePointer] = UNSET
    after: Maybe[SiteSpacePointer] = UNSET


class SortStructure(Body, frozen=True):
    item: ItemPointer
    position: ItemPosition


class MoveSection(Body, frozen=True):
    position: Maybe[SectionPosition] = UNSET


class MoveSectionGroup(Body, frozen=True):
    position: Maybe[GroupPosition] = UNSET


class MoveSiteSpace(Body, frozen=True):
    position: Maybe[SiteSpacePosition] = UNSET


class Beside(msgspec.Struct, frozen=True):
    """Where something is to go: to the place `before` or `after` the sibling with that id; None is the end."""

    word: Literal["before", "after"] | None = None
    sibling: str = ""


def beside(position: ItemPosition | SectionPosition | GroupPosition | SiteSpacePosition | UnsetType) -> Beside:
    """What a position says, whichever pointers it has; none is the end."""
    if isinstance(position, UnsetType):
        return Beside()
    for word, pointer in (("before", position.before), ("after", position.after)):
        if not isinstance(pointer, UnsetType):
            return Beside("before" if word == "before" else "after", _pointed(pointer))
    return Beside()


def _pointed(pointer: ItemPointer | SectionPointer | GroupPointer | SiteSpacePointer) -> str:
    if isinstance(pointer, SectionPointer):
        return pointer.site_section
    return pointer.site_space if isinstance(pointer, SiteSpacePointer) else pointer.id


def present(shown: ItemView, view: View) -> Item:
    """What was moved."""
    if isinstance(shown, SiteSpaceView):
        return site_spaces.present(shown, view)
    return site_section_groups.present_child(shown, view)
