"""Finding out who is to be told of something that happened: integrations where it happened, and webhooks."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.jobs.work import Work
from octavo.kernel.events import ContentChanged, Event
from octavo.kernel.records import Json
from octavo.site.installing import tell
from octavo.site.integrations import active_on
from octavo.store.unit import Unit

Announced = ContentChanged
"""What integrations hear of."""


def payload_of(event: Event) -> Json:
    """The payload of the job for an event."""
    return {"event": msgspec.to_builtins(event)}


async def run(work: Work) -> Json:
    """Payload: event. Result: how many were told."""
    event: Any = msgspec.convert(work.job.payload["event"], Announced)
    signer = work.tools.signer
    assert signer is not None  # the composition root gives one

    async def announce(unit: Unit) -> int:
        told = 0
        if isinstance(event, ContentChanged):
            revision = await unit.revisions.get(event.revision)
            author = None if revision is None else revision.author
            said = {
                "spaceId": event.space,
                "revisionId": event.revision,
                "updatedBy": [{"id": author}] if author else [],
            }
            for one in await active_on(unit, event.organization, event.space, "space"):
                if "space:content:read" in one.integration.scopes:
                    await tell(
                        unit, signer, one.integration.id, event.organization, "space_content_updated", said,
                        installation=one.installation.id,
                    )  # fmt: skip
                    told += 1
        return told

    return {"told": await work.write(announce)}
