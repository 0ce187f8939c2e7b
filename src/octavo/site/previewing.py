"""Who looks at a site ahead of its visitors, and what they see there: by a signed address, or as somebody who may anyway."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from octavo.access.caller import Caller
from octavo.access.policy import allows
from octavo.access.signing import Preview, Signer
from octavo.access.standing import role_on_space, roles_on_sites
from octavo.access.visits import DAYS, Visit
from octavo.kernel.clock import DAY
from octavo.kernel.records.review import ChangeRequest
from octavo.kernel.records.sites import Site
from octavo.site.addresses import site_path
from octavo.site.claims import filtered, ignored
from octavo.site.preview import Draft
from octavo.site.snapshot import Place, Snapshot, snapshot_of
from octavo.site.visitor import Visitor
from octavo.store.unit import Unit

PREVIEW = "~preview/"
"""Where previews are, below a site's base."""
OPEN = ("visitor-auth", "share-link", "unlisted", "public")
"""Visibilities, the most closed first."""
AHEAD = ("~/changes/", "~/revisions/")
"""Ahead of the id of a change request or a revision, below the address of a site-space, as renderers write it."""


class Aside(msgspec.Struct, frozen=True):
    """A change request or a revision that an address names: `kind` is one of AHEAD, `before` and `after` the paths around."""

    before: str
    kind: str
    word: str
    after: str


def aside(rest: str) -> Aside | None:
    """What an address looks at instead of primary content.

    >>> aside("guide/~/changes/12/install").after
    'install'
    """
    for kind in AHEAD:
        before, found, behind = f"/{rest}".partition(f"/{kind}")
        word, _, after = behind.partition("/")
        if found and word:
            return Aside(before.strip("/"), kind, word, after)
    return None


def visitor_by(snapshot: Snapshot, preview: Preview) -> Visitor:
    """Who reads by a signed address."""
    site, claims = snapshot.site, preview.claims
    if not site.adaptive_enabled or site.adaptive_schema is None:
        return Visitor(drafts=preview.drafts, previews=True)
    said = claims.get("unsigned")
    known = filtered(site.adaptive_schema, claims, said if isinstance(said, dict) else {})
    return Visitor(known, drafts=preview.drafts, previews=True)


def ignored_by(site: Site, claims: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Which claims of an address count for nothing, as those of no visitor would: the way to each, and why."""
    if not site.adaptive_enabled or site.adaptive_schema is None:
        why = (
            "the site has no schema of claims" if site.adaptive_schema is None else "content does not adapt to visitors"
        )
        return [(name, why) for name in claims]
    return list(ignored(site.adaptive_schema, claims))


def is_closed(site: Site) -> bool:
    """Whether of the site only the space that somebody could read may be shown with a change request of it: of the rest its
    address would tell what nobody meant to show."""
    return not (site.published and site.visibility in ("public", "unlisted"))


def within(visitor: Visitor, site: Site, space: str) -> Visitor:
    """Who looks at a site with a change request of a space. Its maker could read that space, and of the others no more than
    everybody may: there, what she says of a visitor opens nothing, and neither does that drafts are shown."""
    return replace(visitor, only=space) if is_closed(site) else replace(visitor, own=space)


def is_ahead(request: ChangeRequest) -> bool:
    """Whether a change request is still to come: of one that was merged or put away there is no preview."""
    return request.status in ("draft", "open")


async def address_ahead(unit: Unit, signer: Signer, base: str, request: ChangeRequest, until: int) -> str | None:
    """Where everybody who has the address sees a change request on a site, until a time in milliseconds: of the sites that
    show its space on the one that most people see; None where none does. `base` is the installation's address."""
    _, sites = await unit.sites.of_spaces((request.space,))
    if not sites:
        return None
    site = max(sites.values(), key=lambda one: (one.published, OPEN.index(one.visibility), -one.created_at, one.id))
    snapshot = await snapshot_of(unit, site)
    link = next((one for one in snapshot.site_spaces if one.space == request.space), None)
    if link is None:
        return None
    word = signer.write_preview(Preview(site.id, request.id, True, {}, until), until)
    return f"{base}{site_path(site)}{PREVIEW}{word}/{snapshot.base_of(link)}"


async def drafted(unit: Unit, snapshot: Snapshot, key: str) -> Snapshot | None:
    """The site with a change request in the place of the content of its space; None where it came to an end."""
    request = (await unit.change_requests.by_ids((key,))).get(key)
    if request is None or not is_ahead(request):
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


async def visit_by(unit: Unit, snapshot: Snapshot, preview: Preview) -> Visit | None:
    """The visit of whoever has a signed address; None where it shows nothing any more."""
    site, who = snapshot.site, visitor_by(snapshot, preview)
    if preview.change_request is not None:
        draft = await drafted(unit, snapshot, preview.change_request)
        if draft is None or draft.draft is None:
            return None
        who = within(who, site, draft.draft.space)
    return _visit(site, who, preview.until, change_request=preview.change_request)


async def visit_of(
    unit: Unit, snapshot: Snapshot, caller: Caller, place: Place, wanted: Aside, unsigned: Mapping[str, Any]
) -> Visit | None:
    """The visit of somebody to a change request or a revision of a space: by the token of such a visit, or by one of her own
    that reads the space and the site. None for everybody else, and where there is nothing like it."""
    site, space, of_change = snapshot.site, place.space, wanted.kind == AHEAD[0]
    request = await unit.change_requests.find(space.id, wanted.word) if of_change else None
    revision = None if of_change else await _revision(unit, space.id, wanted.word)
    if revision is None and (request is None or not is_ahead(request)):
        return None
    change = None if request is None else request.id
    if caller.visiting is not None:
        visit = caller.visiting.visit
        return visit if visit.site == site.id and (visit.change_request, visit.revision) == (change, revision) else None
    if not caller.has_scope("space:read") or not allows("space", "view", await role_on_space(unit, caller, space)):
        return None
    if not allows("site", "view", (await roles_on_sites(unit, caller, (site,)))[site.id]):
        return None
    who = visitor_by(snapshot, Preview(site.id, change, True, {"unsigned": dict(unsigned)}, 0))
    until = (unit.now // DAY + DAYS) * DAY
    return _visit(site, within(who, site, space.id), until, change_request=change, revision=revision)


def _visit(
    site: Site, who: Visitor, until: int, *, change_request: str | None = None, revision: str | None = None
) -> Visit:
    return Visit(
        site.id,
        who.claims,
        drafts=who.drafts,
        only=who.only,
        own=who.own,
        change_request=change_request,
        revision=revision,
        until=until,
    )


async def _revision(unit: Unit, space: str, word: str) -> str | None:
    found = await unit.revisions.get(word)
    return None if found is None or found.space != space else found.id
