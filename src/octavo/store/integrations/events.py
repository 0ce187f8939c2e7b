"""What integrations were told, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records.integrations import IntegrationEvent
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

EVENTS = Table("integration_events", IntegrationEvent)

_SEEN = "WHERE integration = :integration AND status IS NOT NULL AND organization IN :organizations[]"
_PAGE = EVENTS.select(
    f"{_SEEN} AND (created_at < :created_at OR (created_at = :created_at AND id < :id))"
    " ORDER BY created_at DESC, id DESC LIMIT :limit"
)
_COUNT = Statement(f"SELECT count(*) FROM integration_events {_SEEN}")
_OLD = Statement("DELETE FROM integration_events WHERE created_at < :before")
_SPARE = Statement(
    "DELETE FROM integration_events WHERE integration = :integration AND created_at < (SELECT created_at FROM"
    " integration_events WHERE integration = :integration ORDER BY created_at DESC LIMIT 1 OFFSET :most)"
)


class IntegrationEvents:
    """The log of integrations."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, event: str) -> IntegrationEvent | None:
        return await EVENTS.get(self._at, id=event)

    async def page(
        self, integration: str, organizations: Iterable[str], behind: tuple[int, str], limit: int
    ) -> tuple[list[IntegrationEvent], int]:
        """Finished ones that happened in these organizations, newest first, and how many there are."""
        values = {"integration": integration, "organizations": sorted(organizations)}
        at = {"created_at": behind[0], "id": behind[1], "limit": limit}
        return await EVENTS.list(self._at, _PAGE, values | at), await count(self._at, _COUNT, values)

    async def add(self, event: IntegrationEvent) -> None:
        await EVENTS.add(self._at, event)

    async def change(self, event: IntegrationEvent, **changed: object) -> IntegrationEvent:
        return await EVENTS.change(self._at, event, **changed)

    async def forget(self, before: int) -> int:
        """Remove what is older; how many they were."""
        return await self._at.run(_OLD, {"before": before})

    async def shorten(self, integration: str, most: int) -> int:
        """Keep the newest of one integration; how many went."""
        return await self._at.run(_SPARE, {"integration": integration, "most": most})
