"""The audit log as the API serves it."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import UNSET, Meta, field

from octavo.kernel import audit, limits
from octavo.kernel.clock import iso
from octavo.kernel.operation import Raw
from octavo.wire.fields import DateTime, Instant, Json, Located, Maybe, Shape, maybe, milliseconds
from octavo.wire.lists import ListQuery
from octavo.wire.view import View

Word = Annotated[str, Meta(min_length=1, max_length=limits.AUDIT_WORD_MAX)]


class AuditQuery(ListQuery, frozen=True):
    """Times with an offset, both included; an action, the id of who did it, the id of what was changed."""

    since: Maybe[Instant] = field(name="from", default=UNSET)
    until: Maybe[Instant] = field(name="to", default=UNSET)
    action: Maybe[Word] = UNSET
    actor: Maybe[Word] = UNSET
    target: Maybe[Word] = UNSET

    @property
    def wanted(self) -> audit.Wanted:
        """The same in milliseconds."""
        return audit.Wanted(
            since=0 if self.since is UNSET else milliseconds(self.since),
            until=_EVER if self.until is UNSET else milliseconds(self.until),
            action=_given(self.action),
            actor=_given(self.actor),
            target=_given(self.target),
        )


_EVER = 1 << 62


class ExportQuery(AuditQuery, frozen=True):
    """A page of lines; the header `Link` has the address of the next one."""

    format: Literal["ndjson", "csv"] = "ndjson"
    limit: Annotated[int, Meta(ge=1, le=limits.LIST_LIMIT_MAX)] = limits.LIST_LIMIT_MAX


class AuditActor(Shape, frozen=True):
    type: audit.ActorType
    id: str
    label: Maybe[str] = UNSET


class AuditTarget(Shape, frozen=True):
    type: str
    id: str
    label: Maybe[str] = UNSET


class AuditOrigin(Shape, frozen=True):
    """Where it came from, as far as that is known."""

    address: Maybe[str] = UNSET
    user_agent: Maybe[str] = UNSET
    token: Maybe[str] = UNSET
    session: Maybe[str] = UNSET


class AuditEvent(Shape, tag_field="object", tag="audit-event", frozen=True):
    """Who did what, when, from where."""

    id: str
    occurred_at: DateTime
    action: str
    actor: AuditActor
    source: audit.Source
    target: AuditTarget
    origin: AuditOrigin
    schema_version: int
    payload: Annotated[Json, Meta(description="Names of fields that were sent, and ids beside the target")]
    urls: Located
    correlation_id: Maybe[str] = UNSET
    """Of the request or the job."""


class AuditEventAction(Shape, tag_field="object", tag="audit-event-action", frozen=True):
    id: str
    label: str


class AuditEventActions(Shape, frozen=True):
    items: list[AuditEventAction]


VERSION = 1
"""Of what `payload` holds."""
_COLUMNS = (
    "id", "occurredAt", "action", "actorType", "actor", "actorLabel", "source", "targetType", "target", "targetLabel",
    "address", "userAgent", "token", "session", "correlationId", "payload",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def present(event: audit.AuditEvent, view: View) -> AuditEvent:
    """One event."""
    return AuditEvent(
        id=event.id,
        occurred_at=iso(event.occurred_at),
        action=event.action,
        actor=AuditActor(event.actor_type, event.actor, maybe(event.actor_label)),
        source=event.source,
        target=AuditTarget(event.target_type, event.target, maybe(event.target_label)),
        origin=AuditOrigin(maybe(event.address), maybe(event.agent), maybe(event.token), maybe(event.session)),
        schema_version=VERSION,
        payload=event.details,
        urls=Located(view.location("orgs", event.organization, "audit-events", event.id)),
        correlation_id=maybe(event.request),
    )


def present_actions(actions: Mapping[str, str], view: View) -> AuditEventActions:
    """Actions with their labels."""
    return AuditEventActions([AuditEventAction(id, label) for id, label in sorted(actions.items())])


def lines(events: Sequence[audit.AuditEvent], query: ExportQuery, following: str | None, place: str, view: View) -> Raw:
    """Events as lines of a file; `following` is the token of the next page of the organization `place`."""
    link = None
    if following is not None:
        asked = {name: value for name in ("action", "actor", "target") if (value := _given(getattr(query, name)))}
        asked |= {"from": _text(query.since), "to": _text(query.until), "format": query.format}
        asked |= {"limit": str(query.limit), "page": following}
        kept = {name: value for name, value in asked.items() if value}
        link = f"{view.location('orgs', place, 'audit-events', 'export')}?{urlencode(kept)}"
    if query.format == "ndjson":
        encoded = msgspec.json.Encoder().encode_lines([present(event, view) for event in events])
        return Raw("application/x-ndjson", encoded, link)
    return Raw("text/csv; charset=utf-8; header=present", _csv(events).encode(), link)


def _csv(events: Sequence[audit.AuditEvent]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(_COLUMNS)
    for one in events:
        writer.writerow([
            one.id, iso(one.occurred_at), one.action, one.actor_type, one.actor, _plain(one.actor_label), one.source,
            one.target_type, one.target, _plain(one.target_label), _plain(one.address), _plain(one.agent), one.token,
            one.session, one.request, msgspec.json.encode(one.details).decode(),
        ])  # fmt: skip
    return out.getvalue()


def _plain(text: str | None) -> str | None:
    """What people wrote, so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text is not None and text.startswith(_FORMULA) else text


def _given(value: Any) -> str | None:
    return None if value is UNSET else value


def _text(value: Maybe[datetime]) -> str:
    return "" if value is UNSET else value.astimezone(UTC).isoformat()
