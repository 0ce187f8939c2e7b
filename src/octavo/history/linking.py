"""What pages refer to, and whether that is there: in their own space, and in others of the organization."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.content.references import Reference, is_broken, references, target_of
from octavo.content.revision import Page
from octavo.content.trie import Steps
from octavo.history.contents import Contents, contents_of, documents_of, opened
from octavo.kernel.records import Json
from octavo.kernel.records.content import PageLink
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit


async def links_of(unit: Unit, space: Space, contents: Contents, keys: Iterable[str]) -> dict[str, list[PageLink]]:
    """The references of those pages that exist, by page, in reading order; their documents are read in one query."""
    pages = [page for key in keys if (page := contents.pages.get(key)) is not None]
    documents = await documents_of(unit, space.organization, {page.document for page in pages if page.document})
    return {
        page.id: await ends_of(unit, space, contents, page, references(page, documents.get(page.document or b"")))
        for page in pages
    }


def references_of(page: Page) -> Steps[list[Reference]]:
    """What a page refers to, in steps, so that its document is opened beside the event loop."""
    stored = (yield frozenset((page.document,))) if page.document is not None else {}
    data = stored.get(page.document or b"")
    return references(page, None if data is None else opened({"": data})[""])


async def ends_of(
    unit: Unit, space: Space, contents: Contents, page: Page, found: Iterable[Reference]
) -> list[PageLink]:
    """The references of a page as links, each with whether its target is there."""
    made: list[PageLink] = []
    for number, one in enumerate(found):
        broken = is_broken(one.ref, contents.pages, contents.files, contents.reusables)
        if broken is None:
            broken = await _is_broken_elsewhere(unit, space, one.ref)
        made.append(
            PageLink(
                organization=space.organization,
                space=space.id,
                page=page.id,
                number=number,
                target=target_of(one.ref, space.id),
                ref=one.ref,
                node=one.node,
                broken=broken,
            )
        )
    return made


async def _is_broken_elsewhere(unit: Unit, space: Space, ref: Json) -> bool:
    """Whether a space of the organization that is referred to, or a part of one, is missing."""
    if "space" not in ref:
        return False
    other = await unit.spaces.get(ref["space"])
    if other is None or other.deleted_at is not None or other.organization != space.organization:
        return True
    if ref["kind"] == "space":
        return False
    head = await unit.revisions.get(other.revision)
    assert head is not None  # a space's row names its head
    contents = await contents_of(unit, head)
    here = {name: value for name, value in ref.items() if name != "space"}
    return bool(is_broken(here, contents.pages, contents.files, contents.reusables))
