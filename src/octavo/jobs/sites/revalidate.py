"""Telling a renderer of its own what changed, so that it asks again: a signed call with the tags of what it keeps.

The renderer keeps answers for a day, and what belongs to a revision for ever; it forgets by tags (`clients.md`, 1.4).
"""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import urlsplit

import msgspec

from octavo.gateways import failures, web
from octavo.gateways.addresses import Guard
from octavo.jobs.work import FETCHES, JobKind, NotYet, Work
from octavo.kernel.clock import MINUTE, SECOND
from octavo.kernel.events import (
    ChangeRequestMerged,
    ContentChanged,
    Event,
    OpenAPISpecChanged,
    SiteChanged,
    SpaceChanged,
    SpaceDeleted,
    TranslationMade,
)
from octavo.kernel.records import Json
from octavo.site.computed import cache_tag
from octavo.store.unit import Reaction

REVALIDATE = "revalidate"
PATH = "/~gitbook/revalidate"
SIGNATURE = "x-gitbook-signature"
LIMITS = web.Limits(bytes=64 << 10, seconds=20.0, redirects=0)
PAUSES = (1 * SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE)


def reactions(event: Event) -> list[Reaction]:
    """What a renderer is to forget after an event."""
    match event:
        case ContentChanged() | SpaceChanged() | SpaceDeleted():
            tags = [f"space:{event.space}"]
        case SiteChanged():
            tags = [f"site:{event.site}"]
        case OpenAPISpecChanged():
            tags = [cache_tag(event.organization, event.slug)]
        case ChangeRequestMerged():
            tags = [f"space:{event.space}:change-request:{event.change_request}"]
        case TranslationMade():
            tags = [f"organization:{event.organization}:translation:{event.translation}"]
        case _:
            return []
    return [Reaction(REVALIDATE, {"tags": tags}, dedup=f"{REVALIDATE} {' '.join(tags)}")]


async def run(work: Work) -> Json:
    """Payload: tags. Result: the same."""
    settings, tags = work.tools.settings, work.job.payload["tags"]
    if settings.renderer_url is None or settings.renderer_secret is None:
        return {"tags": []}  # it was taken out of the settings meanwhile
    body = msgspec.json.encode({"tags": tags})
    signed = hmac.new(settings.renderer_secret.encode(), body, hashlib.sha256).hexdigest()
    headers = {"content-type": "application/json", SIGNATURE: signed}
    # The operator named it: it may stand in a network of the installation's own.
    guard = Guard(allow_hosts=frozenset((urlsplit(settings.renderer_url).netloc.rpartition("@")[2].lower(),)))
    try:
        answer = await web.fetch(
            settings.renderer_url.rstrip("/") + PATH,
            method="POST", headers=headers, body=body, guard=guard, limits=LIMITS,
        )  # fmt: skip
    except failures.GatewayFailure as failure:
        raise NotYet(str(failure)) from failure
    if answer.status >= 300:
        raise NotYet(f"the renderer answered {answer.status}: it knows another OCTAVO_RENDERER_SECRET, or is none")
    return {"tags": tags}


KIND = JobKind(run=run, tries=8, seconds=60, lane=FETCHES, pauses=PAUSES, outside=True)
