"""Revisions, the content-addressed objects they are made of, and which blobs an organization holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from octavo.kernel.records.content import Revision
from octavo.kernel.records.git import GitCommit
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

try:
    from isal import isal_zlib as zlib
except ImportError:  # a processor for which nobody builds it; what one of both deflated the other inflates
    import zlib  # type: ignore[no-redef]

REVISIONS = Table("revisions", Revision, extra=("parent", "number"))

_BY_IDS = REVISIONS.select("WHERE id IN :ids[]")
_LINE = Statement(
    "WITH RECURSIVE line (id, parent, place) AS (SELECT id, parent, 1 FROM revisions WHERE id = :head"
    " UNION ALL SELECT r.id, r.parent, place + 1 FROM revisions r JOIN line ON r.id = line.parent"
    f" WHERE place < :limit) SELECT {REVISIONS.columns} FROM line JOIN revisions USING (id) ORDER BY place"
)
_AT = Statement(
    "WITH RECURSIVE line (id, parent, place) AS (SELECT id, parent, 1 FROM revisions WHERE id = :head"
    " UNION ALL SELECT r.id, r.parent, place + 1 FROM revisions r JOIN line ON r.id = line.parent"
    " WHERE place < :place) SELECT id FROM line WHERE place = :place"
)
_NUMBER = Statement("SELECT number FROM revisions WHERE id = :id")
_OBJECTS = Statement(
    "SELECT digest, data FROM objects WHERE organization = :organization AND digest IN :digests[bytes]"
)
_ONE_OBJECT = Statement("SELECT data FROM objects WHERE organization = :organization AND digest = :digest")
_PUT_OBJECT = Statement(
    "INSERT INTO objects (organization, digest, data, touched) VALUES (:organization, :digest, :data, :touched)"
    " ON CONFLICT (organization, digest) DO UPDATE SET touched = excluded.touched"
)
_PUT_BLOB = Statement(
    "INSERT INTO blobs (organization, blob, size, touched) VALUES (:organization, :blob, :size, :touched)"
    " ON CONFLICT (organization, blob) DO UPDATE SET touched = excluded.touched"
)
_TOUCH_BLOB = Statement("UPDATE blobs SET touched = :touched WHERE organization = :organization AND blob = :blob")
_HAS_BLOB = Statement("SELECT 1 FROM blobs WHERE organization = :organization AND blob = :blob")


Packed: TypeAlias = dict[bytes, bytes]
"""Objects by digest, deflated, in the order of the digests."""


LEVEL = 3
"""Of deflate, by ISA-L: as small as zlib's 3 in a third of its time (24 and 66 us for a page of 6.7 KB), and inflated in
half. zlib's 6 would be a twentieth smaller."""


def packed(objects: Mapping[bytes, bytes]) -> Packed:
    """Objects as they are stored."""
    return {digest: zlib.compress(data, LEVEL) for digest, data in sorted(objects.items())}


def unpacked(objects: Packed) -> dict[bytes, bytes]:
    """Objects as they were given."""
    return {digest: zlib.decompress(data) for digest, data in objects.items()}


