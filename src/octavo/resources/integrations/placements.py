"""Installations of integrations on single spaces and sites."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.access import locate, locate_sites
from octavo.access.caller import Caller
from octavo.access.locate_integrations import SeenInstallation, SeenIntegration, SeenOnSite, SeenOnSpace
from octavo.access.policy import Kind, allows
from octavo.kernel import limits
from octavo.kernel.errors import Conflict, Forbidden, Precondition
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import ANYBODY, UNLIMITED, Nothing, Rule, nothing, reads, writes
from octavo.kernel.records import Role
from octavo.kernel.records.integrations import Placement
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import Place
from octavo.site.installing import configured, tell_of_end, tell_of_setup
from octavo.site.integrations import configuration, kind_of, sealed, show_placements, status_of
from octavo.wire.integrations import installations
from octavo.wire.integrations.installations import (
    ExtendedQuery,
    FoundPlacementsQuery,
    InstallOnSite,
    InstallOnSpace,
    PlacementsQuery,
    PlacementView,
    UpdatePlacement,
)


class AtIntegration(Place, frozen=True):
    integration: SeenIntegration


class AtInstallation(AtIntegration, frozen=True):
    installation: SeenInstallation


class AtSpace(AtInstallation, frozen=True):
    space: SeenOnSpace


class AtSite(AtInstallation, frozen=True):
    site: SeenOnSite


async def list_spaces(call: Call, at: AtInstallation, query: PlacementsQuery) -> Slice[PlacementView]:
    """Newest first."""
    found = await call.unit.integrations.places(at.installation.record.id)
    return await _listed(call, query, [one for one in found if one.space is not None])


async def list_sites(call: Call, at: AtInstallation, query: PlacementsQuery) -> Slice[PlacementView]:
    """Newest first."""
    found = await call.unit.integrations.places(at.installation.record.id)
    return await _listed(call, query, [one for one in found if one.site is not None])


async def list_all_spaces(call: Call, at: AtIntegration, query: FoundPlacementsQuery) -> Slice[PlacementView]:
    """In organizations of the caller, newest first; to the integration, all of its own."""
    return await _listed(call, query, [one for one in await _mine(call, at, query) if one.space is not None])


async def list_all_sites(call: Call, at: AtIntegration, query: FoundPlacementsQuery) -> Slice[PlacementView]:
    """In organizations of the caller, newest first; to the integration, all of its own."""
    return await _listed(call, query, [one for one in await _mine(call, at, query) if one.site is not None])


async def _mine(call: Call, at: AtIntegration, query: FoundPlacementsQuery) -> list[Placement]:
    acting, found = call.caller.acting, await call.unit.integrations.places_of(at.integration.record.id)
    if acting is not None:
        held = {one.installation.id for one in acting.held}
        found = [one for one in found if one.installation in held]
    else:
        found = [one for one in found if call.caller.role_in(one.organization) is not None]
    if query.external_id is UNSET:
        return found
    return [one for one in found if query.external_id in one.external_ids]


async def _listed(call: Call, query: PlacementsQuery, found: list[Placement]) -> Slice[PlacementView]:
    seen = await show_placements(call.unit, call.caller, call.view, call.signer, found, extended=query.extended)
    return call.cut(seen, query, lambda one: (-one.place.created_at, one.place.id))


async def get_on_space(call: Call, at: AtSpace, query: ExtendedQuery) -> PlacementView:
    """One space."""
    return await _shown(call, at.space.record, extended=query.extended)


async def get_on_site(call: Call, at: AtSite, query: ExtendedQuery) -> PlacementView:
    """One site."""
    return await _shown(call, at.site.record, extended=query.extended)


async def install_on_space(call: Call, at: AtInstallation, body: InstallOnSpace) -> PlacementView:
    """On a space of the organization where it is installed."""
    seen = await locate.space(call.unit, call.caller, body.space)
    _require_inside(at, seen.record.organization, "space")
    _require_may(call.caller, at, "space", seen.role)
    return await _install(call, at, "space", space=seen.record.id)


async def install_on_site(call: Call, at: AtInstallation, body: InstallOnSite) -> PlacementView:
    """On a site of the organization where it is installed."""
    organization = await call.unit.people.organization(at.installation.record.organization)
    assert organization is not None  # the installation was found in it
    seen = await locate_sites.site(call.unit, call.caller, body.site_id, organization)
    _require_may(call.caller, at, "site", seen.role)
    made = await _install(call, at, "site", site=seen.record.id)
    await call.unit.emit(SiteChanged(organization=organization.id, site=seen.record.id))
    return made


def _require_inside(at: AtInstallation, organization: str, kind: str) -> None:
    if organization != at.installation.record.organization:
        raise Conflict(f"the {kind} is in another organization than the installation")


def _require_may(caller: Caller, at: AtInstallation, kind: Kind, role: Role | None) -> None:
    if caller.acting is None and not _may(at.installation.role, kind, role):
        raise Forbidden(f"your role on the {kind} does not allow that (needs {kind}.installIntegration)")


def _may(in_organization: Role | None, kind: Kind, role: Role | None) -> bool:
    return allows(kind, "installIntegration", role) or allows("organization", "installIntegration", in_organization)


async def _install(
    call: Call, at: AtInstallation, kind: Kind, *, space: str | None = None, site: str | None = None
) -> PlacementView:
    integration, installation = at.integration.record, at.installation.record
    if integration.target not in ("all", kind):
        raise Precondition(f"this integration is installed on an {integration.target}".replace("an s", "a s"))
    known = await call.unit.integrations.places(installation.id)
    if any((one.space, one.site) == (space, site) for one in known):
        raise Conflict(f"the integration is installed on this {kind} already")
    if len(known) >= limits.PLACEMENTS_MAX:
        raise Conflict(f"an installation has {limits.PLACEMENTS_MAX} spaces and sites at most")
    made = Placement(
        id=new_id(),
        organization=installation.organization,
        installation=installation.id,
        integration=integration.id,
        space=space,
        site=site,
        status=status_of(integration, installation.organization, kind, {}),
        sealed_configuration=sealed(call.signer, {}),
        created_at=call.now,
        updated_at=call.now,
    )
    await call.unit.integrations.add_place(made)
    await tell_of_setup(call.unit, call.signer, made, None)
    return await _shown(call, made)


async def update_on_space(call: Call, at: AtSpace, body: UpdatePlacement) -> PlacementView:
    """Only the fields that were sent change."""
    return await _update(call, at, at.space.record, body)


async def update_on_site(call: Call, at: AtSite, body: UpdatePlacement) -> PlacementView:
    """Only the fields that were sent change."""
    made = await _update(call, at, at.site.record, body)
    await call.unit.emit(SiteChanged(organization=made.place.organization, site=made.place.target))
    return made


async def _update(call: Call, at: AtInstallation, old: Placement, body: UpdatePlacement) -> PlacementView:
    changed: dict[str, object] = {} if body.external_ids is UNSET else {"external_ids": body.external_ids}
    before, integration = configuration(call.signer, old), at.integration.record
    after = before
    if body.configuration is not UNSET:
        itself = call.caller.acting is not None
        after = configured(integration, kind_of(old), before, body.configuration, itself=itself)
    if after != before:
        status = status_of(integration, old.organization, kind_of(old), after)
        changed |= {"sealed_configuration": sealed(call.signer, after), "status": status}
    if not changed:
        return await _shown(call, old)
    new = await call.unit.integrations.change_place(old, **changed, updated_at=call.now)
    if after != before:
        await tell_of_setup(call.unit, call.signer, new, old)
    return await _shown(call, new)


async def uninstall_from_space(call: Call, at: AtSpace, takes: Nothing) -> None:
    """It acts there no more, unless it acts on all spaces."""
    await _uninstall(call, at.space.record)


async def uninstall_from_site(call: Call, at: AtSite, takes: Nothing) -> None:
    """It acts there no more, unless it acts on all sites."""
    gone = at.site.record
    await _uninstall(call, gone)
    await call.unit.emit(SiteChanged(organization=gone.organization, site=gone.target))


async def _uninstall(call: Call, gone: Placement) -> None:
    await tell_of_end(call.unit, call.signer, gone)
    await call.unit.integrations.remove_place(gone)


async def _shown(call: Call, place: Placement, *, extended: bool = False) -> PlacementView:
    [shown] = await show_placements(call.unit, call.caller, call.view, call.signer, [place], extended=extended)
    return shown


def _on_space(caller: Caller, at: AtSpace, takes: object) -> bool:
    return caller.acting is not None or _may(at.installation.role, "space", at.space.role)


def _on_site(caller: Caller, at: AtSite, takes: object) -> bool:
    return caller.acting is not None or _may(at.installation.role, "site", at.site.role)


SPACE_INSTALLERS: Rule[AtSpace, Any] = Rule(
    "`installIntegration` on the space or its organization; the integration itself", _on_space,
    "your role on the space does not allow that (needs space.installIntegration)",
)  # fmt: skip
SITE_INSTALLERS: Rule[AtSite, Any] = Rule(
    "`installIntegration` on the site or its organization; the integration itself", _on_site,
    "your role on the site does not allow that (needs site.installIntegration)",
)  # fmt: skip
MEMBERS = "members of the organizations where it is installed, of what they may see; the integration itself"
_INSTALLATION = "/integrations/{integration}/installations/{installation}"
_SPACES, _SITES = _INSTALLATION + "/spaces", _INSTALLATION + "/sites"
_SPACE, _SITE = _SPACES + "/{space}", _SITES + "/{site}"

OPERATIONS = (
    reads("listIntegrationSpaceInstallations", "/integrations/{integration}/spaces", list_all_spaces,
          listed(installations.present_on_space), needs=ANYBODY, also=MEMBERS, scope="integration:installations:read",
          installed="any", summary="List the spaces that an integration is installed on"),
    reads("listIntegrationSiteInstallations", "/integrations/{integration}/sites", list_all_sites,
          listed(installations.present_on_site), needs=ANYBODY, also=MEMBERS, scope="integration:installations:read",
          installed="any", summary="List the sites that an integration is installed on"),
    reads("listIntegrationInstallationSpaces", _SPACES, list_spaces, listed(installations.present_on_space),
          needs=ANYBODY, also=MEMBERS, scope="integration:installations:read", installed="any",
          summary="List the spaces of an installation"),
    writes("POST", "installIntegrationOnSpace", _SPACES, install_on_space, installations.present_on_space,
           status=201, needs=ANYBODY, also="`installIntegration` on the space or its organization; the integration itself",
           scope="integration:installations:write", installed="any", audit="integration.space.install",
           about=lambda made: made.place, summary="Install an integration on a space"),
    reads("getIntegrationSpaceInstallation", _SPACE, get_on_space, installations.present_on_space,
          needs=ANYBODY, also=MEMBERS, scope="integration:installations:read", installed="any",
          summary="Get the installation of an integration on a space"),
    writes("PATCH", "updateIntegrationSpaceInstallation", _SPACE, update_on_space, installations.present_on_space,
           needs=SPACE_INSTALLERS, scope="integration:installations:write", installed="any",
           audit="integration.space.configure", summary="Configure an integration on a space"),
    writes("DELETE", "uninstallIntegrationFromSpace", _SPACE, uninstall_from_space, nothing,
           needs=SPACE_INSTALLERS, scope=UNLIMITED, installed="any", audit="integration.space.uninstall",
           summary="Uninstall an integration from a space"),
    reads("listIntegrationInstallationSites", _SITES, list_sites, listed(installations.present_on_site),
          needs=ANYBODY, also=MEMBERS, scope="integration:installations:read", installed="any",
          summary="List the sites of an installation"),
    writes("POST", "installIntegrationOnSite", _SITES, install_on_site, installations.present_on_site,
           status=201, needs=ANYBODY, also="`installIntegration` on the site or its organization; the integration itself",
           scope="integration:installations:write", installed="any", audit="integration.site.install",
           about=lambda made: made.place, summary="Install an integration on a site"),
    reads("getIntegrationSiteInstallation", _SITE, get_on_site, installations.present_on_site,
          needs=ANYBODY, also=MEMBERS, scope="integration:installations:read", installed="any",
          summary="Get the installation of an integration on a site"),
    writes("PATCH", "updateIntegrationSiteInstallation", _SITE, update_on_site, installations.present_on_site,
           needs=SITE_INSTALLERS, scope="integration:installations:write", installed="any",
           audit="integration.site.configure", summary="Configure an integration on a site"),
    writes("DELETE", "uninstallIntegrationFromSite", _SITE, uninstall_from_site, nothing,
           needs=SITE_INSTALLERS, scope=UNLIMITED, installed="any", audit="integration.site.uninstall",
           summary="Uninstall an integration from a site"),
)  # fmt: skip
