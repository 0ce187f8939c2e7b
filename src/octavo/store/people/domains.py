"""Domains of addresses that organizations claim; those that are proven stand in `verified_domains`, with the operator's."""

from __future__ import annotations

from octavo.kernel.records.provisioning import DomainClaim
from octavo.store.database.engine import Connection
from octavo.store.shelf import Table

CLAIMS = Table("domain_claims", DomainClaim, key=("organization", "domain"))

_OF = CLAIMS.select("WHERE organization = :organization ORDER BY domain")
_DUE = CLAIMS.select(
    "WHERE checked_at < :checked OR (checked_at IS NULL AND claimed_at < :checked) ORDER BY checked_at LIMIT :most"
)


class Domains:
    """Which organization claims which domain."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, organization: str, domain: str) -> DomainClaim | None:
        return await CLAIMS.get(self._at, organization=organization, domain=domain)

    async def of(self, organization: str) -> list[DomainClaim]:
        """Every claim of an organization, by name."""
        return await CLAIMS.list(self._at, _OF, {"organization": organization})

    async def due(self, checked: int, most: int) -> list[DomainClaim]:
        """Claims whose record nobody looked for since then."""
        return await CLAIMS.list(self._at, _DUE, {"checked": checked, "most": most})

    async def add(self, claim: DomainClaim) -> None:
        await CLAIMS.add(self._at, claim)

    async def change(self, claim: DomainClaim, **changed: object) -> DomainClaim:
        return await CLAIMS.change(self._at, claim, **changed)

    async def remove(self, organization: str, domain: str) -> bool:
        """False when there was none."""
        return await CLAIMS.remove(self._at, organization=organization, domain=domain)
