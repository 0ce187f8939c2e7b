"""Redirects of a site: addresses where no page is, and where they lead."""

from __future__ import annotations

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from octavo.access.locate_sites import SeenRedirect
from octavo.kernel.errors import Failure, NotFound
from octavo.kernel.events import SiteChanged
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records.sites import SiteRedirect
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import AtSite
from octavo.resources.redirecting import leads_of, made_of, require_wildcard, table_of, upserted
from octavo.site.leading import met_by, normal_source
from octavo.wire.sites import redirects
from octavo.wire.sites.redirects import (
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
    made = await table.add(await made_of(call, at.site.record, table, body))
    await table.told()
    return made


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
    require_wildcard(made.source, made.capture_wildcard)
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
           about=lambda made: made, stands="redirects", summary="Let an address of a site lead elsewhere"),
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
