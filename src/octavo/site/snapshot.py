"""A site with its structure and the spaces that it shows, as of one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

import msgspec

from octavo.content import conditions
from octavo.history.evaluate import anybody
from octavo.kernel.records.content import Revision
from octavo.kernel.records.library import Space
from octavo.kernel.records.people import Organization
from octavo.kernel.records.sites import Font, Site, SiteSection, SiteSectionGroup, SiteSpace
from octavo.site.addresses import space_path
from octavo.site.looks import fonts_of, named_fonts
from octavo.store.unit import Unit

P = TypeVar("P", SiteSection, SiteSpace)


class Place(msgspec.Struct, frozen=True):
    """A site-space found by an address: `base` is its path below the site's, `rest` the page's path in it."""

    site_space: SiteSpace
    section: SiteSection | None
    space: Space
    base: str
    rest: str


class Snapshot(msgspec.Struct, frozen=True, dict=True):
    """Everything about a site but the content of its spaces; deleted spaces are absent."""

    site: Site
    organization: Organization
    sections: list[SiteSection]
    groups: list[SiteSectionGroup]
    site_spaces: list[SiteSpace]
    spaces: dict[str, Space]
    revisions: dict[str, Revision]
    """Space -> the head of its primary content."""
    fonts: Mapping[str, Font] = {}
    """Those that looks of the site name, by id."""

    @cached_property
    def version(self) -> bytes:
        """A digest of the whole: what was made of an equal snapshot may be served again."""
        encode = msgspec.msgpack.Encoder(order="deterministic").encode
        structure = (self.sections, self.groups, self.site_spaces)
        parts = (self.site, self.organization.title, *structure, self.spaces, dict(self.fonts))
        return blake2b(encode(parts), digest_size=16).digest()

    @cached_property
    def shown(self) -> list[SiteSpace]:
        """What a visitor of whom nothing is known may see: site-spaces whose space exists, in their order, without
        drafts and without those whose condition, or their section's, does not hold."""
        closed = {section.id for section in self.sections if section.draft or not _holds(section.condition)}
        return [
            one
            for one in self.site_spaces
            if one.space in self.spaces and not one.draft and one.section not in closed and _holds(one.condition)
        ]

    def section_of(self, site_space: SiteSpace) -> SiteSection | None:
        return next((one for one in self.sections if one.id == site_space.section), None)

    def base_of(self, site_space: SiteSpace) -> str:
        """The path of a site-space below the site's."""
        return space_path(site_space, self.section_of(site_space), alone=not self.sections)

    def siblings(self, site_space: SiteSpace) -> list[SiteSpace]:
        """The variants beside it: site-spaces of its section, itself among them."""
        return [one for one in self.shown if one.section == site_space.section]

    def place(self, path: str) -> Place | None:
        """The site-space that an address leads to; None when the site shows nothing."""
        segments = [segment for segment in path.split("/") if segment]
        section = _named(self._open_sections(), segments)
        if section is not None:
            segments = segments[1:]
        else:
            section = _default(self._open_sections())
        among = [one for one in self.shown if one.section == (section.id if section else None)]
        site_space = _named(among, segments)
        if site_space is not None:
            segments = segments[1:]
        else:
            site_space = _default(among)
        if site_space is None:
            return None
        return Place(site_space, section, self.spaces[site_space.space], self.base_of(site_space), "/".join(segments))

    def default_place(self) -> Place | None:
        """Where the site's root leads."""
        return self.place("")

    def _open_sections(self) -> list[SiteSection]:
        filled = {one.section for one in self.shown}
        return [one for one in self.sections if one.id in filled]


def _named(among: Sequence[P], segments: list[str]) -> P | None:
    return next((one for one in among if segments and one.path == segments[0]), None)


def _default(among: Sequence[P]) -> P | None:
    return next((one for one in among if one.default), among[0] if among else None)


def _holds(condition: str | None) -> bool:
    return not condition or conditions.compile(condition).holds(anybody({}, {}))


async def snapshot_of(unit: Unit, site: Site) -> Snapshot:
    """The snapshot of a site, in six queries, and one for its fonts where it names some."""
    organization = await unit.people.organization(site.organization)
    assert organization is not None  # a site's row hangs on its organization's
    site_spaces = await unit.sites.site_spaces(site.id)
    spaces = [one for one in await unit.spaces.by_ids(one.space for one in site_spaces) if one.deleted_at is None]
    revisions = await unit.revisions.by_ids(space.revision for space in spaces)
    return Snapshot(
        site=site,
        organization=organization,
        sections=await unit.sites.sections(site.id),
        groups=await unit.sites.groups(site.id),
        site_spaces=site_spaces,
        spaces={space.id: space for space in spaces},
        revisions={revision.space: revision for revision in revisions},
        fonts=await fonts_of(
            unit, site.organization, named_fonts(site.customization, *(one.customization for one in site_spaces))
        ),
    )


async def find_site(unit: Unit, word: str) -> Site | None:
    """A site by its basename or id; a deleted organization shows none."""
    site = await unit.sites.by_basename(word) or await unit.sites.get(word)
    return None if site is None or await unit.people.organization(site.organization) is None else site
