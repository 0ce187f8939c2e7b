"""Single sign-on by SAML: the identity providers that an organization trusts, and how its people sign in."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, structs

from octavo.access.locate import SeenSamlProvider
from octavo.access.people.certificates import certificates
from octavo.kernel import extras
from octavo.kernel.ids import new_id
from octavo.kernel.operation import UNLIMITED, Nothing, nothing, reads, writes
from octavo.kernel.records.saml import SamlProvider
from octavo.resources import identity_providers
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.resources.rules import MEMBERS
from octavo.wire.lists import ListQuery
from octavo.wire.people import saml
from octavo.wire.people.saml import CreateSamlProvider, ProviderView, SsoLogins, UpdateSamlProvider
from octavo.wire.view import View


class AtProvider(AtOrganization, frozen=True):
    provider: SeenSamlProvider


async def list_in_organization(call: Call, at: AtOrganization, query: ListQuery) -> Slice[ProviderView]:
    """Newest first."""
    return await identity_providers.listed_of(call, at.organization.record.id, query, ProviderView, oidc=False)


async def create(call: Call, at: AtOrganization, body: CreateSamlProvider) -> ProviderView:
    """Pending until everything is there that a sign-in takes."""
    organization = at.organization.record.id
    provider = SamlProvider(id=new_id(), organization=organization, label=body.label, created_at=call.now)
    provider = structs.replace(provider, **await _changes(call, provider, body))
    await call.unit.saml.add(provider)
    return await identity_providers.show(call, provider, ProviderView)


async def get(call: Call, at: AtProvider, takes: Nothing) -> ProviderView:
    """One provider."""
    return await identity_providers.show(call, at.provider.record, ProviderView)


async def update(call: Call, at: AtProvider, body: UpdateSamlProvider) -> ProviderView:
    """Only the fields that were sent change. Who is signed in stays so."""
    provider = at.provider.record
    changed = await _changes(call, provider, body)
    return await identity_providers.show(call, await call.unit.saml.change(provider, **changed), ProviderView)


async def delete(call: Call, at: AtProvider, takes: Nothing) -> None:
    """The sessions and tokens that rest on its word end; the members stay."""
    await call.unit.saml.remove(at.provider.record.id)


async def list_logins(call: Call, at: AtOrganization, takes: Nothing) -> list[SamlProvider]:
    """Those by which somebody can sign in, oldest first."""
    return [one for one in reversed(await call.unit.saml.of(at.organization.record.id)) if one.ready]


_FIELDS = ("label", "sso_url", "entity_id", "certificate", "default_team", "default_role")


async def _changes(call: Call, provider: SamlProvider, body: CreateSamlProvider | UpdateSamlProvider) -> dict[str, Any]:
    """What a body changes of a provider, and whether it is ready then."""
    extras.require("saml")
    changed = {name: value for name in _FIELDS if (value := getattr(body, name)) is not UNSET}
    for name in ("entity_id", "certificate"):
        if name in changed:
            changed[name] = changed[name].strip()
    if changed.get("default_team") is not None:
        await identity_providers.require_teams(call, provider.organization, {changed["default_team"]: "defaultTeam"})
    after = {name: changed.get(name, getattr(provider, name)) for name in ("sso_url", "entity_id", "certificate")}
    changed["ready"] = all(after.values()) and _readable(after["certificate"])
    return changed


def _readable(text: str) -> bool:
    try:
        return bool(certificates(text))
    except ValueError:
        return False


def _present_logins(found: list[SamlProvider], view: View) -> SsoLogins:
    return SsoLogins([saml.present_login(one, view) for one in found])


_ALL = "/orgs/{organization}/saml"
_ONE = _ALL + "/{provider}"


OPERATIONS = (
    reads("listSAMLProvidersInOrganizationById", _ALL, list_in_organization, listed(saml.present),
          needs="organization.admin", scope=UNLIMITED, summary="List the SAML providers of an organization"),
    writes("POST", "createOrganizationSAMLProvider", _ALL, create, saml.present,
           lock="organization", status=201, needs="organization.admin", scope=UNLIMITED, audit="saml-provider.create",
           about=lambda made: made.provider,
           summary="Create a SAML provider"),
    reads("getOrganizationSAMLProviderById", _ONE, get, saml.present,
          needs="organization.admin", scope=UNLIMITED, summary="Get a SAML provider"),
    writes("PATCH", "updateOrganizationSAMLProvider", _ONE, update, saml.present,
           lock="organization", needs="organization.admin", scope=UNLIMITED, audit="saml-provider.update",
           summary="Change a SAML provider"),
    writes("DELETE", "deleteOrganizationSAMLProvider", _ONE, delete, nothing,
           lock="organization", status=204, needs="organization.admin", scope=UNLIMITED, audit="saml-provider.delete",
           summary="Delete a SAML provider"),
    reads("listSSOProviderLoginsInOrganization", "/orgs/{organization}/sso", list_logins, _present_logins,
          needs=MEMBERS, scope="organization:read", summary="List how members of an organization sign in"),
)  # fmt: skip
