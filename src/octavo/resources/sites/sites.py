"""Sites: what is published, for whom, and under which address."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from octavo.access import locate
from octavo.access.locate import SeenOrganization
from octavo.access.policy import at_least
from octavo.access.standing import roles_on_sites
from octavo.content.ordering import between, spread
from octavo.content.slugs import slugify
from octavo.history import heads
from octavo.history.samples import WELCOME
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Forbidden
from octavo.kernel.events import ContentChanged, SiteChanged, SpaceChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.library import Grant, Space
from octavo.kernel.records.sites import Site, SiteSpace
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization, AtSite
from octavo.resources.rules import MEMBERS
from octavo.site.addresses import host_label
from octavo.site.hostnames import want_hostname
from octavo.site.names import label_is_free, require_host, require_label
from octavo.site.shown import show_site
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
    for position, (space, path) in zip(spread(len(spaces)), _paths(spaces)):
        await call.unit.sites.add_site_space(
            SiteSpace(
                id=new_id(),
                organization=organization.id,
                site=site.id,
                space=space.id,
                title=space.title,
                path=path,
                position=position,
                default=space is spaces[0],
            )
        )
    await call.unit.emit(SiteChanged(organization=organization.id, site=site.id))
    return show_site(await _again(call, site), role, call.view)


async def _spaces_to_show(call: Call, organization: SeenOrganization, body: CreateSite) -> tuple[list[Space], bool]:
    """The spaces, and whether the caller has admin on all of them."""
    if isinstance(body.spaces, UnsetType):
        return [], True
    if isinstance(body.spaces, str):
        return [await _made_space(call, organization, sample=body.spaces == "sample")], True
    found: list[Space] = []
    own = True
    for at, word in enumerate(dict.fromkeys(body.spaces)):
        seen = await locate.space(call.unit, call.caller, word)
        if seen.record.organization != organization.record.id:
            raise BadRequest(f"spaces[{at}]: space {word!r} belongs to another organization")
        if not at_least(seen.role, "create"):
            raise Forbidden(f"spaces[{at}]: your role on space {word!r} does not allow publishing it (needs create)")
        own = own and seen.role == "admin"
        found.append(seen.record)
    return found, own


async def _made_space(call: Call, organization: SeenOrganization, *, sample: bool) -> Space:
    """A new space for the site: empty, or with a page that shows what pages look like."""
    space = Space(
        id=new_id(),
        organization=organization.record.id,
        title="Sample" if sample else "Untitled",
        emoji="📘",
        position=between(await call.unit.spaces.last_position(organization.record.id, None), None),
        created_at=call.now,
        updated_at=call.now,
        revision="",
    )
    await call.unit.spaces.add(space)
    text = WELCOME if sample else None
    revision = await heads.start(call.unit, space.organization, space.id, empty=not sample, text=text)
    await call.unit.emit(ContentChanged(organization=space.organization, space=space.id, revision=revision.id))
    await call.unit.grants.give(
        Grant(organization=space.organization, kind="space", resource=space.id, role="admin", user=call.caller.user.id)
    )
    await call.unit.emit(SpaceChanged(organization=space.organization, space=space.id))
    return await call.unit.spaces.change(space, revision=revision.id)


def _paths(spaces: list[Space]) -> list[tuple[Space, str]]:
    """Paths from titles, unique among siblings."""
    made: list[tuple[Space, str]] = []
    taken: set[str] = set()
    for space in spaces:
        wanted = (slugify(space.title) or "docs")[: limits.SITE_PATH_MAX - 6]
        path, number = wanted, 1
        while path in taken:
            number += 1
            path = f"{wanted}-{number}"
        taken.add(path)
        made.append((space, path))
    return made


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
        await _set_default_space(call, site, body.default_site_space)
    site = await call.unit.sites.change(site, **changed)
    await call.unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return show_site(site, at.site.role, call.view)


async def _set_default_section(call: Call, site: Site, word: str) -> None:
    sections = await call.unit.sites.sections(site.id)
    if word not in {section.id for section in sections}:
        raise BadRequest(f"defaultSiteSection: the site has no section {word!r}")
    for section in sections:
        await call.unit.sites.change_section(section, default=section.id == word)


async def _set_default_space(call: Call, site: Site, word: str) -> None:
    """At the root, or in the default section."""
    sections = await call.unit.sites.sections(site.id)
    among = next((section.id for section in sections if section.default), None)
    beside = [one for one in await call.unit.sites.site_spaces(site.id) if one.section == among]
    if word not in {one.id for one in beside}:
        raise BadRequest(f"defaultSiteSpace: {word!r} is not a site-space at the root or in the default section")
    for one in beside:
        await call.unit.sites.change_site_space(one, default=one.id == word)


async def publish(call: Call, at: AtSite, takes: Nothing) -> SiteView:
    """Let visitors in."""
    return await _set_published(call, at, published=True)


async def unpublish(call: Call, at: AtSite, takes: Nothing) -> SiteView:
    """Close it."""
    return await _set_published(call, at, published=False)


async def _set_published(call: Call, at: AtSite, *, published: bool) -> SiteView:
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
          needs="site.view", scope="site:read", summary="Get a site"),
    writes("PATCH", "updateSiteById", "/orgs/{organization}/sites/{site}", update, sites.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.update", summary="Change a site"),
    writes("POST", "publishSite", "/orgs/{organization}/sites/{site}/publish", publish, sites.present,
           lock="site", needs="site.admin", scope="site:publish", audit="site.publish", summary="Publish a site"),
    writes("POST", "unpublishSite", "/orgs/{organization}/sites/{site}/unpublish", unpublish, sites.present,
           lock="site", needs="site.admin", scope="site:publish", audit="site.unpublish", summary="Unpublish a site"),
)  # fmt: skip
