"""Redirects of sites."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records.sites import SiteRedirect
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table, count

REDIRECTS = Table("site_redirects", SiteRedirect)

_ALL = REDIRECTS.select("WHERE site = :site ORDER BY source, draft")
_BY_SOURCES = REDIRECTS.select("WHERE site = :site AND draft = 0 AND source IN :sources[]")
_COUNT = Statement("SELECT count(*) FROM site_redirects WHERE site = :site")


class Redirects:
    """Addresses of sites that lead elsewhere."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, redirect: str) -> SiteRedirect | None:
        return await REDIRECTS.get(self._at, id=redirect)

    async def all(self, site: str) -> list[SiteRedirect]:
        """Those of a site, drafts among them."""
        return await REDIRECTS.list(self._at, _ALL, {"site": site})

    async def of_sources(self, site: str, sources: Iterable[str]) -> dict[str, SiteRedirect]:
        """Those that hold, by source."""
        values = {"site": site, "sources": sorted(set(sources))}
        return {one.source: one for one in await REDIRECTS.list(self._at, _BY_SOURCES, values)}

    async def count(self, site: str) -> int:
        return await count(self._at, _COUNT, {"site": site})

    async def add(self, redirect: SiteRedirect) -> None:
        await REDIRECTS.add(self._at, redirect)

    async def change(self, redirect: SiteRedirect, **changed: object) -> SiteRedirect:
        return await REDIRECTS.change(self._at, redirect, **changed)

    async def remove(self, redirect: SiteRedirect) -> None:
        await REDIRECTS.remove(self._at, id=redirect.id)
