"""What makes an installation reach outside by itself is switched off: for a copy that stands beside its original."""

from __future__ import annotations

from collections.abc import Collection

from octavo.kernel.clock import iso
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.installation import Installation

WHY = "It was on its way when the backup was made of which this copy was restored."
OFF = "This is a restored copy, in which it was never switched on."

_SWITCHES = {
    "webhooks": Statement(
        "UPDATE webhooks SET active = 0, disabled_reason = :off, updated_at = :now WHERE active <> 0"
    ),
    "deliveries": Statement(
        "UPDATE webhook_deliveries SET state = 'failed', finished_at = :now WHERE state = 'waiting'"
    ),
    "integrations": Statement(
        "UPDATE integration_installations SET status = 'paused', updated_at = :now WHERE status <> 'paused'"
    ),
    "tunnels": Statement("UPDATE integrations SET tunnel = NULL, tunnel_all = 0 WHERE tunnel IS NOT NULL"),
    "gitSpaces": Statement("UPDATE git_connections SET paused = 1, updated_at = :now WHERE paused = 0"),
    "gitSites": Statement("UPDATE git_site_connections SET paused = 1, updated_at = :now WHERE paused = 0"),
    "translations": Statement("UPDATE translations SET automatic = 0, updated_at = :now WHERE automatic <> 0"),
    "specifications": Statement("UPDATE openapi_specs SET due_at = NULL WHERE due_at IS NOT NULL"),
    "notifications": Statement("UPDATE notifications SET mail = NULL WHERE mail IS NOT NULL"),
}
"""What is switched off, and counted."""
_ENDED = (
    Statement(
        "UPDATE git_operations SET state = 'failure', ended_at = :now, retry_at = NULL, message = :why"
        " WHERE state IN ('queued', 'running')"
    ),
    Statement(
        "UPDATE git_site_operations SET state = 'failure', ended_at = :now, retry_at = NULL, message = :why"
        " WHERE state IN ('queued', 'running')"
    ),
    Statement("UPDATE git_syncs SET state = 'failure', message = :why WHERE state = 'running'"),
    Statement(
        "UPDATE translation_runs SET status = 'cancelled', finished_at = :now, message = :why"
        " WHERE status IN ('pending', 'running')"
    ),
    Statement(
        "UPDATE import_runs SET status = 'cancelled', finished_at = :now, updated_at = :now, message = :why"
        " WHERE status IN ('pending', 'in-progress')"
    ),
    Statement("UPDATE openapi_specs SET state = 'complete' WHERE state <> 'complete'"),
)
"""What would be said to be at work for ever, as its job is gone."""
_OF_JOBS = "kind IN :kinds[] AND state IN ('waiting', 'running')"
_LETTERS = Statement(
    "SELECT count(*) FROM jobs WHERE kind IN ('mail', 'login_code', 'login_failed') AND state IN ('waiting', 'running')"
)
_JOBS = Statement(f"DELETE FROM jobs WHERE {_OF_JOBS}")


async def still(at: Connection, now: int, kinds: Collection[str]) -> dict[str, int]:
    """Switch everything off and drop jobs of these kinds that wait; how many of each there were. What goes by schedule waits
    from now on until the copy is promoted."""
    said = {"now": now, "off": OFF, "why": WHY}
    found = {}
    for name, statement in _SWITCHES.items():
        found[name] = await at.run(statement, _of(statement, said))
    for statement in _ENDED:
        await at.run(statement, _of(statement, said))
    found["letters"] = (await at.rows(_LETTERS, {}))[0][0]
    found["jobs"] = await at.run(_JOBS, {"kinds": sorted(kinds)}) - found["letters"]
    await Installation(at).set_copied(iso(now))
    return found


def _of(statement: Statement, said: dict[str, object]) -> dict[str, object]:
    return {name: said[name] for name in statement.names}
