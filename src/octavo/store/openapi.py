"""OpenAPI specifications: their sources, their versions, and the parts of the newest one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from octavo.kernel.records.openapi import NewestSpec, OpenapiSpec, OpenapiSpecVersion
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

SPECS = Table("openapi_specs", OpenapiSpec)
NEWEST = Table("openapi_specs", NewestSpec)
VERSIONS = Table("openapi_versions", OpenapiSpecVersion)

_BY_SLUG = SPECS.select("WHERE organization = :organization AND slug = :slug")
_ALL = SPECS.select("WHERE organization = :organization ORDER BY created_at DESC, id DESC")
_DUE = SPECS.select("WHERE due_at <= :now AND state = 'complete' ORDER BY due_at, id LIMIT :most")
_COUNT = Statement("SELECT count(*) FROM openapi_specs WHERE organization = :organization")
_NEWEST = NEWEST.select("WHERE organization = :organization AND last_version IS NOT NULL ORDER BY slug")
_VERSIONS = VERSIONS.select("WHERE spec = :spec ORDER BY created_at DESC, id DESC")
_BLOBS = Statement("SELECT blob, document FROM openapi_versions WHERE organization = :organization")
_SOURCES = Statement(
    "SELECT source_blob FROM openapi_specs WHERE organization = :organization AND source_blob IS NOT NULL"
)
_PARTS = Statement("SELECT name, data FROM openapi_parts WHERE spec = :spec AND name IN :names[]")
_NO_PARTS = Statement("DELETE FROM openapi_parts WHERE spec = :spec")
_PART = Statement(
    "INSERT INTO openapi_parts (organization, spec, name, data) VALUES (:organization, :spec, :name, :data)"
)


class OpenAPISpecs:
    """Specifications of organizations."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, spec: str) -> OpenapiSpec | None:
        return await SPECS.get(self._at, id=spec)

    async def by_slug(self, organization: str, slug: str) -> OpenapiSpec | None:
        return await SPECS.first(self._at, _BY_SLUG, {"organization": organization, "slug": slug})

    async def all(self, organization: str) -> list[OpenapiSpec]:
        """Newest first."""
        return await SPECS.list(self._at, _ALL, {"organization": organization})

    async def count(self, organization: str) -> int:
        return await count(self._at, _COUNT, {"organization": organization})

    async def due(self, now: int, most: int) -> list[OpenapiSpec]:
        """Those that are to be fetched again, the longest waiting first."""
        return await SPECS.list(self._at, _DUE, {"now": now, "most": most})

    async def newest(self, organization: str) -> dict[str, NewestSpec]:
        """Those that have a version, by slug."""
        found = await NEWEST.list(self._at, _NEWEST, {"organization": organization})
        return {one.slug: one for one in found}

    async def add(self, spec: OpenapiSpec) -> None:
        await SPECS.add(self._at, spec)

    async def change(self, spec: OpenapiSpec, **changed: object) -> OpenapiSpec:
        return await SPECS.change(self._at, spec, **changed)

    async def remove(self, spec: OpenapiSpec) -> None:
        """With its versions and parts."""
        await SPECS.remove(self._at, id=spec.id)

    async def version(self, version: str) -> OpenapiSpecVersion | None:
        return await VERSIONS.get(self._at, id=version)

    async def versions(self, spec: str) -> list[OpenapiSpecVersion]:
        """Newest first."""
        return await VERSIONS.list(self._at, _VERSIONS, {"spec": spec})

    async def add_version(self, version: OpenapiSpecVersion, parts: Mapping[str, bytes]) -> None:
        """A version, whose parts are the specification's from now on."""
        await VERSIONS.add(self._at, version)
        await self.put_parts(version, parts)

    async def put_parts(self, version: OpenapiSpecVersion, parts: Mapping[str, bytes]) -> None:
        """The parts of the newest version, in place of all that the specification has."""
        await self._at.run(_NO_PARTS, {"spec": version.spec})
        whose = {"organization": version.organization, "spec": version.spec}
        await self._at.many(_PART, [whose | {"name": name, "data": data} for name, data in parts.items()])

    async def remove_version(self, version: OpenapiSpecVersion) -> None:
        await VERSIONS.remove(self._at, id=version.id)

    async def parts(self, spec: str, names: Iterable[str]) -> dict[str, bytes]:
        """Those of these parts that the newest version has, by name."""
        wanted = sorted(set(names))
        if not wanted:
            return {}
        rows = await self._at.rows(_PARTS, {"spec": spec, "names": wanted})
        return {name: bytes(data) for name, data in rows}

    async def blobs(self, organization: str) -> set[str]:
        """Every blob that a specification or a version of one names."""
        values = {"organization": organization}
        named = {blob for row in await self._at.rows(_BLOBS, values) for blob in row}
        return named | {row[0] for row in await self._at.rows(_SOURCES, values)}
