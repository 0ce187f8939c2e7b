"""Sites, what their structure is made of, share links; see `structure` for what changes the former."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.kernel.records.sites import ShareLink, Site, SiteAuth, SiteSection, SiteSectionGroup, SiteSpace
from octavo.store.database.engine import Connection
from octavo.store.database.statement import Statement
from octavo.store.shelf import Table

SITES = Table("sites", Site)
SECTIONS = Table("site_sections", SiteSection)
GROUPS = Table("site_section_groups", SiteSectionGroup)
SITE_SPACES = Table("site_spaces", SiteSpace)
SHARE_LINKS = Table("share_links", ShareLink)

AUTHS = Table("site_auths", SiteAuth, key=("site",))

_ALL = SITES.select("WHERE organization = :organization ORDER BY created_at DESC, id DESC")
_EVERYWHERE = SITES.select("ORDER BY organization, created_at, id")
_OPEN = SITES.select(
    "WHERE published = 1 AND visibility = 'public'"
    " AND organization IN (SELECT id FROM organizations WHERE deleted_at IS NULL) ORDER BY title, id LIMIT :most"
)
_BY_HOSTNAME = SITES.select("WHERE hostname = :word")
_WANTING = SITES.select("WHERE wanted_hostname = :word ORDER BY hostname_wanted_at, id")
_BY_PROXIES = SITES.select("WHERE proxy IN :places[]")
_BY_BASENAME = SITES.select("WHERE basename = :word")
_SECTIONS = SECTIONS.select("WHERE site = :site ORDER BY position, id")
_GROUPS = GROUPS.select("WHERE site = :site ORDER BY position, id")
_SITE_SPACES = SITE_SPACES.select("WHERE site = :site ORDER BY position, id")
_SITE_SPACES_OF_SPACE = SITE_SPACES.select("WHERE space = :space")
_SITE_SPACES_OF_SPACES = SITE_SPACES.select("WHERE space IN :spaces[]")
_SECTIONS_OF_SPACES = SECTIONS.select(
    "WHERE id IN (SELECT section FROM site_spaces WHERE space IN :spaces[] AND section IS NOT NULL)"
)
_SITES_OF_SPACES = SITES.select("WHERE id IN (SELECT site FROM site_spaces WHERE space IN :spaces[])")
_COUNTED = (
    "UPDATE sites SET site_spaces = (SELECT count(*) FROM site_spaces AS shown JOIN spaces ON spaces.id = shown.space"
    " WHERE shown.site = sites.id AND spaces.deleted_at IS NULL) WHERE id"
)
COUNT = Statement(f"{_COUNTED} = :site")
"""Those of spaces that are there: a deleted one is shown nowhere until it is restored."""
_SHOWING = "IN (SELECT site FROM site_spaces WHERE space = :space)"
_COUNT_SHOWING = Statement(f"{_COUNTED} {_SHOWING}")
_HOLD_SHOWING = Statement(f"UPDATE sites SET site_spaces = site_spaces WHERE id {_SHOWING}")
"""What others add to these sites is waited for, so that the count that follows sees it."""
_SHARE_KEY = SHARE_LINKS.select('WHERE "key" = :key AND site = :site AND active = 1')

_LINKS = SHARE_LINKS.select("WHERE site = :site ORDER BY created_at DESC, id DESC")
_BY_IDS = SITES.select("WHERE id IN :ids[]")


class Sites:
    """What is published, and how it is put together."""

    def __init__(self, at: Connection) -> None:
        self._at = at

    async def by_ids(self, ids: Iterable[str]) -> list[Site]:
        wanted = sorted(set(ids))
        return await SITES.list(self._at, _BY_IDS, {"ids": wanted}) if wanted else []

    async def get(self, site: str) -> Site | None:
        return await SITES.get(self._at, id=site)

    async def by_hostname(self, hostname: str) -> Site | None:
        return await SITES.first(self._at, _BY_HOSTNAME, {"word": hostname})

    async def wanting(self, hostname: str) -> list[Site]:
        """The sites that ask for a hostname, or have it; the earliest first."""
        return await SITES.list(self._at, _WANTING, {"word": hostname})

    async def by_proxies(self, places: Iterable[str]) -> list[Site]:
        """Those that show themselves at one of these places of other hosts."""
        return await SITES.list(self._at, _BY_PROXIES, {"places": list(places)})

    async def by_basename(self, basename: str) -> Site | None:
        return await SITES.first(self._at, _BY_BASENAME, {"word": basename})

    async def all(self, organization: str) -> list[Site]:
        """The sites of an organization, newest first."""
        return await SITES.list(self._at, _ALL, {"organization": organization})

    async def everywhere(self) -> list[Site]:
        """All sites of the installation, by organization."""
        return await SITES.list(self._at, _EVERYWHERE, {})

    async def open_to_all(self, most: int) -> list[Site]:
        """Published sites of the installation that everybody may read and find, by their titles."""
        return await SITES.list(self._at, _OPEN, {"most": most})

    async def of_spaces(self, spaces: Iterable[str]) -> tuple[list[SiteSpace], dict[str, Site]]:
        """The site-spaces that show these spaces, and their sites by id."""
        values = {"spaces": list(spaces)}
        if len(values["spaces"]) == 1:
            links = await SITE_SPACES.list(self._at, _SITE_SPACES_OF_SPACE, {"space": values["spaces"][0]})
        else:
            links = await SITE_SPACES.list(self._at, _SITE_SPACES_OF_SPACES, values)
        sites = await SITES.list(self._at, _SITES_OF_SPACES, values) if links else []
        return links, {site.id: site for site in sites}

    async def sections_of_spaces(self, spaces: Iterable[str]) -> dict[str, SiteSection]:
        """The sections that hold site-spaces of these spaces, by id."""
        found = await SECTIONS.list(self._at, _SECTIONS_OF_SPACES, {"spaces": sorted(set(spaces))})
        return {section.id: section for section in found}

    async def add(self, site: Site) -> None:
        await SITES.add(self._at, site)

    async def change(self, site: Site, **changed: object) -> Site:
        return await SITES.change(self._at, site, **changed)

    async def sections(self, site: str) -> list[SiteSection]:
        return await SECTIONS.list(self._at, _SECTIONS, {"site": site})

    async def section(self, section: str) -> SiteSection | None:
        return await SECTIONS.get(self._at, id=section)

    async def groups(self, site: str) -> list[SiteSectionGroup]:
        return await GROUPS.list(self._at, _GROUPS, {"site": site})

    async def site_spaces(self, site: str) -> list[SiteSpace]:
        return await SITE_SPACES.list(self._at, _SITE_SPACES, {"site": site})

    async def site_space(self, site_space: str) -> SiteSpace | None:
        return await SITE_SPACES.get(self._at, id=site_space)

    async def count_again(self, space: str) -> None:
        """Of each site that shows a space, which was deleted or restored now, how many it shows."""
        await self._at.run(_HOLD_SHOWING, {"space": space})
        await self._at.run(_COUNT_SHOWING, {"space": space})

    async def add_site_space(self, site_space: SiteSpace) -> None:
        await SITE_SPACES.add(self._at, site_space)
        await self._at.run(COUNT, {"site": site_space.site})

    async def change_site_space(self, site_space: SiteSpace, **changed: object) -> SiteSpace:
        return await SITE_SPACES.change(self._at, site_space, **changed)

    async def change_section(self, section: SiteSection, **changed: object) -> SiteSection:
        return await SECTIONS.change(self._at, section, **changed)

    async def share_link(self, site: str, key: str) -> ShareLink | None:
        """The active share link of a site with that secret."""
        return await SHARE_LINKS.first(self._at, _SHARE_KEY, {"site": site, "key": key})

    async def share_links(self, site: str) -> list[ShareLink]:
        """All of a site, newest first."""
        return await SHARE_LINKS.list(self._at, _LINKS, {"site": site})

    async def share_link_by_id(self, link: str) -> ShareLink | None:
        return await SHARE_LINKS.get(self._at, id=link)

    async def add_share_link(self, link: ShareLink) -> None:
        await SHARE_LINKS.add(self._at, link)

    async def change_share_link(self, link: ShareLink, **changed: object) -> ShareLink:
        return await SHARE_LINKS.change(self._at, link, **changed)

    async def remove_share_link(self, link: ShareLink) -> None:
        await SHARE_LINKS.remove(self._at, id=link.id)

    async def auth(self, site: str) -> SiteAuth | None:
        """How visitors of a site show who they are; None until somebody asked for the key."""
        return await AUTHS.get(self._at, site=site)

    async def add_auth(self, auth: SiteAuth) -> None:
        await AUTHS.add(self._at, auth)

    async def change_auth(self, auth: SiteAuth, **changed: object) -> SiteAuth:
        return await AUTHS.change(self._at, auth, **changed)
