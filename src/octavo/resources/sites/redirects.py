"""Redirects of a site: addresses where no page is, and where they lead."""

from __future__ import annotations

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from octavo.access.locate_sites import SeenRedirect
from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, Failure, NotFound
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.sites import Site, SiteRedirect
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtSite
from octavo.site.addresses import site_address
from octavo.site.leading import Leads, Rules, met_by, normal_source
from octavo.site.snapshot import snapshot_of
from octavo.wire.sites import redirects
from octavo.wire.sites.redirects import (
    BulkRedirect,
    BulkRedirects,
    CreateRedirect,
    Outcome,
    RedirectsQuery,
    ResolvedView,
    SourceQuery,
    UpdateRedirect,
)


class AtRedirect(AtSite, frozen=True):
    redirect: SeenRedirect


class RedirectTable:
    """The redirects of a site while some of them change."""

    def __init__(self, call: Call, site: Site, leads: Leads, known: list[SiteRedirect]) -> None:
        self._call = call
        self._site = site
        self.leads = leads
        self.known = {(one.source, one.draft): one for one in known}

    async def add(self, made: SiteRedirect) -> SiteRedirect:
        """Raises Conflict for a source that another one has, or for too many; BadRequest for a circle."""
        if (made.source, made.draft) in self.known:
            raise Conflict(f"source: the site has a {_kind(made)} from {made.source!r}")
        if len(self.known) >= limits.REDIRECTS_MAX:
            raise Conflict(f"a site has {limits.REDIRECTS_MAX} redirects at most")
        await self._require_end(made)
        await self._call.unit.redirects.add(made)
        self.known[made.source, made.draft] = made
        return made

    async def change(self, old: SiteRedirect, **changed: object) -> SiteRedirect:
        """The same for one that is there."""
        made = replace(old, **changed, updated_at=self._call.now)
        other = self.known.get((made.source, made.draft))
        if other is not None and other.id != old.id:
            raise Conflict(f"source: the site has a {_kind(made)} from {made.source!r}")
        await self._require_end(made, without=old)
        made = await self._call.unit.redirects.change(old, **changed, updated_at=self._call.now)
        del self.known[old.source, old.draft]
        self.known[made.source, made.draft] = made
        return made

    async def remove(self, old: SiteRedirect) -> None:
        """It leads nowhere any more."""
        await self._call.unit.redirects.remove(old)
        del self.known[old.source, old.draft]

    async def told(self) -> None:
        """Visitors see something else."""
        await self._call.unit.emit(SiteChanged(organization=self._site.organization, site=self._site.id))

    async def _require_end(self, made: SiteRedirect, without: SiteRedirect | None = None) -> None:
        if not made.draft:
            others = (one for one in self.known.values() if without is None or one.id != without.id)
            await self.leads.require_end(Rules((*others, made)), made)


def _kind(redirect: SiteRedirect) -> str:
    return "draft of a redirect" if redirect.draft else "redirect"


async def table_of(call: Call, site: Site) -> RedirectTable:
    """The redirects of a site, to change some."""
    return RedirectTable(call, site, await leads_of(call, site), await call.unit.redirects.all(site.id))


async def leads_of(call: Call, site: Site, base: str | None = None) -> Leads:
    """Where redirects of a site lead: below `base`, else at its own address."""
    own = f"https://{site.proxy}/" if site.proxy is not None else site_address(call.view.app, site)
    return Leads(call.unit, await snapshot_of(call.unit, site), own if base is None else base)


async def list_on_site(call: Call, at: AtSite, query: RedirectsQuery) -> Slice[SiteRedirect]:
    """Those that hold, or drafts, in the order that is asked for."""
    found = [one for one in await call.unit.redirects.all(at.site.record.id) if _matches(one, query)]

    def key(one: SiteRedirect) -> tuple[int | str, ...]:
        if query.order_by == "source":
            return one.source, one.id
        changed = one.updated_at if query.order_by == "updatedAt" else None
        return -(changed or one.created_at), one.id

    return call.cut(sorted(found, key=key), query, key)


def _matches(redirect: SiteRedirect, query: RedirectsQuery) -> bool:
    wanted = "" if query.search is UNSET else query.search.casefold()
    said = f"{redirect.source}\n{redirect.destination.get('url', '')}".casefold()
    return redirect.draft == query.draft and wanted in said


async def create(call: Call, at: AtSite, body: CreateRedirect) -> SiteRedirect:
    """It leads on where no page answers."""
    table = await table_of(call, at.site.record)
    made = await table.add(await _made(call, at.site.record, table, body))
    await table.told()
    return made


async def _made(call: Call, site: Site, table: RedirectTable, body: CreateRedirect) -> SiteRedirect:
    _require_wildcard(body.source, body.capture_wildcard)
    return SiteRedirect(
        id=new_id(),
        organization=site.organization,
        site=site.id,
        source=normal_source(body.source),
        destination=await table.leads.stored(msgspec.to_builtins(body.destination)),
        created_at=call.now,
        capture_wildcard=body.capture_wildcard,
        permanent=body.permanent,
        draft=body.draft,
    )


def _require_wildcard(source: str, captures: bool) -> None:
    if captures and not source.endswith("*"):
        raise BadRequest("captureWildcard: a source without * at its end captures nothing")


