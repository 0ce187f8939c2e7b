"""Spaces and sites as rooms serve them: with visibility, published addresses and Git state, in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from octavo.access.policy import permissions
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


def show_site(site: Site, role: Role | None, view: View) -> SiteView:
    """A site with its addresses."""
    address = site_address(view.app, site)
    return SiteView(site, permissions("site", role), address, published_address(site, view))


def published_address(site: Site, view: View) -> str | None:
    """Where visitors find a site, with a slash at the end; None while it is unpublished."""
    if not site.published:
        return None
    return f"https://{site.proxy}/" if site.proxy is not None else site_address(view.app, site)


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
    unit: Unit, view: View, spaces: Sequence[Space], roles: Mapping[str, Role | None]
) -> list[SpaceView]:
    """Spaces with everything around them."""
    return show_spaces_with(await around_spaces(unit, spaces), view, spaces, roles)


def show_spaces_with(
    around: AroundSpaces, view: View, spaces: Sequence[Space], roles: Mapping[str, Role | None]
) -> list[SpaceView]:
    """The same where what is around them is known."""
    sites, sections = around.sites, around.sections
    by_space: dict[str, list[SiteSpace]] = {}
    for link in around.links:
        if sites[link.site].published and not link.draft:
            by_space.setdefault(link.space, []).append(link)
    made = []
    for space in spaces:
        may, sync = permissions("space", roles.get(space.id)), around.syncs.get(space.id)
        if space.id not in by_space:
            made.append(SpaceView(space, may, _visibility(space, []), git=sync))
            continue
        shown = [(link, sites[link.site]) for link in by_space[space.id]]
        made.append(
            SpaceView(
                space=space,
                permissions=may,
                visibility=_visibility(space, [site for _, site in shown]),
                published=_address(shown, sections, view),
                public=_address([pair for pair in shown if pair[1].visibility == "public"], sections, view),
                git=sync,
                visitor_auth="custom" if any(site.visibility == "visitor-auth" for _, site in shown) else None,
            )
        )
    return made


def _visibility(space: Space, sites: list[Site]) -> SpaceVisibility:
    if sites:
        return max((site.visibility for site in sites), key=_OPENNESS.index)
    return "in-collection" if space.parent is not None and space.default_level == "inherit" else "private"


def _address(shown: list[tuple[SiteSpace, Site]], sections: Mapping[str, SiteSection], view: View) -> str | None:
    if not shown:
        return None
    link, site = max(shown, key=lambda pair: _OPENNESS.index(pair[1].visibility))
    section = sections.get(link.section or "")
    base = published_address(site, view)
    return None if base is None else base + space_path(link, section, alone=link.section is None)
