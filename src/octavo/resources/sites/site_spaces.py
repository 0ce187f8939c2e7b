"""Site-spaces: which spaces a site shows, in a section or at its root; several in one place are variants of it."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access import locate_sites
from octavo.access.locate import SeenSpace
from octavo.access.placing import may_place_beside
from octavo.history.spaces import copy
from octavo.kernel.errors import Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.resources.call import Call, Slice, listed
from octavo.resources.order import position_in
from octavo.resources.places import AtSite, AtSiteSpace
from octavo.resources.structure import (
    answered,
    given,
    giving_nobody_more,
    may_show,
    move_site_space,
    page_of,
    show_in,
    space_to_show,
)
from octavo.site.arranged import arranged
from octavo.site.shown import shared_key
from octavo.site.structure import (
    drop_site_space,
    ensure_sections,
    layout_of,
    paths_beside_space,
    require_condition,
    require_path,
    require_room,
)
from octavo.site.visibilities import visibility_told
from octavo.wire.library.moves import Position, SpacePointer
from octavo.wire.sites import site_spaces
from octavo.wire.sites.site_spaces import AddSpace, DuplicateSiteSpace, SiteSpacesQuery, SiteSpaceView, UpdateSiteSpace
from octavo.wire.sites.structure import MoveSiteSpace, beside


async def list_in_site(call: Call, at: AtSite, query: SiteSpacesQuery) -> Slice[SiteSpaceView]:
    """Those whose space the caller sees, section by section."""
    key = await shared_key(call.unit, at.site.record, query.share_key)
    shown = await arranged(call.unit, call.caller, call.view, at.site.record, key)
    seen = [one for one in shown.site_spaces.values() if query.default in (UNSET, one.home)]
    return call.cut(
        sorted(seen, key=lambda one: shown.keys[one.site_space.id]), query, lambda one: (shown.keys[one.site_space.id],)
    )


async def add(call: Call, at: AtSite, body: AddSpace) -> SiteSpaceView:
    """To a section, the default one where none is named, or to the root of a site without sections."""
    site = at.site.record
    section = None
    if body.section_id is not UNSET:
        section = (await locate_sites.site_section(call.unit, body.section_id, site)).record
    title = None if body.title is UNSET else body.title
    shown = await space_to_show(call, at, body.space_id, title, body.template)
    page = await page_of(call, shown.record, body.page_id)
    layout = await layout_of(call.unit, site)
    require_room(layout, entries=1, site_spaces=1)
    more = {} if title is None else {"title": title}
    async with visibility_told(call.unit, site.organization, site=site.id):
        made = await show_in(
            call, layout, section or layout.default_section, shown, draft=body.draft, page=page, **more
        )
    if layout.entries:
        # Beside groups and links there are sections, so that the navigation has all of it.
        await ensure_sections(call.unit, await layout_of(call.unit, site))
    return (await answered(call, site)).site_spaces[made.id]


async def update(call: Call, at: AtSiteSpace, body: UpdateSiteSpace) -> SiteSpaceView:
    """Only the fields that were sent change."""
    site, old = at.site.record, at.site_space.record
    shown = at.site_space.space
    changed = given(body, "path", "draft", "hidden")
    if body.path is not UNSET:
        layout = await layout_of(call.unit, site)
        section = next((one for one in layout.sections if one.id == old.section), None)
        require_path(body.path, paths_beside_space(layout, section, old))
    if body.condition is not UNSET:
        changed["condition"] = require_condition(body.condition)
    if body.space_id is not UNSET and body.space_id != old.space:
        shown = await may_show(call, at.organization, body.space_id, "spaceId")
        changed |= {"space": shown.record.id, "page": None}
    if body.page_id is not UNSET:
        changed["page"] = await page_of(call, shown.record, body.page_id)
    async with visibility_told(call.unit, site.organization, site=site.id):
        await _change(call, at, shown, changed)
    return (await answered(call, site)).site_spaces[old.id]


async def _change(call: Call, at: AtSiteSpace, shown: SeenSpace, changed: dict[str, object]) -> None:
    async def write() -> None:
        await call.unit.sites.change_site_space(at.site_space.record, **changed)

    if "space" in changed:
        await giving_nobody_more(call, shown, write)
    else:
        await write()


async def delete(call: Call, at: AtSiteSpace, takes: Nothing) -> None:
    """The space stays. If it was the default site-space, the next one is. Raises Conflict for the last one of a section."""
    site, record = at.site.record, at.site_space.record
    layout = await layout_of(call.unit, site)
    if record.section is not None and len(layout.inside(record.section)) == 1:
        raise Conflict("a section shows one space at least: delete the section instead of its last site-space")
    async with visibility_told(call.unit, site.organization, site=site.id):
        await drop_site_space(call.unit, layout, record)
    await answered(call, site)


async def move(call: Call, at: AtSiteSpace, body: MoveSiteSpace) -> SiteSpaceView:
    """Before or after a sibling, else behind all of them."""
    site, record = at.site.record, at.site_space.record
    await move_site_space(call, await layout_of(call.unit, site), record, beside(body.position))
    return (await answered(call, site)).site_spaces[record.id]


async def duplicate(call: Call, at: AtSiteSpace, body: DuplicateSiteSpace) -> SiteSpaceView:
    """A space with the same content, shown behind the others of the section, or at the root."""
    site, record, old = at.site.record, at.site_space.record, at.site_space.space.record
    await may_show(call, at.organization, old.id, "site_space")
    await may_place_beside(call.unit, call.caller, at.organization, old)
    layout = await layout_of(call.unit, site)
    require_room(layout, site_spaces=1)
    key, behind = new_id(), Position(after=SpacePointer(space=old.id))
    position = await position_in(call, old.organization, old.parent, key, behind)
    made = await copy(call.unit, old, call.caller.user.id, id=key, position=position)
    section = next((one for one in layout.sections if one.id == record.section), None)
    kept = {"draft": body.draft, "condition": record.condition, "customization": record.customization}
    shown = await show_in(call, layout, section, SeenSpace("admin", made), page=record.page, **kept)
    return (await answered(call, site)).site_spaces[shown.id]


_ALL = "/orgs/{organization}/sites/{site}/site-spaces"
_ONE = _ALL + "/{site_space}"


OPERATIONS = (
    reads("listSiteSpaces", _ALL, list_in_site, listed(site_spaces.present),
          needs="site.view", also="the list holds those whose space they may see", scope="site:read",
          summary="List the site-spaces of a site"),
    writes("POST", "addSpaceToSite", _ALL, add, site_spaces.present,
           lock="site", status=201, needs="site.create", scope="site:write", audit="site.space.add",
           also="`create` on the space; for a blank one `createContent` on the organization",
           about=lambda made: made.site_space, stands="site-spaces",
           summary="Show a space on a site"),
    writes("PATCH", "updateSiteSpaceById", _ONE, update, site_spaces.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.space.update",
           also="`create` on another space that it is to show",
           summary="Change a site-space"),
    writes("DELETE", "deleteSiteSpaceById", _ONE, delete, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.space.delete",
           summary="Take a space off a site; the space stays"),
    writes("POST", "moveSiteSpace", _ONE + "/move", move, site_spaces.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.space.move",
           summary="Move a site-space among its siblings; `sortSiteStructure` moves everything"),
    writes("POST", "duplicateSiteSpace", _ONE + "/duplicate", duplicate, site_spaces.present,
           lock="site", status=201, needs="site.create", scope="site:write", audit="site.space.duplicate",
           also="`create` on the space, and on the collection that it is in or `createContent` on the organization",
           about=lambda made: made.site_space, stands="site-spaces",
           summary="Show a copy of a space beside it"),
)  # fmt: skip
