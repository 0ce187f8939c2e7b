"""Having a script draw a component, while somebody waits for it."""

from __future__ import annotations

import msgspec

from octavo.gateways import scripts
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure
from octavo.jobs.work import JobBroke, Work
from octavo.kernel.records import Json
from octavo.site.scripts import told_of, tunnel_of
from octavo.store.unit import Unit
from octavo.wire.view import View

RENDER = "integration_render"
_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


async def run(work: Work) -> Json:
    """Payload: integration, installation, sealed_payload. Result: sealed_output. Raises JobBroke where none comes."""
    job, signer = work.job, work.tools.signer
    assert signer is not None  # the composition root gives one
    payload, view = (
        _decode.decode(work.tools.unseal(job.payload["sealed_payload"])),
        View(work.tools.base, work.tools.base),
    )

    async def find(unit: Unit) -> tuple[Json, Json, str | None]:
        integration = await unit.integrations.get(job.payload["integration"])
        if integration is None:
            raise JobBroke("the integration is gone")
        found = await told_of(unit, signer, view, integration, job.payload["installation"], payload)
        if found is None:
            raise JobBroke("the integration is gone, or is paused there")
        return found.payload, found.environment, tunnel_of(integration, job.organization or "")

    said, environment, tunnel = await work.read(find)
    if tunnel is None:
        raise JobBroke("the integration is not developed any more")
    settings = work.tools.settings
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    try:
        answer = await scripts.post(tunnel, said, environment, guard)
    except GatewayFailure as failure:
        raise JobBroke(f"the script could not be asked: {failure}") from failure
    if answer.status != 200:
        raise JobBroke(f"the script answered {answer.status} when it was to draw")
    try:
        _decode.decode(answer.body)
    except msgspec.DecodeError as error:
        raise JobBroke("what the script drew is no JSON object") from error
    return {"sealed_output": work.tools.seal(answer.body.decode())}
