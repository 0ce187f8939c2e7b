"""What a published site is made of: its structure, and everything that a renderer asks for."""

from __future__ import annotations

from octavo.access.standing import roles_on_spaces
from octavo.kernel.operation import reads
from octavo.kernel.records.sites import SiteSection, SiteSectionGroup, SiteSpace
from octavo.resources.call import Call
from octavo.resources.places import AtSite
from octavo.site.looks import fonts_of, named_fonts
from octavo.site.shown import published_address, show_site, show_spaces
from octavo.site.snapshot import Snapshot, snapshot_of
from octavo.wire.fields import ShareKeyQuery
from octavo.wire.sites import published_site
from octavo.wire.sites.published_site import PublishedSiteView, StructureView
from octavo.wire.sites.site_section_groups import SiteSectionGroupView
from octavo.wire.sites.site_sections import SiteSectionView
from octavo.wire.sites.site_spaces import SiteSpaceView


async def get_published(call: Call, at: AtSite, query: ShareKeyQuery) -> PublishedSiteView:
    """The site with its structure, its look and its scripts."""
    site = at.site.record
    own = {one.id: one.customization for one in await call.unit.sites.site_spaces(site.id) if one.customization}
    return PublishedSiteView(
        show_site(site, at.site.role, call.view),
        await _structure(call, at),
        own,
        fonts=await fonts_of(call.unit, site.organization, named_fonts(site.customization, *own.values())),
    )


async def get_structure(call: Call, at: AtSite, query: ShareKeyQuery) -> StructureView:
    """Sections and groups, or site-spaces where there are no sections."""
    return await _structure(call, at)


async def _structure(call: Call, at: AtSite) -> StructureView:
    snapshot = await snapshot_of(call.unit, at.site.record)
    views = await _site_spaces(call, snapshot)
    if not snapshot.sections:
        return StructureView(site_spaces=[views[one.id] for one in snapshot.site_spaces if one.id in views])
    return StructureView(sections=_arranged(call, snapshot, views))


async def _site_spaces(call: Call, snapshot: Snapshot) -> dict[str, SiteSpaceView]:
    spaces = list(snapshot.spaces.values())
    roles = await roles_on_spaces(call.unit, call.caller, spaces)
    shown = {view.space.id: view for view in await show_spaces(call.unit, call.view, spaces, roles)}
    base = published_address(snapshot.site, call.view)
    return {
        one.id: SiteSpaceView(one, shown[one.space], None if base is None else base + snapshot.base_of(one))
        for one in snapshot.site_spaces
        if one.space in shown and roles[one.space] is not None
    }


def _arranged(
    call: Call, snapshot: Snapshot, views: dict[str, SiteSpaceView]
) -> list[SiteSectionView | SiteSectionGroupView]:
    """Groups and sections by position, groups in groups."""
    base = published_address(snapshot.site, call.view)
    inside: dict[str | None, list[tuple[str, SiteSection | SiteSectionGroup]]] = {}
    for section in snapshot.sections:
        inside.setdefault(section.group, []).append((section.position, section))
    for group in snapshot.groups:
        inside.setdefault(group.parent, []).append((group.position, group))

    def section_view(section: SiteSection) -> SiteSectionView:
        held: list[SiteSpace] = [one for one in snapshot.site_spaces if one.section == section.id]
        path = "" if section.default else section.path + "/"
        address = None if base is None else base + path
        return SiteSectionView(section, [views[one.id] for one in held if one.id in views], address)

    def below(parent: str | None) -> list[SiteSectionView | SiteSectionGroupView]:
        ordered = sorted(inside.get(parent, ()), key=lambda pair: (pair[0], pair[1].id))
        return [
            section_view(entry) if isinstance(entry, SiteSection) else SiteSectionGroupView(entry, below(entry.id))
            for _, entry in ordered
        ]

    return below(None)


OPERATIONS = (
    reads("getPublishedContentSite", "/orgs/{organization}/sites/{site}/published", get_published,
          published_site.present,
          needs="site.view", scope="site:read", summary="Get everything that a renderer needs of a site"),
    reads("getSiteStructure", "/orgs/{organization}/sites/{site}/structure", get_structure,
          published_site.present_structure,
          needs="site.view", scope="site:read", summary="Get the structure of a site"),
)  # fmt: skip
