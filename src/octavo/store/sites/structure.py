"""How sites are put together: sections, their groups, links to elsewhere, site-spaces; what is read often is in `sites`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from octavo.kernel.records.sites import Site, SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table
from octavo.store.sites.sites import COUNT, GROUPS, SECTIONS, SITE_SPACES, SITES

LINKS = Table("site_external_links", SiteExternalLink)

Entry: TypeAlias = SiteSection | SiteSectionGroup | SiteExternalLink
"""What stands in a site's navigation: the three share one order below each group, and at the top."""

_LINKS = LINKS.select("WHERE site = :site ORDER BY position, id")
_WRAP = Statement("UPDATE site_spaces SET section = :section WHERE site = :site AND section IS NULL")
_DEFAULT_SECTION = Statement(
    'UPDATE site_sections SET "default" = CASE WHEN id = :chosen THEN 1 ELSE 0 END WHERE site = :site'
)
_DEFAULT_SPACE = Statement(
    'UPDATE site_spaces SET "default" = CASE WHEN id = :chosen THEN 1 ELSE 0 END'
    " WHERE site = :site AND coalesce(section, '') = :section"
)
_PUT = {
    SiteSection: Statement('UPDATE site_sections SET "group" = :group, position = :position WHERE id = :id'),
    SiteExternalLink: Statement('UPDATE site_external_links SET "group" = :group, position = :position WHERE id = :id'),
    SiteSectionGroup: Statement("UPDATE site_section_groups SET parent = :group, position = :position WHERE id = :id"),
}


class Structure:
    """Writes to the structure of sites, and reads that few need."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def links(self, site: str) -> list[SiteExternalLink]:
        return await LINKS.list(self._at, _LINKS, {"site": site})

    async def link(self, link: str) -> SiteExternalLink | None:
        return await LINKS.get(self._at, id=link)

    async def group(self, group: str) -> SiteSectionGroup | None:
        return await GROUPS.get(self._at, id=group)

    async def add(self, entry: Entry) -> None:
        """Put a section, a group or a link into its site."""
        if isinstance(entry, SiteSection):
            await SECTIONS.add(self._at, entry)
        elif isinstance(entry, SiteSectionGroup):
            await GROUPS.add(self._at, entry)
        else:
            await LINKS.add(self._at, entry)

    async def change_group(self, group: SiteSectionGroup, **changed: object) -> SiteSectionGroup:
        return await GROUPS.change(self._at, group, **changed)

    async def change_link(self, link: SiteExternalLink, **changed: object) -> SiteExternalLink:
        return await LINKS.change(self._at, link, **changed)

    async def put(self, entries: Iterable[Entry], group: str | None, positions: Sequence[str]) -> None:
        """Let entries stand below a group, or at the top, at these positions."""
        values: dict[type[Entry], list[dict[str, object]]] = {}
        for entry, position in zip(entries, positions, strict=True):
            values.setdefault(type(entry), []).append({"id": entry.id, "group": group, "position": position})
        for kind, several in values.items():
            await self._at.many(_PUT[kind], several)

    async def remove(self, entry: Entry) -> None:
        """Take an entry away; a section goes with its site-spaces. Nothing may stand in a group any more."""
        if isinstance(entry, SiteSection):
            await SECTIONS.remove(self._at, id=entry.id)
            await self._at.run(COUNT, {"site": entry.site})
        elif isinstance(entry, SiteSectionGroup):
            await GROUPS.remove(self._at, id=entry.id)
        else:
            await LINKS.remove(self._at, id=entry.id)

    async def wrap(self, section: SiteSection) -> None:
        """Put every site-space that stands at the root of the section's site into it."""
        await self._at.run(_WRAP, {"site": section.site, "section": section.id})

    async def make_default_section(self, site: str, chosen: str) -> None:
        """The one default section of a site."""
        await self._at.run(_DEFAULT_SECTION, {"site": site, "chosen": chosen})

    async def make_default_space(self, chosen: SiteSpace) -> None:
        """The one default site-space of its section, or of its site's root."""
        values = {"site": chosen.site, "section": chosen.section or "", "chosen": chosen.id}
        await self._at.run(_DEFAULT_SPACE, values)

    async def remove_site_space(self, site_space: SiteSpace) -> None:
        await SITE_SPACES.remove(self._at, id=site_space.id)
        await self._at.run(COUNT, {"site": site_space.site})

    async def remove_site(self, site: Site) -> None:
        """With everything that is its own; spaces are not."""
        await SITES.remove(self._at, id=site.id)
