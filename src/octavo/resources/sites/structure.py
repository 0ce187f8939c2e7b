"""The structure of a site as a whole: everything in one order, and a template to begin with."""

from __future__ import annotations

from msgspec.structs import replace

from octavo.access import locate_sites
from octavo.access.locate import SeenSpace
from octavo.content.ordering import spread
from octavo.history.samples import CHANGELOG, WELCOME
from octavo.kernel.errors import Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, writes
from octavo.kernel.records.sites import SiteSection
from octavo.resources.call import Call
from octavo.resources.places import AtSite
from octavo.resources.structure import answered, move_entry, move_site_space, new_space, show_in
from octavo.site.structure import layout_of
from octavo.store.sites.structure import Entry
from octavo.wire.sites import published_site
from octavo.wire.sites import structure as shapes
from octavo.wire.sites.published_site import StructureView
from octavo.wire.sites.structure import ItemPointer, ItemView, SortStructure, beside

_TEMPLATE = (("Documentation", "book-open", WELCOME), ("Changelog", "clock-rotate-left", CHANGELOG))
"""Title, icon and first page of each section."""


async def sort(call: Call, at: AtSite, body: SortStructure) -> ItemView:
    """Move anything before or after a sibling: sections, groups and links share one order, site-spaces theirs."""
    site = at.site.record
    to, layout = beside(body.position), await layout_of(call.unit, site)
    if body.item.type == "site-space":
        found = await locate_sites.site_space(call.unit, call.caller, body.item.id, site)
        await move_site_space(call, layout, found.record, to)
        return (await answered(call, site)).site_spaces[found.record.id]
    entry = await _entry(call, at, body.item)
    await move_entry(call, layout, entry, to)
    return (await answered(call, site)).entry(entry)


async def _entry(call: Call, at: AtSite, item: ItemPointer) -> Entry:
    site = at.site.record
    if item.type == "site-section":
        return (await locate_sites.site_section(call.unit, item.id, site)).record
    if item.type == "site-section-group":
        return (await locate_sites.site_section_group(call.unit, item.id, site)).record
    return (await locate_sites.external_link(call.unit, item.id, site)).record


async def apply_template(call: Call, at: AtSite, takes: Nothing) -> StructureView:
    """Two sections, each with a space that has something to read. Raises Conflict for a site that is not empty."""
    site = at.site.record
    layout = await layout_of(call.unit, site)
    if layout.entries or layout.site_spaces:
        raise Conflict("the site has a structure already: the template is for an empty one")
    for (title, icon, text), position in zip(_TEMPLATE, spread(len(_TEMPLATE)), strict=True):
        space = await new_space(call, at.organization, title, text=text)
        section = SiteSection(
            id=new_id(),
            organization=site.organization,
            site=site.id,
            title=title,
            path=title.lower(),
            position=position,
            default=not layout.sections,
            icon=icon,
        )
        await call.unit.structure.add(section)
        layout = replace(layout, sections=[*layout.sections, section])
        await show_in(call, layout, section, SeenSpace("admin", space))
    return (await answered(call, site)).structure()


OPERATIONS = (
    writes("PATCH", "sortSiteStructure", "/orgs/{organization}/sites/{site}/structure/sort", sort, shapes.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.structure.sort",
           summary="Move something in a site's structure before or after a sibling"),
    writes("POST", "applyTemplateToSite", "/orgs/{organization}/sites/{site}/template", apply_template,
           published_site.present_structure,
           lock="site", needs="site.admin", scope="site:write", audit="site.apply-template",
           also="`createContent` on the organization",
           summary="Give an empty site two sections with sample content"),
)  # fmt: skip
