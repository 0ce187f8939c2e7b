"""Having a script draw a component, while somebody waits for it."""

from __future__ import annotations

import msgspec

from octavo.jobs.integrations.asking import Unasked, ask
from octavo.jobs.integrations.judging import noted
from octavo.jobs.work import JobBroke, Work
from octavo.kernel.records import Json
from octavo.site.scripts import Told, told_of
from octavo.store.unit import Unit
from octavo.wire.view import View

RENDER = "integration_render"
_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


async def run(work: Work) -> Json:
    """Payload: integration, installation, sealed_payload. Result: sealed_output. Raises JobBroke where none comes."""
    job = work.job
    payload = _decode.decode(work.tools.unseal(job.payload["sealed_payload"]))
    found = await work.read(lambda unit: found_for(unit, work, payload))
    try:
        ran = await ask(work, found, job.organization or "")
    except Unasked as unasked:
        await noted(work, payload, found.integration.id, None, str(unasked))
        raise JobBroke(f"the script could not be asked: {unasked}") from unasked
    await noted(work, payload, found.integration.id, ran)
    if ran.threw is not None:
        raise JobBroke(f"the script threw {ran.threw} when it was to draw")
    if ran.status != 200:
        raise JobBroke(f"the script answered {ran.status} when it was to draw")
    try:
        _decode.decode(ran.body)
    except msgspec.DecodeError as error:
        raise JobBroke("what the script drew is no JSON object") from error
    return {"sealed_output": work.tools.seal(ran.body.decode())}


async def found_for(unit: Unit, work: Work, payload: Json) -> Told:
    """What a job asks, of which integration. Raises JobBroke where that is gone, or paused."""
    job, signer, view = work.job, work.tools.signer, View(work.tools.base, work.tools.base)
    assert signer is not None  # the composition root gives one
    integration = await unit.integrations.get(job.payload["integration"])
    found = None
    if integration is not None:
        found = await told_of(unit, signer, view, integration, job.payload["installation"], payload)
    if found is None:
        raise JobBroke("the integration is gone, or is paused there")
    return found
