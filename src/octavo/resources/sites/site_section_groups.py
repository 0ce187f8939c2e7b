"""Groups of sections: menus in the navigation of a site, which hold sections, links to elsewhere, and further groups."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access import locate_sites
from octavo.kernel.errors import absent
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.sites import SiteSectionGroup
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtSectionInGroup, AtSite, AtSiteSectionGroup
from octavo.resources.structure import answered, given, move_entry, put_into
from octavo.site.arranged import Arranged, arranged
from octavo.site.structure import (
    drop_group,
    ensure_sections,
    last_position,
    layout_of,
    require_room,
    require_room_for_group,
)
from octavo.wire.lists import ListQuery
from octavo.wire.sites import site_section_groups
from octavo.wire.sites.site_section_groups import (
    AddSectionToGroup,
    CreateSectionGroup,
    SiteSectionGroupView,
    UpdateSectionGroup,
)
from octavo.wire.sites.structure import MoveSectionGroup, beside


async def list_in_site(call: Call, at: AtSite, query: ListQuery) -> Slice[SiteSectionGroupView]:
    """All of them, those in others too, in the order of the navigation."""
    shown = await arranged(call.unit, call.caller, call.view, at.site.record)
    groups = sorted(shown.snapshot.groups, key=lambda one: shown.keys[one.id])
    page = call.cut(groups, query, lambda one: (shown.keys[one.id],))
    return Slice([shown.group(one) for one in page.items], page.count, page.next)


async def create(call: Call, at: AtSite, body: CreateSectionGroup) -> SiteSectionGroupView:
    """With sections that stood elsewhere on the site. What stood at its root comes into a default section first."""
    site = at.site.record
    parent = None if body.parent is UNSET else body.parent
    if parent is not None:
        await locate_sites.site_section_group(call.unit, parent, site)
    wanted = [] if body.sections is UNSET else [*dict.fromkeys(body.sections)]
    layout = await ensure_sections(call.unit, await layout_of(call.unit, site))
    known = {one.id: one for one in layout.sections}
    for word in wanted:
        if word not in known:
            raise absent("site section", word)
    require_room(layout, entries=1)
    require_room_for_group(layout, None, parent)
    group = SiteSectionGroup(
        id=new_id(),
        organization=site.organization,
        site=site.id,
        title=body.title,
        position=last_position(layout.at(parent)),
        icon=None if body.icon is UNSET else body.icon,
        parent=parent,
        draft=body.draft,
    )
    await call.unit.structure.add(group)
    await put_into(call, layout, [known[word] for word in wanted], group.id)
    return (await answered(call, site)).group(group)


async def update(call: Call, at: AtSiteSectionGroup, body: UpdateSectionGroup) -> SiteSectionGroupView:
    """Only the fields that were sent change."""
    site, group = at.site.record, at.site_section_group.record
    parent = body.parent_section_group_id
    if parent is not UNSET and parent != group.parent:
        layout = await layout_of(call.unit, site)
        if parent is not None:
            await locate_sites.site_section_group(call.unit, parent, site)
        require_room_for_group(layout, group, parent)
        await put_into(call, layout, [group], parent)
    await call.unit.structure.change_group(group, **given(body, "title", "icon", "draft", "localized_title"))
    return _now(await answered(call, site), group)


async def delete(call: Call, at: AtSiteSectionGroup, takes: Nothing) -> None:
    """What it holds takes its place: in the group above, or at the top."""
    site = at.site.record
    await drop_group(call.unit, await layout_of(call.unit, site), at.site_section_group.record)
    await answered(call, site)


async def add_section(call: Call, at: AtSiteSectionGroup, body: AddSectionToGroup) -> SiteSectionGroupView:
    """A section of the site, behind what stands in the group."""
    site, group = at.site.record, at.site_section_group.record
    section = (await locate_sites.site_section(call.unit, body.section_id, site)).record
    await put_into(call, await layout_of(call.unit, site), [section], group.id)
    return _now(await answered(call, site), group)


async def remove_section(call: Call, at: AtSectionInGroup, takes: Nothing) -> None:
    """The section stands behind what is in the group above then, or at the top. Raises NotFound for one elsewhere."""
    site, group, section = at.site.record, at.site_section_group.record, at.site_section.record
    if section.group != group.id:
        raise absent("section in that group", section.id)
    await put_into(call, await layout_of(call.unit, site), [section], group.parent)
    await answered(call, site)


async def move(call: Call, at: AtSiteSectionGroup, body: MoveSectionGroup) -> SiteSectionGroupView:
    """Before or after a sibling, which may be a section too, else behind all of them."""
    site, group = at.site.record, at.site_section_group.record
    await move_entry(call, await layout_of(call.unit, site), group, beside(body.position))
    return _now(await answered(call, site), group)


def _now(shown: Arranged, group: SiteSectionGroup) -> SiteSectionGroupView:
    return shown.group(next(one for one in shown.snapshot.groups if one.id == group.id))


_ALL = "/orgs/{organization}/sites/{site}/section-groups"
_ONE = _ALL + "/{site_section_group}"


OPERATIONS = (
    reads("listSiteSectionGroups", _ALL, list_in_site, listed(site_section_groups.present),
          needs="site.view", scope="site:read", summary="List the groups of sections of a site"),
    writes("POST", "addSectionGroupToSite", _ALL, create, site_section_groups.present,
           lock="site", status=201, needs="site.admin", scope="site:write", audit="site.section-group.add",
           about=lambda made: made.group, stands="section-groups",
           summary="Add a group of sections to a site"),
    writes("PATCH", "updateSiteSectionGroupById", _ONE, update, site_section_groups.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.section-group.update",
           summary="Change a group of sections"),
    writes("DELETE", "deleteSiteSectionGroupById", _ONE, delete, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.section-group.delete",
           summary="Delete a group of sections; what it holds takes its place"),
    writes("POST", "addSectionToGroup", _ONE + "/sections", add_section, site_section_groups.present,
           lock="site", status=201, needs="site.admin", scope="site:write", audit="site.section-group.add-section",
           summary="Put a section into a group"),
    writes("DELETE", "removeSectionFromGroup", _ONE + "/sections/{site_section}", remove_section, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.section-group.remove-section",
           summary="Take a section out of a group"),
    writes("POST", "moveSiteSectionGroup", _ONE + "/move", move, site_section_groups.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.section-group.move",
           summary="Move a group among its siblings; `sortSiteStructure` moves everything"),
)  # fmt: skip
