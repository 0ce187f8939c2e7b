"""Webhooks of organizations, and what they were sent."""

from __future__ import annotations

import msgspec

from octavo.kernel.records.integrations import Webhook, WebhookDelivery
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

WEBHOOKS = Table("webhooks", Webhook)
DELIVERIES = Table("webhook_deliveries", WebhookDelivery)

_ALL = WEBHOOKS.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_BEHIND = "(created_at < :created_at OR (created_at = :created_at AND id < :id))"
_PAGE = DELIVERIES.select(f"WHERE webhook = :webhook AND {_BEHIND} ORDER BY created_at DESC, id DESC LIMIT :limit")
_COUNT = Statement("SELECT count(*) FROM webhook_deliveries WHERE webhook = :webhook")
_NEXT = DELIVERIES.select(
    "WHERE webhook = :webhook AND resource = :resource AND state = 'waiting' ORDER BY created_at, id LIMIT 1"
)
_RESOURCES = Statement(
    "SELECT DISTINCT resource FROM webhook_deliveries WHERE webhook = :webhook AND state = 'waiting'"
)
_LAST = Statement(
    "SELECT max(created_at) FROM webhook_deliveries WHERE webhook = :webhook AND resource = :resource AND state = 'waiting'"
)
_OLD = Statement("DELETE FROM webhook_deliveries WHERE created_at < :before")


class Webhooks:
    """Addresses that are told of events, and each event that they are told."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, webhook: str) -> Webhook | None:
        return await WEBHOOKS.get(self._at, id=webhook)

    async def all(self, organization: str) -> list[Webhook]:
        """Newest first."""
        return await WEBHOOKS.list(self._at, _ALL, {"organization": organization})

    async def add(self, webhook: Webhook) -> None:
        await WEBHOOKS.add(self._at, webhook)

    async def change(self, webhook: Webhook, **changed: object) -> Webhook:
        return await WEBHOOKS.change(self._at, webhook, **changed)

    async def remove(self, webhook: Webhook) -> None:
        await WEBHOOKS.remove(self._at, id=webhook.id)

    async def delivery(self, delivery: str) -> WebhookDelivery | None:
        return await DELIVERIES.get(self._at, id=delivery)

    async def page(self, webhook: str, behind: tuple[int, str], limit: int) -> tuple[list[WebhookDelivery], int]:
        """Newest first, and how many there are."""
        at = {"webhook": webhook, "created_at": behind[0], "id": behind[1], "limit": limit}
        return await DELIVERIES.list(self._at, _PAGE, at), await count(self._at, _COUNT, {"webhook": webhook})

    async def next(self, webhook: str, resource: str) -> WebhookDelivery | None:
        """What is to be sent first of one resource."""
        return await DELIVERIES.first(self._at, _NEXT, {"webhook": webhook, "resource": resource})

    async def waiting(self, webhook: str) -> list[str]:
        """The resources of which something is to be sent."""
        return [row[0] for row in await self._at.rows(_RESOURCES, {"webhook": webhook})]

    async def add_delivery(self, delivery: WebhookDelivery) -> WebhookDelivery:
        """It counts as made after all that waits of its resource, so that one millisecond holds no two of them."""
        of = {"webhook": delivery.webhook, "resource": delivery.resource}
        [(last,)] = await self._at.rows(_LAST, of)
        if last is not None and last >= delivery.created_at:
            delivery = msgspec.structs.replace(delivery, created_at=last + 1)
        await DELIVERIES.add(self._at, delivery)
        return delivery

    async def change_delivery(self, delivery: WebhookDelivery, **changed: object) -> WebhookDelivery:
        return await DELIVERIES.change(self._at, delivery, **changed)

    async def forget(self, before: int) -> int:
        """Remove what is older; how many they were."""
        return await self._at.run(_OLD, {"before": before})
