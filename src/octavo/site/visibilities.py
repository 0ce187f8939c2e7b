"""What a write does to the visibility of spaces, told to whoever listens for it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection, Mapping

from octavo.kernel.events import SpaceVisibilityUpdated
from octavo.site.shown import visibility_of
from octavo.store.unit import Unit
from octavo.wire.fields import SpaceVisibility

EVENT, SCOPE = "space_visibility_updated", "space:metadata:read"
"""What those outside are told, and the scope that this takes."""


@contextlib.asynccontextmanager
async def visibility_told(
    unit: Unit, organization: str, *, site: str | None = None, spaces: Collection[str] = ()
) -> AsyncIterator[None]:
    """Around a write to a site, or to spaces: tells of each space that others see afterwards than before."""
    if not await unit.listeners.any_for(organization, (EVENT, SCOPE)):
        yield
        return
    before = await _visibilities(unit, await _concerned(unit, site, spaces))
    yield
    after = await _visibilities(unit, await _concerned(unit, site, {*spaces, *before}))
    # What the site shows only now, it did not show before: how it was seen then, the other sites say.
    new = after.keys() - before.keys()
    before = {**before, **await _visibilities(unit, new, without=site)}
    for space, now in after.items():
        if before[space] != now:
            await unit.emit(
                SpaceVisibilityUpdated(organization=organization, space=space, previous=before[space], visibility=now)
            )


async def _concerned(unit: Unit, site: str | None, spaces: Collection[str]) -> set[str]:
    shown = [] if site is None else await unit.sites.site_spaces(site)
    return {*spaces, *(one.space for one in shown)}


async def _visibilities(
    unit: Unit, spaces: Collection[str], *, without: str | None = None
) -> Mapping[str, SpaceVisibility]:
    if not spaces:
        return {}
    links, sites = await unit.sites.of_spaces(spaces)
    shown: dict[str, list[str]] = {}
    for one in links:
        if sites[one.site].published and not one.draft and one.site != without:
            shown.setdefault(one.space, []).append(one.site)
    return {
        space.id: visibility_of(space, [sites[one] for one in shown.get(space.id, ())])
        for space in await unit.spaces.by_ids(spaces)
    }
