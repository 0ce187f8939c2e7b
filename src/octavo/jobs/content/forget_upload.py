"""What was uploaded goes when its key serves no more: whoever used it has a copy of her own."""

from __future__ import annotations

from octavo.jobs.work import Work


async def run(work: Work) -> None:
    """Payload: blob."""
    assert work.job.organization is not None  # the event of an organization made the job
    await work.tools.blobs.remove(work.job.organization, work.job.payload["blob"])
