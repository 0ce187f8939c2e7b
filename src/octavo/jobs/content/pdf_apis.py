"""What a PDF shows of APIs: pages that are made of descriptions, and blocks as the text that they stand for."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from octavo.content.document import Node, rebuilt
from octavo.content.openapi.telling import told
from octavo.content.revision import Page
from octavo.jobs.content.pdf_request import Request
from octavo.jobs.work import Work
from octavo.site.apis import BLOCKS, Shown, blocks_of, key_of, shown_by
from octavo.site.computed import is_made, made_document
from octavo.store.unit import Unit
from octavo.web.beside import beside

_MARKS = tuple(f'"{kind}"'.encode() for kind in sorted(BLOCKS))
_DOCUMENT: msgspec.json.Decoder[Node] = msgspec.json.Decoder(Node)


async def described(work: Work, organization: str, request: Request) -> Request:
    """The request with the documents of pages that are made, and with text in the place of blocks that show APIs."""
    chosen = {one.page for one in request.places}
    documents, pages = dict(request.documents), []
    for page in request.pages:
        if page.id in chosen and is_made(page):
            raw = await work.store.read_apart(lambda unit, page=page: _made(unit, organization, page))  # type: ignore[misc]
            page = msgspec.structs.replace(page, document=blake2b(raw, digest_size=20).digest())
            documents[page.document or b""] = raw
        pages.append(page)
    reusables = dict(request.reusables)
    for kept in (documents, reusables):
        for key, raw in kept.items():
            if any(mark in raw for mark in _MARKS):
                kept[key] = await _written(work, organization, bytes(raw))  # type: ignore[index]
    return msgspec.structs.replace(request, pages=pages, documents=documents, reusables=reusables)


async def _made(unit: Unit, organization: str, page: Page) -> bytes:
    return msgspec.json.encode(await made_document(unit, organization, page))


async def _written(work: Work, organization: str, raw: bytes) -> bytes:
    async def shown(unit: Unit) -> dict[bytes, Shown]:
        specs = await unit.openapi.newest(organization)
        return await shown_by(unit, specs, blocks_of([_DOCUMENT.decode(raw)]))

    apis = await work.store.read_apart(shown)
    return await beside(_rewritten, raw, apis)


def _rewritten(raw: bytes, apis: dict[bytes, Shown]) -> bytes:
    def replaced(node: Node) -> list[Node] | None:
        if node.get("type") not in BLOCKS or (found := apis.get(key_of(node))) is None:
            return None
        written = told(found)
        # The page itself is called so.
        return written[1:] if (node.get("data") or {}).get("headless") else written

    return msgspec.json.encode(rebuilt(_DOCUMENT.decode(raw), replaced))
