"""Site sections: parts of a site, each with its site-spaces."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from octavo.kernel import limits
from octavo.kernel.records import sites as records
from octavo.wire.fields import (
    Body,
    Condition,
    IconName,
    Id,
    Json,
    LocalizedDescription,
    LocalizedTitle,
    Maybe,
    SectionDescription,
    Shape,
    SitePath,
    SiteTitle,
    maybe,
    trimmed,
)
from octavo.wire.sites import site_spaces
from octavo.wire.sites.site_spaces import PublishedUrls, SiteSpace, SiteSpaceView
from octavo.wire.view import View


class SiteSection(Shape, tag_field="object", tag="site-section", frozen=True):
    id: str
    title: str
    path: str
    site_spaces: list[SiteSpace]
    urls: PublishedUrls
    default: bool
    draft: bool
    description: Maybe[str] = UNSET
    condition: Maybe[str] = UNSET
    section_group: Maybe[str] = UNSET
    icon: Maybe[str] = UNSET
    localized_title: Maybe[Json] = UNSET
    localized_description: Maybe[Json] = UNSET


class AddSection(Body, frozen=True):
    """`spaceId` null makes a blank space; title and icon null are those of the space.

    `pageId` is the page that its address opens, where that is not the first.
    """

    space_id: Id | None
    page_id: Maybe[Id | None] = UNSET
    template: Maybe[Json] = UNSET
    title: Maybe[SiteTitle | None] = UNSET
    icon: Maybe[IconName | None] = UNSET
    site_section_group_id: Maybe[Id | None] = UNSET
    draft: bool = False

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.SITE_TITLE_MIN, limits.SITE_TITLE_MAX)


class UpdateSection(Body, frozen=True):
    title: Maybe[SiteTitle] = UNSET
    path: Maybe[SitePath] = UNSET
    default_site_space: Maybe[Id] = UNSET
    condition: Maybe[Condition | None] = UNSET
    icon: Maybe[IconName | None] = UNSET
    description: Maybe[SectionDescription | None] = UNSET
    site_section_group_id: Maybe[Id | None] = UNSET
    draft: Maybe[bool] = UNSET
    localized_title: Maybe[LocalizedTitle | None] = UNSET
    localized_description: Maybe[LocalizedDescription | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.SITE_TITLE_MIN, limits.SITE_TITLE_MAX)


class SiteSectionView(msgspec.Struct, frozen=True):
    section: records.SiteSection
    site_spaces: Sequence[SiteSpaceView] = ()
    published: str | None = None
    """Its address on the site, if that is published."""


def present(shown: SiteSectionView, view: View) -> SiteSection:
    """The section as the API serves it, with its site-spaces."""
    section = shown.section
    return SiteSection(
        id=section.id,
        title=section.title,
        path=section.path,
        site_spaces=[site_spaces.present_inside(one, view) for one in shown.site_spaces],
        urls=PublishedUrls(maybe(shown.published)),
        default=section.default,
        draft=section.draft,
        description=maybe(section.description),
        condition=maybe(section.condition),
        section_group=maybe(section.group),
        icon=maybe(section.icon),
        localized_title=maybe(section.localized_title),
        localized_description=maybe(section.localized_description),
    )
