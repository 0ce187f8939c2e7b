"""Telling an integration of one event: at its development tunnel, or its published script."""

from __future__ import annotations

from octavo.jobs.integrations.asking import Unasked, ask
from octavo.jobs.integrations.judging import judged, line_of
from octavo.jobs.work import Work
from octavo.kernel import limits
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import IntegrationEvent
from octavo.site.scripts import Told, told
from octavo.store.unit import Unit
from octavo.wire.view import View


async def run(work: Work) -> Json:
    """Payload: told. Result: status."""
    event = await work.read(lambda unit: unit.integration_events.get(work.job.payload["told"]))
    if event is None or event.status is not None:
        return {"status": None}
    signer, view = work.tools.signer, View(api=work.tools.base, app=work.tools.base)
    assert signer is not None  # the composition root gives one
    found = await work.read(lambda unit: told(unit, signer, view, event))
    status, logs = ("failed", [line_of(work, "error", "the integration is gone, or is paused there")])
    if found is not None:
        status, logs = await _tell(work, event, found)

    async def record(unit: Unit) -> None:
        await unit.integration_events.change(event, status=status, logs=logs)
        await unit.integration_events.shorten(event.integration, limits.INTEGRATION_EVENTS_MAX)

    await work.write(record)
    return {"status": status}


async def _tell(work: Work, event: IntegrationEvent, found: Told) -> tuple[str, list[Json]]:
    try:
        ran = await ask(work, found, event.organization)
    except Unasked as unasked:
        return "failed", [line_of(work, "error", str(unasked))]
    return judged(work, ran)
