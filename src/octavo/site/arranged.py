"""A site's structure as rooms serve it: each part with what is in it and with its address, in a fixed number of queries."""

from __future__ import annotations

from functools import cached_property

import msgspec
from msgspec import UNSET

from octavo.access.caller import Caller, Person
from octavo.access.standing import roles_on_spaces
from octavo.kernel.records.sites import Site, SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace
from octavo.site.shown import published_address, show_spaces
from octavo.site.snapshot import Snapshot
from octavo.site.structure import levels, tree_keys
from octavo.site.visits import snapshot_for
from octavo.store.sites.structure import Entry
from octavo.store.unit import Unit
from octavo.wire.sites.external_links import SiteExternalLinkView
from octavo.wire.sites.published_site import StructureView
from octavo.wire.sites.site_section_groups import EntryView, SiteSectionGroupView
from octavo.wire.sites.site_sections import SiteSectionView
from octavo.wire.sites.site_spaces import SiteSpaceView
from octavo.wire.view import View


class Arranged(msgspec.Struct, frozen=True, dict=True):
    """The structure of a site for somebody: site-spaces whose space she does not see are absent."""

    snapshot: Snapshot
    base: str | None
    """Where visitors find the site, if it is published."""
    site_spaces: dict[str, SiteSpaceView]
    """By id, each section's in order."""

    @cached_property
    def keys(self) -> dict[str, str]:
        """Id of a section, group, link or site-space -> what sorts it as readers meet it."""
        known = tree_keys(self.snapshot.entries)
        within = {one.id: known[one.section] + "/" if one.section else "" for one in self.snapshot.site_spaces}
        return known | {one.id: f"{within[one.id]}{one.position}!{one.id}" for one in self.snapshot.site_spaces}

    def entry(self, entry: Entry) -> EntryView:
        """A section, a group or a link with what is in it."""
        if isinstance(entry, SiteSection):
            return self.section(entry)
        if isinstance(entry, SiteExternalLink):
            return SiteExternalLinkView(entry)
        return self.group(entry)

    def group(self, group: SiteSectionGroup) -> SiteSectionGroupView:
        """A group with what stands in it."""
        return SiteSectionGroupView(group, [self.entry(one) for one in self._levels.get(group.id, ())])

    def section(self, section: SiteSection) -> SiteSectionView:
        """A section with its site-spaces."""
        held = [self.site_spaces[one.id] for one in self._inside.get(section.id, ()) if one.id in self.site_spaces]
        path = self.snapshot.section_base(section)
        return SiteSectionView(section, held, None if self.base is None else self.base + path)

    def structure(self) -> StructureView:
        """The navigation, or the site-spaces of a site that has none."""
        if self._levels:
            return StructureView(sections=[self.entry(one) for one in self._levels.get(None, ())])
        return StructureView(site_spaces=[*self.site_spaces.values()])

    @cached_property
    def _levels(self) -> dict[str | None, list[Entry]]:
        return levels(self.snapshot.entries)

    @cached_property
    def _inside(self) -> dict[str | None, list[SiteSpace]]:
        made: dict[str | None, list[SiteSpace]] = {}
        for one in self.snapshot.site_spaces:
            made.setdefault(one.section, []).append(one)
        return made


async def arranged(unit: Unit, caller: Person, view: View, site: Site, key: str | None = None) -> Arranged:
    """The structure of a site as it is now, for the caller; `key` is of a share link, for its addresses."""
    snapshot = await snapshot_for(unit, caller, site)
    if isinstance(caller, Caller) and caller.visiting is not None:
        # Of the structure, as of all else, a visitor is told what she may see.
        snapshot = snapshot.narrowed()
    spaces = list(snapshot.spaces.values())
    roles = await roles_on_spaces(unit, caller, spaces)
    seen = {
        one.space.id: one
        for one in await show_spaces(unit, view, spaces, roles, UNSET if key is None else key)
        if roles[one.space.id] is not None
    }
    base = published_address(snapshot.site, view, key)
    views = {
        one.id: SiteSpaceView(
            one, seen[one.space], None if base is None else base + snapshot.base_of(one), snapshot.is_home(one)
        )
        for one in snapshot.site_spaces
        if one.space in seen
    }
    return Arranged(snapshot, base, views)
