"""Pages as PDFs, for whoever reads them: asked for, waited for, opened, without a script.

Somebody's PDF holds what she may see at that moment. It is kept by the content and by what is known of her, and its address
serves it as long as she would be given the same one again.
"""

from __future__ import annotations

from typing import Literal, get_args
from urllib.parse import quote

import msgspec

from octavo.access.addresses import client_address, household
from octavo.access.people.attempts import Allowance, spend
from octavo.content.revision import Branch
from octavo.history.contents import Contents
from octavo.history.pdfs import Order, kept
from octavo.kernel import extras, limits
from octavo.kernel.clock import HOUR, MINUTE
from octavo.kernel.errors import BadRequest, TooMany
from octavo.kernel.events import PdfWanted
from octavo.kernel.records.jobs import Job
from octavo.publish import templating
from octavo.publish.audience import shown
from octavo.publish.building import PDF
from octavo.publish.context import page_href
from octavo.publish.feedback import require_own
from octavo.publish.files import file_answer
from octavo.publish.reading import contents_at
from octavo.publish.request import SiteRequest
from octavo.publish.views import PdfView, SiteChrome
from octavo.site.pdfs import progress_of
from octavo.site.snapshot import Place
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Store, Unit
from octavo.web.answers import Answer, redirect, zipped
from octavo.web.fields import first, form_fields

Part = Literal["page", "below", "all"]
PARTS: tuple[Part, ...] = get_args(Part)
AGAIN = 2
"""Seconds after which a page that waits asks again."""


class Wish(msgspec.Struct, frozen=True):
    """A page of somebody, of which, or of whose space, she wants a PDF."""

    request: SiteRequest
    site: SiteChrome
    place: Place
    contents: Contents
    branch: Branch

    @property
    def at(self) -> str:
        """The address where it is asked for."""
        return f"{self.request.address.base}{self.place.base}{PDF}{self.branch.page.id}"

    def order(self, part: Part) -> Order:
        """Everything that it is made of."""
        snapshot, space = self.request.snapshot, self.place.space
        return Order(
            organization=space.organization,
            space=space.id,
            root=snapshot.revisions[space.id].root.hex(),
            page=None if part == "all" else self.branch.page.id,
            only=part == "page",
            title=space.title,
            emoji=space.emoji,
            language=space.language or "en",
            owner=snapshot.organization.title,
            address=self.request.address.public + self.place.base,
            first=self.place.site_space.page,
            claims=snapshot.visitor.claims,
            apis=sorted(one.last_version for one in snapshot.specs.values()),
        )

    def view(self) -> PdfView:
        below = any(shown(one.page) for one in self.branch.branches)
        href = self.request.address.base + page_href(self.contents, self.place.base, self.branch)
        return PdfView(self.branch.page.title, self.place.space.title, href, self.at, below)

    def file(self, part: Part) -> str:
        """The address of the PDF itself."""
        title = (self.place.space if part == "all" else self.branch.page).title.replace("/", "-").strip() or "Untitled"
        return f"{self.at}/{self.order(part).blob.removeprefix('pdf-')}/{quote(title, safe='')}.pdf?of={part}"


class Press(msgspec.Struct, frozen=True):
    """Where readers get PDFs."""

    store: Store
    blobs: Blobs
    trusted: tuple[str, ...]
    """Addresses of proxies that are believed."""

    async def answer(self, request: SiteRequest, site: SiteChrome, place: Place) -> Answer | None:
        """The page that asks or waits, or the PDF; None where the site offers none, or shows no such page."""
        snapshot = request.snapshot
        if "pdf" not in site.actions or snapshot.visitor.previews:
            return None
        extras.require("pdf")
        contents = await self.store.read(lambda unit: contents_at(unit, snapshot, place.space.id, place.site_space))
        word, _, rest = place.rest.removeprefix(PDF).partition("/")
        branch = contents.by_id.get(word)
        if branch is None or branch.page.type != "document":
            return None
        wish = Wish(request, site, place, contents, branch)
        if request.body is not None:
            require_own(request)
            return await self._wanted(wish, _part(first(form_fields(request.headers, request.body), "of")))
        if "of" not in request.query:
            return _page(site, wish.view())
        part = _part(first(request.query, "of"))
        return await self._file(wish, part, rest) if rest else await self._waited(wish, part)

    async def _wanted(self, wish: Wish, part: Part) -> Answer:
        """To the PDF where it is there, else to where it is waited for."""
        order = wish.order(part)
        scope = wish.request.scope
        house = household(client_address(scope, wish.request.headers, self.trusted))
        words = f"pdf {wish.request.snapshot.site.id} {house}"

        async def begin(unit: Unit) -> str | None:
            """The address to go to; None where too many were asked for."""
            if await kept(unit, order):
                return wish.file(part)
            going_on = await unit.jobs.going_on(order.blob)
            if going_on is not None:
                return f"{wish.at}?of={part}&job={going_on.id}"
            if not await spend(unit, [Allowance(words, limits.PDFS_OF_ADDRESS, HOUR // MINUTE)]):
                return None
            wanted = PdfWanted(organization=order.organization, order=msgspec.to_builtins(order), blob=order.blob)
            [job] = await unit.emit(wanted)
            return f"{wish.at}?of={part}&job={job}"

        address = await self.store.write(begin)
        if address is None:
            raise TooMany("your address asked for enough PDFs of this site for now; come back in an hour")
        return redirect(303, address).header("cache-control", "no-store")

    async def _waited(self, wish: Wish, part: Part) -> Answer:
        order, word = wish.order(part), first(wish.request.query, "job")

        async def far(unit: Unit) -> tuple[str, int, int, Job | None]:
            told = await progress_of(unit, order)
            job = await unit.jobs.get(word) if told.state == "absent" and word else None
            return told.state, told.done or 0, told.total or 0, job

        state, done, total, job = await self.store.read(far)
        if state == "ready":
            return redirect(303, wish.file(part)).header("cache-control", "no-store")
        if state != "absent":
            view = msgspec.structs.replace(wish.view(), waits=True, done=done, total=total)
            return _page(wish.site, view).header("refresh", str(AGAIN))
        # Only what was asked for here is told of.
        own = job is not None and job.payload.get("order") == msgspec.to_builtins(order) and job.state == "failed"
        failed = (job.error or "") if job is not None and own else ""
        return _page(wish.site, msgspec.structs.replace(wish.view(), failed=failed))

    async def _file(self, wish: Wish, part: Part, rest: str) -> Answer:
        order = wish.order(part)
        there = await self.store.read(lambda unit: unit.blobs.has(order.organization, order.blob))
        if not there or rest.partition("/")[0] != order.blob.removeprefix("pdf-"):
            # The content is another one by now.
            return redirect(307, wish.at).header("cache-control", "no-store")
        answer = await file_answer(wish.request.scope, self.blobs, order.organization, order.blob, "application/pdf")
        # Browsers show no PDF in a sandbox.
        answer.headers = [one for one in answer.headers if one[0] not in (b"content-security-policy", b"cache-control")]
        answer.header("cache-control", "private, no-cache").header("x-robots-tag", "noindex")
        return answer.header(
            "content-security-policy", "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
        )


def _part(word: str) -> Part:
    part: Part | None = next((one for one in PARTS if one == word), None)
    if part is None:
        raise BadRequest(f"of: has to be one of {', '.join(PARTS)}")
    return part


def _page(site: SiteChrome, view: PdfView) -> Answer:
    answer = zipped(200, "text/html", templating.pdf(site, view)).header("cache-control", "no-store")
    return answer.header("x-robots-tag", "noindex, nofollow")
