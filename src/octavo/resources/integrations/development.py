"""Developing an integration: what it was told, where its events go meanwhile, and tasks that it sets itself."""

from __future__ import annotations

from typing import Any

import msgspec

from octavo.access.caller import Caller
from octavo.access.locate_integrations import SeenIntegration, SeenIntegrationEvent, organizations_told
from octavo.access.policy import allows
from octavo.kernel import limits
from octavo.kernel.clock import SECOND
from octavo.kernel.errors import BadRequest
from octavo.kernel.operation import ANYBODY, Nothing, Rule, nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.integrations import IntegrationEvent
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import Place
from octavo.site.installing import tell
from octavo.wire.integrations import events
from octavo.wire.integrations.events import DevelopIntegration, EventView, QueueTask
from octavo.wire.lists import ListQuery

_decode: msgspec.json.Decoder[Json] = msgspec.json.Decoder(Json)


class AtIntegration(Place, frozen=True):
    integration: SeenIntegration


class AtEvent(AtIntegration, frozen=True):
    event: SeenIntegrationEvent


async def list_events(call: Call, at: AtIntegration, query: ListQuery) -> Slice[EventView]:
    """What it was told in organizations of the caller, newest first."""
    told = organizations_told(call.caller, at.integration.record)
    found, total = await call.unit.integration_events.page(
        at.integration.record.id, told, call.newest_behind(query), query.limit + 1
    )
    page = call.listing(found, total, query, lambda one: (one.created_at, one.id))
    return Slice([_view(call, one) for one in page.items], page.count, page.next)


async def get_event(call: Call, at: AtEvent, takes: Nothing) -> EventView:
    """One of them, with what the script wrote to its log."""
    return _view(call, at.event.record)


def _view(call: Call, event: IntegrationEvent) -> EventView:
    try:
        return EventView(event, _decode.decode(call.signer.unseal(event.sealed_payload)))
    except ValueError:
        return EventView(event, {"eventId": event.id, "type": event.type})  # sealed with another secret


async def develop(call: Call, at: AtIntegration, body: DevelopIntegration) -> None:
    """From now on its events go to an address."""
    await call.unit.integrations.change(at.integration.record, tunnel=body.tunnel_url, tunnel_all=body.all)


async def stop_developing(call: Call, at: AtIntegration, takes: Nothing) -> None:
    """They go to the published script again."""
    await call.unit.integrations.change(at.integration.record, tunnel=None, tunnel_all=False)


async def queue_task(call: Call, at: AtIntegration, body: QueueTask) -> None:
    """It is told of the task when its time has come."""
    if len(msgspec.json.encode(body.task)) > limits.INTEGRATION_TASK_BYTES:
        raise BadRequest(f"task: it has {limits.INTEGRATION_TASK_BYTES >> 10} KiB at most")
    one = at.integration.record
    delay = round(body.schedule * SECOND)
    await tell(call.unit, call.signer, one.id, one.organization, "task", {"task": body.task}, delay=delay)


def _owns(caller: Caller, at: AtIntegration, takes: object) -> bool:
    return allows("organization", "admin", at.integration.role)


def _sets_tasks(caller: Caller, at: AtIntegration, takes: object) -> bool:
    acting = caller.acting
    return _owns(caller, at, takes) if acting is None else acting.installation is None


OWNERS: Rule[AtIntegration, Any] = Rule(
    "admins of the organization that owns the integration", _owns,
    "this takes an admin of the organization that owns the integration",
)  # fmt: skip
TASKS: Rule[AtIntegration, Any] = Rule(
    "the integration, with a token of its own; admins of the organization that owns it", _sets_tasks,
    "this is for the integration, with its own token, and for admins of its owner",
)  # fmt: skip
TOLD = "events of organizations that the caller is an admin of; the integration all of its own"
_EVENTS = "/integrations/{integration}/events"
_DEV = "/integrations/{integration}/dev"

OPERATIONS = (
    reads("listIntegrationEvents", _EVENTS, list_events, listed(events.present),
          needs=ANYBODY, also=TOLD, scope="integration:read", installed="any",
          summary="List what an integration was told"),
    reads("getIntegrationEvent", _EVENTS + "/{event}", get_event, events.present_traced,
          needs=ANYBODY, also=TOLD, scope="integration:read", installed="any",
          summary="Get what an integration was told, and its log"),
    writes("PUT", "setIntegrationDevelopmentMode", _DEV, develop, nothing,
           needs=OWNERS, scope="integration:publish", audit="integration.develop",
           summary="Send the events of an integration to an address where it is developed"),
    writes("DELETE", "disableIntegrationDevelopmentMode", _DEV, stop_developing, nothing,
           needs=OWNERS, scope="integration:publish", audit="integration.develop.end",
           summary="Send the events of an integration to its published script again"),
    writes("POST", "queueIntegrationTask", "/integrations/{integration}/tasks", queue_task, nothing,
           needs=TASKS, scope=None, installed="any", audit=None,
           summary="Have an integration told of a task of its own, now or later"),
)  # fmt: skip
