"""Share links of a site: made, named, switched off and on, deleted; each works from and to the moment that this says."""

from __future__ import annotations

import secrets

from msgspec import UNSET

from octavo.access.locate_sites import SeenShareLink
from octavo.kernel import limits
from octavo.kernel.errors import Conflict
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.sites import ShareLink, Site
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtSite
from octavo.site.shown import visited_address
from octavo.wire.sites import share_links
from octavo.wire.sites.share_links import CreateShareLink, ShareLinksQuery, ShareLinkView, UpdateShareLink


class AtShareLink(AtSite, frozen=True):
    link: SeenShareLink


async def list_of_site(call: Call, at: AtSite, query: ShareLinksQuery) -> Slice[ShareLinkView]:
    """Newest first, those that are switched off too."""
    site = at.site.record
    wanted = "" if query.search is UNSET else query.search.casefold()
    found = [one for one in await call.unit.sites.share_links(site.id) if wanted in one.name.casefold()]
    behind = call.newest_behind(query)
    rest = [one for one in found if (one.created_at, one.id) < behind]
    page = call.listing(rest[: query.limit + 1], len(found), query, lambda one: (one.created_at, one.id))
    return Slice([_view(call, site, one) for one in page.items], page.count, page.next)


async def create(call: Call, at: AtSite, body: CreateShareLink) -> ShareLinkView:
    """Active. It opens the site as long as that has the visibility `share-link`."""
    site = at.site.record
    if len(await call.unit.sites.share_links(site.id)) >= limits.SHARE_LINKS_MAX:
        raise Conflict(f"the site has {limits.SHARE_LINKS_MAX} share links; delete some that are not used")
    link = ShareLink(
        id=new_id(),
        organization=site.organization,
        site=site.id,
        name=body.name,
        key=secrets.token_urlsafe(24),
        active=True,
        created_at=call.now,
    )
    await call.unit.sites.add_share_link(link)
    return await _changed(call, site, link)


async def update(call: Call, at: AtShareLink, body: UpdateShareLink) -> ShareLinkView:
    """Switched off, it lets nobody in any more, those neither who came by it before; switched on, all of them again."""
    changed = {name: value for name in ("name", "active") if (value := getattr(body, name)) is not UNSET}
    link = await call.unit.sites.change_share_link(at.link.record, **changed)
    return await _changed(call, at.site.record, link)


async def delete(call: Call, at: AtShareLink, takes: Nothing) -> None:
    """Whoever came by it is let in no more."""
    await call.unit.sites.remove_share_link(at.link.record)
    await call.unit.emit(SiteChanged(organization=at.site.record.organization, site=at.site.record.id))


async def _changed(call: Call, site: Site, link: ShareLink) -> ShareLinkView:
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return _view(call, site, link)


def _view(call: Call, site: Site, link: ShareLink) -> ShareLinkView:
    return ShareLinkView(link, visited_address(site, call.view, link.key))


_LINKS = "/orgs/{organization}/sites/{site}/share-links"

OPERATIONS = (
    reads("listSiteShareLinks", _LINKS, list_of_site, listed(share_links.present),
          needs="site.admin", scope="site:auth:read", summary="List the share links of a site"),
    writes("POST", "createSiteShareLink", _LINKS, create, share_links.present,
           lock="site", status=201, needs="site.admin", scope="site:auth:write", audit="site.share-link.create",
           about=lambda made: made.link, stands="share-links", summary="Make a share link"),
    writes("PATCH", "updateSiteShareLinkById", _LINKS + "/{link}", update, share_links.present,
           lock="site", needs="site.admin", scope="site:auth:write", audit="site.share-link.update",
           summary="Change a share link"),
    writes("DELETE", "deleteSiteShareLinkById", _LINKS + "/{link}", delete, nothing,
           lock="site", needs="site.admin", scope="site:auth:write", audit="site.share-link.delete",
           summary="Delete a share link"),
)  # fmt: skip
