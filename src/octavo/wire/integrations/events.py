"""What integrations were told, what they are asked to do, and where they are developed."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.records import integrations as records
from octavo.wire.fields import Body, DateTime, Json, Maybe, Shape, WebUrl, maybe
from octavo.wire.view import View


class EventLog(Shape, frozen=True):
    message: str
    timestamp: DateTime
    level: Literal["debug", "info", "warn", "error"]


class EventTrace(Shape, frozen=True):
    logs: list[EventLog]


class IntegrationEvent(Shape, frozen=True):
    id: str
    integration_id: str
    created_at: DateTime
    payload: Json
    status: Literal["success", "failed"]
    installation_id: Maybe[str] = UNSET


class TracedEvent(Shape, frozen=True):
    """What the integration was told, and what it wrote to its log meanwhile."""

    event: IntegrationEvent
    trace: EventTrace


class DevelopIntegration(Body, frozen=True):
    """`all`: also events of organizations that do not own the integration go to the tunnel."""

    tunnel_url: WebUrl
    all: bool = False

    def __post_init__(self) -> None:
        if len(self.tunnel_url) > limits.TUNNEL_MAX:
            raise ValueError(f"Expected `str` of length <= {limits.TUNNEL_MAX} - at `$.tunnelUrl`")


class QueueTask(Body, frozen=True):
    """`schedule` is for how many seconds the task waits."""

    task: Json
    schedule: Annotated[float, Meta(ge=0, le=limits.INTEGRATION_TASK_SECONDS)] = 0


class EventView(msgspec.Struct, frozen=True):
    event: records.IntegrationEvent
    payload: Json


def present(shown: EventView, view: View) -> IntegrationEvent:
    """The event as the API serves it."""
    one = shown.event
    return IntegrationEvent(
        id=one.id,
        integration_id=one.integration,
        created_at=iso(one.created_at),
        payload=shown.payload,
        status=one.status or "success",
        installation_id=maybe(one.installation),
    )


def present_traced(shown: EventView, view: View) -> TracedEvent:
    """The same, and its trace."""
    logs = [EventLog(one["message"], iso(one["timestamp"]), one["level"]) for one in shown.event.logs]
    return TracedEvent(present(shown, view), EventTrace(logs))
