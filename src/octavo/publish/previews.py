"""Previews: a site at a signed address that says itself what it shows, and until when; no account is asked for."""

from __future__ import annotations

from octavo.access.signing import Signer
from octavo.kernel.errors import NotFound
from octavo.publish.building import Address
from octavo.publish.request import SiteRequest
from octavo.site.previewing import PREVIEW, drafted, visitor_by, within
from octavo.site.snapshot import Snapshot
from octavo.store.unit import Store
from octavo.web.answers import Answer


class Previews:
    """Opens previews of sites, published or not."""

    def __init__(self, store: Store, signer: Signer) -> None:
        self._store = store
        self._signer = signer

    async def open(self, request: SiteRequest) -> SiteRequest | None:
        """The request below the preview's own base; None for an address that shows nothing, or nothing any more."""
        word, _, rest = request.path.removeprefix(PREVIEW).partition("/")
        snapshot: Snapshot | None = request.snapshot
        try:
            preview = self._signer.read_preview(word, self._store.clock())
        except NotFound:
            return None
        if preview.site != request.snapshot.site.id:
            return None
        visitor = visitor_by(request.snapshot, preview)
        if preview.change_request is not None:
            key = preview.change_request
            snapshot = await self._store.read(lambda unit: drafted(unit, request.snapshot, key))
            if snapshot is None:
                return None
            if snapshot.draft is not None:
                visitor = within(visitor, snapshot.site, snapshot.draft.space)
        assert snapshot is not None  # only a change request may be gone
        own = f"{PREVIEW}{word}/"
        address = Address(request.address.base + own, request.address.public + own)
        return SiteRequest(snapshot.seen_by(visitor), address, rest, request.query, request.scope, request.blobs)


def for_reviewers(answer: Answer) -> Answer:
    """The answer of a preview: kept and indexed by nobody, its address told nowhere."""
    replaced = (b"cache-control", b"x-robots-tag", b"referrer-policy")
    answer.headers = [pair for pair in answer.headers if pair[0] not in replaced]
    answer.header("cache-control", "private, no-store").header("x-robots-tag", "noindex, nofollow")
    return answer.header("referrer-policy", "no-referrer")
