"""Who outside would hear of what happens in an organization: asked by each write that something could be told of."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement

# Both halves go by an index on the organization; where nobody listens there is no row to read.
_WANTED = Statement(
    "SELECT events FROM webhooks WHERE organization = :organization AND active = 1 UNION ALL"
    " SELECT scopes FROM integration_installations WHERE organization = :organization AND status = 'active'"
)
_names: msgspec.json.Decoder[list[str]] = msgspec.json.Decoder(list[str])


class Listeners:
    """Active webhooks, and integrations that are active somewhere in the organization."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def any_for(self, organization: str, names: Collection[str]) -> bool:
        """Whether a webhook wants an event of one of these names, or an integration was given a scope of one of them."""
        rows = await self._at.rows(_WANTED, {"organization": organization})
        return any(not set(names).isdisjoint(_names.decode(row[0])) for row in rows)
