"""Words of a path become sites, what stands on them and what they are set in, or the answer is 404."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from octavo.access.caller import Caller
from octavo.access.locate import Finder, Seen, SeenSpace
from octavo.access.policy import Kind
from octavo.access.standing import role_on_space, roles_on_sites
from octavo.kernel.errors import absent
from octavo.kernel.records.people import Organization
from octavo.kernel.records.sites import (
    Font,
    HostnameProof,
    ShareLink,
    Site,
    SiteExternalLink,
    SiteMcpServer,
    SiteRedirect,
    SiteSection,
    SiteSectionGroup,
    SiteSpace,
)
from octavo.store.unit import Unit


class SeenSite(Seen, frozen=True):
    kind: ClassVar[Kind] = "site"
    record: Site


class SeenShareLink(msgspec.Struct, frozen=True):
    """A share link of the site that was found before it."""

    record: ShareLink


class SeenSiteSection(msgspec.Struct, frozen=True):
    """A section of the site that was found before it."""

    record: SiteSection


class SeenSiteSectionGroup(msgspec.Struct, frozen=True):
    """A group of sections of the site that was found before it."""

    record: SiteSectionGroup


class SeenExternalLink(msgspec.Struct, frozen=True):
    """A link to elsewhere of the site that was found before it."""

    record: SiteExternalLink


class SeenSiteSpace(msgspec.Struct, frozen=True):
    """A site-space of the site that was found before it, and the space that it shows, on which the caller has a role."""

    record: SiteSpace
    space: SeenSpace


class SeenHostname(Seen, frozen=True):
    """A hostname that a site of the caller asks for, or has."""

    kind: ClassVar[Kind] = "site"
    record: HostnameProof
    site: Site


class SeenRedirect(msgspec.Struct, frozen=True):
    """A redirect of the site that was found before it."""

    record: SiteRedirect


class SeenMcpServer(msgspec.Struct, frozen=True):
    """A server of tools of the site that was found before it."""

    record: SiteMcpServer


class SeenFont(msgspec.Struct, frozen=True):
    """A font of the organization that was found before it."""

    record: Font


async def site(unit: Unit, caller: Caller, word: str, within: Organization) -> SeenSite:
    """A site of the organization that the caller has a role on."""
    record = await unit.sites.get(word)
    if record is None or record.organization != within.id:
        raise absent("site", word)
    role = (await roles_on_sites(unit, caller, (record,)))[record.id]
    if role is None:
        raise absent("site", word)
    return SeenSite(role, record)


async def share_link(unit: Unit, word: str, within: Site) -> SeenShareLink:
    """A share link of the site, active or not."""
    record = await unit.sites.share_link_by_id(word)
    if record is None or record.site != within.id:
        raise absent("share link", word)
    return SeenShareLink(record)


async def site_section(unit: Unit, word: str, within: Site) -> SeenSiteSection:
    """A section of the site."""
    record = await unit.sites.section(word)
    if record is None or record.site != within.id:
        raise absent("site section", word)
    return SeenSiteSection(record)


async def site_section_group(unit: Unit, word: str, within: Site) -> SeenSiteSectionGroup:
    """A group of sections of the site."""
    record = await unit.structure.group(word)
    if record is None or record.site != within.id:
        raise absent("site section group", word)
    return SeenSiteSectionGroup(record)


async def external_link(unit: Unit, word: str, within: Site) -> SeenExternalLink:
    """A link of the site to elsewhere."""
    record = await unit.structure.link(word)
    if record is None or record.site != within.id:
        raise absent("external link", word)
    return SeenExternalLink(record)


async def site_space(unit: Unit, caller: Caller, word: str, within: Site) -> SeenSiteSpace:
    """A site-space of the site that shows an active space on which the caller has a role."""
    record = await unit.sites.site_space(word)
    shown = None if record is None or record.site != within.id else await unit.spaces.get(record.space)
    if record is None or shown is None or shown.deleted_at is not None:
        raise absent("site-space", word)
    role = await role_on_space(unit, caller, shown)
    if role is None:
        raise absent("site-space", word)
    return SeenSiteSpace(record, SeenSpace(role, shown))


async def hostname(unit: Unit, caller: Caller, word: str) -> SeenHostname:
    """A hostname by the site that has it, else by the first that asks for it and that the caller has a role on."""
    asking = sorted(await unit.hostnames.asked_for(word), key=lambda one: one.hostname != word)
    mine = [one for one in asking if caller.belongs(one.organization) and one.organization not in caller.barred]
    sites = {one.id: one for one in await unit.sites.wanting(word)}
    roles = await roles_on_sites(unit, caller, [sites[one.id] for one in mine])
    for one in mine:
        role = roles[one.id]
        if role is not None and await unit.people.organization(one.organization) is not None:
            return SeenHostname(role, one, sites[one.id])
    raise absent("hostname", word)


async def redirect(unit: Unit, word: str, within: Site) -> SeenRedirect:
    """A redirect of the site."""
    record = await unit.redirects.get(word)
    if record is None or record.site != within.id:
        raise absent("redirect", word)
    return SeenRedirect(record)


async def mcp_server(unit: Unit, word: str, within: Site) -> SeenMcpServer:
    """A server of tools of the site."""
    record = await unit.mcp_servers.get(word)
    if record is None or record.site != within.id:
        raise absent("MCP server", word)
    return SeenMcpServer(record)


async def font(unit: Unit, word: str, within: Organization) -> SeenFont:
    """A font of the organization."""
    record = await unit.fonts.get(word)
    if record is None or record.organization != within.id:
        raise absent("font", word)
    return SeenFont(record)


FINDERS: dict[type, Finder] = {
    SeenSite: lambda unit, caller, word, found: site(unit, caller, word, found["organization"].record),
    SeenShareLink: lambda unit, caller, word, found: share_link(unit, word, found["site"].record),
    SeenSiteSection: lambda unit, caller, word, found: site_section(unit, word, found["site"].record),
    SeenSiteSectionGroup: lambda unit, caller, word, found: site_section_group(unit, word, found["site"].record),
    SeenExternalLink: lambda unit, caller, word, found: external_link(unit, word, found["site"].record),
    SeenSiteSpace: lambda unit, caller, word, found: site_space(unit, caller, word, found["site"].record),
    SeenHostname: lambda unit, caller, word, found: hostname(unit, caller, word),
    SeenRedirect: lambda unit, caller, word, found: redirect(unit, word, found["site"].record),
    SeenMcpServer: lambda unit, caller, word, found: mcp_server(unit, word, found["site"].record),
    SeenFont: lambda unit, caller, word, found: font(unit, word, found["organization"].record),
}
"""Type of a field of `at` -> how its word is found."""
