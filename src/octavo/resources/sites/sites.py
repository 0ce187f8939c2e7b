"""Sites: what is published, for whom, and under which address."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from octavo.access.locate import SeenOrganization
from octavo.access.standing import roles_on_sites
from octavo.history.samples import WELCOME
from octavo.history.spaces import UNTITLED
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.library import Grant, Space
from octavo.kernel.records.sites import Site
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization, AtSite
from octavo.resources.rules import MEMBERS
from octavo.resources.structure import may_show, new_space, set_default_space, show_first
from octavo.site.addresses import host_label
from octavo.site.hostnames import want_hostname
from octavo.site.names import label_is_free, require_host, require_label
from octavo.site.shown import show_site
from octavo.site.structure import layout_of, make_default_section
from octavo.site.visibilities import visibility_told
from octavo.wire.sites import sites
from octavo.wire.sites.sites import CreateSite, SitesQuery, SiteView, UpdateSite


async def list_in_organization(call: Call, at: AtOrganization, query: SitesQuery) -> Slice[SiteView]:
    """Those that the caller has a role on, newest first."""
    everything = await call.unit.sites.all(at.organization.record.id)
    roles = await roles_on_sites(call.unit, call.caller, everything)
    showing = None if query.space is UNSET else await _showing(call, query.space)
    seen = [site for site in everything if roles[site.id] is not None and _matches(site, query, showing)]
    behind = call.newest_behind(query)
    rest = [site for site in seen if (site.created_at, site.id) < behind]
    page = call.listing(rest[: query.limit + 1], len(seen), query, lambda one: (one.created_at, one.id))
    return Slice([show_site(one, roles[one.id], call.view) for one in page.items], page.count, page.next)


async def _showing(call: Call, space: str) -> set[str]:
    links, _ = await call.unit.sites.of_spaces((space,))
    return {link.site for link in links}


def _matches(site: Site, query: SitesQuery, showing: set[str] | None) -> bool:
    return (
        (query.title is UNSET or query.title.casefold() in site.title.casefold())
        and (query.published is UNSET or query.published == site.published)
        and (query.type is UNSET or site.type in query.type)
        and (showing is None or site.id in showing)
    )


async def create(call: Call, at: AtOrganization, body: CreateSite) -> SiteView:
    """Unpublished. The spaces become its site-spaces, the first one the default.

    The caller has admin on the site, unless it shows a space on which she has not: what the site says counts for spaces
    that inherit, so it would make her admin of that too.
    """
    organization = at.organization.record
    title = "Untitled site" if body.title is UNSET else body.title
    site = Site(
        id=new_id(),
        organization=organization.id,
        title=title,
        created_at=call.now,
        type=body.type,
        basename=await _free_basename(call, organization.id, title),
        visibility=body.visibility,
    )
    await call.unit.sites.add(site)
    spaces, own = await _spaces_to_show(call, at.organization, body)
    role: Role = "admin" if own else "create"
    await call.unit.grants.give(
        Grant(organization=organization.id, kind="site", resource=site.id, role=role, user=call.caller.user.id)
    )
    await show_first(call, site, spaces)
    await call.unit.emit(SiteChanged(organization=organization.id, site=site.id))
    return show_site(await _again(call, site), role, call.view)


async def _spaces_to_show(call: Call, organization: SeenOrganization, body: CreateSite) -> tuple[list[Space], bool]:
    """The spaces, and whether the caller has admin on all of them."""
    if isinstance(body.spaces, UnsetType):
        return [], True
    if isinstance(body.spaces, str):
        sample = body.spaces == "sample"
        title, text = ("Sample", WELCOME) if sample else (UNTITLED, None)
        return [await new_space(call, organization, title, empty=not sample, text=text)], True
    wanted = [*dict.fromkeys(body.spaces)]
    if len(wanted) > limits.SITE_SPACES_MAX:
        raise BadRequest(f"spaces: a site shows at most {limits.SITE_SPACES_MAX} spaces")
    seen = [await may_show(call, organization, word, f"spaces[{at}]") for at, word in enumerate(wanted)]
    return [one.record for one in seen], all(one.role == "admin" for one in seen)


async def _free_basename(call: Call, organization: str, title: str) -> str:
    wanted = host_label(title) or "site"
    name = wanted
    while await call.unit.sites.by_basename(name) is not None or not await label_is_free(
        call.unit, call.settings, call.view.app, name, organization=organization
    ):
        name = f"{wanted}-{new_id()[-6:].lower()}"
    return name


async def get(call: Call, at: AtSite, takes: Nothing) -> SiteView:
    """One site."""
    return show_site(at.site.record, at.site.role, call.view)


async def update(call: Call, at: AtSite, body: UpdateSite) -> SiteView:
    """Only the fields that were sent change."""
    site = at.site.record
    changed: dict[str, object] = {
        name: value
        for name in ("title", "visibility", "agents_context", "default_level", "proxy", "basename")
        if (value := getattr(body, name)) is not UNSET
    }
    if body.adaptive_content is not UNSET:
        changed["adaptive_enabled"] = body.adaptive_content.enabled
    if isinstance(body.basename, str):
        await require_label(
            call.unit, call.settings, call.view.app, body.basename, organization=site.organization, site=site.id
        )
    if body.hostname is not UNSET and body.hostname != site.wanted_hostname:
        if body.hostname is not None:
            await require_host(call.unit, call.settings, call.view.app, body.hostname, site=site)
        # It answers there from when somebody shows that the host is the site's to have.
        changed |= {"hostname": None, "wanted_hostname": body.hostname, "hostname_wanted_at": call.now}
        await want_hostname(call.unit, site, body.hostname)
    if body.default_site_section is not UNSET:
        await _set_default_section(call, site, body.default_site_section)
    if body.default_site_space is not UNSET:
        layout = await layout_of(call.unit, site)
        default = layout.default_section
        await set_default_space(call, layout, None if default is None else default.id, body.default_site_space)
    async with visibility_told(call.unit, site.organization, site=site.id):
        site = await call.unit.sites.change(site, **changed)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return show_site(site, at.site.role, call.view)


async def _set_default_section(call: Call, site: Site, word: str) -> None:
    layout = await layout_of(call.unit, site)
    chosen = next((section for section in layout.sections if section.id == word), None)
    if chosen is None:
        raise BadRequest(f"defaultSiteSection: the site has no section {word!r}")
    await make_default_section(call.unit, layout, chosen)


async def delete(call: Call, at: AtSite, takes: Nothing) -> None:
    """With everything that is its own; the spaces that it showed stay."""
    site = at.site.record
    await call.unit.people.hold_organization(site.organization)
    organization = await call.unit.people.organization(site.organization)
    if organization is not None and organization.default_content == site.id:
        await call.unit.people.change_organization(organization, default_content=None)
    await call.unit.grants.revoke_all(site.id)
    async with visibility_told(call.unit, site.organization, site=site.id):
        await call.unit.structure.remove_site(site)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))


async def publish(call: Call, at: AtSite, takes: Nothing) -> SiteView:
    """Let visitors in."""
    return await _set_published(call, at, published=True)


async def unpublish(call: Call, at: AtSite, takes: Nothing) -> SiteView:
    """Close it."""
    return await _set_published(call, at, published=False)


async def _set_published(call: Call, at: AtSite, *, published: bool) -> SiteView:
    async with visibility_told(call.unit, at.site.record.organization, site=at.site.record.id):
        site = await call.unit.sites.change(at.site.record, published=published)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return show_site(site, at.site.role, call.view)


async def _again(call: Call, site: Site) -> Site:
    found = await call.unit.sites.get(site.id)
    assert found is not None
    return found


OPERATIONS = (
    reads("listSites", "/orgs/{organization}/sites", list_in_organization, listed(sites.present),
          needs=MEMBERS, also="the list holds what they may see", scope="site:read",
          summary="List the sites of an organization"),
    writes("POST", "createSite", "/orgs/{organization}/sites", create, sites.present,
           lock="organization", status=201, needs="organization.createContent", scope="site:write",
           audit="site.create", also="`create` on every space that it is to show",
           about=lambda made: made.site,
           summary="Create a site"),
    reads("getSiteById", "/orgs/{organization}/sites/{site}", get, sites.present,
          needs="site.view", scope="site:read", installed="site:metadata:read", summary="Get a site"),
    writes("PATCH", "updateSiteById", "/orgs/{organization}/sites/{site}", update, sites.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.update", summary="Change a site"),
    writes("DELETE", "deleteSiteById", "/orgs/{organization}/sites/{site}", delete, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.delete",
           summary="Delete a site; the spaces that it shows stay"),
    writes("POST", "publishSite", "/orgs/{organization}/sites/{site}/publish", publish, sites.present,
           lock="site", needs="site.admin", scope="site:publish", audit="site.publish", summary="Publish a site"),
    writes("POST", "unpublishSite", "/orgs/{organization}/sites/{site}/unpublish", unpublish, sites.present,
           lock="site", needs="site.admin", scope="site:publish", audit="site.unpublish", summary="Unpublish a site"),
)  # fmt: skip
