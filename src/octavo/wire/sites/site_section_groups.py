"""Site section groups: headings under which a site lists sections and further groups."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from octavo.kernel import limits
from octavo.kernel.records import sites as records
from octavo.wire.fields import Body, GroupTitle, IconName, Id, Json, LocalizedTitle, Maybe, Shape, maybe, trimmed
from octavo.wire.sites import external_links, site_sections
from octavo.wire.sites.external_links import SiteExternalLink, SiteExternalLinkView
from octavo.wire.sites.site_sections import SiteSection, SiteSectionView
from octavo.wire.view import View


class SiteSectionGroup(Shape, tag_field="object", tag="site-section-group", frozen=True):
    id: str
    title: str
    sections: list[SiteSection]
    children: list[SiteSection | SiteSectionGroup | SiteExternalLink]
    """The sections, groups and links inside, in order."""
    draft: bool
    icon: Maybe[str] = UNSET
    section_group: Maybe[str] = UNSET
    """The group that it is in."""
    localized_title: Maybe[Json] = UNSET


class CreateSectionGroup(Body, frozen=True):
    title: GroupTitle
    icon: Maybe[IconName | None] = UNSET
    sections: Maybe[list[Id]] = UNSET
    parent: Maybe[Id | None] = UNSET
    draft: bool = False

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.SECTION_GROUP_TITLE_MAX)


class UpdateSectionGroup(Body, frozen=True):
    title: Maybe[GroupTitle] = UNSET
    icon: Maybe[IconName | None] = UNSET
    parent_section_group_id: Maybe[Id | None] = UNSET
    draft: Maybe[bool] = UNSET
    localized_title: Maybe[LocalizedTitle | None] = UNSET

    def __post_init__(self) -> None:
        trimmed(self, "title", 1, limits.SECTION_GROUP_TITLE_MAX)


class AddSectionToGroup(Body, frozen=True):
    section_id: Id


class SiteSectionGroupView(msgspec.Struct, frozen=True):
    group: records.SiteSectionGroup
    children: Sequence[EntryView] = ()
    """In order."""


Entry = SiteSection | SiteSectionGroup | SiteExternalLink
EntryView = SiteSectionView | SiteSectionGroupView | SiteExternalLinkView
"""What stands in a site's navigation."""


def present(shown: SiteSectionGroupView, view: View) -> SiteSectionGroup:
    """The group as the API serves it, with what it holds."""
    group = shown.group
    children = [present_child(child, view) for child in shown.children]
    return SiteSectionGroup(
        id=group.id,
        title=group.title,
        sections=[child for child in children if isinstance(child, SiteSection)],
        children=children,
        draft=group.draft,
        icon=maybe(group.icon),
        section_group=maybe(group.parent),
        localized_title=maybe(group.localized_title),
    )


def present_child(shown: EntryView, view: View) -> Entry:
    """A section, a group or a link, where either may stand."""
    if isinstance(shown, SiteSectionView):
        return site_sections.present(shown, view)
    if isinstance(shown, SiteExternalLinkView):
        return external_links.present(shown, view)
    return present(shown, view)
