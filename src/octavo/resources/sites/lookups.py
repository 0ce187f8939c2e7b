"""Lookups: which site and space an address of published content shows, for renderers of their own.

Whoever asks is told no more than a visit to the address would tell: nobody needs a token for it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from octavo.access import visits
from octavo.access.visits import Visit
from octavo.kernel.errors import BadRequest, NotFound
from octavo.kernel.operation import ANYBODY, Nothing, reads
from octavo.resources.call import Call
from octavo.site.addresses import site_address
from octavo.site.admission import Entry, LogIn, admitted
from octavo.site.hosts import Located, located
from octavo.site.placed import placed
from octavo.site.previewing import PREVIEW, aside, visit_by, visit_of
from octavo.site.shown import visited_address
from octavo.site.snapshot import Place, Snapshot, snapshot_of
from octavo.site.visitor import Visitor
from octavo.site.visits import visitor_of
from octavo.wire.sites import lookups
from octavo.wire.sites.lookups import Found, Lookup, LookupContent, LookupQuery, LookupRedirect

_encode = msgspec.json.Encoder(order="deterministic").encode


async def resolve(call: Call, at: Nothing, body: Lookup) -> Found:
    """What the address shows to that visitor."""
    visitor = body.visitor
    return await _found(call, body.url, visitor.jwt_token, visitor.unsigned_claims, redirects=body.redirect_on_error)


async def resolve_by_query(call: Call, at: Nothing, query: LookupQuery) -> Found:
    """What the address shows to a visitor without a token, or with the one that is given."""
    return await _found(call, query.url, query.visitor_auth_token, {}, redirects=query.redirect_on_error)


async def _found(
    call: Call, address: str, token: str | UnsetType, unsigned: dict[str, Any], *, redirects: bool
) -> Found:
    absent = NotFound(f"url: no published site is at {address!r}")
    try:
        url = urlsplit(address)
        at = await located(call.unit, call.view.app, call.settings.site_domain, url)
    except ValueError as error:
        raise BadRequest(f"url: {address!r} is no address") from error
    if at is None:
        raise absent
    ahead = await _ahead(call, at, unsigned)
    if ahead is not None:
        return ahead
    entry = await admitted(
        call.unit, call.signer, at, call.caller.visiting, None if token is UNSET else str(token), unsigned
    )
    if entry is None:
        raise absent
    if isinstance(entry, LogIn):
        # Who came with a token that does not hold is sent on only where that is asked for: the log-in may send her back.
        login = entry.address if entry.below is None else site_address(call.view.app, at.site) + entry.below
        if login is None or not (redirects or token is UNSET):
            raise absent
        return LookupRedirect("external", login, at.site.id)
    snapshot = (await snapshot_of(call.unit, at.site)).seen_by(visitor_of(entry.visit))
    place = await placed(call.unit, snapshot, entry.rest)
    if place is None:
        raise absent
    return _content(call, at, snapshot, place, entry)


async def _ahead(call: Call, at: Located, unsigned: dict[str, Any]) -> LookupContent | None:
    """What an address shows ahead of visitors: a signed one, or one that names a change request or a revision to somebody
    who may see it. Raises NotFound where it shows nothing, or nothing any more; None for another address."""
    if at.rest.startswith(PREVIEW):
        word, _, rest = at.rest.removeprefix(PREVIEW).partition("/")
        preview = call.signer.read_preview(word, call.now)
        snapshot = await snapshot_of(call.unit, at.site)
        visit = await visit_by(call.unit, snapshot, preview) if preview.site == at.site.id else None
        return await _previewed(call, at, snapshot, visit, f"{PREVIEW}{word}/", rest)
    wanted = aside(at.rest)
    if wanted is None:
        return None
    snapshot = await snapshot_of(call.unit, at.site)
    place = snapshot.seen_by(Visitor(drafts=True)).place(wanted.before)
    visit = None
    if place is not None and not place.rest:
        visit = await visit_of(call.unit, snapshot, call.caller, place, wanted, unsigned)
    found = await _previewed(call, at, snapshot, visit, "", wanted.before)
    base = f"{found.base_path}{wanted.kind}{wanted.word}/"
    return replace(found, base_path=base, pathname=wanted.after, complete=True)


async def _previewed(
    call: Call, at: Located, snapshot: Snapshot, visit: Visit | None, within: str, rest: str
) -> LookupContent:
    seen = None if visit is None else snapshot.seen_by(visitor_of(visit))
    place = None if seen is None else await placed(call.unit, seen, rest)
    if visit is None or seen is None or place is None:
        raise NotFound("url: there is no preview at this address, or none for you")
    return _content(call, at, seen, place, Entry(visit, within, rest))


def _content(call: Call, at: Located, snapshot: Snapshot, place: Place, entry: Entry) -> LookupContent:
    site, visit, base = snapshot.site, entry.visit, at.base + entry.within
    known = visit.claims if site.adaptive_enabled else {}
    return LookupContent(
        organization=site.organization,
        site=site.id,
        site_space=place.site_space.id,
        space=place.space.id,
        pathname=place.rest,
        base_path=base + place.base,
        site_base_path=base,
        canonical_url=visited_address(site, call.view, entry.key) + place.base + place.rest,
        api_token=visits.write(call.signer.visits, visit, call.now),
        complete=not snapshot.leads_on(entry.rest),
        site_section=UNSET if place.section is None else place.section.id,
        share_key=UNSET if entry.key is None else entry.key,
        context_id=blake2b(_encode(known), digest_size=12).hexdigest() if known else UNSET,
        change_request=UNSET if visit.change_request is None else visit.change_request,
        revision=UNSET if visit.revision is None else visit.revision,
        preview=True if visit.ahead else UNSET,
    )


OPERATIONS = (
    reads("resolvePublishedContentByUrl", "/urls/published", resolve, lookups.present,
          method="POST", needs=ANYBODY, also="everybody, also without a token", scope=None, anyone=True,
          summary="Get what an address of published content shows, and a token to read it"),
    reads("getPublishedContentByUrl", "/urls/published", resolve_by_query, lookups.present,
          needs=ANYBODY, also="everybody, also without a token", scope=None, anyone=True,
          summary="Get what an address of published content shows"),
)  # fmt: skip
