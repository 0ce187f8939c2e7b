"""Links of a site's navigation that lead elsewhere; they stand among sections and groups."""

from __future__ import annotations

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
    SiteTitle,
    WebUrl,
    maybe,
    trimmed,
)
from octavo.wire.view import View


class SiteExternalLink(Shape, tag_field="object", tag="site-external-link", frozen=True):
    id: str
    title: str
    url: str
    draft: bool
    description: Maybe[str] = UNSET
    icon: Maybe[str] = UNSET
    condition: Maybe[str] = UNSET
    section_group: Maybe[str] = UNSET
    localized_title: Maybe[Json] = UNSET
    localized_description: Maybe[Json] = UNSET


class AddExternalLink(Body, frozen=True):
    """`parent` is the group that it stands in; without one it stands at the top."""

    title: SiteTitle
    url: WebUrl
    description: Maybe[SectionDescription | None] = UNSET
    icon: Maybe[IconName | None] = UNSET
    condition: Maybe[Condition | None] = UNSET
    parent: Maybe[Id | None] = UNSET
    draft: bool = False
    localized_title: Maybe[LocalizedTitle | None] = UNSET
    localized_description: Maybe[LocalizedDescription | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.SITE_TITLE_MIN, limits.SITE_TITLE_MAX)


class UpdateExternalLink(Body, frozen=True):
    title: Maybe[SiteTitle] = UNSET
    url: Maybe[WebUrl] = UNSET
    description: Maybe[SectionDescription | None] = UNSET
    icon: Maybe[IconName | None] = UNSET
    condition: Maybe[Condition | None] = UNSET
    parent: Maybe[Id | None] = UNSET
    """The group that it stands in, null for the top."""
    draft: Maybe[bool] = UNSET
    localized_title: Maybe[LocalizedTitle | None] = UNSET
    localized_description: Maybe[LocalizedDescription | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", limits.SITE_TITLE_MIN, limits.SITE_TITLE_MAX)


class SiteExternalLinkView(msgspec.Struct, frozen=True):
    link: records.SiteExternalLink


def present(shown: SiteExternalLinkView, view: View) -> SiteExternalLink:
    """The link as the API serves it."""
    link = shown.link
    return SiteExternalLink(
        id=link.id,
        title=link.title,
        url=link.url,
        draft=link.draft,
        description=maybe(link.description),
        icon=maybe(link.icon),
        condition=maybe(link.condition),
        section_group=maybe(link.group),
        localized_title=maybe(link.localized_title),
        localized_description=maybe(link.localized_description),
    )
