"""Where an address of a site leads, once it is known which pages there are."""

from __future__ import annotations

from octavo.history.contents import contents_of
from octavo.site.seeing import seen
from octavo.site.snapshot import Place, Snapshot
from octavo.store.unit import Unit

_BESIDE = (".md", "/rss.xml")
"""What stands behind the path of a page for other forms of it."""


async def placed(unit: Unit, snapshot: Snapshot, path: str) -> Place | None:
    """The site-space that an address leads to; None when the site shows nothing.

    A site-space answers at further addresses, such as its own path where it is the default. A page that has such an address
    for its own is found there all the same.
    """
    place = snapshot.place(path)
    return None if place is None else await _settled(unit, snapshot, place)


async def _settled(unit: Unit, snapshot: Snapshot, place: Place) -> Place:
    if place.page is None:
        return place
    page = await _settled(unit, snapshot, place.page)
    contents = seen(await contents_of(unit, snapshot.revisions[page.space.id]), snapshot.visitor.of(page.space.id))
    return page if _page_path(page.rest) in contents.by_path else place


def _page_path(rest: str) -> str:
    path = rest.lower()
    for ending in _BESIDE:
        path = path.removesuffix(ending)
    return path
