"""PDF of content: of a space or a change request, the whole of it, a part, or one page."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from msgspec import UNSET

from octavo.access.signing import Download
from octavo.history.contents import contents_of
from octavo.history.pdfs import Order, kept
from octavo.kernel import extras
from octavo.kernel.errors import BadRequest, absent
from octavo.kernel.events import PdfWanted
from octavo.kernel.operation import reads
from octavo.kernel.records.library import Space
from octavo.kernel.records.review import ChangeRequest
from octavo.resources.call import Ahead, Call
from octavo.resources.places import AtChangeRequest, AtSpace
from octavo.site.computed import expanded
from octavo.site.pdfs import progress_of
from octavo.site.shown import show_spaces
from octavo.store.unit import Unit
from octavo.wire.content.pdf import Pdf, PdfProgress, PdfQuery
from octavo.wire.view import View

SECONDS = 60.0
"""How long a request waits for a PDF that is made."""


@dataclass(frozen=True)
class Made:
    """A finished PDF and what to call it."""

    blob: str
    title: str


async def make(prior: Ahead, at: AtSpace | AtChangeRequest, query: PdfQuery) -> Made:
    """The PDF as it is kept, or else made now."""
    extras.require("pdf")
    space = at.space.record
    request = at.change_request.record if isinstance(at, AtChangeRequest) else None
    order, title = await prior.read(lambda unit: _order(unit, prior.view, space, request, query))
    if not await prior.store.write(lambda unit: kept(unit, order), prior.provenance):
        wanted = PdfWanted(
            organization=space.organization,
            order=msgspec.to_builtins(order),
            blob=order.blob,
            user=prior.caller.user.id,
        )
        await prior.done(wanted, SECONDS)
    return Made(order.blob, title)


async def give(call: Call, at: AtSpace | AtChangeRequest, query: PdfQuery) -> str:
    """Where the PDF is fetched."""
    made: Made = call.prepared
    download = Download(at.space.record.organization, at.space.record.id, made.blob, "application/pdf")
    name = made.title.replace("/", "-").strip() or "Untitled"
    return call.signer.passing_path(download, f"{name}.pdf", call.now)


async def progress(call: Call, at: AtSpace | AtChangeRequest, query: PdfQuery) -> PdfProgress:
    """How far the PDF of the content as it is now is; nothing is begun by asking."""
    request = at.change_request.record if isinstance(at, AtChangeRequest) else None
    order, _ = await _order(call.unit, call.view, at.space.record, request, query)
    return await progress_of(call.unit, order)


async def _order(
    unit: Unit, view: View, space: Space, request: ChangeRequest | None, query: PdfQuery
) -> tuple[Order, str]:
    """What to make, and its title. Raises NotFound for a page that is not there, BadRequest for one without content."""
    revision = await unit.revisions.get(space.revision if request is None else request.revision)
    assert revision is not None  # a head is written in the unit that makes the revision
    title = space.title
    if query.page is not UNSET:
        page = (await expanded(unit, await contents_of(unit, revision))).pages.get(query.page)
        if page is None:
            raise absent("page", query.page)
        if page.type != "document" and (query.only or page.type != "group"):
            raise BadRequest(f"page: a {page.type} has no text of its own")
        title = page.title
    elif query.only:
        raise BadRequest("only: name the page by `page`")
    organization = await unit.people.organization(space.organization)
    [shown] = await show_spaces(unit, view, (space,), {})
    order = Order(
        organization=space.organization,
        space=space.id,
        root=revision.root.hex(),
        page=None if query.page is UNSET else query.page,
        only=query.only,
        title=space.title,
        emoji=space.emoji,
        language=space.language or "en",
        owner="" if organization is None else organization.title,
        change_request="" if request is None else f"#{request.number} {request.subject}".strip(),
        address=shown.published or "",
        apis=sorted(one.last_version for one in (await unit.openapi.newest(space.organization)).values()),
    )
    return order, title


def _as_it_is(progress: PdfProgress, view: View) -> PdfProgress:
    return progress


def _present(path: str, view: View) -> Pdf:
    return Pdf(view.app + path)


OPERATIONS = (
    reads("getChangeRequestPDF", "/spaces/{space}/change-requests/{change_request}/pdf", give, _present,
          at=AtChangeRequest, before=make, needs="space.view", scope="space:read",
          summary="Get the content of a change request as a PDF"),
    reads("getSpacePDF", "/spaces/{space}/pdf", give, _present,
          at=AtSpace, before=make, needs="space.view", scope="space:read",
          summary="Get the content of a space as a PDF"),
    reads("getChangeRequestPDFProgress", "/spaces/{space}/change-requests/{change_request}/pdf/progress", progress,
          _as_it_is, at=AtChangeRequest, needs="space.view", scope="space:read",
          summary="Get how far the PDF of a change request is"),
    reads("getSpacePDFProgress", "/spaces/{space}/pdf/progress", progress, _as_it_is, at=AtSpace,
          needs="space.view", scope="space:read", summary="Get how far the PDF of a space is"),
)  # fmt: skip
