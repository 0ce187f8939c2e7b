"""Site-spaces: places of a site where a space is shown."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from octavo.kernel import limits
from octavo.kernel.records import sites as records
from octavo.wire.fields import Body, Condition, Id, Json, Maybe, Shape, SitePath, SiteTitle, maybe, trimmed
from octavo.wire.library import spaces
from octavo.wire.lists import SharedListQuery
from octavo.wire.view import View


class PublishedUrls(Shape, frozen=True):
    published: Maybe[str] = UNSET


class SiteSpace(Shape, tag_field="object", tag="site-space", frozen=True):
    id: str
    path: str
    title: str
    space: spaces.Space
    urls: PublishedUrls
    default: bool
    draft: bool
    hidden: bool
    has_advanced_customization_feature: bool = True
    section: Maybe[str] = UNSET
    condition: Maybe[str] = UNSET
    page_id: Maybe[str] = UNSET


class AddSpace(Body, frozen=True):
    """`spaceId` null makes a blank space; without `sectionId` it goes to the default section, or to the root.

    `pageId` is the page that its address opens, where that is not the first.
    """

    space_id: Id | None
    page_id: Maybe[Id | None] = UNSET
    template: Maybe[Json] = UNSET
    section_id: Maybe[Id] = UNSET
    title: Maybe[SiteTitle] = UNSET
    draft: bool = False

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.SITE_TITLE_MIN, limits.SITE_TITLE_MAX)


class UpdateSiteSpace(Body, frozen=True):
    path: Maybe[SitePath] = UNSET
    condition: Maybe[Condition | None] = UNSET
    space_id: Maybe[Id] = UNSET
    """What the site-space points to."""
    page_id: Maybe[Id | None] = UNSET
    """The page that its address opens; null is the first."""
    draft: Maybe[bool] = UNSET
    hidden: Maybe[bool] = UNSET


class DuplicateSiteSpace(Body, frozen=True):
    draft: bool = False


class SiteSpacesQuery(SharedListQuery, frozen=True):
    """`default` true gives the site's default one, false the others, absent all."""

    default: Maybe[bool] = UNSET


class SiteSpaceView(msgspec.Struct, frozen=True):
    site_space: records.SiteSpace
    space: spaces.SpaceView
    published: str | None = None
    """Its address on the site, if that is published."""
    home: bool = False
    """Whether it is the default of the whole site: that of the default section, or of the root."""


def present(shown: SiteSpaceView, view: View) -> SiteSpace:
    """The site-space as the API serves it, with its space; `default` is said of the site."""
    return _present(shown, view, shown.home)


def present_inside(shown: SiteSpaceView, view: View) -> SiteSpace:
    """The same as an entry of its section, of which `default` is said there."""
    return _present(shown, view, shown.site_space.default)


def _present(shown: SiteSpaceView, view: View, default: bool) -> SiteSpace:
    placed = shown.site_space
    return SiteSpace(
        id=placed.id,
        path=placed.path,
        title=placed.title,
        space=spaces.present(shown.space, view),
        urls=PublishedUrls(maybe(shown.published)),
        default=default,
        draft=placed.draft,
        hidden=placed.hidden,
        section=maybe(placed.section),
        condition=maybe(placed.condition),
        page_id=maybe(placed.page),
    )
