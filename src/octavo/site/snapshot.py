"""A site with its structure and the spaces that it shows, as of one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from octavo.history.translating import Behind, behind
from octavo.kernel.records.content import Revision
from octavo.kernel.records.git import GitSync
from octavo.kernel.records.library import Space
from octavo.kernel.records.openapi import NewestSpec
from octavo.kernel.records.people import Organization
from octavo.kernel.records.sites import Font, Site, SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace
from octavo.site.addresses import space_path, space_segments
from octavo.site.injected import Injected, injected_on
from octavo.site.looks import fonts_of, named_fonts
from octavo.site.preview import Draft
from octavo.site.structure import closed_groups, in_order
from octavo.site.visitor import ANYBODY, Visitor, holds, names_of
from octavo.store.sites.structure import Entry
from octavo.store.unit import Unit

P = TypeVar("P", SiteSection, SiteSpace)
_VIEWS = 200
"""Answers to who sees which site-spaces that one snapshot remembers."""


_Addresses = dict[tuple[str, ...], SiteSpace]


class _View(msgspec.Struct, frozen=True):
    """What those see of a site's structure of whom the same is known, and its addresses: worked out once for all of them."""

    shown: list[SiteSpace]
    known: _Addresses
    others: _Addresses


class Place(msgspec.Struct, frozen=True):
    """A site-space found by an address: `base` is its path below the site's, `rest` the page's path in it."""

    site_space: SiteSpace
    section: SiteSection | None
    space: Space
    base: str
    rest: str
    page: Place | None = None
    """Where the address leads instead, if a page is there: a further address of a site-space gives way to pages."""