class Revisions:
    """Revision records."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, revision: str) -> Revision | None:
        return await REVISIONS.get(self._at, id=revision)

    async def by_ids(self, ids: Iterable[str]) -> list[Revision]:
        wanted = sorted(set(ids))
        return await REVISIONS.list(self._at, _BY_IDS, {"ids": wanted}) if wanted else []

    async def roots(self, organization: str) -> list[bytes]:
        """The roots of every revision of an organization, each once."""
        return [bytes(row[0]) for row in await self._at.rows(_ROOTS, {"organization": organization})]

    async def add(self, revision: Revision) -> None:
        parent = revision.parents[0] if revision.parents else None
        number = 1 if parent is None else await self.number(parent) + 1
        await REVISIONS.add(self._at, revision, parent=parent, number=number)

    async def came_to(self, revision: Revision, commit: GitCommit) -> Revision:
        """Note the commit that holds a revision."""
        return await REVISIONS.change(self._at, revision, git=commit)

    async def line(self, head: str, limit: int) -> list[Revision]:
        """A revision and those it follows by first parents, the newest first; at least itself."""
        return await REVISIONS.list(self._at, _LINE, {"head": head, "limit": limit})

    async def follows(self, head: str, revision: str) -> bool:
        """Whether a revision is on the line that ends in the head."""
        behind = await self.number(head) - await self.number(revision)
        if behind < 0:
            return False
        rows = await self._at.rows(_AT, {"head": head, "place": behind + 1})
        return bool(rows[0][0] == revision)

    async def number(self, revision: str) -> int:
        """How long the line is that ends in this revision."""
        return await count(self._at, _NUMBER, {"id": revision})


_ROOTS = Statement("SELECT DISTINCT root FROM revisions WHERE organization = :organization")
_OLD_OBJECTS = Statement(
    "SELECT digest FROM objects WHERE organization = :organization AND digest > :after AND touched < :before"
    " ORDER BY digest LIMIT :limit"
)
_REMOVE_OBJECTS = Statement(
    "DELETE FROM objects WHERE organization = :organization AND digest IN :digests[bytes] AND touched < :before"
)
_OLD_BLOBS = Statement(
    "SELECT blob FROM blobs WHERE organization = :organization AND blob > :after AND touched < :before"
    " ORDER BY blob LIMIT :limit"
)
_REMOVE_BLOB = Statement("DELETE FROM blobs WHERE organization = :organization AND blob = :blob AND touched < :before")


class Objects:
    """Immutable bytes named by digest, within an organization; stored deflated."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, organization: str, digests: Iterable[bytes]) -> dict[bytes, bytes]:
        """The objects that exist among these."""
        return unpacked(await self.get_packed(organization, digests))

    async def get_packed(self, organization: str, digests: Iterable[bytes]) -> Packed:
        """The same as they are stored: whoever reads many opens them in a thread."""
        wanted = sorted(set(digests))
        if len(wanted) == 1:
            rows = await self._at.rows(_ONE_OBJECT, {"organization": organization, "digest": wanted[0]})
            return {wanted[0]: rows[0][0]} if rows else {}
        rows = await self._at.rows(_OBJECTS, {"organization": organization, "digests": wanted})
        return {bytes(digest): data for digest, data in rows}

    async def put(self, organization: str, objects: Mapping[bytes, bytes], now: int) -> None:
        """Store; what is there already is touched, so that no sweep takes it from under this unit."""
        await self.put_packed(organization, packed(objects), now)

    async def put_packed(self, organization: str, objects: Packed, now: int) -> None:
        """The same for objects that were packed in a thread, as it is fit for many."""
        rows = [
            {"organization": organization, "digest": digest, "data": data, "touched": now}
            for digest, data in objects.items()
        ]
        if rows:
            await self._at.many(_PUT_OBJECT, rows)

    async def old(self, organization: str, after: bytes, before: int, limit: int) -> list[bytes]:
        """Digests behind `after`, in order, of objects that nobody stored since `before`."""
        values = {"organization": organization, "after": after, "before": before, "limit": limit}
        return [bytes(row[0]) for row in await self._at.rows(_OLD_OBJECTS, values)]

    async def remove(self, organization: str, digests: Iterable[bytes], before: int) -> int:
        """Remove those that nobody stored since `before`; how many they were."""
        values = {"organization": organization, "digests": sorted(digests), "before": before}
        return await self._at.run(_REMOVE_OBJECTS, values)


class BlobIndex:
    """Which blobs an organization holds; the bytes are in `store.blobs`."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def put(self, organization: str, sizes: Mapping[str, int], now: int) -> None:
        rows = [
            {"organization": organization, "blob": blob, "size": size, "touched": now}
            for blob, size in sorted(sizes.items())
        ]
        if rows:
            await self._at.many(_PUT_BLOB, rows)

    async def has(self, organization: str, blob: str) -> bool:
        return bool(await self._at.rows(_HAS_BLOB, {"organization": organization, "blob": blob}))

    async def touch(self, organization: str, blob: str, now: int) -> bool:
        """Note one that is there anew, so that it stays as long as one that is stored now; False where it is not."""
        return await self._at.run(_TOUCH_BLOB, {"organization": organization, "blob": blob, "touched": now}) > 0

    async def old(self, organization: str, after: str, before: int, limit: int) -> list[str]:
        """Blobs behind `after`, in order, that nobody noted since `before`."""
        values = {"organization": organization, "after": after, "before": before, "limit": limit}
        return [row[0] for row in await self._at.rows(_OLD_BLOBS, values)]

    async def remove(self, organization: str, blob: str, before: int) -> bool:
        """Forget one that nobody noted since `before`; then its bytes may go."""
        return await self._at.run(_REMOVE_BLOB, {"organization": organization, "blob": blob, "before": before}) > 0
