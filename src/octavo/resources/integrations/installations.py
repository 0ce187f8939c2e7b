"""Installations of integrations in organizations, and the tokens with which an integration acts there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from octavo.access import locate
from octavo.access.acting import LIVES, Word
from octavo.access.caller import Caller
from octavo.access.locate_integrations import SeenInstallation, SeenIntegration
from octavo.access.policy import allows
from octavo.kernel.errors import BadRequest, Conflict, Forbidden
from octavo.kernel.ids import new_id
from octavo.kernel.operation import ANYBODY, UNLIMITED, Nothing, Rule, nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import Installation, Integration
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import Place
from octavo.site.installing import configured, tell_of_end, tell_of_setup
from octavo.site.integrations import configuration, sealed, show_installations, status_of
from octavo.wire.integrations import installations
from octavo.wire.integrations.installations import (
    InstallationsQuery,
    InstallationView,
    InstallIntegration,
    UpdateInstallation,
)


class AtIntegration(Place, frozen=True):
    integration: SeenIntegration


class AtInstallation(AtIntegration, frozen=True):
    installation: SeenInstallation


async def list_of_integration(call: Call, at: AtIntegration, query: InstallationsQuery) -> Slice[InstallationView]:
    """In organizations of the caller, newest first; to the integration, all of its own."""
    acting, name = call.caller.acting, at.integration.record.id
    found = await call.unit.integrations.installations_of(name)
    if acting is not None:
        found = [one for one in found if acting.installation is None or one.id == acting.installation.id]
    else:
        found = [one for one in found if call.caller.role_in(one.organization) is not None]
    if query.external_id is not UNSET:
        found = [one for one in found if query.external_id in one.external_ids]
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Slice(await show_installations(call.unit, call.caller, call.signer, page.items), page.count, page.next)


async def get(call: Call, at: AtInstallation, takes: Nothing) -> InstallationView:
    """One installation."""
    return await _shown(call, at.installation.record)


async def install(call: Call, at: AtIntegration, body: InstallIntegration) -> InstallationView:
    """In an organization of the caller. It acts on what is chosen for it; one for organizations, on all."""
    integration = at.integration.record
    seen = await locate.organization(call.unit, call.caller, body.organization)
    if not allows("organization", "installIntegration", seen.role):
        raise Forbidden("installing integrations takes an admin of the organization (needs installIntegration)")
    organization = seen.record.id
    if integration.visibility == "private" and integration.organization != organization:
        raise Forbidden("a private integration is installed in the organization that owns it alone")
    if await call.unit.integrations.installation_in(integration.id, organization) is not None:
        raise Conflict("this integration is installed in the organization already")
    choice: Any = "all" if integration.target == "organization" else "selected"
    made = Installation(
        id=new_id(),
        organization=organization,
        integration=integration.id,
        status=status_of(integration, organization, "account", {}),
        scopes=integration.scopes,
        space_selection=choice,
        site_selection=choice,
        sealed_configuration=sealed(call.signer, {}),
        installed_by=call.caller.user.id,
        created_at=call.now,
        updated_at=call.now,
    )
    await call.unit.integrations.add_installation(made)
    await tell_of_setup(call.unit, call.signer, made, None)
    return await _shown(call, made)


async def update(call: Call, at: AtInstallation, body: UpdateInstallation) -> InstallationView:
    """Only the fields that were sent change."""
    integration, old = at.integration.record, at.installation.record
    chosen = (body.space_selection, body.site_selection, body.scopes)
    if call.caller.acting is not None and any(one is not UNSET for one in chosen):
        raise Forbidden("what an integration may, and where it acts, is for admins of the organization to say")
    changed: dict[str, object] = {} if body.scopes is UNSET else {"scopes": _agreed(integration, body.scopes)}
    for name in ("external_ids", "space_selection", "site_selection"):
        if (value := getattr(body, name)) is not UNSET:
            changed[name] = value
    if body.configuration is not UNSET:
        changed |= _configured(call, integration, old, body.configuration)
    if not changed:
        return await _shown(call, old)
    new = await call.unit.integrations.change_installation(old, **changed, updated_at=call.now)
    if replace(new, updated_at=0, external_ids=[]) != replace(old, updated_at=0, external_ids=[]):
        await tell_of_setup(call.unit, call.signer, new, old)
    return await _shown(call, new)


def _agreed(integration: Integration, scopes: Sequence[str]) -> list[str]:
    """Raises BadRequest for a scope that the integration does not ask for."""
    unasked = [scope for scope in scopes if scope not in integration.scopes]
    if unasked:
        raise BadRequest(f"scopes: the integration does not ask for {unasked[0]}")
    return [scope for scope in integration.scopes if scope in scopes]


def _configured(call: Call, integration: Integration, old: Installation, sent: Json) -> dict[str, object]:
    before = configuration(call.signer, old)
    after = configured(integration, "account", before, sent, itself=call.caller.acting is not None)
    if after == before:
        return {}
    status = status_of(integration, old.organization, "account", after)
    return {"sealed_configuration": sealed(call.signer, after), "status": status}


async def uninstall(call: Call, at: AtInstallation, takes: Nothing) -> None:
    """It acts there no more, nor on any space and site there."""
    await tell_of_end(call.unit, call.signer, at.installation.record)
    await call.unit.integrations.remove_installation(at.installation.record)


async def create_token(call: Call, at: AtInstallation, takes: Nothing) -> str:
    """A word that stands for the installation for an hour."""
    one = at.installation.record
    if one.status == "paused":
        raise Conflict("the installation is paused: nothing acts for it")
    return call.signer.write_acting(Word(one.integration, one.id, call.now + LIVES))


async def _shown(call: Call, one: Installation) -> InstallationView:
    return (await show_installations(call.unit, call.caller, call.signer, [one]))[0]


def _installs(caller: Caller, at: AtInstallation, takes: object) -> bool:
    return caller.acting is not None or allows("organization", "installIntegration", at.installation.role)


def _is_integration(caller: Caller, at: AtInstallation, takes: object) -> bool:
    return caller.acting is not None and caller.acting.installation is None


INSTALLERS: Rule[AtInstallation, Any] = Rule(
    "`installIntegration` on the organization where it is installed; the integration itself", _installs,
    "this takes an admin of the organization where it is installed (needs installIntegration)",
)  # fmt: skip
ITSELF: Rule[AtInstallation, Any] = Rule(
    "the integration, with a token of its own", _is_integration, "this is for the integration, with its own token"
)
MEMBERS = "members of the organizations where it is installed; the integration itself"
_ALL = "/integrations/{integration}/installations"
_ONE = "/integrations/{integration}/installations/{installation}"

OPERATIONS = (
    reads("listIntegrationInstallations", _ALL, list_of_integration, listed(installations.present),
          needs=ANYBODY, also=MEMBERS, scope="integration:installations:read", installed="any",
          summary="List the installations of an integration, in your organizations"),
    writes("POST", "installIntegration", _ALL, install, installations.present,
           status=201, needs=ANYBODY, also="`installIntegration` on the organization that is named",
           scope="integration:installations:write", audit="integration.install",
           about=lambda made: made.installation, summary="Install an integration in an organization"),
    reads("getIntegrationInstallationById", _ONE, get, installations.present,
          needs=ANYBODY, also=MEMBERS, scope="integration:installations:read", installed="any",
          summary="Get an installation of an integration"),
    writes("PATCH", "updateIntegrationInstallation", _ONE, update, installations.present,
           needs=INSTALLERS, scope="integration:installations:write", installed="any",
           audit="integration.configure", summary="Configure an installation of an integration"),
    writes("DELETE", "uninstallIntegration", _ONE, uninstall, nothing,
           needs=INSTALLERS, scope=UNLIMITED, audit="integration.uninstall",
           summary="Uninstall an integration from an organization"),
    writes("POST", "createIntegrationInstallationToken", _ONE + "/tokens", create_token, installations.present_token,
           status=200, needs=ITSELF, scope=None, installed="any", audit=None,
           summary="Make a token that stands for an installation for an hour"),
)  # fmt: skip
