"""Whether an installation is whole: what is called by its digest is that, and what is referred to is there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

from octavo.content.trie import digest
from octavo.store.content.revisions import unpacked
from octavo.store.database.engine import Connection, Engine, Row
from octavo.store.database.statement import Statement

COUNTED = ("organizations", "users", "spaces", "sites", "revisions", "change_requests", "comments", "audit_events")
"""Tables that people know."""
_PIECE = 500
_COUNT = {table: Statement(f"SELECT count(*) FROM {table}") for table in COUNTED}
_OBJECTS = Statement(
    "SELECT organization, digest, data FROM objects WHERE (organization, digest) > (:organization, :digest)"
    f" ORDER BY organization, digest LIMIT {_PIECE}"
)
_BLOBS = Statement(
    "SELECT organization, blob, size FROM blobs WHERE (organization, blob) > (:organization, :blob)"
    f" ORDER BY organization, blob LIMIT {_PIECE}"
)
_NO_ROOT = Statement(
    "SELECT id FROM revisions WHERE NOT EXISTS (SELECT 1 FROM objects"
    " WHERE objects.organization = revisions.organization AND objects.digest = revisions.root) ORDER BY id LIMIT 1"
)
_NO_HEAD = Statement(
    "SELECT id FROM spaces WHERE NOT EXISTS (SELECT 1 FROM revisions WHERE revisions.id = spaces.revision)"
    " ORDER BY id LIMIT 1"
)
_HEADS = Statement("SELECT s.organization, r.root FROM spaces s JOIN revisions r ON r.id = s.revision ORDER BY s.id")


async def counted(engine: Engine) -> dict[str, int]:
    """How many of each there are."""

    async def work(at: Connection) -> dict[str, int]:
        return {table: int((await at.rows(statement, {}))[0][0]) for table, statement in _COUNT.items()}

    return await engine.read(work)


async def objects(engine: Engine) -> tuple[int, str | None]:
    """How many objects of content there are; and what is wrong, as a sentence, or None."""
    count = 0
    last: dict[str, object] = {"organization": "", "digest": b""}
    while rows := await engine.read(partial(_rows, statement=_OBJECTS, values=last)):
        for organization, name, data in rows:
            if not _is(bytes(name), bytes(data)):
                return count, f"the object {bytes(name).hex()} of organization {organization} is damaged"
        count += len(rows)
        last = {"organization": rows[-1][0], "digest": bytes(rows[-1][1])}
    if rootless := await engine.read(partial(_rows, statement=_NO_ROOT, values={})):
        return count, f"the content of revision {rootless[0][0]} is missing"
    if headless := await engine.read(partial(_rows, statement=_NO_HEAD, values={})):
        return count, f"the newest revision of space {headless[0][0]} is missing"
    return count, None


def _is(name: bytes, data: bytes) -> bool:
    try:
        return digest(unpacked({name: data})[name]) == name
    except Exception:  # two libraries deflate, each with a failure of its own
        return False


async def blobs(engine: Engine) -> AsyncIterator[tuple[str, str, int]]:
    """(organization, name, bytes) of each file that is to be there."""
    last: dict[str, object] = {"organization": "", "blob": ""}
    while rows := await engine.read(partial(_rows, statement=_BLOBS, values=last)):
        for organization, blob, size in rows:
            yield organization, blob, size
        last = {"organization": rows[-1][0], "blob": rows[-1][1]}


async def heads(engine: Engine) -> list[tuple[str, bytes]]:
    """(organization, root) of the newest revision of each space."""
    found = await engine.read(partial(_rows, statement=_HEADS, values={}))
    return [(organization, bytes(root)) for organization, root in found]


async def _rows(at: Connection, *, statement: Statement, values: dict[str, object]) -> list[Row]:
    return list(await at.rows(statement, values))
