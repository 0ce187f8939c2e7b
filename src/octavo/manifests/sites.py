"""Everything that a site is besides its structure, as the export of an organization says it, and how it comes back."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import msgspec

from octavo.history.contents import contents_of
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import ShareLink, Site, SiteAuth, SiteMcpServer, SiteRedirect
from octavo.manifests.library import translated
from octavo.manifests.manifest import KeptAuth, KeptRedirect, KeptServer, KeptShareLink, KeptSite, KeptSiteSpace
from octavo.manifests.vault import Vault
from octavo.site.hostnames import want_hostname
from octavo.store.unit import Unit
from octavo.wire.sites.pictures import moved

_OF_SITE = (
    "id", "title", "basename", "visibility", "published", "type", "adaptive_enabled", "adaptive_schema", "customization",
    "agents_context", "default_level", "proxy", "icon", "wanted_hostname",
)  # fmt: skip


async def site_of(unit: Unit, vault: Vault, site: Site, directory: str) -> KeptSite:
    """Everything that a site is, but for its structure; its secrets go into the vault."""
    shown = sorted(await unit.sites.site_spaces(site.id), key=lambda one: one.id)
    links = sorted(await unit.sites.share_links(site.id), key=lambda one: (one.created_at, one.id))
    servers = sorted(await unit.mcp_servers.all(site.id), key=lambda one: (one.created_at, one.id))
    redirects = sorted(await unit.redirects.all(site.id), key=lambda one: (one.source, one.draft))
    auth = await unit.sites.auth(site.id)
    for number, link in enumerate(links):
        vault.put(_name(site.id, "share-links", number), link.key)
    for number, server in enumerate(servers):
        vault.put_sealed(_name(site.id, "mcp-servers", number), server.sealed_headers)
    if auth is not None:
        vault.put_sealed(_name(site.id, "auth"), auth.sealed_key)
    said = ("source", "destination", "capture_wildcard", "permanent", "draft")
    told = ("name", "url", "transport", "condition")
    return KeptSite(
        **{name: getattr(site, name) for name in _OF_SITE},
        directory=directory,
        redirects=[KeptRedirect(**{name: getattr(one, name) for name in said}) for one in redirects],
        site_spaces=[
            KeptSiteSpace(one.id, one.page, one.customization) for one in shown if one.page or one.customization
        ],
        share_links=[KeptShareLink(one.name, None, one.active) for one in links],
        auth=None
        if auth is None
        else KeptAuth(auth.backend, None, auth.integration, auth.fallback_url, auth.logout_url),
        mcp_servers=[KeptServer(**{name: getattr(one, name) for name in told}) for one in servers],
    )


def _name(site: str, *words: object) -> str:
    return "/".join(("sites", site, *map(str, words)))


async def restored_site(unit: Unit, vault: Vault, site: Site, kept: KeptSite, ids: Mapping[str, str]) -> list[str]:
    """Give a site that has its structure everything else; `ids` are old id -> id. Returns sentences about what had to be
    made anew."""
    remade = [
        *await _share_links(unit, vault, site, kept),
        *await _auth(unit, vault, site, kept, ids),
        *await _servers(unit, vault, site, kept),
    ]
    for number, one in enumerate(kept.redirects):
        redirect = await _redirect(unit, site, one, ids)
        await unit.redirects.add(msgspec.structs.replace(redirect, created_at=unit.now + number))
    shown = {one.id: one for one in await unit.sites.site_spaces(site.id)}
    for held in kept.site_spaces:
        own = shown.get(ids.get(held.id, held.id))
        if own is not None:
            look = moved(translated(held.customization, ids), site.organization)
            await unit.sites.change_site_space(own, page=held.page, customization=look, customized_at=unit.now)
    names = ("published", "type", "adaptive_enabled", "agents_context", "default_level", "proxy", "icon", "visibility")
    changed: Json = {name: getattr(kept, name) for name in names}
    look = moved(translated(kept.customization, ids), site.organization)
    changed |= {"adaptive_schema": kept.adaptive_schema, "customization": look}
    changed |= {"adaptive_updated_at": unit.now, "customized_at": unit.now}
    if kept.wanted_hostname is not None:
        changed |= {"wanted_hostname": kept.wanted_hostname, "hostname_wanted_at": unit.now}
        remade.append(f"{kept.title}: {kept.wanted_hostname} has to be proven again before the site answers there.")
    await unit.sites.change(site, **changed)
    if kept.wanted_hostname is not None:
        await want_hostname(unit, site, kept.wanted_hostname)
    await unit.emit(SiteChanged(organization=site.organization, site=site.id))
    return remade


async def _share_links(unit: Unit, vault: Vault, site: Site, kept: KeptSite) -> list[str]:
    new = 0
    copied = site.id != kept.id  # the site itself is here: a key opens one
    for number, one in enumerate(kept.share_links):
        key = None if copied else vault.get(_name(kept.id, "share-links", number), one.sealed_key)
        new += key is None
        link = ShareLink(
            id=new_id(), organization=site.organization, site=site.id, name=one.name,
            key=secrets.token_urlsafe(24) if key is None else key, active=one.active, created_at=unit.now + number,
        )  # fmt: skip
        await unit.sites.add_share_link(link)
    why = "the site that they open is here" if copied else "the secret is another one"
    return [f"{kept.title}: {new} share links have new keys, as {why}."] if new else []


async def _auth(unit: Unit, vault: Vault, site: Site, kept: KeptSite, ids: Mapping[str, str]) -> list[str]:
    held = kept.auth
    if held is None:
        return []
    key = vault.get(_name(kept.id, "auth"), held.sealed_key)
    # Integrations of the export are made after its sites.
    name = held.integration or ""
    there = name in ids or await unit.integrations.get(name) is not None
    made = SiteAuth(
        site=site.id, organization=site.organization, backend=held.backend if there else "custom", changed_at=unit.now,
        sealed_key=vault.seal(secrets.token_hex(32) if key is None else key), fallback_url=held.fallback_url,
        logout_url=held.logout_url, integration=held.integration if there else None,
    )  # fmt: skip
    await unit.sites.add_auth(made)
    said = [f"{kept.title}: the key of visitors' tokens is new, as the secret is another one."] if key is None else []
    if held.backend == "integration" and not there:
        said.append(f"{kept.title}: visitors came in by an integration, which has to be installed again.")
    return said


async def _servers(unit: Unit, vault: Vault, site: Site, kept: KeptSite) -> list[str]:
    lost = 0
    for number, one in enumerate(kept.mcp_servers):
        headers = vault.get(_name(kept.id, "mcp-servers", number), one.sealed_headers)
        lost += headers is None
        server = SiteMcpServer(
            id=new_id(), organization=site.organization, site=site.id, name=one.name, url=one.url,
            transport=one.transport, sealed_headers=vault.seal("{}" if headers is None else headers),
            created_at=unit.now + number, condition=one.condition,
        )  # fmt: skip
        await unit.mcp_servers.add(server)
    return [f"{kept.title}: {lost} MCP servers lost their headers, as the secret is another one."] if lost else []


async def _redirect(unit: Unit, site: Site, one: KeptRedirect, ids: Mapping[str, str]) -> SiteRedirect:
    destination = translated(one.destination, ids)
    if one.page is not None:
        shown = {held.id: held.space for held in await unit.sites.site_spaces(site.id)}
        space = await unit.spaces.get(shown.get(destination.get("siteSpaceId", ""), ""))
        destination["pageId"] = "" if space is None else await _page_at(unit, space, one.page)
    return SiteRedirect(
        id=new_id(),
        organization=site.organization,
        site=site.id,
        source=one.source,
        destination=destination,
        created_at=unit.now,
        capture_wildcard=one.capture_wildcard,
        permanent=one.permanent,
        draft=one.draft,
    )


async def _page_at(unit: Unit, space: Space, path: str) -> str:
    """The page at a path of a space; where none is, what nobody has."""
    revision = await unit.revisions.get(space.revision)
    assert revision is not None  # a space's row names its head
    branch = (await contents_of(unit, revision)).by_path.get(path.lower())
    return "" if branch is None else branch.page.id
