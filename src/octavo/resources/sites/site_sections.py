"""Sections of a site: each shows one or several spaces; a site without any shows its site-spaces at its root."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from octavo.access import locate_sites
from octavo.kernel import limits
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.sites import SiteSection
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtSite, AtSiteSection
from octavo.resources.structure import (
    answered,
    given,
    move_entry,
    page_of,
    put_into,
    set_default_space,
    show_in,
    space_to_show,
)
from octavo.site.arranged import arranged
from octavo.site.shown import shared_key
from octavo.site.structure import (
    drop_section,
    ensure_sections,
    free_path,
    last_position,
    layout_of,
    paths_beside_section,
    require_condition,
    require_path,
    require_room,
)
from octavo.site.visibilities import visibility_told
from octavo.wire.lists import SharedListQuery
from octavo.wire.sites import site_sections
from octavo.wire.sites.site_sections import AddSection, SiteSectionView, UpdateSection
from octavo.wire.sites.structure import MoveSection, beside


async def list_in_site(call: Call, at: AtSite, query: SharedListQuery) -> Slice[SiteSectionView]:
    """In the order of the navigation."""
    key = await shared_key(call.unit, at.site.record, query.share_key)
    shown = await arranged(call.unit, call.caller, call.view, at.site.record, key)
    page = call.cut(shown.snapshot.sections, query, lambda one: (shown.keys[one.id],))
    return Slice([shown.section(one) for one in page.items], page.count, page.next)


async def add(call: Call, at: AtSite, body: AddSection) -> SiteSectionView:
    """With one space. What stood at the site's root comes into a default section first."""
    site = at.site.record
    group = None if body.site_section_group_id is UNSET else body.site_section_group_id
    if group is not None:
        await locate_sites.site_section_group(call.unit, group, site)
    title = None if body.title is UNSET else body.title
    shown = await space_to_show(call, at, body.space_id, title, body.template)
    page = await page_of(call, shown.record, body.page_id)
    layout = await ensure_sections(call.unit, await layout_of(call.unit, site))
    require_room(layout, entries=1, site_spaces=1)
    title = title or shown.record.title
    section = SiteSection(
        id=new_id(),
        organization=site.organization,
        site=site.id,
        # A space's title may be shorter than a section's.
        title=title if len(title) >= limits.SITE_TITLE_MIN else site.title,
        path=free_path(title, paths_beside_section(layout, None)),
        position=last_position(layout.at(group)),
        default=not layout.sections,
        group=group,
        icon=_icon(shown.record.icon) if body.icon is UNSET or body.icon is None else body.icon,
        draft=body.draft,
    )
    await call.unit.structure.add(section)
    layout = replace(layout, sections=[*layout.sections, section])
    async with visibility_told(call.unit, site.organization, site=site.id):
        await show_in(call, layout, section, shown, page=page)
    return (await answered(call, site)).section(section)


def _icon(of_space: str | None) -> str | None:
    """A space may have the address of a picture where a section has the name of an icon."""
    return of_space if of_space and len(of_space) <= limits.ICON_NAME_MAX and "/" not in of_space else None


async def update(call: Call, at: AtSiteSection, body: UpdateSection) -> SiteSectionView:
    """Only the fields that were sent change."""
    site, section = at.site.record, at.site_section.record
    layout = await layout_of(call.unit, site)
    changed = given(body, "title", "path", "icon", "description", "draft", "localized_title", "localized_description")
    if body.path is not UNSET:
        require_path(body.path, paths_beside_section(layout, section))
    if body.condition is not UNSET:
        changed["condition"] = require_condition(body.condition)
    if body.default_site_space is not UNSET:
        await set_default_space(call, layout, section.id, body.default_site_space)
    made = await call.unit.sites.change_section(section, **changed)
    group = body.site_section_group_id
    if group is not UNSET and group != section.group:
        if group is not None:
            await locate_sites.site_section_group(call.unit, group, site)
        await put_into(call, layout, [section], group)
    shown = await answered(call, site)
    return shown.section(next(one for one in shown.snapshot.sections if one.id == made.id))


async def delete(call: Call, at: AtSiteSection, takes: Nothing) -> None:
    """Its site-spaces go with it, the spaces stay. If it was the default section, the next one is."""
    site = at.site.record
    async with visibility_told(call.unit, site.organization, site=site.id):
        await drop_section(call.unit, await layout_of(call.unit, site), at.site_section.record)
    await answered(call, site)


async def move(call: Call, at: AtSiteSection, body: MoveSection) -> SiteSectionView:
    """Before or after a sibling, else behind all of them."""
    site = at.site.record
    await move_entry(call, await layout_of(call.unit, site), at.site_section.record, beside(body.position))
    return (await answered(call, site)).section(at.site_section.record)


_ALL = "/orgs/{organization}/sites/{site}/sections"
_ONE = _ALL + "/{site_section}"


OPERATIONS = (
    reads("listSiteSections", _ALL, list_in_site, listed(site_sections.present),
          needs="site.view", scope="site:read", summary="List the sections of a site"),
    writes("POST", "addSectionToSite", _ALL, add, site_sections.present,
           lock="site", status=201, needs="site.create", scope="site:write", audit="site.section.add",
           also="`create` on the space that it shows; for a blank one `createContent` on the organization",
           about=lambda made: made.section, stands="sections",
           summary="Add a section to a site"),
    writes("PATCH", "updateSiteSectionById", _ONE, update, site_sections.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.section.update",
           summary="Change a section of a site"),
    writes("DELETE", "deleteSiteSectionById", _ONE, delete, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.section.delete",
           summary="Delete a section of a site; the spaces that it shows stay"),
    writes("POST", "moveSiteSection", _ONE + "/move", move, site_sections.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.section.move",
           summary="Move a section among its siblings; `sortSiteStructure` moves everything"),
)  # fmt: skip
