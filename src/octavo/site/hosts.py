"""Which site an address leads to: by its host, by its path on the installation's own, or behind somebody's proxy."""

from __future__ import annotations

from urllib.parse import SplitResult, unquote

import msgspec

from octavo.kernel.records.sites import Site
from octavo.site.names import own_host
from octavo.site.snapshot import find_site
from octavo.store.unit import Unit

SITES = "/sites/"
"""Below it are the sites on the installation's own host."""


class Located(msgspec.Struct, frozen=True):
    """A site, its path on the address's host with a slash at both ends, and the rest of the address's path."""

    site: Site
    base: str
    rest: str


async def host_site(unit: Unit, domain: str, host: str) -> Site | None:
    """The site that answers on a host: its basename before the site domain, or its own hostname; before the site domain
    also an organization's hostname, for its default content."""
    suffix = "." + domain
    if host.endswith(suffix):
        word = host.removesuffix(suffix)
        # A hostname is taken only where no site of somebody else is called so; from then on it is the organization's.
        organization = await unit.people.organization_of_hostname(word)
        if organization is not None and organization.default_content is not None:
            return await unit.sites.get(organization.default_content)
        site = await unit.sites.by_basename(word)
        if site is not None:
            return site
    return await unit.sites.by_hostname(host)


async def located(unit: Unit, base: str, domain: str, url: SplitResult) -> Located | None:
    """The site that an address leads to; `base` is the installation's own."""
    host, path = (url.hostname or "").lower(), unquote(url.path)
    if host == own_host(base):
        if not path.startswith(SITES):
            return None
        word, _, rest = path.removeprefix(SITES).partition("/")
        found = await find_site(unit, word)
        return None if found is None else Located(found, f"{SITES}{word}/", rest.strip("/"))
    site = await host_site(unit, domain, host)
    if site is not None:
        found = await find_site(unit, site.id)  # a deleted organization shows none
        return None if found is None else Located(found, "/", path.strip("/"))
    return await _behind_proxy(unit, host, path)


async def _behind_proxy(unit: Unit, host: str, path: str) -> Located | None:
    """A site that shows itself below a path of another host."""
    parts = [part for part in path.split("/") if part]
    longest = ["/".join((host, *parts[:count])) for count in range(len(parts), 0, -1)]
    for site in sorted(await unit.sites.by_proxies(longest), key=lambda one: -len(one.proxy or "")):
        found = await find_site(unit, site.id)
        if found is not None and found.proxy is not None:
            below = found.proxy.partition("/")[2].strip("/")
            return Located(found, f"/{below}/", "/".join(parts).removeprefix(below).strip("/"))
    return None
