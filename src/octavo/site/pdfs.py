"""How far a PDF is that somebody waits for: in the API and on pages."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from octavo.history.pdfs import Order
from octavo.store.unit import Unit
from octavo.wire.content.pdf import PdfProgress


async def progress_of(unit: Unit, order: Order) -> PdfProgress:
    """Whether it is there, or else what the job says that makes it."""
    if await unit.blobs.has(order.organization, order.blob):
        return PdfProgress("ready")
    job = await unit.jobs.going_on(order.blob)
    if job is None:
        return PdfProgress("absent")
    told: dict[str, Any] = job.progress or {}
    return PdfProgress(
        "running" if job.state == "running" else "waiting", told.get("done", UNSET), told.get("total", UNSET), job.id
    )
