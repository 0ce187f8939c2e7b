"""PDF of content: one child process sets it, another binds it, its bytes become a blob that is kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec

from octavo.content.html.text import characters
from octavo.history.contents import Contents, contents_at
from octavo.history.pdfs import Order, keep, kept
from octavo.jobs.children import room
from octavo.jobs.children.terms import Child
from octavo.jobs.content.pdf_apis import described
from octavo.jobs.content.pdf_places import open_pages, places
from octavo.jobs.content.pdf_request import PICTURES, RESULT, Place, Request
from octavo.jobs.work import JobFailed, Work
from octavo.kernel import extras
from octavo.kernel.records import Json
from octavo.site.computed import expanded
from octavo.site.leading import path_in
from octavo.store.unit import Unit

SECONDS = 240
"""For one PDF."""
PAGES = 1_000
"""Of content, in one PDF."""
SETTING = Child(
    module="octavo.jobs.content.pdf_child",
    memory=700 << 20,
    computing=120,
    seconds=180,
    exhausted="The PDF takes more time or memory than one may use, or was stopped: ask for a part of the content by"
    " `page`, or try again.",
)
BINDING = replace(SETTING, module="octavo.jobs.content.pdf_binding_child", computing=40, seconds=50)


async def run(work: Work) -> Json | None:
    """Payload: order, a `history.pdfs.Order`; the PDF is then a blob under the order's own name."""
    order = msgspec.convert(work.job.payload["order"], Order)
    if missing := extras.lacks("pdf"):  # a worker may have less than the server that took the order
        raise JobFailed(missing)
    # Whoever waited may find that another has made the same.
    if not await work.write(lambda unit: kept(unit, order)):
        data = await _made(work, order)
        await work.tools.blobs.put_as(order.organization, order.blob, data)
        await work.write(lambda unit: keep(unit, order, len(data)))
    return None


async def _made(work: Work, order: Order) -> bytes:
    async with room.folder(work.tools.room) as folder:
        request = await work.read(lambda unit: _request(unit, order))
        if order.apis:
            request = await described(work, order.organization, request)
        fetch = partial(_fetch, work, order.organization, folder / PICTURES)
        stack = await room.run(work, SETTING, folder, request, pictures=fetch)
        await room.run(work, BINDING, folder, stack)
        return await asyncio.to_thread((folder / RESULT).read_bytes)


async def _fetch(work: Work, organization: str, folder: Path, blobs: list[str]) -> None:
    """Put the bytes of picture files where the child looks for them; those that are gone stay away."""
    for blob in blobs:
        data = await work.tools.blobs.get(organization, blob)
        if data is not None:
            await asyncio.to_thread((folder / blob).write_bytes, data)


async def _request(unit: Unit, order: Order) -> Request:
    contents = await expanded(unit, await contents_at(unit, order.organization, bytes.fromhex(order.root)))
    chosen = places(contents, order.page, order.only, order.claims)
    if len(chosen) > PAGES:
        raise JobFailed(f"A PDF holds at most {PAGES:,} pages, these are {len(chosen):,}: ask for a part by `page`.")
    asked = contents.pages[order.page] if order.page is not None else None
    title = order.title if asked is None else asked.title
    named = {page.id: page for page in open_pages(contents, order.claims)} | {
        one.page: contents.pages[one.page] for one in chosen
    }
    digests = {digest for one in chosen if (digest := contents.pages[one.page].document) is not None}
    reusables = {one.id: one.document for one in contents.reusables.values() if one.document is not None}
    found = await unit.objects.get(contents.organization, digests | set(reusables.values()))
    return Request(
        title=title,
        running=order.title,
        over=order.change_request if asked is None else order.title,
        under=[order.owner] if asked is None else [order.change_request, order.owner],
        mark=characters(order.emoji if asked is None else asked.emoji),
        language=order.language,
        whole=not order.only,
        updated=max((contents.pages[one.page].updated for one in chosen), default=0),
        space=order.space,
        places=chosen,
        pages=list(named.values()),
        addresses=_addresses(contents, order, chosen),
        files=list(contents.files.values()),
        tags={str(tag.get("tag", tag.get("slug"))): str(tag.get("label") or "") for tag in contents.root.tags},
        variables=contents.root.variables,
        claims=order.claims,
        documents={digest: found[digest] for digest in digests if digest in found},
        reusables={key: found[digest] for key, digest in reusables.items() if digest in found},
    )


def _addresses(contents: Contents, order: Order, chosen: list[Place]) -> dict[str, str]:
    """Where visitors find the pages that are not in the book."""
    base = order.address
    if not base:
        return {}
    inside = {one.page for one in chosen}
    return {
        page.id: base + path_in(contents, contents.by_id[page.id], order.first)
        for page in open_pages(contents, order.claims)
        if page.id not in inside and page.type == "document"
    }
