"""Hostnames that sites ask for, and what is known of them; columns of the table of sites."""

from __future__ import annotations

from octavo.kernel.records.sites import HostnameProof
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

PROOFS = Table("sites", HostnameProof)

_OF_HOSTNAME = PROOFS.select("WHERE wanted_hostname = :hostname ORDER BY hostname_wanted_at, id")
_DUE = PROOFS.select(
    "WHERE wanted_hostname IS NOT NULL AND hostname_secret IS NOT NULL"
    " AND ((hostname IS NOT NULL AND hostname_checked_at < :checked) OR (hostname IS NULL AND hostname_wanted_at > :wanted))"
    " ORDER BY hostname_checked_at, id LIMIT :most"
)

_HOLD = Statement(
    "SELECT 1 WHERE :hostname <> ''", postgres="SELECT pg_advisory_xact_lock(hashtextextended(:hostname, 0))"
)


class Hostnames:
    """Which site asks for which hostname, and may have it."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def hold(self, hostname: str) -> None:
        """Until this unit ends, no other that holds the hostname goes on; on SQLite write units take turns anyway."""
        await self._at.rows(_HOLD, {"hostname": hostname})

    async def of_site(self, site: str) -> HostnameProof | None:
        return await PROOFS.get(self._at, id=site)

    async def asked_for(self, hostname: str) -> list[HostnameProof]:
        """The sites that ask for it, or have it; the earliest first."""
        return await PROOFS.list(self._at, _OF_HOSTNAME, {"hostname": hostname})

    async def due(self, *, checked: int, wanted: int, most: int) -> list[HostnameProof]:
        """Proven ones last seen before `checked`, and wishes since `wanted`; not those of the operator's own word."""
        return await PROOFS.list(self._at, _DUE, {"checked": checked, "wanted": wanted, "most": most})

    async def change(self, proof: HostnameProof, **changed: object) -> HostnameProof:
        return await PROOFS.change(self._at, proof, **changed)
