"""Having a component of an integration drawn by its script."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from octavo.access import locate, locate_sites
from octavo.access.locate_integrations import SeenIntegration
from octavo.content.lz import unpacked
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, NotInstalled, absent
from octavo.kernel.events import IntegrationRenderWanted
from octavo.kernel.operation import ANYBODY, reads
from octavo.kernel.records import Json
from octavo.resources.call import Ahead, Call
from octavo.resources.places import Place
from octavo.site.integrations import tunnel_of
from octavo.wire.integrations import rendering
from octavo.wire.integrations.rendering import RenderIntegrationUI, RenderQuery

SECONDS = 30.0
_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


class AtIntegration(Place, frozen=True):
    integration: SeenIntegration


async def prepare(prior: Ahead, at: AtIntegration, body: RenderIntegrationUI) -> Json:
    """What the script draws."""
    installation, organization = await prior.read(lambda unit: _installed(prior.call(unit), at, body))
    integration = at.integration.record
    if tunnel_of(integration, organization) is None and prior.settings.script_program is None:
        raise NotInstalled("this installation runs no scripts: it is drawn only while the integration is developed")
    said: Json = {"type": "ui_render", "eventId": prior.provenance.request or "", "installationId": installation}
    said |= msgspec.to_builtins(body) | {"auth": {"userId": prior.caller.user.id}}
    said |= {name: value for name, value in said["context"].items() if name in ("spaceId", "siteId")}
    wanted = IntegrationRenderWanted(
        organization=organization,
        integration=integration.id,
        installation=installation,
        sealed_payload=prior.signer.seal(msgspec.json.encode(said).decode()),
    )
    made = await prior.done(wanted, SECONDS)
    return _decode.decode(prior.signer.unseal(made["sealed_output"]))


async def prepare_query(prior: Ahead, at: AtIntegration, query: RenderQuery) -> Json:
    """The same for what is packed into an address."""
    try:
        text = unpacked(query.request, limits.RENDER_REQUEST_MAX)
        body = msgspec.json.decode(text, type=RenderIntegrationUI)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"request: {error}") from error
    return await prepare(prior, at, body)


async def _installed(call: Call, at: AtIntegration, body: RenderIntegrationUI) -> tuple[str, str]:
    """The installation that draws, and its organization, of a place that the caller may see."""
    context = body.context
    if context.space_id is not UNSET:
        organization = (await locate.space(call.unit, call.caller, context.space_id)).record.organization
    elif context.site_id is not UNSET:
        organization = await _of_site(call, context.site_id)
    else:
        assert context.organization_id is not UNSET  # the shape refuses it
        organization = (await locate.organization(call.unit, call.caller, context.organization_id)).record.id
    found = await call.unit.integrations.installation_in(at.integration.record.id, organization)
    if found is None or found.status == "paused":
        raise absent("installation of the integration", at.integration.record.id)
    return found.id, organization


async def _of_site(call: Call, word: str) -> str:
    site = await call.unit.sites.get(word)
    organization = None if site is None else await call.unit.people.organization(site.organization)
    if organization is None:
        raise absent("site", word)
    await locate_sites.site(call.unit, call.caller, word, organization)
    return organization.id


async def render(call: Call, at: AtIntegration, body: RenderIntegrationUI) -> Any:
    """What the component draws in that place, as ContentKit: its elements, properties and state."""
    return call.prepared


async def render_query(call: Call, at: AtIntegration, query: RenderQuery) -> Any:
    """What the component draws in that place, as ContentKit: its elements, properties and state."""
    return call.prepared


OPERATIONS = (
    reads("renderIntegrationUIWithPost", "/integrations/{integration}/render", render, rendering.present,
          method="POST", before=prepare, needs=ANYBODY, also="whoever may see where it is drawn", scope=None,
          installed="any", summary="Have a component of an integration drawn"),
    reads("renderIntegrationUIWithGet", "/integrations/{integration}/render", render_query, rendering.present,
          before=prepare_query, needs=ANYBODY, also="whoever may see where it is drawn", scope=None,
          installed="any", summary="Have a component of an integration drawn, by an address"),
)  # fmt: skip
