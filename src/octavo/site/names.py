"""Names of hosts: those before the site domain are one namespace, and none is the installation's own."""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.errors import BadRequest, Conflict
from octavo.kernel.records.sites import Site
from octavo.kernel.settings import Settings
from octavo.store.unit import Unit


async def require_label(unit: Unit, settings: Settings, base: str, label: str, *, organization: str, site: str) -> None:
    """Let a site be called so: `<label>.<site domain>`. Raises Conflict where another site is, another organization, or
    the installation itself."""
    other = await unit.sites.by_basename(label)
    if other is not None and other.id != site:
        raise Conflict(f"basename: {label!r} belongs to another site")
    if not await label_is_free(unit, settings, base, label, organization=organization):
        raise Conflict(f"basename: {label!r} is the hostname of another organization, or of this installation")


async def label_is_free(unit: Unit, settings: Settings, base: str, label: str, *, organization: str) -> bool:
    """Whether neither another organization nor the installation answers at `<label>.<site domain>`."""
    owner = await unit.people.organization_of_hostname(label)
    own = f"{label}.{settings.site_domain}".lower() == own_host(base)
    return not own and (owner is None or owner.id == organization)


async def require_host(unit: Unit, settings: Settings, base: str, host: str, *, site: Site) -> None:
    """Let a site ask for a hostname of its own; sites of several organizations may, and who proves it has it. Raises
    BadRequest for one of the installation, Conflict for one that another site has, or that another one of the same
    organization asked for not long ago."""
    refuse_own(settings, base, host)
    await unit.hostnames.hold(host)
    for other in await unit.sites.wanting(host):
        fresh = unit.now - (other.hostname_wanted_at or 0) < limits.HOSTNAME_WISH_DAYS * DAY
        own = other.organization == site.organization
        if other.id != site.id and (other.hostname == host or (own and fresh)):
            raise Conflict(f"hostname: {host!r} belongs to another site")


def new_secret() -> str:
    """What is to be shown on a host by whoever it belongs to."""
    return f"octavo-{secrets.token_hex(16)}"


def refuse_own(settings: Settings, base: str, host: str) -> None:
    """Raises BadRequest for a host of the installation itself, and for the address of a machine: no name ends in a number."""
    if host.rpartition(".")[2].isdecimal():
        raise BadRequest(f"hostname: {host!r} is the address of a machine; name a host, as in docs.acme.com")
    domain = settings.site_domain.lower()
    if host == own_host(base) or host == domain or host.endswith("." + domain):
        raise BadRequest(f"hostname: {host!r} belongs to this installation")


def own_host(base: str) -> str:
    """The host of the installation's address, in lower case."""
    return (urlsplit(base).hostname or "").lower()
