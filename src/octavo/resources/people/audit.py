"""The audit log of an organization: listed, looked up and exported by its admins; nobody changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec import UNSET

from octavo.kernel.audit import AuditEvent
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.operation import Nothing, Raw, reads
from octavo.resources.call import Ahead, Call, Slice, listed
from octavo.resources.places import AtOrganization
from octavo.wire.people import audit
from octavo.wire.people.audit import AuditQuery, ExportQuery
from octavo.wire.view import View


class AtEvent(AtOrganization, frozen=True):
    event: str


async def find(prior: Ahead, at: AtOrganization, query: AuditQuery) -> Slice[AuditEvent]:
    """A page of the log, newest first; how many events there are is not counted.

    Filters may make it long: it is read out of the way of other requests.
    """
    wanted, organization = query.wanted, at.organization.record.id
    if wanted.since > wanted.until:
        raise BadRequest("to: must not be before `from`")
    name = f"audit-events {organization}"
    key = None if query.page is UNSET else prior.signer.read_cursor(name, query.page)
    behind = None if key is None else (int(key[0]), str(key[1]))
    found = await prior.store.read_apart(lambda unit: unit.audit.list(organization, wanted, behind, query.limit + 1))
    shown = found[: query.limit]
    last = shown[-1] if 0 < query.limit < len(found) else None
    return Slice(shown, None, None if last is None else prior.signer.write_cursor(name, (last.occurred_at, last.id)))


async def list_events(call: Call, at: AtOrganization, query: AuditQuery) -> Slice[AuditEvent]:
    """Newest first, filtered by what the query says."""
    found: Slice[AuditEvent] = call.prepared
    return found


async def get(call: Call, at: AtEvent, takes: Nothing) -> AuditEvent:
    """One event."""
    found = await call.unit.audit.get(at.organization.record.id, at.event)
    if found is None:
        raise absent("audit event", at.event)
    return found


async def list_actions(call: Call, at: AtOrganization, takes: Nothing) -> Mapping[str, str]:
    """Every action there is, the same for everybody."""
    return call.actions


@dataclass(frozen=True)
class Exported:
    """A page of events, and how it was asked for."""

    page: Slice[AuditEvent]
    query: ExportQuery
    organization: str


async def export(call: Call, at: AtOrganization, query: ExportQuery) -> Exported:
    """The same events as in the list, as lines of a file."""
    return Exported(await list_events(call, at, query), query, at.organization.record.id)


def _lines(found: Exported, view: View) -> Raw:
    return audit.lines(found.page.items, found.query, found.page.next, found.organization, view)


OPERATIONS = (
    reads("listOrganizationAuditEvents", "/orgs/{organization}/audit-events", list_events, listed(audit.present),
          before=find, needs="organization.admin", scope="organization:members:read", tag="audit",
          summary="List what was done in an organization"),
    reads("exportOrganizationAuditEvents", "/orgs/{organization}/audit-events/export", export, _lines,
          before=find, media=("application/x-ndjson", "text/csv"), needs="organization.admin",
          scope="organization:members:read", tag="audit", summary="Export what was done, as NDJSON or CSV"),
    reads("getOrganizationAuditEvent", "/orgs/{organization}/audit-events/{event}", get, audit.present,
          needs="organization.admin", scope="organization:members:read", tag="audit",
          summary="Get one event of the audit log"),
    reads("listOrganizationAuditEventActions", "/orgs/{organization}/audit-event-actions", list_actions,
          audit.present_actions,
          needs="organization.admin", scope="organization:members:read", tag="audit",
          summary="List the actions that the audit log tells of"),
)  # fmt: skip
