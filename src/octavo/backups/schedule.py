"""Backups that nobody has to think of: one more in the place that is set, and those beyond the count removed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from octavo.kernel.clock import system_clock
from octavo.kernel.errors import Unavailable
from octavo.kernel.settings import Settings
from octavo.store.content.depot import Depot

_OURS = re.compile(r"octavo-\d{8}T\d{6}Z\.tar(\.age)?")


async def scheduled(settings: Settings) -> dict[str, Any]:
    """{file, bytes, blobs, encrypted, removed}. Raises Unavailable where the place is not there."""
    # With the archive come libraries that a server needs for this alone.
    from octavo.backups import keeping

    assert settings.backup_url is not None  # it is why this is asked for
    depot = Depot(settings.backup_url)
    if depot.folder is not None and not depot.folder.is_dir():
        raise Unavailable(f"OCTAVO_BACKUP_URL names {depot.folder}, and there is no such directory")
    at = datetime.fromtimestamp(system_clock() / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    name = f"octavo-{at}.tar" + (".age" if settings.backup_recipients else "")
    made = await keeping.written(settings, depot, name, settings.backup_recipients)
    # The new one is whole before an old one goes.
    ours = [one for one in await depot.names() if _OURS.fullmatch(one)]
    gone = sorted(ours)[: -settings.backup_keep]
    for one in gone:
        await depot.remove(one)
    return {"file": depot.called(name), **made, "removed": len(gone)}
