"""The question at the foot of pages: a form that needs no script, no cookie and no account.

Whoever sends it is led to a page that thanks and asks for a few words. A script puts what that page says in the form's
place.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from octavo.access.addresses import client_address, household, user_agent
from octavo.access.signing import Signer
from octavo.content.revision import Branch
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Forbidden, TooMany
from octavo.publish import templating
from octavo.publish.building import FEEDBACK
from octavo.publish.context import page_href
from octavo.publish.entrance import restricted
from octavo.publish.reading import contents_at
from octavo.publish.request import SiteRequest
from octavo.publish.views import FeedbackView, SiteChrome
from octavo.site.feedback import RATINGS, Opinion, Rating, Reader, rate
from octavo.site.snapshot import Place
from octavo.store.unit import Store
from octavo.web.answers import Answer, redirect, zipped
from octavo.web.fields import Fields, first, form_fields

BODY = 16 << 10
"""Bytes of a form: a comment of characters of four bytes, each written as %XX."""
_LANGUAGE = 35
"""Characters of the first language that a browser asks for."""


class Desk(msgspec.Struct, frozen=True):
    """Where what visitors say is taken."""

    store: Store
    signer: Signer
    trusted: tuple[str, ...]
    """Addresses of proxies that are believed."""

    async def answer(self, request: SiteRequest, site: SiteChrome, place: Place) -> Answer | None:
        """The page that asks, or what was sent is kept; None where the site does not ask, or shows no such page."""
        snapshot = request.snapshot
        if not site.feedback or snapshot.visitor.previews:
            return None
        contents = await self.store.read(lambda unit: contents_at(unit, snapshot, place.space.id, place.site_space))
        branch = contents.by_id.get(place.rest.removeprefix(FEEDBACK))
        if branch is None or branch.page.type != "document":
            return None
        here = page_href(contents, place.base, branch)
        if request.body is None:
            return _asking(request, site, branch, request.address.base + here)
        require_own(request)
        said = _opinion(form_fields(request.headers, request.body), branch, request.address.public + here)
        reader = self._reader(request)
        if not await self.store.write(lambda unit: rate(unit, snapshot, place, reader, said)):
            raise TooMany("pages of this site were rated from your address often enough for now; come back in an hour")
        asked = f"?rating={said.rating}" + ("&sent=1" if said.comment else "")
        address = request.address.base + place.base + FEEDBACK + branch.page.id + asked
        return redirect(303, address).header("cache-control", "no-store")

    def _reader(self, request: SiteRequest) -> Reader:
        headers = request.headers
        house = household(client_address(request.scope, headers, self.trusted))
        agent = user_agent(headers)
        language = headers.get(b"accept-language", b"").decode("latin-1").partition(",")[0].partition(";")[0].strip()
        name = self.signer.visitor(request.snapshot.site.id, house, agent or "")
        return Reader(name, house, agent, language[:_LANGUAGE] or None)


def _asking(request: SiteRequest, site: SiteChrome, branch: Branch, href: str) -> Answer:
    rating = next((one for one in RATINGS if one == first(request.query, "rating")), None)
    sent = rating is not None and first(request.query, "sent") == "1"
    view = FeedbackView(branch.page.title, href, request.address.base + request.path, rating, sent)
    answer = zipped(200, "text/html", templating.feedback(site, view)).header("cache-control", "no-store")
    return answer.header("x-robots-tag", "noindex")


def require_own(
    request: SiteRequest, otherwise: str = "this form stands on another site; open the page and rate it there"
) -> None:
    """Raises Forbidden for a form that stands on another host: it speaks for a visitor who does not know."""
    headers = request.headers
    fetched = headers.get(b"sec-fetch-site")
    if fetched is not None:
        own = fetched == b"same-origin"
    else:
        origin = headers.get(b"origin", b"").decode("latin-1")
        known = {headers.get(b"host", b"").decode("latin-1"), urlsplit(request.address.public).netloc}
        # Pages of closed sites name no origin; whoever sends a form from elsewhere brings no cookie that lets in.
        own = (
            origin == "" or (origin == "null" and restricted(request.snapshot.site)) or urlsplit(origin).netloc in known
        )
    if not own:
        raise Forbidden(otherwise)


def _opinion(fields: Fields, branch: Branch, url: str) -> Opinion:
    """Raises BadRequest for a rating that there is not, and a comment that is too long."""
    rating: Rating | None = next((one for one in RATINGS if one == first(fields, "rating")), None)
    if rating is None:
        raise BadRequest(f"rating: has to be one of {', '.join(RATINGS)}")
    # Browsers send lines of a text with two characters at their ends and count one.
    comment = first(fields, "comment").replace("\r\n", "\n").strip()
    if len(comment) > limits.FEEDBACK_COMMENT_MAX:
        raise BadRequest(f"comment: has {len(comment)} characters, {limits.FEEDBACK_COMMENT_MAX} are possible")
    return Opinion(branch.page.id, url, rating, comment or None)
