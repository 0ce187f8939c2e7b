"""Finding out who is to be told of something that happened: integrations where it happened, and webhooks."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from octavo.access.signing import Signer
from octavo.jobs.work import Work
from octavo.kernel.clock import iso
from octavo.kernel.events import (
    ChangeRequestMerged,
    CommentPosted,
    CommentReplied,
    CommentResolved,
    ContentChanged,
    Event,
    GitOperationFailed,
    GitOperationStarted,
    PageRated,
    PageViewed,
    ReviewRequested,
    ReviewSubmitted,
    SiteChanged,
    SpaceVisibilityUpdated,
    WebhookDue,
)
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import Webhook, WebhookDelivery
from octavo.site import visibilities
from octavo.site.installing import tell
from octavo.site.integrations import active_on
from octavo.store.unit import Unit

ANNOUNCE = "announce"
Announced = (
    ContentChanged
    | ChangeRequestMerged
    | ReviewRequested
    | ReviewSubmitted
    | CommentPosted
    | CommentReplied
    | CommentResolved
    | GitOperationFailed
    | SiteChanged
    | PageRated
    | PageViewed
    | GitOperationStarted
    | SpaceVisibilityUpdated
)
"""What integrations and webhooks hear of."""
_SCOPES = {
    "space_content_updated": "space:content:read",
    "space_gitsync_completed": "space:git:sync",
    "space_gitsync_started": "space:git:sync",
    "page_feedback": "page:feedback:read",
    "site_view": "site:views:read",
    visibilities.EVENT: visibilities.SCOPE,
}
"""What integrations are told -> the scope that this takes; the rest is told to webhooks alone."""
_NAMES: dict[type[Event], tuple[str, ...]] = {
    ContentChanged: ("space_content_updated", "space_gitsync_completed"),
    GitOperationFailed: ("space_gitsync_completed",),
    GitOperationStarted: ("space_gitsync_started",),
    PageRated: ("page_feedback",),
    PageViewed: ("site_view",),
    SiteChanged: ("site_updated",),
}
"""What these may be called outside; others go by their tag."""


class Happening(NamedTuple):
    """An event as those outside are told it."""

    type: str
    said: Json
    space: str | None = None
    site: str | None = None

    @property
    def resource(self) -> str:
        """What it is about: news of one are told in their order."""
        return f"space:{self.space}" if self.space is not None else f"site:{self.site}"


def payload_of(event: Announced) -> Json:
    """The payload of the job for an event."""
    return {"event": msgspec.to_builtins(event)}


def names_of(kind: type[Event]) -> tuple[str, ...]:
    """What events of a kind may be called outside."""
    return _NAMES[kind] if kind in _NAMES else (str(kind.__struct_config__.tag),)


def heard_as(event: Announced) -> frozenset[str]:
    """What the event may be called outside, and the scopes of the integrations that are told of it."""
    names = names_of(type(event))
    return frozenset((*names, *(_SCOPES[name] for name in names if name in _SCOPES)))


async def run(work: Work) -> Json:
    """Payload: event. Result: how many are told."""
    event: Any = msgspec.convert(work.job.payload["event"], Announced)
    signer = work.tools.signer
    assert signer is not None  # the composition root gives one

    async def announce(unit: Unit) -> int:
        told = 0
        for one in await _happenings(unit, event):
            told += await _tell_integrations(unit, signer, event.organization, one)
            told += await _tell_webhooks(unit, event.organization, one)
        return told

    return {"told": await work.write(announce)}


async def _happenings(unit: Unit, event: Any) -> list[Happening]:
    """What an event is called outside."""
    match event:
        case ContentChanged():
            return await _content(unit, event)
        case GitOperationFailed():
            space = await unit.spaces.get(event.space)
            revision = "" if space is None else space.revision
            said = {"spaceId": event.space, "state": "failure", "revisionId": revision, "commitId": ""}
            return [Happening("space_gitsync_completed", said, space=event.space)]
        case GitOperationStarted():
            said = {"spaceId": event.space, "revisionId": event.revision, "commitId": ""}
            return [Happening("space_gitsync_started", said, space=event.space)]
        case PageRated():
            return [_feedback(event)]
        case PageViewed():
            viewed: Json = {
                "siteId": event.site,
                "spaceId": event.space,
                "siteSpaceId": event.site_space,
                "pageId": event.page,
            }
            viewed |= {"visitor": _visitor(event), "url": event.url, "referrer": event.referrer}
            return [Happening("site_view", viewed, site=event.site)]
        case SpaceVisibilityUpdated():
            seen = {"previousVisibility": event.previous, "visibility": event.visibility}
            return [Happening(visibilities.EVENT, {"spaceId": event.space, **seen}, space=event.space)]
        case SiteChanged():
            return [Happening("site_updated", {"siteId": event.site}, site=event.site)]
    said = {
        name: value
        for field, name in _FIELDS.items()
        if isinstance(value := getattr(event, field, None), str) and value
    }
    return [Happening(event.__struct_config__.tag, said, space=event.space)]


_FIELDS = {
    "space": "spaceId", "change_request": "changeRequestId", "revision": "revisionId", "comment": "commentId",
    "reply": "replyId", "review": "reviewId", "user": "userId",
}  # fmt: skip


async def _content(unit: Unit, event: ContentChanged) -> list[Happening]:
    revision = await unit.revisions.get(event.revision)
    author = None if revision is None or revision.author is None else await unit.people.user(revision.author)
    by = [] if author is None else [{"id": author.id, "displayName": author.name}]
    said = {"spaceId": event.space, "revisionId": event.revision, "updatedBy": by}
    made = [Happening("space_content_updated", said, space=event.space)]
    if revision is not None and revision.git is not None:
        known = {"spaceId": event.space, "state": "success", "revisionId": event.revision}
        commit = msgspec.to_builtins(revision.git)
        made.append(
            Happening("space_gitsync_completed", known | {"commitId": str(commit.get("oid", ""))}, space=event.space)
        )
    return made


def _feedback(event: PageRated) -> Happening:
    given = {"rating": event.rating} | ({"comment": event.comment} if event.comment else {})
    said = {"siteId": event.site, "spaceId": event.space, "pageId": event.page, "feedback": given}
    said |= {"visitor": _visitor(event), "url": event.url, "referrer": ""}
    return Happening("page_feedback", said, site=event.site)


def _visitor(event: PageRated | PageViewed) -> Json:
    """Without cookies and without the address: integrations are told what a visitor does, not who she is."""
    made: Json = {"anonymousId": event.visitor, "cookies": {}, "userAgent": event.agent or "", "ip": ""}
    return made if event.language is None else made | {"language": event.language}


async def _tell_integrations(unit: Unit, signer: Signer, organization: str, one: Happening) -> int:
    scope = _SCOPES.get(one.type)
    if scope is None:
        return 0
    if one.space is not None:
        found = await active_on(unit, organization, one.space, "space")
    else:
        found = await active_on(unit, organization, one.site or "", "site")
    asked = [each for each in found if scope in each.scopes]
    for each in asked:
        name, installation = each.integration.id, each.installation.id
        await tell(unit, signer, name, organization, one.type, one.said, installation=installation)
    return len(asked)


async def _tell_webhooks(unit: Unit, organization: str, one: Happening) -> int:
    wanted = [each for each in await unit.webhooks.all(organization) if _wants(each, one)]
    id = new_id()
    said = {"eventId": id, "type": one.type, "organization": organization, "createdAt": iso(unit.now), **one.said}
    payload = msgspec.json.encode(said).decode()
    for each in wanted:
        delivery = WebhookDelivery(
            id=new_id(),
            organization=organization,
            webhook=each.id,
            event=id,
            type=one.type,
            resource=one.resource,
            payload=payload,
            created_at=unit.now,
        )
        await unit.webhooks.add_delivery(delivery)
        await unit.emit(WebhookDue(organization=organization, webhook=each.id, resource=one.resource))
    return len(wanted)


def _wants(webhook: Webhook, one: Happening) -> bool:
    if not webhook.active or one.type not in webhook.events:
        return False
    if one.space is not None and webhook.spaces is not None and one.space not in webhook.spaces:
        return False
    return one.site is None or webhook.sites is None or one.site in webhook.sites
