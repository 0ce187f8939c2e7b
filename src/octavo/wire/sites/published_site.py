"""A published site: all that a renderer of its pages must know about it at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from octavo.kernel.records import sites as records
from octavo.wire.fields import Maybe, Shape
from octavo.wire.sites import customization, site_section_groups, site_spaces, sites
from octavo.wire.sites.customization import Customization
from octavo.wire.sites.looks import with_fonts
from octavo.wire.sites.site_section_groups import Entry, EntryView, SiteSectionGroupView
from octavo.wire.sites.site_sections import SiteSectionView
from octavo.wire.sites.site_spaces import SiteSpace, SiteSpaceView
from octavo.wire.view import View


class Sectioned(Shape, tag_field="type", tag="sections", frozen=True):
    structure: list[Entry]


class Flat(Shape, tag_field="type", tag="siteSpaces", frozen=True):
    """A site without sections."""

    structure: list[SiteSpace]


Structure = Sectioned | Flat


class Customizations(Shape, frozen=True):
    site: Customization
    site_spaces: dict[str, Customization]
    """By id of the site-space; there is one for each."""


class Script(Shape, frozen=True):
    """A script that an integration puts on the site's pages."""

    script: str
    """Its address."""
    cookies: bool
    """Whether it may set cookies, of which visitors should know."""
    content_security_policy: Maybe[str] = msgspec.UNSET


class PublishedSite(Shape, tag_field="object", tag="published-content-site", frozen=True):
    site: sites.Site
    structure: Structure
    customizations: Customizations
    scripts: list[Script]


class StructureView(msgspec.Struct, frozen=True):
    """Sections, groups and links in order, or site-spaces in order when the site has none of these."""

    sections: Sequence[EntryView] = ()
    site_spaces: Sequence[SiteSpaceView] = ()


class PublishedSiteView(msgspec.Struct, frozen=True):
    site: sites.SiteView
    structure: StructureView
    customizations: Mapping[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    """Id of a site-space -> what is set on it."""
    scripts: Sequence[Script] = ()
    fonts: Mapping[str, records.Font] = msgspec.field(default_factory=dict)
    """The fonts that customizations name, by id."""


def present_scripts(shown: Sequence[Script], view: View) -> list[Script]:
    """The scripts of a site."""
    return list(shown)


def present_structure(shown: StructureView, view: View) -> Structure:
    """The tree of a site."""
    if shown.sections:
        return Sectioned([site_section_groups.present_child(child, view) for child in shown.sections])
    return Flat([site_spaces.present(one, view) for one in shown.site_spaces])


def present(shown: PublishedSiteView, view: View) -> PublishedSite:
    """The site, its tree, its look and its scripts."""
    look = customization.present(shown.site.site.customization)
    places = _site_spaces(shown.structure.sections) or [one.site_space.id for one in shown.structure.site_spaces]
    agents = shown.site.site.agents_context == "included"
    own = {place: customization.present(shown.customizations.get(place), look) for place in places}
    return PublishedSite(
        site=sites.present(shown.site, view),
        structure=present_structure(shown.structure, view),
        customizations=Customizations(
            _served(look, shown, agents, view),
            {place: _served(one, shown, agents, view) for place, one in own.items()},
        ),
        scripts=list(shown.scripts),
    )


def _served(look: Customization, shown: PublishedSiteView, agents: bool, view: View) -> Customization:
    return customization.unadvanced(customization.served(with_fonts(look, shown.fonts, view), agents))


def _site_spaces(entries: Sequence[EntryView]) -> list[str]:
    """The ids of all that sections hold, and sections in groups."""
    return [
        id_
        for entry in entries
        for id_ in (
            _site_spaces(entry.children)
            if isinstance(entry, SiteSectionGroupView)
            else [one.site_space.id for one in entry.site_spaces]
            if isinstance(entry, SiteSectionView)
            else []
        )
    ]
