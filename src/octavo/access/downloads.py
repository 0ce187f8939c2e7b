"""Whether what a signed address names can be reached still: the signature says who was let in, and not what became of it."""

from __future__ import annotations

from octavo.access.signing import Download
from octavo.store.unit import Unit


async def reachable(unit: Unit, download: Download) -> bool:
    """Its space is neither deleted nor with another organization, and the organization is there."""
    space = await unit.spaces.get(download.space)
    if space is None or space.deleted_at is not None or space.organization != download.organization:
        return False
    return await unit.people.organization(download.organization) is not None
