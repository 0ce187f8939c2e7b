"""Spaces and sites as rooms serve them: with visibility, published addresses and Git state, in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from octavo.access.policy import permissions
from octavo.kernel.errors import BadRequest
from octavo.kernel.records import Role
from octavo.kernel.records.git import GitSync
from octavo.kernel.records.library import Space
from octavo.kernel.records.sites import Site, SiteSection, SiteSpace
from octavo.site.addresses import site_address, space_path
from octavo.store.unit import Unit
from octavo.wire.fields import SpaceVisibility
from octavo.wire.library.spaces import SpaceView
from octavo.wire.sites.sites import SiteView
from octavo.wire.view import View

_OPENNESS: tuple[SpaceVisibility, ...] = ("visitor-auth", "share-link", "unlisted", "public")
"""Of sites, the most closed first."""
SHARED = "~share/"
"""Ahead of the key in the address of a share link, below the site's."""


def show_site(site: Site, role: Role | None, view: View, key: str | None = None) -> SiteView:
    """A site with its addresses; `key` is of a share link."""
    address = site_address(view.app, site)
    return SiteView(site, permissions("site", role), address, published_address(site, view, key))


def published_address(site: Site, view: View, key: str | None = None) -> str | None:
    """Where visitors find a site, with a slash at the end; None while it is unpublished. `key` is of a share link."""
    return visited_address(site, view, key) if site.published else None


def visited_address(site: Site, view: View, key: str | None = None) -> str:
    """The same where it does not matter whether it is published."""
    address = f"https://{site.proxy}/" if site.proxy is not None else site_address(view.app, site)
    return address if key is None else f"{address}{SHARED}{key}/"


async def shared_key(unit: Unit, site: Site, word: str | UnsetType) -> str | None:
    """The key by which addresses of a share-link site are written, where a request brings one. Raises BadRequest for one
    that opens nothing; a site that needs none ignores it."""
    if isinstance(word, UnsetType) or site.visibility != "share-link":
        return None
    if await unit.sites.share_link(site.id, word) is None:
        raise BadRequest("shareKey: not the key of an active share link of this site")
    return word


class AroundSpaces(msgspec.Struct, frozen=True):
    """What spaces are shown with: their Git operations, and the sites that show them."""

    syncs: dict[str, GitSync]
    links: list[SiteSpace]
    sites: dict[str, Site]
    sections: dict[str, SiteSection]


async def around_spaces(unit: Unit, spaces: Sequence[Space]) -> AroundSpaces:
    """In four queries for any number of spaces."""
    ids = [space.id for space in spaces]
    syncs = await unit.spaces.git_syncs(ids)
    links, sites = await unit.sites.of_spaces(ids)
    sections = await unit.sites.sections_of_spaces(ids) if links else {}
    return AroundSpaces(syncs, links, sites, sections)


async def show_spaces(
    unit: Unit,
    view: View,
    spaces: Sequence[Space],
    roles: Mapping[str, Role | None],
    share_key: str | UnsetType = UNSET,
) -> list[SpaceView]:
    """Spaces with everything around them. Raises BadRequest for a share key that opens none of their share-link sites."""
    around = await around_spaces(unit, spaces)
    keys: dict[str, str] = {}
    closed = [site for site in around.sites.values() if site.published and site.visibility == "share-link"]
    if not isinstance(share_key, UnsetType) and closed:
        keys = {site.id: share_key for site in closed if await unit.sites.share_link(site.id, share_key) is not None}
        if not keys:
            raise BadRequest("shareKey: not the key of an active share link of a site that shows the space")
    return show_spaces_with(around, view, spaces, roles, keys)


def show_spaces_with(
    around: AroundSpaces,
    view: View,
    spaces: Sequence[Space],
    roles: Mapping[str, Role | None],
    keys: Mapping[str, str] = {},
) -> list[SpaceView]:
    """The same where what is around them is known; `keys` are those of share links, by site."""
    sites, sections = around.sites, around.sections
    by_space: dict[str, list[SiteSpace]] = {}
    for link in around.links:
        if sites[link.site].published and not link.draft:
            by_space.setdefault(link.space, []).append(link)
    made = []
    for space in spaces:
        may, sync = permissions("space", roles.get(space.id)), around.syncs.get(space.id)
        if space.id not in by_space:
            made.append(SpaceView(space, may, visibility_of(space, []), git=sync))
            continue
        shown = [(link, sites[link.site]) for link in by_space[space.id]]
        made.append(
            SpaceView(
                space=space,
                permissions=may,
                visibility=visibility_of(space, [site for _, site in shown]),
                published=_address(shown, sections, view, keys),
                public=_address([pair for pair in shown if pair[1].visibility == "public"], sections, view, {}),
                git=sync,
                visitor_auth="custom" if any(site.visibility == "visitor-auth" for _, site in shown) else None,
            )
        )
    return made


def visibility_of(space: Space, sites: list[Site]) -> SpaceVisibility:
    if sites:
        return max((site.visibility for site in sites), key=_OPENNESS.index)
    return "in-collection" if space.parent is not None and space.default_level == "inherit" else "private"


def _address(
    shown: list[tuple[SiteSpace, Site]], sections: Mapping[str, SiteSection], view: View, keys: Mapping[str, str]
) -> str | None:
    if not shown:
        return None
    link, site = max(shown, key=lambda pair: (pair[1].id in keys, _OPENNESS.index(pair[1].visibility)))
    section = sections.get(link.section or "")
    base = published_address(site, view, keys.get(site.id))
    return None if base is None else base + space_path(link, section, alone=link.section is None)
