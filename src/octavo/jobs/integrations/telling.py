"""Telling an integration of one event: at its development tunnel, or its published script."""

from __future__ import annotations

from octavo.gateways import scripts
from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure
from octavo.jobs.work import Lane, Work
from octavo.kernel import limits
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import IntegrationEvent
from octavo.site.scripts import Told, told, tunnel_of
from octavo.store.unit import Unit
from octavo.wire.view import View

SCRIPTS = Lane(4, each=2)
"""What programs of others are told."""
UNHANDLED = 406
"""How a script answers to an event that it has no ears for."""
_SAID = 2000
"""Characters of an answer that the log keeps."""


async def run(work: Work) -> Json:
    """Payload: told. Result: status."""
    event = await work.read(lambda unit: unit.integration_events.get(work.job.payload["told"]))
    if event is None or event.status is not None:
        return {"status": None}
    signer, view = work.tools.signer, View(api=work.tools.base, app=work.tools.base)
    assert signer is not None  # the composition root gives one
    found = await work.read(lambda unit: told(unit, signer, view, event))
    status, logs = ("failed", [_log(work, "error", "the integration is gone, or is paused there")])
    if found is not None:
        status, logs = await _tell(work, event, found)

    async def record(unit: Unit) -> None:
        await unit.integration_events.change(event, status=status, logs=logs)
        await unit.integration_events.shorten(event.integration, limits.INTEGRATION_EVENTS_MAX)

    await work.write(record)
    return {"status": status}


def _log(work: Work, level: str, message: str) -> Json:
    return {"level": level, "message": message[:_SAID], "timestamp": work.store.clock()}


async def _tell(work: Work, event: IntegrationEvent, found: Told) -> tuple[str, list[Json]]:
    tunnel = tunnel_of(found.integration, event.organization)
    if tunnel is None:
        return "failed", [_log(work, "error", "nothing runs scripts in this installation")]
    settings = work.tools.settings
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    try:
        answer = await scripts.post(tunnel, found.payload, found.environment, guard)
    except GatewayFailure as failure:
        return "failed", [_log(work, "error", str(failure))]
    return judged(work, answer.status, answer.body)


def judged(work: Work, status: int, body: bytes) -> tuple[str, list[Json]]:
    """What an answer to an event means, and what the log says of it."""
    if status == UNHANDLED:
        return "success", [_log(work, "info", "the script has no handler of this event")]
    said = body[:_SAID].decode(errors="replace").strip()
    line = f"answered {status}" + (f": {said}" if status >= 400 and said else "")
    return ("success", [_log(work, "info", line)]) if status < 400 else ("failed", [_log(work, "error", line)])
