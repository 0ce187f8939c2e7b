"""Integrations as several rooms serve and change them: how one is shown, and what an installation is ready for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from octavo.access.caller import Caller
from octavo.access.people.organizations import organization_permissions
from octavo.access.policy import allows
from octavo.access.signing import Signer
from octavo.access.standing import roles_on_sites, roles_on_spaces
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import Installation, Integration, Placement, Status, TargetKind, given
from octavo.site.shown import show_site, show_spaces
from octavo.store.unit import Unit
from octavo.wire.integrations.installations import InstallationView, PlacementView
from octavo.wire.integrations.integrations import IntegrationView
from octavo.wire.view import View

_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


async def show(unit: Unit, caller: Caller, integration: Integration) -> IntegrationView:
    """One, for the caller."""
    return (await show_all(unit, caller, [integration]))[0]


async def show_all(unit: Unit, caller: Caller, found: Iterable[Integration]) -> list[IntegrationView]:
    """Those whose owner is there, in their order."""
    found = list(found)
    names = {one.organization for one in found}
    owners = {name: await unit.people.organization(name) for name in names}
    installs = "admin" in caller.roles.values()
    made = []
    for one in found:
        owner = owners[one.organization]
        if owner is None:
            continue
        role = caller.role_in(owner.id)
        may = organization_permissions(caller, owner.id, role)
        granted = {"admin": role == "admin", "install": installs}
        made.append(IntegrationView(one, owner, may, caller.belongs(owner.id), granted))
    return made


async def show_installations(
    unit: Unit, caller: Caller, signer: Signer, found: Iterable[Installation]
) -> list[InstallationView]:
    """Installations with what was configured, for those who may know it."""
    made = []
    for one in found:
        if one.space_selection == "all":
            spaces = await unit.integrations.count_spaces(one.organization)
        else:
            spaces = sum(place.space is not None for place in await unit.integrations.places(one.id))
        known = configuration(signer, one) if _is_told(caller, one.organization) else {}
        made.append(InstallationView(one, spaces, known))
    return made


async def show_placements(
    unit: Unit, caller: Caller, view: View, signer: Signer, found: Sequence[Placement], *, extended: bool
) -> list[PlacementView]:
    """Those on spaces and sites that the caller may see, in their order."""
    spaces = await unit.spaces.by_ids({one.space for one in found if one.space is not None})
    spaces = [one for one in spaces if one.deleted_at is None]
    sites = await unit.sites.by_ids({one.site for one in found if one.site is not None})
    on_spaces = await roles_on_spaces(unit, caller, spaces)
    on_sites = await roles_on_sites(unit, caller, sites)
    at_spaces = {one.space.id: one for one in await show_spaces(unit, view, spaces, on_spaces)} if extended else {}
    at_sites = {one.id: show_site(one, on_sites[one.id], view) for one in sites} if extended else {}
    there = {one.id for one in spaces} | {one.id for one in sites}
    itself, made = caller.acting is not None, []
    for one in found:
        role = on_spaces.get(one.target) or on_sites.get(one.target)
        if one.target not in there or (role is None and not itself):
            continue
        told = _is_told(caller, one.organization) or role == "admin"
        known = configuration(signer, one) if told else {}
        made.append(PlacementView(one, known, at_spaces.get(one.target), at_sites.get(one.target)))
    return made


def _is_told(caller: Caller, organization: str) -> bool:
    """Whether she is told what was configured: who configures, and the integration."""
    return caller.acting is not None or allows("organization", "installIntegration", caller.role_in(organization))


def tunnel_of(integration: Integration, organization: str) -> str | None:
    """Where events of an organization go while the integration is developed."""
    mine = integration.tunnel_all or organization == integration.organization
    return integration.tunnel if mine else None


def configuration(signer: Signer, place: Installation | Placement) -> Json:
    """What was configured there; nothing where the secret of the installation has changed."""
    try:
        return _decode.decode(signer.unseal(place.sealed_configuration))
    except ValueError:
        return {}


def sealed(signer: Signer, configured: Mapping[str, object]) -> str:
    """The inverse."""
    return signer.seal(msgspec.json.encode(configured).decode())


def asked_for(integration: Integration, kind: str) -> Json:
    """What the integration asks for: `account`, `space` or `site`."""
    found: Json = integration.configurations.get(kind, {})
    return found


def with_defaults(integration: Integration, kind: str, configured: Json) -> Json:
    """The configuration with the defaults of what was not set."""
    properties = asked_for(integration, kind).get("properties", {})
    defaults = {name: one["default"] for name, one in properties.items() if "default" in one}
    return {**defaults, **configured}


def status_of(integration: Integration, organization: str, kind: str, configured: Json) -> Status:
    """What an installation with this configuration is: paused where the integration is not open to the organization."""
    if integration.visibility == "private" and integration.organization != organization:
        return "paused"
    asked = asked_for(integration, kind)
    known = with_defaults(integration, kind, configured)
    buttons = {name for name, one in asked.get("properties", {}).items() if one.get("type") == "button"}
    missing = [name for name in asked.get("required", ()) if name not in buttons and known.get(name) in (None, "")]
    return "pending" if missing else "active"


def kind_of(place: Placement) -> str:
    """Which configuration a place has."""
    return "space" if place.space is not None else "site"


async def refreshed(unit: Unit, signer: Signer, integration: Integration) -> None:
    """A new version may ask for more, or for less, or be open to others: its installations say what they are now."""
    for one in await unit.integrations.installations_of(integration.id):
        now = status_of(integration, one.organization, "account", configuration(signer, one))
        if now != one.status:
            await unit.integrations.change_installation(one, status=now)
    for place in await unit.integrations.places_of(integration.id):
        now = status_of(integration, place.organization, kind_of(place), configuration(signer, place))
        if now != place.status:
            await unit.integrations.change_place(place, status=now)


class Active(NamedTuple):
    """An integration that runs somewhere."""

    integration: Integration
    installation: Installation
    place: Placement | None
    """What it was told of this space or site alone."""

    @property
    def scopes(self) -> frozenset[str]:
        """What it may there."""
        return given(self.integration, self.installation)


async def active_in(unit: Unit, organization: str) -> list[Active]:
    """What runs in an organization, newest first."""
    found = [one for one in await unit.integrations.installations_in(organization) if one.status == "active"]
    known = await unit.integrations.by_names(one.integration for one in found)
    return [Active(known[one.integration], one, None) for one in found if one.integration in known]


async def active_on(unit: Unit, organization: str, target: str, kind: TargetKind) -> list[Active]:
    """What runs on a space or a site: what was chosen for it and is configured, and what acts on all."""
    if not await unit.integrations.any_in(organization):
        return []
    if kind == "space":
        places = await unit.integrations.places_on_space(target)
    else:
        places = await unit.integrations.places_on_site(target)
    here, made = {place.installation: place for place in places}, []
    for one in await active_in(unit, organization):
        place = here.get(one.installation.id)
        chosen = one.installation.space_selection if kind == "space" else one.installation.site_selection
        if place is None and chosen != "all":
            continue
        if place is not None and place.status != "active":
            continue
        made.append(one._replace(place=place))
    return made
