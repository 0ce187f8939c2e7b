"""Fonts of organizations."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records import Json
from octavo.kernel.records.sites import Font, Site, SiteSpace
from octavo.store.database.engine import Connection
from octavo.store.shelf import Table
from octavo.store.sites.sites import SITE_SPACES, SITES

FONTS = Table("fonts", Font)

_ALL = FONTS.select("WHERE organization = :organization ORDER BY created_at DESC, id")
_BY_IDS = FONTS.select("WHERE id IN :ids[]")
_DRESSED_SITES = SITES.select("WHERE organization = :organization AND customization IS NOT NULL")
_DRESSED_SITE_SPACES = SITE_SPACES.select("WHERE organization = :organization AND customization IS NOT NULL")


class Fonts:
    """What the sites of an organization may be set in."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def get(self, font: str) -> Font | None:
        return await FONTS.get(self._at, id=font)

    async def by_ids(self, ids: Iterable[str]) -> list[Font]:
        wanted = sorted(set(ids))
        return await FONTS.list(self._at, _BY_IDS, {"ids": wanted}) if wanted else []

    async def all(self, organization: str) -> list[Font]:
        """Newest first."""
        return await FONTS.list(self._at, _ALL, {"organization": organization})

    async def dressed(self, organization: str) -> tuple[list[Site], list[SiteSpace]]:
        """The sites and site-spaces that have a customization of their own."""
        values = {"organization": organization}
        sites = await SITES.list(self._at, _DRESSED_SITES, values)
        return sites, await SITE_SPACES.list(self._at, _DRESSED_SITE_SPACES, values)

    async def looks(self, organization: str) -> list[Json]:
        """The customizations of its sites and site-spaces."""
        sites, site_spaces = await self.dressed(organization)
        own = [one.customization for one in sites] + [one.customization for one in site_spaces]
        return [one for one in own if one is not None]

    async def add(self, font: Font) -> None:
        await FONTS.add(self._at, font)

    async def change(self, font: Font, **changed: object) -> Font:
        return await FONTS.change(self._at, font, **changed)

    async def remove(self, font: Font) -> None:
        await FONTS.remove(self._at, id=font.id)
