"""Single sign-on by OpenID Connect: the identity providers that an organization trusts beside those of SAML."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, structs

from octavo.access.locate import SeenOidcProvider
from octavo.kernel.ids import new_id
from octavo.kernel.operation import UNLIMITED, Nothing, nothing, reads, writes
from octavo.kernel.records.saml import Claims, SamlProvider
from octavo.resources import identity_providers
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.wire.lists import ListQuery
from octavo.wire.people import oidc
from octavo.wire.people.oidc import CreateOidcProvider, OidcProviderView, UpdateOidcProvider


class AtOidcProvider(AtOrganization, frozen=True):
    oidc_provider: SeenOidcProvider


async def list_in_organization(call: Call, at: AtOrganization, query: ListQuery) -> Slice[OidcProviderView]:
    """Newest first."""
    return await identity_providers.listed_of(call, at.organization.record.id, query, OidcProviderView, oidc=True)


async def create(call: Call, at: AtOrganization, body: CreateOidcProvider) -> OidcProviderView:
    """Pending until issuer and client id are there."""
    organization = at.organization.record.id
    provider = SamlProvider(id=new_id(), organization=organization, label=body.label, created_at=call.now, client_id="")
    provider = structs.replace(provider, **await _changes(call, provider, body))
    await call.unit.saml.add(provider)
    return await identity_providers.show(call, provider, OidcProviderView)


async def get(call: Call, at: AtOidcProvider, takes: Nothing) -> OidcProviderView:
    """One provider."""
    return await identity_providers.show(call, at.oidc_provider.record, OidcProviderView)


async def update(call: Call, at: AtOidcProvider, body: UpdateOidcProvider) -> OidcProviderView:
    """Only the fields that were sent change. Who is signed in stays so."""
    provider = at.oidc_provider.record
    changed = await _changes(call, provider, body)
    return await identity_providers.show(call, await call.unit.saml.change(provider, **changed), OidcProviderView)


async def delete(call: Call, at: AtOidcProvider, takes: Nothing) -> None:
    """The sessions and tokens that rest on its word end; the members stay."""
    await call.unit.saml.remove(at.oidc_provider.record.id)


_FIELDS = ("label", "client_id", "default_team", "default_role")
_CLAIMS = ("trust_email", "claim", "roles", "teams")


async def _changes(call: Call, provider: SamlProvider, body: CreateOidcProvider | UpdateOidcProvider) -> dict[str, Any]:
    """What a body changes of a provider, and whether it is ready then."""
    changed = {name: value for name in _FIELDS if (value := getattr(body, name)) is not UNSET}
    if "client_id" in changed:
        changed["client_id"] = changed["client_id"].strip()
    if body.issuer is not UNSET:
        changed["entity_id"] = body.issuer.strip()
    if body.client_secret is not UNSET:
        changed["sealed_secret"] = None if body.client_secret is None else call.signer.seal(body.client_secret)
    said = {name: value for name in _CLAIMS if (value := getattr(body, name)) is not UNSET}
    if said:
        told = structs.replace(msgspec.convert(provider.claims or {}, Claims), **said)
        changed["claims"] = structs.asdict(told)
    await _require_teams(call, provider, body, changed)
    after = {name: changed.get(name, getattr(provider, name)) for name in ("entity_id", "client_id")}
    changed["ready"] = all(after.values())
    return changed


async def _require_teams(
    call: Call, provider: SamlProvider, body: CreateOidcProvider | UpdateOidcProvider, changed: dict[str, Any]
) -> None:
    """Raises BadRequest for a team that the organization does not have."""
    named = {} if body.teams is UNSET else {team: f"teams.{value}" for value, team in body.teams.items()}
    if changed.get("default_team") is not None:
        named[changed["default_team"]] = "defaultTeam"
    await identity_providers.require_teams(call, provider.organization, named)


_ALL = "/orgs/{organization}/oidc"
_ONE = _ALL + "/{oidc_provider}"


OPERATIONS = (
    reads("listOIDCProvidersInOrganization", _ALL, list_in_organization, listed(oidc.present),
          needs="organization.admin", scope=UNLIMITED, summary="List the OpenID Connect providers of an organization"),
    writes("POST", "createOIDCProvider", _ALL, create, oidc.present,
           lock="organization", status=201, needs="organization.admin", scope=UNLIMITED, audit="oidc-provider.create",
           about=lambda made: made.provider,
           summary="Create an OpenID Connect provider"),
    reads("getOIDCProvider", _ONE, get, oidc.present,
          needs="organization.admin", scope=UNLIMITED, summary="Get an OpenID Connect provider"),
    writes("PATCH", "updateOIDCProvider", _ONE, update, oidc.present,
           lock="organization", needs="organization.admin", scope=UNLIMITED, audit="oidc-provider.update",
           summary="Change an OpenID Connect provider"),
    writes("DELETE", "deleteOIDCProvider", _ONE, delete, nothing,
           lock="organization", status=204, needs="organization.admin", scope=UNLIMITED, audit="oidc-provider.delete",
           summary="Delete an OpenID Connect provider"),
)  # fmt: skip
