"""The audit log: events are appended in the transaction of what they tell, and never changed."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import msgspec

from octavo.kernel.audit import (
    ADDRESS_MAX,
    AGENT_MAX,
    ANONYMOUS,
    LABEL_MAX,
    OPERATOR,
    WORKER,
    AuditEvent,
    Source,
    Target,
    Wanted,
)
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.people import User
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.provenance import Provenance
from octavo.store.shelf import Table

AUDIT_EVENTS = Table("audit_events", AuditEvent)

_COLUMNS = AuditEvent.__struct_fields__
_APPEND = Statement(
    f"INSERT INTO audit_events ({', '.join(_COLUMNS)}) VALUES ("
    + ", ".join(
        "coalesce(:actor_label, (SELECT name FROM users WHERE users.id = :actor))"
        if column == "actor_label"
        else f":{column}"
        for column in _COLUMNS
    )
    + ")"
)
_FILTERS = ("target", "actor", "action")
"""Those that leave the fewest events come first."""


def _list(chosen: tuple[str, ...]) -> str:
    return (
        "WHERE organization = :organization AND "
        + "".join(f"{name} = :{name} AND " for name in chosen)
        + "occurred_at >= :since AND (occurred_at, id) < (:before, :before_id)"
        " ORDER BY occurred_at DESC, id DESC LIMIT :limit"
    )


_LIST = {
    # SQLite, which knows no statistics, is told which index leaves the fewest events.
    chosen: AUDIT_EVENTS.select(
        f"INDEXED BY audit_events_of_{(*chosen, 'organization')[0]} {_list(chosen)}", postgres=_list(chosen)
    )
    for size in range(len(_FILTERS) + 1)
    for chosen in itertools.combinations(_FILTERS, size)
}
_ONE = AUDIT_EVENTS.select("WHERE organization = :organization AND id = :id")
_ORGANIZATIONS_OF = Statement('SELECT organization FROM members WHERE "user" = :user')
_DROP = Statement(
    "DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE organization = :organization LIMIT :most)"
)
# Organization by organization, each of which has its events in order.
_FORGET = Statement(
    "DELETE FROM audit_events WHERE id IN (SELECT audit_events.id FROM organizations CROSS JOIN audit_events"
    " WHERE audit_events.organization = organizations.id AND audit_events.occurred_at < :before LIMIT :most)"
)
_LAST = "\U0010ffff"
"""Behind every id."""


class Audit:
    """What happened in organizations."""

    def __init__(self, at: Connection, now: int, provenance: Provenance) -> None:
        self._at = at
        self._now = now
        self._provenance = provenance

    async def append(
        self,
        action: str,
        target: Target,
        organizations: Iterable[str],
        *,
        actor: User | None = None,
        details: Json | None = None,
        occurred_at: int | None = None,
        anonymous: bool = False,
    ) -> None:
        """One event in each of these organizations, with what the unit's provenance says of who and whence.

        `actor` is a user whom the provenance does not know yet, `anonymous` says that it is nobody known. `details` hold
        names of fields and ids, never what somebody wrote.
        """
        user = None if anonymous else self._provenance.actor if actor is None else actor.id
        # Written with every write: values without a record between.
        values = self._whence() | {
            "occurred_at": self._now if occurred_at is None else occurred_at,
            "action": action,
            "actor_type": "system" if user is None else "user",
            "actor": user or (ANONYMOUS if anonymous else _nobody(self._provenance.source)),
            "actor_label": None if actor is None or anonymous else actor.name,
            "target_type": target.type,
            "target": target.id,
            "target_label": None if target.label is None else target.label[:LABEL_MAX],
            "details": msgspec.json.encode(details).decode() if details else "{}",
        }
        events = [{"id": new_id(), "organization": organization, **values} for organization in sorted({*organizations})]
        if len(events) == 1:
            await self._at.run(_APPEND, events[0])
        elif events:
            await self._at.many(_APPEND, events)

    def _whence(self) -> Json:
        given = self._provenance
        return {
            "source": given.source,
            "address": None if given.address is None else given.address[:ADDRESS_MAX],
            "agent": None if given.agent is None else given.agent[:AGENT_MAX],
            "token": given.token,
            "session": given.session,
            "request": given.request,
        }

    async def of_account(
        self,
        action: str,
        user: User | str,
        *,
        target: Target | None = None,
        actor: User | None = None,
        details: Json | None = None,
        occurred_at: int | None = None,
        anonymous: bool = False,
    ) -> None:
        """What concerns an account is told to every organization that its user is in; `target` is the user herself where
        none is given."""
        key, name = (user, None) if isinstance(user, str) else (user.id, user.name)
        places = [row[0] for row in await self._at.rows(_ORGANIZATIONS_OF, {"user": key})]
        await self.append(
            action,
            target or Target("user", key, name),
            places,
            actor=actor,
            details=details,
            occurred_at=occurred_at,
            anonymous=anonymous,
        )

    async def get(self, organization: str, event: str) -> AuditEvent | None:
        return await AUDIT_EVENTS.first(self._at, _ONE, {"organization": organization, "id": event})

    async def list(
        self, organization: str, wanted: Wanted, behind: tuple[int, str] | None, limit: int
    ) -> list[AuditEvent]:
        """Newest first, those that come behind the key (time, id)."""
        chosen = tuple(name for name in _FILTERS if getattr(wanted, name) is not None)
        start = (wanted.until, _LAST)
        before, before_id = start if behind is None else min(behind, start)
        values = {name: getattr(wanted, name) for name in chosen} | {
            "organization": organization,
            "since": wanted.since,
            "before": before,
            "before_id": before_id,
            "limit": limit,
        }
        return await AUDIT_EVENTS.list(self._at, _LIST[chosen], values)

    async def forget(self, before: int, most: int) -> int:
        """Remove up to `most` events from before then; how many."""
        return await self._at.run(_FORGET, {"before": before, "most": most})

    async def drop(self, organization: str, most: int) -> int:
        """Remove up to `most` events of an organization that is removed; how many."""
        return await self._at.run(_DROP, {"organization": organization, "most": most})


def _nobody(source: Source) -> str:
    return {"script": OPERATOR, "workflow": WORKER}.get(source, ANONYMOUS)
