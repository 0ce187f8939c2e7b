"""Having a script draw a component, while somebody waits for it."""

from __future__ import annotations

import logging
import re

import msgspec

from octavo.jobs.integrations.asking import Unasked, ask
from octavo.jobs.integrations.judging import noted
from octavo.jobs.integrations.orders import Ran
from octavo.jobs.work import JobBroke, Work
from octavo.kernel.clock import MINUTE, SECOND
from octavo.kernel.drawings import Drawing, encode
from octavo.kernel.records import Json
from octavo.site.scripts import Told, told_of
from octavo.store.unit import Unit
from octavo.wire.view import View

RENDER = "integration_render"
BLOCK = "integration_block"
FRESH, LEAST, MOST = 3600, 60, 86_400
"""Seconds for which a block is shown as it was drawn: usually, and at least and at most where its script says it."""
FAILED = 1 * MINUTE
_AGE = re.compile(r"max-age=([0-9]{1,9})")
_log = logging.getLogger("octavo.jobs")
_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


async def run(work: Work) -> Json:
    """Payload: integration, installation, sealed_payload. Result: sealed_output. Raises JobBroke where none comes."""
    ran = await _drawn(work)
    return {"sealed_output": work.tools.seal(ran.body.decode())}


async def run_block(work: Work) -> Json:
    """Payload: the same, and key. What was drawn is kept under the key; where nothing was, for a moment. Result: nothing."""
    now = work.store.clock()
    try:
        ran = await _drawn(work)
        drawing = Drawing(_decode.decode(ran.body), now + _fresh(ran) * SECOND)
    except JobBroke as broke:
        _log.info("a block of an integration was not drawn", extra={"job": work.job.id, "reason": str(broke)})
        drawing = Drawing(None, now + FAILED)
    key = bytes.fromhex(work.job.payload["key"])
    await work.write(lambda unit: unit.cache.replace(key, encode(drawing), unit.now))
    return {}


def _fresh(ran: Ran) -> int:
    """Seconds for which it is shown, as the answer says."""
    said = next((value for name, value in ran.headers if name.lower() == "cache-control"), "")
    found = _AGE.search(said)
    return FRESH if found is None else min(max(int(found[1]), LEAST), MOST)


async def _drawn(work: Work) -> Ran:
    """An answer that holds a JSON object."""
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
    return ran


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