class Snapshot(msgspec.Struct, frozen=True, dict=True):
    """Everything about a site but the content of its spaces, and who reads it; deleted spaces are absent."""

    site: Site
    organization: Organization
    sections: list[SiteSection]
    """In the order of the navigation."""
    groups: list[SiteSectionGroup]
    links: list[SiteExternalLink]
    site_spaces: list[SiteSpace]
    spaces: dict[str, Space]
    revisions: dict[str, Revision]
    """Space -> the head of its primary content."""
    syncs: Mapping[str, GitSync] = {}
    """Space -> where its source lies in Git."""
    fonts: Mapping[str, Font] = {}
    """Those that looks of the site name, by id."""
    specs: Mapping[str, NewestSpec] = {}
    """The API descriptions that its pages may show, by slug."""
    scripts: tuple[Injected, ...] = ()
    """Those that integrations put on its pages."""
    visitor: Visitor = ANYBODY
    behind: Mapping[str, Behind] = {}
    """Of the spaces those that translate what their source does not say any more, on some page."""
    draft: Draft | None = None
    """The change request that is looked at instead of the primary content of its space."""

    @cached_property
    def version(self) -> bytes:
        """A digest of the whole but its visitor and what the spaces hold: what was made of an equal snapshot and of the same
        contents may be served again, to those who see the same of it."""
        encode = msgspec.msgpack.Encoder(order="deterministic").encode
        structure = (self.sections, self.groups, self.links, self.site_spaces)
        spaces = [(one.id, one.title, one.emoji, one.icon, one.language) for one in self.spaces.values()]
        syncs = [(one.space, one.provider, one.url, one.ref, one.directory) for one in self.syncs.values()]
        parts = (
            self.site,
            self.organization.title,
            *structure,
            sorted(spaces),
            sorted(syncs),
            dict(self.fonts),
            dict(self.specs),
            self.scripts,
            self.draft,
        )
        return blake2b(encode(parts), digest_size=16).digest()

    @cached_property
    def heads(self) -> bytes:
        """A digest of what all spaces hold."""
        held = sorted((space, revision.root) for space, revision in self.revisions.items())
        return blake2b(msgspec.msgpack.encode(held), digest_size=16).digest()

    def seen_by(self, visitor: Visitor) -> Snapshot:
        """The same site as somebody else reads it."""
        if visitor is self.visitor:
            return self
        made = replace(self, visitor=visitor)
        # Whoever reads it, these are the same; the views are shared by all.
        made.__dict__.update(version=self.version, reads=self.reads, _views=self._views)
        return made

    @cached_property
    def reads(self) -> frozenset[str]:
        """What the conditions of the site's structure read of visitors."""
        return names_of(
            [*(one.condition for one in self.sections), *(one.condition for one in self.links)]
            + [one.condition for one in self.site_spaces]
        )

    @cached_property
    def _views(self) -> dict[tuple[bytes, bool, str | None, str | None], _View]:
        return {}

    @cached_property
    def _seen(self) -> _View:
        visitor = self.visitor
        view = (visitor.known(self.reads), visitor.drafts, visitor.only, visitor.own)
        known = self._views.get(view)
        if known is None:
            if len(self._views) >= _VIEWS:
                self._views.clear()
            shown = self._shown()
            known = self._views[view] = _View(shown, *self._ways(shown))
        return known

    @property
    def shown(self) -> list[SiteSpace]:
        """What the visitor may see: site-spaces whose space exists, in their order, without drafts and without those whose
        condition, or their section's, does not hold."""
        return self._seen.shown

    def _shown(self) -> list[SiteSpace]:
        only = self.visitor.only
        return [
            one
            for one in self.site_spaces
            if one.space in self.spaces and only in (None, one.space) and self._is_shown(one)
        ]

    def _is_shown(self, one: SiteSpace) -> bool:
        """Whether a site-space and its section are ready, and for who reads the space."""
        who, section = self.visitor.of(one.space), self.section_of(one)
        if one.draft and not who.drafts:
            return False
        return holds(one.condition, who.scope()) and (section is None or self._is_open(section, who))

    def _is_open(self, entry: SiteSection | SiteExternalLink, who: Visitor) -> bool:
        """Whether the entry, and each group around it, is ready and for somebody."""
        ready = who.drafts or not (entry.draft or entry.group in self._drafts)
        return ready and holds(entry.condition, who.scope())

    @cached_property
    def _drafts(self) -> set[str]:
        """Groups that are not ready."""
        return closed_groups(self.groups)

    @cached_property
    def _beside(self) -> Visitor:
        """As whom the visitor is led to what is in no space."""
        return self.visitor.of("")

    @cached_property
    def view(self) -> bytes:
        """What the visitor sees of the structure, as a part of keys."""
        return "\0".join(one.id for one in (*self.shown, *self.navigation)).encode()

    @property
    def entries(self) -> list[Entry]:
        """What stands in the navigation, drafts too, in no order."""
        return [*self.sections, *self.groups, *self.links]

    @cached_property
    def navigation(self) -> list[Entry]:
        """What visitors are led to, in no order: sections with something listed in them, links, groups that may be seen."""
        filled = {one.section for one in self.shown if not one.hidden}
        sections = [one for one in self.sections if one.id in filled]
        links = [one for one in self.links if self._is_open(one, self._beside)]
        groups = [one for one in self.groups if self.visitor.drafts or one.id not in self._drafts]
        return [*sections, *groups, *links]

    def narrowed(self) -> Snapshot:
        """The same without whatever its visitor does not see."""
        filled = {one.section for one in self.shown}
        sections = [one for one in self.sections if one.id in filled]
        links = [one for one in self.links if self._is_open(one, self._beside)]
        groups = {group.id: group for group in self.groups}
        around: set[str] = set()
        for inside in [*(one.group for one in sections), *(one.group for one in links)]:
            while inside is not None and inside in groups and inside not in around:
                around.add(inside)
                inside = groups[inside].parent
        kept = [group for group in self.groups if group.id in around]
        return replace(self, site_spaces=self.shown, sections=sections, links=links, groups=kept)

    def leads_on(self, path: str) -> bool:
        """Whether a longer path than this may lead into another site-space."""
        asked = _lower(tuple(segment for segment in path.split("/") if segment))
        return any(
            len(way) > len(asked) and way[: len(asked)] == asked
            for table in (self._seen.known, self._seen.others)
            for way in table
        )

    def section_of(self, site_space: SiteSpace) -> SiteSection | None:
        return self._sections.get(site_space.section or "")

    def is_home(self, site_space: SiteSpace) -> bool:
        """Whether it is the default of the whole site: that of the default section, or of the root."""
        section = self.section_of(site_space)
        return site_space.default and (section is None or section.default)

    def base_of(self, site_space: SiteSpace) -> str:
        """The path of a site-space below the site's."""
        return space_path(site_space, self.section_of(site_space), alone=not self.sections)

    def section_base(self, section: SiteSection) -> str:
        """The path below the site's of what a section shows first."""
        first = self._firsts.get(section.id)
        first = first or _default([one for one in self.site_spaces if one.section == section.id])
        return "" if first is None else self.base_of(first)

    @cached_property
    def _firsts(self) -> dict[str | None, SiteSpace]:
        """Section -> what it shows the visitor first."""
        return {key: chosen for key, among in self._inside.items() if (chosen := _default(among)) is not None}

    @cached_property
    def _inside(self) -> dict[str | None, list[SiteSpace]]:
        """Section -> what the visitor may see of it."""
        return _by_section(self.shown)

    def siblings(self, site_space: SiteSpace) -> list[SiteSpace]:
        """The variants beside it: site-spaces of its section, itself among them."""
        return self._inside.get(site_space.section, [])

    def place(self, path: str) -> Place | None:
        """The site-space that an address leads to; None when the site shows nothing."""
        segments = [segment for segment in path.split("/") if segment]
        asked = tuple(segment.lower() for segment in segments[:2])
        known, others = self._seen.known, self._seen.others
        page: Place | None = None
        # The weakest first: each is known by whatever is below it.
        for table, length in ((others, 0), (known, 0), (others, 1), (others, 2), (known, 1), (known, 2)):
            one = table.get(asked[:length]) if length <= len(asked) else None
            if one is not None:
                rest = "/".join(segments[length:])
                further = page if table is others and length else None
                page = Place(one, self.section_of(one), self.spaces[one.space], self.base_of(one), rest, further)
        return page

    def default_place(self) -> Place | None:
        """Where the site's root leads."""
        return self.place("")

    def _ways(self, shown: list[SiteSpace]) -> tuple[_Addresses, _Addresses]:
        """Segments in lower case -> what stands there; beside them those that lead there too: of a default, its own."""
        known: dict[tuple[str, ...], SiteSpace] = {}
        others: dict[tuple[str, ...], SiteSpace] = {}
        inside = _by_section(shown)
        first = _default([one for one in self.sections if one.id in inside])
        for key, among in inside.items():
            section, chosen = self._sections.get(key or ""), _default(among)
            within: tuple[str, ...] = () if section is None else (section.path,)
            for one in among:
                known[_lower(space_segments(one, section, alone=not self.sections))] = one
                ways: list[tuple[str, ...]] = [(*within, one.path)]
                ways += [within] if one is chosen else []
                if section is first:
                    ways += [(one.path,), ()] if one is chosen else [(one.path,)]
                for way in ways:
                    others.setdefault(_lower(way), one)
        return known, others

    @cached_property
    def _sections(self) -> dict[str, SiteSection]:
        return {one.id: one for one in self.sections}


