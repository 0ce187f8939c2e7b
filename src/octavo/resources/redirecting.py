"""The redirects of a site while some of them change: one by one, many at once, out of a file."""

from __future__ import annotations

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from octavo.kernel import limits
from octavo.kernel.errors import BadRequest, Conflict, NotFound
from octavo.kernel.events import SiteChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records.sites import Site, SiteRedirect
from octavo.resources.call import Call
from octavo.site.addresses import site_address
from octavo.site.leading import Leads, Rules, normal_source
from octavo.site.snapshot import snapshot_of
from octavo.wire.sites.redirects import BulkRedirect, CreateRedirect, Outcome


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


async def made_of(call: Call, site: Site, table: RedirectTable, body: CreateRedirect) -> SiteRedirect:
    """The redirect that a body describes, not kept yet."""
    require_wildcard(body.source, body.capture_wildcard)
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


def require_wildcard(source: str, captures: bool) -> None:
    """Raises BadRequest for a source that captures what it has no place for."""
    if captures and not source.endswith("*"):
        raise BadRequest("captureWildcard: a source without * at its end captures nothing")


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
    made = await made_of(call, site, table, wanted)
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
