"""Fetching files that somebody named by address: each bounded and guarded, their bytes kept as blobs."""

from __future__ import annotations

import msgspec

from octavo.gateways import failures, web
from octavo.gateways.addresses import Guard
from octavo.jobs.work import Work
from octavo.kernel.records import Json

LARGEST = 50 << 20
"""Bytes of one file."""
SECONDS = 30.0
"""For one file."""


async def run(work: Work) -> Json:
    """Payload: sealed_urls, a JSON list. Result: files, for each {blob, content_type} or {error}, a sentence."""
    urls = msgspec.json.decode(work.tools.unseal(work.job.payload["sealed_urls"]), type=list[str])
    settings = work.tools.settings
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    return {"files": [await _fetched(work, url, guard) for url in urls]}


async def _fetched(work: Work, url: str, guard: Guard) -> Json:
    try:
        answer = await web.fetch(url, guard=guard, limits=web.Limits(bytes=LARGEST, seconds=SECONDS))
    except failures.GatewayFailure as failure:
        return {"error": str(failure)}
    if answer.status != 200:
        return {"error": f"{failures.shown(url)} answered {answer.status}"}
    assert work.job.organization is not None  # the event of an organization made the job
    blob = await work.tools.blobs.put(work.job.organization, answer.body)
    return {"blob": blob, "content_type": answer.headers.get("content-type")}
