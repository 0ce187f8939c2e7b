"""Having an integration answer a request as a whole HTTP answer, while somebody waits for it."""

from __future__ import annotations

import base64

import msgspec

from octavo.jobs.integrations.asking import Unasked, ask
from octavo.jobs.integrations.drawing import found_for
from octavo.jobs.integrations.judging import UNHANDLED, noted
from octavo.jobs.integrations.orders import Ran
from octavo.jobs.work import JobBroke, Work
from octavo.kernel.records import Json

FETCH = "integration_fetch"
_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


async def run(work: Work) -> Json:
    """Payload: integration, installation, sealed_payload. Result: sealed_output: `status`, `headers`, and the body in base64.
    Raises JobBroke where there is none."""
    payload = _decode.decode(work.tools.unseal(work.job.payload["sealed_payload"]))
    event, sent = payload["event"], payload.get("body")
    found = await work.read(lambda unit: found_for(unit, work, event))
    body = None if sent is None else base64.b64decode(sent)
    try:
        ran = await ask(work, found, work.job.organization or "", body)
    except Unasked as unasked:
        await noted(work, event, found.integration.id, None, str(unasked))
        raise JobBroke(str(unasked)) from unasked
    await noted(work, event, found.integration.id, ran)
    if ran.threw is not None or ran.status == UNHANDLED:
        raise JobBroke("the script has no answer to this")
    return {"sealed_output": work.tools.seal(msgspec.json.encode(_said(ran)).decode())}


def _said(ran: Ran) -> Json:
    return {"status": ran.status, "headers": ran.headers, "body": base64.b64encode(ran.body).decode()}
