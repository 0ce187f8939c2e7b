"""The audit log of an organization: listed, looked up and exported by its admins; nobody changes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from msgspec import UNSET

from octavo.access.locate import SeenOrganization
from octavo.kernel.audit import AuditEvent
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.operation import READ, Nothing, Operation, Raw
from octavo.resources.call import Call, Desk, Page
from octavo.wire.lists import Listing
from octavo.wire.people import audit
from octavo.wire.people.audit import AuditQuery, ExportQuery
from octavo.wire.view import View


@dataclass(frozen=True)
class InOrganization:
    organization: SeenOrganization


@dataclass(frozen=True)
class AtEvent(InOrganization):
    event: str


async def find(desk: Desk, at: InOrganization, query: AuditQuery) -> Page[AuditEvent]:
    """A page of the log, newest first; how many events there are is not counted.

    Filters may make it long: it is read out of the way of other requests.
    """
    wanted, organization = query.wanted, at.organization.record.id
    if wanted.since > wanted.until:
        raise BadRequest("to: must not be before `from`")
    name = f"audit-events {organization}"
    key = None if query.page is UNSET else desk.signer.read_cursor(name, query.page)
    behind = None if key is None else (int(key[0]), str(key[1]))
    found = await desk.store.read_apart(lambda unit: unit.audit.list(organization, wanted, behind, query.limit + 1))
    shown = found[: query.limit]
    last = shown[-1] if 0 < query.limit < len(found) else None
    return Page(shown, None, None if last is None else desk.signer.write_cursor(name, (last.occurred_at, last.id)))


async def list_events(call: Call, at: InOrganization, query: AuditQuery) -> Page[AuditEvent]:
    """What was found ahead of the unit."""
    found: Page[AuditEvent] = call.prepared
    return found


async def get(call: Call, at: AtEvent, takes: Nothing) -> AuditEvent:
    """One event."""
    found = await call.unit.audit.get(at.organization.record.id, at.event)
    if found is None:
        raise absent("audit event", at.event)
    return found


async def list_actions(call: Call, at: InOrganization, takes: Nothing) -> None:
    """The same for everybody."""


@dataclass(frozen=True)
class Exported:
    """A page of events, and how it was asked for."""

    page: Page[AuditEvent]
    query: ExportQuery
    organization: str


async def export(call: Call, at: InOrganization, query: ExportQuery) -> Exported:
    """The same events as in the list, as lines of a file."""
    return Exported(await list_events(call, at, query), query, at.organization.record.id)


def _lines(found: Exported, view: View) -> Raw:
    return audit.lines(found.page.items, found.query, found.page.next, found.organization, view)


def _listed(page: Page[AuditEvent], view: View) -> Listing[audit.AuditEvent]:
    return page.present(partial(audit.present, view=view))


def _row(id: str, path: str, summary: str, does: Callable[..., Any], present: Any, gives: Any, **more: Any) -> Any:
    given: dict[str, Any] = {"at": InOrganization, "takes": Nothing} | more
    return Operation(
        id=id,
        method="GET",
        path=f"/orgs/{{organization}}/{path}",
        does=does,
        present=present,
        gives=gives,
        status=200,
        needs="organization.admin",
        pace="read",
        unit=READ,
        scope="organization:members:read",
        summary=summary,
        tag="audit",
        **given,
    )


OPERATIONS = (
    _row(
        "listOrganizationAuditEvents", "audit-events", "List what was done in an organization",
        list_events, _listed, Listing[audit.AuditEvent], takes=AuditQuery, before=find,
    ),
    _row(
        "exportOrganizationAuditEvents", "audit-events/export", "Export what was done, as NDJSON or CSV",
        export, _lines, Raw, takes=ExportQuery, before=find, media=("application/x-ndjson", "text/csv"),
    ),
    _row(
        "getOrganizationAuditEvent", "audit-events/{event}", "Get one event of the audit log",
        get, audit.present, audit.AuditEvent, at=AtEvent,
    ),
    _row(
        "listOrganizationAuditEventActions", "audit-event-actions", "List the actions that the audit log tells of",
        list_actions, audit.present_actions, audit.AuditEventActions,
    ),
)  # fmt: skip
