"""Webhooks: addresses that an organization has told what happens in it."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import integrations as records
from octavo.wire.fields import Body, DateTime, Id, Json, Located, Maybe, Shape, WebUrl, line, maybe
from octavo.wire.view import View

EventType = Literal[
    "space_content_updated", "space_visibility_updated", "space_gitsync_started", "space_gitsync_completed",
    "change_request_merged", "review_requested", "review_submitted", "comment_posted", "comment_replied",
    "comment_resolved", "site_updated", "site_view", "page_feedback",
]  # fmt: skip
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)
Title = Annotated[str, line(limits.WEBHOOK_TITLE_MAX, min_length=1)]
Events = Annotated[list[EventType], Meta(min_length=1, max_length=len(EVENT_TYPES))]
Places = Annotated[list[Id], Meta(max_length=limits.WEBHOOK_PLACES_MAX)]


class Webhook(Shape, tag_field="object", tag="webhook", frozen=True):
    id: str
    title: str
    url: str
    events: list[EventType]
    active: bool
    created_at: DateTime
    updated_at: DateTime
    urls: Located
    spaces: Maybe[list[str]] = UNSET
    sites: Maybe[list[str]] = UNSET
    disabled_reason: Maybe[str] = UNSET
    """Why Octavo switched it off."""
    failing_since: Maybe[DateTime] = UNSET
    secret: Maybe[str] = UNSET
    """With which deliveries are signed; told when it is made, and never again."""


class Attempt(Shape, frozen=True):
    at: DateTime
    milliseconds: int
    status: Maybe[int] = UNSET
    error: Maybe[str] = UNSET


class WebhookDelivery(Shape, tag_field="object", tag="webhook-delivery", frozen=True):
    id: str
    event: str
    """The id of the event, which a replay has too."""
    type: EventType
    state: Literal["waiting", "delivered", "failed"]
    attempts: list[Attempt]
    payload: Json
    created_at: DateTime
    urls: Located
    finished_at: Maybe[DateTime] = UNSET
    replay_of: Maybe[str] = UNSET


class CreateWebhook(Body, frozen=True):
    """`spaces` and `sites` narrow events that are about one to these; without them all are told."""

    title: Title
    url: WebUrl
    events: Events
    spaces: Maybe[Places | None] = UNSET
    sites: Maybe[Places | None] = UNSET


class UpdateWebhook(Body, frozen=True):
    """`active` true switches one on again that failed for long: what waits is sent."""

    title: Maybe[Title] = UNSET
    url: Maybe[WebUrl] = UNSET
    events: Maybe[Events] = UNSET
    spaces: Maybe[Places | None] = UNSET
    sites: Maybe[Places | None] = UNSET
    active: Maybe[bool] = UNSET


class WebhookView(msgspec.Struct, frozen=True):
    webhook: records.Webhook
    secret: str | None = None


def present(shown: WebhookView, view: View) -> Webhook:
    """The webhook as the API serves it."""
    one = shown.webhook
    return Webhook(
        id=one.id,
        title=one.title,
        url=one.url,
        events=msgspec.convert(one.events, list[EventType]),
        active=one.active,
        created_at=iso(one.created_at),
        updated_at=iso(one.updated_at),
        urls=Located(view.location("orgs", one.organization, "webhooks", one.id)),
        spaces=maybe(one.spaces),
        sites=maybe(one.sites),
        disabled_reason=maybe(one.disabled_reason),
        failing_since=maybe(None if one.failing_since is None else iso(one.failing_since)),
        secret=maybe(shown.secret),
    )


def present_delivery(one: records.WebhookDelivery, view: View) -> WebhookDelivery:
    """What was sent, and how it was answered."""
    place = ("orgs", one.organization, "webhooks", one.webhook, "deliveries", one.id)
    return WebhookDelivery(
        id=one.id,
        event=one.event,
        type=msgspec.convert(one.type, EventType),
        state=one.state,
        attempts=[
            Attempt(iso(each["at"]), each["milliseconds"], maybe(each.get("status")), maybe(each.get("error")))
            for each in one.attempts
        ],
        payload=msgspec.json.decode(one.payload),
        created_at=iso(one.created_at),
        urls=Located(view.location(*place)),
        finished_at=maybe(None if one.finished_at is None else iso(one.finished_at)),
        replay_of=maybe(one.replay_of),
    )
