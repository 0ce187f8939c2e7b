"""Visits to sites by renderers of their own: what a token opens at this moment, and the callers who have one or none."""

from __future__ import annotations

from octavo.access.caller import Caller, Person, Visiting
from octavo.access.visits import Visit, sign_of
from octavo.history.contents import Contents, contents_of
from octavo.kernel.records import Role
from octavo.kernel.records.content import Revision
from octavo.kernel.records.people import Token, User
from octavo.kernel.records.sites import Site
from octavo.site.computed import expanded
from octavo.site.previewing import is_ahead
from octavo.site.seeing import seen
from octavo.site.snapshot import Snapshot, find_site, snapshot_of
from octavo.site.visitor import ANYBODY, Visitor
from octavo.store.unit import Unit


def _caller(name: str, visiting: Visiting | None = None) -> Caller:
    user, token = User(id="", email="", name=name), Token(id=f"~{name}", user="", hash="", created_at=0)
    roles: dict[str, Role | None] = {} if visiting is None else {visiting.organization: None}
    return Caller(user, roles, {}, token, visiting=visiting)


ANYONE = _caller("anyone")
"""Who asks without a token."""


def visitor_of(visit: Visit) -> Visitor:
    """Who reads the site."""
    return Visitor(visit.claims, drafts=visit.drafts, only=visit.only, own=visit.own)


def visitor_for(caller: Person, space: str | None = None) -> Visitor:
    """As whom a caller of the API reads a site, or a space of it: a visitor with a token, or else somebody who is shown all
    that she has a role on, and of what depends on claims what anybody sees."""
    visiting = caller.visiting if isinstance(caller, Caller) else None
    if visiting is None:
        return ANYBODY
    visitor = visitor_of(visiting.visit)
    return visitor if space is None else visitor.of(space)


async def contents_for(
    unit: Unit, caller: Caller, revision: Revision, *, computed: bool = False, follows: set[str] | None = None
) -> Contents:
    """What a revision holds, to a visitor what she may see of it: rows that visitors use read contents by this alone.

    `computed` has pages in the place of entries that stand for some; the tags of what these follow are added to `follows`.
    """
    contents = await contents_of(unit, revision)
    if computed:
        contents = await expanded(unit, contents, follows)
    return contents if caller.visiting is None else seen(contents, visitor_for(caller, revision.space))


async def snapshot_for(unit: Unit, caller: Person, site: Site) -> Snapshot:
    """The same of a site's structure."""
    return (await snapshot_of(unit, site)).seen_by(visitor_for(caller))


async def visited(unit: Unit, visit: Visit) -> Snapshot | None:
    """The site as the visitor sees it now; None where she would not be let in any more."""
    site = await find_site(unit, visit.site)
    if site is None or not (await _is_ahead(unit, visit) if visit.ahead else await _is_open(unit, visit, site)):
        return None
    return (await snapshot_of(unit, site)).seen_by(visitor_of(visit))


async def _is_ahead(unit: Unit, visit: Visit) -> bool:
    """Whether what she looks at is still to come."""
    if visit.change_request is None:
        return True
    request = (await unit.change_requests.by_ids((visit.change_request,))).get(visit.change_request)
    return request is not None and is_ahead(request)


async def _is_open(unit: Unit, visit: Visit, site: Site) -> bool:
    """Whether what let her in still does."""
    if not site.published:
        return False
    if site.visibility == "share-link":
        link = None if visit.share is None else await unit.sites.share_link_by_id(visit.share)
        return link is not None and link.active and link.site == site.id
    if site.visibility == "visitor-auth":
        auth = None if visit.auth is None else await unit.sites.auth(site.id)
        return auth is not None and sign_of(auth) == visit.auth
    return True


async def caller_of(unit: Unit, visit: Visit) -> Caller | None:
    """Whom the token of a visit stands for."""
    snapshot = await visited(unit, visit)
    if snapshot is None:
        return None
    spaces = frozenset(one.space for one in snapshot.shown)
    return _caller(f"visitor of {visit.site}", Visiting(snapshot.site.organization, visit, spaces))
