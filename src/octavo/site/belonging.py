"""Whether what events of readers name is the site's own: sections, site-spaces, spaces, their revisions and pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from octavo.history.contents import contents_of, pages_among
from octavo.kernel.errors import BadRequest
from octavo.kernel.records.content import Revision
from octavo.kernel.records.sites import Site
from octavo.site.computed import expanded
from octavo.store.unit import Unit
from octavo.wire.sites.insights import Event, EventLocation

_WORDS = {"site_section": "siteSection", "site_space": "siteSpace", "space": "space"}


async def require_own(unit: Unit, site: Site, events: Sequence[Event]) -> None:
    """Raises BadRequest naming the first event that names what is not of the site, or is no more."""
    site_spaces = await unit.sites.site_spaces(site.id)
    spaces = {one.space for one in site_spaces}
    own: dict[str, Collection[str]] = {
        "site_section": {one.id for one in await unit.sites.sections(site.id)},
        "site_space": {one.id for one in site_spaces},
        "space": spaces,
    }
    for at, event in enumerate(events):
        for field, known in own.items():
            named = getattr(event.location, field)
            if named is not None and named not in known:
                raise BadRequest(f"events[{at}].location.{_WORDS[field]}: the site has no such one")
    locations = [one.location for one in events]
    revisions = await _require_revisions(unit, locations, spaces)
    await _require_pages(unit, locations, revisions, spaces)


async def _require_revisions(
    unit: Unit, locations: Sequence[EventLocation], spaces: Collection[str]
) -> dict[str, Revision]:
    """Those that are named, by their ids."""
    named = {one.revision for one in locations if one.revision is not None}
    revisions = {one.id: one for one in await unit.revisions.by_ids(named)} if named else {}
    for at, one in enumerate(locations):
        if one.revision is None:
            continue
        found = revisions.get(one.revision)
        if found is None or found.space not in spaces or one.space not in (None, found.space):
            raise BadRequest(f"events[{at}].location.revision: the site has no such one")
    return revisions


async def _require_pages(
    unit: Unit, locations: Sequence[EventLocation], named: Mapping[str, Revision], spaces: Collection[str]
) -> None:
    """A page is looked for in the revision that is named with it, else in the newest one of its space, or of each space."""
    if all(one.page is None for one in locations):
        return
    heads = await unit.revisions.by_ids(one.revision for one in await unit.spaces.by_ids(spaces))
    newest = {one.space: one for one in heads}

    def among(one: EventLocation) -> list[Revision]:
        if one.revision is not None:
            return [named[one.revision]]
        return list(newest.values()) if one.space is None else [newest[one.space]]

    wanted: dict[str, tuple[Revision, set[str]]] = {}
    for one in locations:
        if one.page is not None:
            for revision in among(one):
                wanted.setdefault(revision.id, (revision, set()))[1].add(one.page)
    found = await pages_among(unit, list(wanted.values()))
    made: dict[str, Collection[str]] = {}
    for at, one in enumerate(locations):
        if one.page is None or any(one.page in found[revision.id] for revision in among(one)):
            continue
        # Pages that are made of something else are in no revision.
        for space in {revision.space for revision in among(one)} - made.keys():
            made[space] = (await expanded(unit, await contents_of(unit, newest[space]))).pages
        if not any(one.page in made[revision.space] for revision in among(one)):
            raise BadRequest(f"events[{at}].location.page: the site has no such one")
