"""Whether what events of readers name is the site's own: sections, site-spaces, spaces."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from octavo.kernel.errors import BadRequest
from octavo.kernel.records.sites import Site
from octavo.store.unit import Unit
from octavo.wire.sites.insights import Event

_WORDS = {"site_section": "siteSection", "site_space": "siteSpace", "space": "space"}


async def require_own(unit: Unit, site: Site, events: Sequence[Event]) -> None:
    """Raises BadRequest naming the first event that names what is not of the site. Revisions and pages are taken as they
    come: one that was read a moment ago may be gone, and the batch of a client is not lost for that."""
    site_spaces = await unit.sites.site_spaces(site.id)
    own: dict[str, Collection[str]] = {
        "site_section": {one.id for one in await unit.sites.sections(site.id)},
        "site_space": {one.id for one in site_spaces},
        "space": {one.space for one in site_spaces},
    }
    for at, event in enumerate(events):
        for field, known in own.items():
            named = getattr(event.location, field)
            if named is not None and named not in known:
                raise BadRequest(f"events[{at}].location.{_WORDS[field]}: the site has no such one")
