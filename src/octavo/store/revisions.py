"""Revisions, the content-addressed objects they are made of, and which blobs an organization holds."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

from octavo.kernel.records import Revision
from octavo.store.engine import Connection
from octavo.store.shelf import Table
from octavo.store.statement import Statement

REVISIONS = Table("revisions", Revision)

_BY_IDS = REVISIONS.select("WHERE id IN :ids[]")
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
_HAS_BLOB = Statement("SELECT 1 FROM blobs WHERE organization = :organization AND blob = :blob")


class Revisions:
    """Revision records."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, revision: str) -> Revision | None:
        return await REVISIONS.get(self._at, id=revision)

    async def by_ids(self, ids: Iterable[str]) -> list[Revision]:
        wanted = sorted(set(ids))
        return await REVISIONS.list(self._at, _BY_IDS, {"ids": wanted}) if wanted else []

    async def add(self, revision: Revision) -> None:
        await REVISIONS.add(self._at, revision)


class Objects:
    """Immutable bytes named by digest, within an organization; stored deflated."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, organization: str, digests: Iterable[bytes]) -> dict[bytes, bytes]:
        """The objects that exist among these."""
        wanted = sorted(set(digests))
        if len(wanted) == 1:
            rows = await self._at.rows(_ONE_OBJECT, {"organization": organization, "digest": wanted[0]})
            return {wanted[0]: zlib.decompress(rows[0][0])} if rows else {}
        rows = await self._at.rows(_OBJECTS, {"organization": organization, "digests": wanted})
        return {bytes(digest): zlib.decompress(data) for digest, data in rows}

    async def put(self, organization: str, objects: Mapping[bytes, bytes], now: int) -> None:
        """Store; what is there already is touched, so that no sweep takes it from under this unit."""
        rows = [
            {"organization": organization, "digest": digest, "data": zlib.compress(data, 6), "touched": now}
            for digest, data in sorted(objects.items())
        ]
        if rows:
            await self._at.many(_PUT_OBJECT, rows)


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
