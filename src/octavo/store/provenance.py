"""On whose behalf a unit works: what the audit log writes beside every event."""

from __future__ import annotations

import msgspec

from octavo.kernel.audit import Source


class Provenance(msgspec.Struct, frozen=True):
    """Who works, and on whose request."""

    actor: str | None = None
    token: str | None = None
    address: str | None = None
    request: str | None = None
    agent: str | None = None
    """What the header `User-Agent` says."""
    session: str | None = None
    source: Source = "workflow"


NOBODY = Provenance()
"""The process itself."""
