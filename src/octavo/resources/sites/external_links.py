"""Links of a site's navigation that lead elsewhere."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access import locate_sites
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, writes
from octavo.kernel.records.sites import SiteExternalLink
from octavo.resources.call import Call
from octavo.resources.places import AtExternalLink, AtSite
from octavo.resources.structure import answered, given, put_into
from octavo.site.structure import ensure_sections, last_position, layout_of, require_condition, require_room
from octavo.wire.sites import external_links
from octavo.wire.sites.external_links import AddExternalLink, SiteExternalLinkView, UpdateExternalLink

_FIELDS = ("title", "url", "description", "icon", "draft", "localized_title", "localized_description")


async def add(call: Call, at: AtSite, body: AddExternalLink) -> SiteExternalLinkView:
    """Behind its siblings. What stood at the site's root comes into a default section first."""
    site = at.site.record
    parent = None if body.parent is UNSET else body.parent
    if parent is not None:
        await locate_sites.site_section_group(call.unit, parent, site)
    layout = await ensure_sections(call.unit, await layout_of(call.unit, site))
    require_room(layout, entries=1)
    link = SiteExternalLink(
        id=new_id(),
        organization=site.organization,
        site=site.id,
        position=last_position(layout.at(parent)),
        group=parent,
        condition=None if body.condition is UNSET else require_condition(body.condition),
        **given(body, *_FIELDS),  # type: ignore[arg-type]
    )
    await call.unit.structure.add(link)
    await answered(call, site)
    return SiteExternalLinkView(link)


async def update(call: Call, at: AtExternalLink, body: UpdateExternalLink) -> SiteExternalLinkView:
    """Only the fields that were sent change."""
    site, link = at.site.record, at.external_link.record
    changed = given(body, *_FIELDS)
    if body.condition is not UNSET:
        changed["condition"] = require_condition(body.condition)
    if body.parent is not UNSET and body.parent != link.group:
        if body.parent is not None:
            await locate_sites.site_section_group(call.unit, body.parent, site)
        await put_into(call, await layout_of(call.unit, site), [link], body.parent)
    await call.unit.structure.change_link(link, **changed)
    await answered(call, site)
    return SiteExternalLinkView((await locate_sites.external_link(call.unit, link.id, site)).record)


async def delete(call: Call, at: AtExternalLink, takes: Nothing) -> None:
    """Out of the navigation."""
    await call.unit.structure.remove(at.external_link.record)
    await answered(call, at.site.record)


_ALL = "/orgs/{organization}/sites/{site}/external-links"
_ONE = _ALL + "/{external_link}"


OPERATIONS = (
    writes("POST", "addExternalLinkToSite", _ALL, add, external_links.present,
           lock="site", status=201, needs="site.admin", scope="site:write", audit="site.external-link.add",
           about=lambda made: made.link, stands="external-links",
           summary="Add a link to elsewhere to a site's navigation"),
    writes("PATCH", "updateSiteExternalLinkById", _ONE, update, external_links.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.external-link.update",
           summary="Change a link to elsewhere"),
    writes("DELETE", "deleteSiteExternalLinkById", _ONE, delete, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.external-link.delete",
           summary="Delete a link to elsewhere"),
)  # fmt: skip
