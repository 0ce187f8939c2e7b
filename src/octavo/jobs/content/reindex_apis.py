"""Search follows descriptions of APIs: pages that are made of them, and pages whose blocks show something of them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from octavo.content.document import Node, rebuilt
from octavo.content.openapi.index import INDEX, Index
from octavo.content.openapi.prints import Prints, first_of, needed_by
from octavo.content.openapi.wording import worded
from octavo.content.reading import as_all_read
from octavo.content.revision import Page
from octavo.history.contents import Contents, contents_of, document_of, reusable_documents
from octavo.history.evaluate import anybody
from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.kernel.records.library import Space
from octavo.kernel.records.openapi import NewestSpec
from octavo.site.apis import BLOCKS, blocks_of, key_of, shown_by
from octavo.site.computed import expanded, is_made, made_document, named
from octavo.store.search.search import Section
from octavo.store.unit import Unit

MARK = b"api"
"""Begins the digest of a page in the index that shows something of a description; what follows says of which version."""
KIND = "reindex_apis"
"""The job that follows a description which says something else."""


class _Stale(NamedTuple):
    """What the index does not say yet."""

    gone: list[str]
    pages: dict[str, bytes]
    """Page -> its digest."""


async def run(work: Work) -> Json:
    """Payload: organization. Brings those of its spaces up to date that show a description."""
    spaces = await work.read(lambda unit: unit.spaces.all(work.job.payload["organization"]))
    pages = 0
    for space in spaces:
        if await work.read(lambda unit, key=space.id: unit.search.marked(key, MARK)):  # type: ignore[misc]
            pages += await follow(work, space)
    return {"pages": pages}


async def follow(work: Work, space: Space) -> int:
    """Index what of the space shows another version of a description than it did; how many pages that were."""
    stale = await work.store.read_apart(lambda unit: _stale(unit, space))
    if stale.gone:
        await work.write(lambda unit: unit.search.remove(space.id, stale.gone), lock=("spaces", space.id))
    for page, digest in stale.pages.items():
        found = await work.store.read_apart(lambda unit, page=page: _sections(unit, space, page))  # type: ignore[misc]

        async def index(unit: Unit, page: str = page, digest: bytes = digest, found: list[Section] = found) -> None:
            await unit.search.replace(space.organization, space.id, page, digest, found)

        await work.write(index, lock=("spaces", space.id))
    return len(stale.pages)


def shows(document: Node) -> bool:
    """Whether a page shows something of a description."""
    return bool(blocks_of([document]))


def page_sections(page: Page, document: Node | None) -> list[Section]:
    """What is indexed of a page; it begins with its description and what stands ahead of its first heading."""
    # What renders is imported with the first job, not with the server.
    from octavo.content.html.text import sections

    found = [] if document is None else sections(document)
    ahead = found.pop(0).text if found and not found[0].anchor else ""
    # On a line of its own, as what stands ahead may begin with a line of code.
    text = [Section("", page.title, "\n".join(filter(None, (" ".join((page.description or "").split()), ahead))))]
    return [*text, *(Section(one.anchor, one.title or page.title, one.text) for one in found)]


async def _heads(unit: Unit, space: Space) -> tuple[Contents, Contents]:
    """(what the space holds, the same with the pages that are made)."""
    head = await unit.revisions.get(space.revision)
    assert head is not None  # a space's row names its head
    contents = await contents_of(unit, head)
    return contents, await expanded(unit, contents)


async def _stale(unit: Unit, space: Space) -> _Stale:
    contents, whole = await _heads(unit, space)
    specs = await unit.openapi.newest(space.organization)
    known = await unit.search.marked(space.id, MARK)
    made = {key: page for key, page in whole.pages.items() if _is_made_here(page)}
    prints = {slug: await _prints(unit, specs[slug]) for slug in sorted({*map(_slug, made.values())} & specs.keys())}
    wanted = {key: _made_of(page, prints) for key, page in made.items()}
    # Pages of people are among them from when they were indexed with a block.
    wanted |= {
        key: _shown_of(contents.pages[key], specs)
        for key in known
        if key in contents.pages and contents.pages[key].type == "document"
    }
    gone = [key for key in known if key not in wanted]
    return _Stale(gone, {key: digest for key, digest in wanted.items() if known.get(key) != digest})


def _is_made_here(page: Page) -> bool:
    return (is_made(page) or named(page) is not None) and not page.no_index


def _slug(page: Page) -> str:
    """The specification that a page, or an entry that stands for pages, is made of."""
    slug: str = (page.computed or {})["dependencies"]["spec"]["ref"]["spec"]
    return slug


async def _prints(unit: Unit, spec: NewestSpec) -> Prints | None:
    found = await unit.openapi.parts(spec.id, [INDEX])
    if INDEX not in found:
        return None
    index = msgspec.json.decode(found[INDEX], type=Index)
    parts = await unit.openapi.parts(spec.id, first_of(index))
    return Prints(index, parts | await unit.openapi.parts(spec.id, needed_by(index, parts) - parts.keys()))


def _made_of(page: Page, prints: Mapping[str, Prints | None]) -> bytes:
    """A digest of everything that the words of a page that is made are made of."""
    known = prints.get(_slug(page))
    said = known.of((page.computed or {}).get("props") or {}) if known is not None and is_made(page) else b""
    return _marked([page.title, page.description, said])


def _shown_of(page: Page, specs: Mapping[str, NewestSpec]) -> bytes:
    """The same of a page with blocks."""
    return _marked([page.title, page.document, sorted((one.slug, one.last_version) for one in specs.values())])


def _marked(of: list[Any]) -> bytes:
    return MARK + blake2b(msgspec.msgpack.encode(of), digest_size=16).digest()


async def _sections(unit: Unit, space: Space, key: str) -> list[Section]:
    """The words of a page; none of an entry whose description is not read yet."""
    contents, whole = await _heads(unit, space)
    page = whole.pages.get(key)
    if page is None or page.type != "document":
        return []
    if is_made(page):
        document: Node = await made_document(unit, space.organization, page)
    else:
        stored = await document_of(unit, space.organization, page.document)
        if stored is None:
            return page_sections(page, None)
        reusables = await reusable_documents(unit, contents)
        document = as_all_read(stored, reusables, anybody(contents.root.variables, page.variables))
    specs = await unit.openapi.newest(space.organization)
    shown = await shown_by(unit, specs, blocks_of([document]))

    def replaced(node: Node) -> list[Node] | None:
        if node.get("type") not in BLOCKS:
            return None
        headless = bool((node.get("data") or {}).get("headless"))
        return worded(shown.get(key_of(node), ""), headless=headless)

    return page_sections(page, rebuilt(document, replaced))
