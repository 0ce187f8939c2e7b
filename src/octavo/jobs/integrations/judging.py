"""What an answer of a script means, and what the log of the integration says of it."""

from __future__ import annotations

import msgspec

from octavo.jobs.integrations.orders import Ran
from octavo.jobs.work import Work
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import IntegrationEvent
from octavo.store.unit import Unit

UNHANDLED = 406
"""How a script answers to an event that it has no ears for."""
_SAID = 2000
"""Characters of an answer that the log keeps."""


def line_of(work: Work, level: str, message: str) -> Json:
    """A line of the log."""
    return {"level": level, "message": message[:_SAID], "timestamp": work.store.clock()}


def judged(work: Work, ran: Ran) -> tuple[str, list[Json]]:
    """What an answer to an event means, and what the log says of it."""
    logs: list[Json] = [msgspec.to_builtins(one) for one in ran.logs]
    if ran.threw is not None:
        return "failed", [*logs, line_of(work, "error", f"the script threw {ran.threw}")]
    if ran.status == UNHANDLED:
        return "success", [*logs, line_of(work, "info", "the script has no handler of this event")]
    said = ran.body[:_SAID].decode(errors="replace").strip()
    line = f"answered {ran.status}" + (f": {said}" if ran.status >= 400 and said else "")
    ends = ("success", "info") if ran.status < 400 else ("failed", "error")
    return ends[0], [*logs, line_of(work, ends[1], line)]


async def noted(work: Work, event: Json, integration: str, ran: Ran | None, sentence: str = "") -> None:
    """Write down what somebody waited for, where its author would want to see it: it failed, or its script said something."""
    status, logs = ("failed", [line_of(work, "error", sentence)]) if ran is None else judged(work, ran)
    if status == "success" and not (ran and ran.logs):
        return
    made = IntegrationEvent(
        id=new_id(),
        organization=work.job.organization or "",
        integration=integration,
        installation=event.get("installationId"),
        type=event["type"],
        sealed_payload=work.tools.seal(msgspec.json.encode(event).decode()),
        created_at=work.store.clock(),
        status="failed" if status == "failed" else "success",
        logs=logs,
    )

    async def add(unit: Unit) -> None:
        if await unit.integrations.get(integration) is not None:
            await unit.integration_events.add(made)

    await work.write(add)