def _by_section(shown: Sequence[SiteSpace]) -> dict[str | None, list[SiteSpace]]:
    made: dict[str | None, list[SiteSpace]] = {}
    for one in shown:
        made.setdefault(one.section, []).append(one)
    return made


def _lower(segments: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(segment.lower() for segment in segments)


def _default(among: Sequence[P]) -> P | None:
    return next((one for one in among if one.default), among[0] if among else None)


async def snapshot_of(unit: Unit, site: Site) -> Snapshot:
    """The snapshot of a site, in nine queries, and further ones for fonts that it names and integrations that it has."""
    organization = await unit.people.organization(site.organization)
    assert organization is not None  # a site's row hangs on its organization's
    site_spaces = await unit.sites.site_spaces(site.id)
    spaces = [one for one in await unit.spaces.by_ids(one.space for one in site_spaces) if one.deleted_at is None]
    revisions = await unit.revisions.by_ids(space.revision for space in spaces)
    sections, groups = await unit.sites.sections(site.id), await unit.sites.groups(site.id)
    return Snapshot(
        site=site,
        organization=organization,
        sections=[one for one in in_order([*sections, *groups]) if isinstance(one, SiteSection)],
        groups=groups,
        links=await unit.structure.links(site.id),
        site_spaces=site_spaces,
        spaces={space.id: space for space in spaces},
        revisions={revision.space: revision for revision in revisions},
        syncs=await unit.spaces.git_syncs(space.id for space in spaces),
        fonts=await fonts_of(
            unit, site.organization, named_fonts(site.customization, *(one.customization for one in site_spaces))
        ),
        behind=await behind(unit, (space.id for space in spaces)),
        specs=await unit.openapi.newest(site.organization),
        scripts=await injected_on(unit, site),
    )


async def find_site(unit: Unit, word: str) -> Site | None:
    """A site by its basename or id; a deleted organization shows none."""
    site = await unit.sites.by_basename(word) or await unit.sites.get(word)
    return None if site is None or await unit.people.organization(site.organization) is None else site
