"""Telling an integration of one event: at its development tunnel, or its published script."""

from __future__ import annotations

import msgspec

from octavo.jobs.integrations.asking import Unasked, ask
from octavo.jobs.integrations.orders import Ran
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import IntegrationEvent
from octavo.site.scripts import Told, told
from octavo.store.unit import Unit
from octavo.wire.view import View

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
    try:
        ran = await ask(work, found, event.organization)
    except Unasked as unasked:
        return "failed", [_log(work, "error", str(unasked))]
    return judged(work, ran)


def judged(work: Work, ran: Ran) -> tuple[str, list[Json]]:
    """What an answer to an event means, and what the log says of it."""
    logs: list[Json] = [msgspec.to_builtins(one) for one in ran.logs]
    if ran.threw is not None:
        return "failed", [*logs, _log(work, "error", f"the script threw {ran.threw}")]
    if ran.status == UNHANDLED:
        return "success", [*logs, _log(work, "info", "the script has no handler of this event")]
    said = ran.body[:_SAID].decode(errors="replace").strip()
    line = f"answered {ran.status}" + (f": {said}" if ran.status >= 400 and said else "")
    ends = ("success", "info") if ran.status < 400 else ("failed", "error")
    return ends[0], [*logs, _log(work, ends[1], line)]