async def update(call: Call, at: AtRedirect, body: UpdateRedirect) -> SiteRedirect:
    """Only the fields that were sent change."""
    old, table = at.redirect.record, await table_of(call, at.site.record)
    changed: dict[str, object] = {
        name: value
        for name in ("capture_wildcard", "draft", "permanent")
        if (value := getattr(body, name)) is not UNSET
    }
    if body.source is not UNSET:
        changed["source"] = normal_source(body.source)
    if body.destination is not UNSET:
        changed["destination"] = await table.leads.stored(msgspec.to_builtins(body.destination))
    made = replace(old, **changed)
    _require_wildcard(made.source, made.capture_wildcard)
    made = await table.change(old, **changed)
    await table.told()
    return made


async def delete(call: Call, at: AtRedirect, takes: Nothing) -> None:
    """Its address leads nowhere again."""
    old = at.redirect.record
    await call.unit.redirects.remove(old)
    await call.unit.emit(SiteChanged(organization=old.organization, site=old.site))


async def upsert(call: Call, at: AtSite, body: BulkRedirects) -> list[Outcome]:
    """Each entry by itself, in their order: one that is refused says why and hinders no other."""
    table = await table_of(call, at.site.record)
    made = []
    for entry in body.redirects:
        try:
            made.append(await upserted(call, at.site.record, table, entry))
        except Failure as failure:
            draft, source = entry.intent != "live", normal_source(entry.source)
            made.append(Outcome("error", source, draft, error=failure.message))
    await table.told()
    return made


async def upserted(call: Call, site: Site, table: RedirectTable, entry: BulkRedirect) -> Outcome:
    """What became of one of many. Raises NotFound, Conflict or BadRequest, and nothing of it is written then."""
    source, draft = normal_source(entry.source), entry.intent != "live"
    old = table.known.get((source, draft))
    if entry.intent == "publish":
        return await _published(table, source, old)
    if entry.destination is None:
        if old is None:
            raise NotFound(f"the site has no {'draft of a ' if draft else ''}redirect from {source!r}")
        await table.remove(old)
        return Outcome("deleted", source, draft)
    assert entry.destination is not UNSET  # the shape refuses it
    permanent = entry.permanent if isinstance(entry.permanent, bool) else old is not None and old.permanent
    wanted = CreateRedirect(entry.source, entry.destination, entry.capture_wildcard, draft, permanent)
    made = await _made(call, site, table, wanted)
    if old is None:
        return Outcome("created", source, draft, (await table.add(made)).id)
    names = ("destination", "capture_wildcard", "permanent")
    await table.change(old, **{name: getattr(made, name) for name in names})
    return Outcome("updated", source, draft, old.id)


async def _published(table: RedirectTable, source: str, old: SiteRedirect | None) -> Outcome:
    """The draft holds from now on, in the place of what held."""
    if old is None:
        raise NotFound(f"the site has no draft of a redirect from {source!r}")
    live = table.known.get((source, False))
    if live is None:
        return Outcome("published", source, False, (await table.change(old, draft=False)).id)
    names = ("destination", "capture_wildcard", "permanent")
    await table.change(live, **{name: getattr(old, name) for name in names})
    await table.remove(old)
    return Outcome("published", source, False, live.id)


async def get_by_source(call: Call, at: AtSite, query: SourceQuery) -> ResolvedView:
    """The redirect that an address meets, and where it leads now."""
    site = at.site.record
    met = await met_by(call.unit, site.id, query.source)
    target = None if met is None else await (await leads_of(call, site)).target(met)
    if met is None or target is None:
        raise NotFound(f"redirect from {query.source!r} was not found")
    return ResolvedView(met.redirect, target)


_ALL = "/orgs/{organization}/sites/{site}/redirects"
_ONE = "/orgs/{organization}/sites/{site}/redirects/{redirect}"

OPERATIONS = (
    reads("listSiteRedirects", _ALL, list_on_site, listed(redirects.present),
          needs="site.view", scope="site:read", summary="List the redirects of a site"),
    writes("POST", "createSiteRedirect", _ALL, create, redirects.present,
           lock="site", status=201, needs="site.admin", scope="site:write", audit="site.redirect.create",
           about=lambda made: made, summary="Let an address of a site lead elsewhere"),
    writes("PUT", "bulkUpsertSiteRedirects", _ALL, upsert, redirects.present_outcomes,
           lock="site", needs="site.admin", scope="site:write", audit="site.redirects.update",
           summary="Create, change, publish and delete redirects of a site, each entry by itself"),
    writes("PATCH", "updateSiteRedirectById", _ONE, update, redirects.present,
           lock="site", needs="site.admin", scope="site:write", audit="site.redirect.update",
           summary="Change a redirect"),
    writes("DELETE", "deleteSiteRedirectById", _ONE, delete, nothing,
           lock="site", needs="site.admin", scope="site:write", audit="site.redirect.delete",
           summary="Delete a redirect"),
    reads("getSiteRedirectBySource", "/orgs/{organization}/sites/{site}/redirect", get_by_source,
          redirects.present_resolved,
          needs="site.view", scope="site:read", summary="Find the redirect that an address of a site meets"),
)  # fmt: skip
