"""Previews: a site at a signed address that says itself what it shows, and until when; no account is asked for."""

from __future__ import annotations

from msgspec.structs import replace

from octavo.access.signing import Preview, Signer
from octavo.kernel.errors import NotFound
from octavo.publish.building import Address
from octavo.publish.request import SiteRequest
from octavo.site.claims import filtered
from octavo.site.preview import Draft
from octavo.site.snapshot import Snapshot
from octavo.site.visitor import Visitor
from octavo.store.unit import Store, Unit
from octavo.web.answers import Answer

PREVIEW = "~preview/"
"""Where previews are, below a site's base."""


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
        visitor = _visitor(request.snapshot, preview)
        if preview.change_request is not None:
            key = preview.change_request
            snapshot = await self._store.read(lambda unit: _drafted(unit, request.snapshot, key))
            if snapshot is None:
                return None
            site = snapshot.site
            if snapshot.draft is not None and not (site.published and site.visibility in ("public", "unlisted")):
                # Whoever made the address could read this space; of the rest it would tell what nobody meant to show.
                visitor = replace(visitor, only=snapshot.draft.space)
        assert snapshot is not None  # only a change request may be gone
        own = f"{PREVIEW}{word}/"
        address = Address(request.address.base + own, request.address.public + own)
        return SiteRequest(snapshot.seen_by(visitor), address, rest, request.query, request.scope)


def _visitor(snapshot: Snapshot, preview: Preview) -> Visitor:
    site, claims = snapshot.site, preview.claims
    if not site.adaptive_enabled or site.adaptive_schema is None:
        return Visitor(drafts=preview.drafts, previews=True)
    said = claims.get("unsigned")
    known = filtered(site.adaptive_schema, claims, said if isinstance(said, dict) else {})
    return Visitor(known, drafts=preview.drafts, previews=True)


async def _drafted(unit: Unit, snapshot: Snapshot, key: str) -> Snapshot | None:
    """The site with a change request in the place of the content of its space; None where it came to an end."""
    request = (await unit.change_requests.by_ids((key,))).get(key)
    if request is None or request.status not in ("draft", "open"):
        return None
    space = snapshot.spaces.get(request.space)
    found = {one.id: one for one in await unit.revisions.by_ids((request.base, request.revision))}
    if space is None or len({request.base, request.revision} - found.keys()):
        return None
    return replace(
        snapshot,
        spaces=snapshot.spaces | {space.id: replace(space, revision=request.revision)},
        revisions=snapshot.revisions | {space.id: found[request.revision]},
        draft=Draft(space.id, request.number, request.subject, found[request.base]),
    )


def for_reviewers(answer: Answer) -> Answer:
    """The answer of a preview: kept and indexed by nobody, its address told nowhere."""
    replaced = (b"cache-control", b"x-robots-tag", b"referrer-policy")
    answer.headers = [pair for pair in answer.headers if pair[0] not in replaced]
    answer.header("cache-control", "private, no-store").header("x-robots-tag", "noindex, nofollow")
    return answer.header("referrer-policy", "no-referrer")
