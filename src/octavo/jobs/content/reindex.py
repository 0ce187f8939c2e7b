"""Search follows content: what differs between the indexed revision and the head is indexed, a few pages a unit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import Any

from octavo.content import trie
from octavo.content.document import Node
from octavo.content.reading import as_all_read
from octavo.content.revision import Page, Root
from octavo.history.contents import contents_at, contents_of, documents_of, reusable_documents, root_at, walk
from octavo.history.evaluate import anybody
from octavo.jobs.content import reindex_apis
from octavo.jobs.people.forgetting import forget
from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.kernel.records.library import Space
from octavo.site.computed import recipes_of
from octavo.store.unit import Unit

PAGES = 8
"""Pages in one unit: a reader never waits longer than that."""


async def run(work: Work) -> Json | None:
    """Payload: space. Brings the index to the head; a space that was deleted leaves it."""
    key = work.job.payload["space"]
    space = await work.read(lambda unit: unit.spaces.get(key))
    if space is None or space.deleted_at is not None:
        await forget(work, key)
        return None
    changed, root = await work.read(lambda unit: _changed(unit, space))
    variables, reusables = await work.read(lambda unit: _surroundings(unit, space, root))
    waiting = iter(sorted(changed))
    while some := tuple(islice(waiting, PAGES)):
        pages = {one: changed[one] for one in some}
        index = partial(_index, space=space, pages=pages, variables=variables, reusables=reusables)
        await work.write(index, lock=("spaces", space.id))
    await work.write(lambda unit: unit.search.set_head(space.organization, space.id, root))
    shown = 0
    if await work.read(lambda unit: _shows(unit, space, root)):
        shown = await reindex_apis.follow(work, space)
    return {"pages": len(changed) + shown}


async def _shows(unit: Unit, space: Space, root: bytes) -> bool:
    """Whether pages of the space show descriptions of APIs."""
    contents = await contents_at(unit, space.organization, root)
    return bool(recipes_of(contents)) or bool(await unit.search.marked(space.id, reindex_apis.MARK))


async def _changed(unit: Unit, space: Space) -> tuple[dict[str, Page | None], bytes]:
    """Page id -> the page as it is at the head, None when it went; and the head's root."""
    head = await unit.revisions.get(space.revision)
    assert head is not None
    indexed = await unit.search.head(space.id)
    before = Root() if indexed is None else await root_at(unit, space.organization, indexed)
    after = await root_at(unit, space.organization, head.root)
    difference = await walk(unit, space.organization, trie.diff(before.pages, after.pages))
    contents = await contents_of(unit, head)
    if (before.reusables, before.variables) != (after.reusables, after.variables):
        # What pages include changed under them: all of them are read again, which is rare and never wrong.
        return {key: _indexable(contents.pages.get(key)) for key in {*difference, *contents.pages}}, head.root
    return {key: _indexable(contents.pages.get(key)) for key in difference}, head.root


def _indexable(page: Page | None) -> Page | None:
    return page if page is not None and page.type == "document" and not page.no_index else None


async def _surroundings(unit: Unit, space: Space, root: bytes) -> tuple[Mapping[str, Any], dict[str, Node]]:
    """The space's variables, and the documents of all reusable contents: their words are found where they are included."""
    contents = await contents_at(unit, space.organization, root)
    return contents.root.variables, await reusable_documents(unit, contents)


async def _index(
    unit: Unit,
    *,
    space: Space,
    pages: dict[str, Page | None],
    variables: Mapping[str, Any],
    reusables: dict[str, Node],
) -> None:
    gone = [key for key, page in pages.items() if page is None]
    if gone:
        await unit.search.remove(space.id, gone)
    kept = [page for page in pages.values() if page is not None]
    documents = await documents_of(unit, space.organization, {page.document for page in kept if page.document})
    for page in kept:
        document = documents.get(page.document or b"")
        # What is there for some visitors alone is not searched: the index does not know who asks.
        scope = anybody(variables, page.variables)
        read = None if document is None else as_all_read(document, reusables, scope)
        digest = page.document or b""
        if read is not None and reindex_apis.shows(read):
            digest = reindex_apis.MARK  # its words are not all: what it shows of an API follows
        text = reindex_apis.page_sections(page, read)
        await unit.search.replace(space.organization, space.id, page.id, digest, text)
