"""Insights of a site: what readers do is taken in, and asked for; see `store/insights/`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from octavo.kernel import extras, limits
from octavo.kernel.errors import BadRequest, NotInstalled
from octavo.kernel.operation import Nothing, nothing, reads, writes
from octavo.kernel.records import Json
from octavo.kernel.records.insights import Segment
from octavo.kernel.records.sites import Site
from octavo.resources.call import Ahead, Call
from octavo.resources.places import AtSite
from octavo.site.insights_reports import as_csv, questions_of
from octavo.site.questions import question_of
from octavo.site.recording import Recorder, hashed
from octavo.store.insights import asking
from octavo.store.unit import Unit
from octavo.wire.sites import insights
from octavo.wire.sites.insights import AggregateEvents, Event, ForgetVisitors, ReportQuery, ReportView, TrackEvents

_WORDS = {"site_section": "siteSection", "site_space": "siteSpace", "space": "space"}


async def _ask(ahead: Ahead, request: asking.Request) -> Any:
    if ahead.store.insights is None:
        raise NotInstalled(extras.lacks("insights") or "insights are turned off in this installation")
    return await ahead.store.insights.ask(request)


async def keep(ahead: Ahead, at: AtSite, body: TrackEvents) -> None:
    """The events are durable when this returns, or none of them is kept."""
    site = at.site.record
    recorder = Recorder(ahead.store)
    await ahead.read(lambda unit: _require_own(unit, site, body.events))
    made = await recorder.made(site, body.events, ahead.store.clock(), ahead.provenance.address)
    assert ahead.store.insights is not None  # the recorder asked
    await ahead.store.insights.append(made)


async def _require_own(unit: Unit, site: Site, events: Sequence[Event]) -> None:
    """Raises BadRequest naming the first event that names what is not of the site. Revisions and pages are taken as they
    come: one that was read a moment ago may be gone, and the batch of a client is not lost for that."""
    site_spaces = await unit.sites.site_spaces(site.id)
    own: dict[str, Collection[str]] = {
        "site_section": {one.id for one in await unit.sites.sections(site.id)},
        "site_space": {one.id for one in site_spaces},
        "space": {one.space for one in site_spaces},
    }
    for at, event in enumerate(events):
        for field, known in own.items():
            named = getattr(event.location, field)
            if named is not None and named not in known:
                raise BadRequest(f"events[{at}].location.{_WORDS[field]}: the site has no such one")


async def track(call: Call, at: AtSite, body: TrackEvents) -> None:
    """They are kept before the answer, and counted soon after it."""


async def ask(ahead: Ahead, at: AtSite, body: AggregateEvents) -> list[Json]:
    """The answer of the engine, outside of any unit."""
    question = question_of(at.site.record, body, ahead.store.clock())
    found: list[Json] = await _ask(ahead, asking.Aggregate(question))
    return found


async def aggregate(call: Call, at: AtSite, body: AggregateEvents) -> list[Json]:
    """Columns of what was asked for."""
    found: list[Json] = call.prepared
    return found


async def ask_segments(ahead: Ahead, at: AtSite, query: Nothing) -> list[Segment]:
    """Claims and how many events had them, most frequent first."""
    site = at.site.record
    found = await _ask(ahead, asking.Segments(site.organization, site.id, limits.INSIGHTS_SEGMENTS))
    return [Segment(**one) for one in found]


async def segments(call: Call, at: AtSite, query: Nothing) -> list[Segment]:
    """Visitors of whom the same is known."""
    found: list[Segment] = call.prepared
    return found


async def forget_ahead(ahead: Ahead, at: AtSite, body: ForgetVisitors) -> int:
    """Remove what was kept of visitors; how many events."""
    site = at.site.record
    salt = await Recorder(ahead.store).salt(ahead.store.clock())
    visitors = [hashed(salt, site.id, one) for one in body.visitors]
    removed: int = await _ask(ahead, asking.ForgetVisitors(site.organization, site.id, visitors))
    return removed


async def forget(call: Call, at: AtSite, body: ForgetVisitors) -> int:
    """How many events are gone."""
    removed: int = call.prepared
    return removed


async def ask_report(ahead: Ahead, at: AtSite, query: ReportQuery) -> ReportView:
    """The tables of a report."""
    asked = questions_of(at.site.record, query, ahead.store.clock())
    tables = [await _ask(ahead, asking.Aggregate(one)) for one in asked]
    ranges = [(one.since, one.until) for one in asked]
    if query.format == "csv":
        return ReportView(query.report, ranges, tables, as_csv(tables))
    return ReportView(query.report, ranges, tables)


async def report(call: Call, at: AtSite, query: ReportQuery) -> ReportView:
    """What a screen shows of a site's readers."""
    found: ReportView = call.prepared
    return found


_BASE = "/orgs/{organization}/sites/{site}/insights"

OPERATIONS = (
    reads("trackEventsInSiteById", _BASE + "/events", track, nothing,
          method="POST", status=204, before=keep, body_max=limits.INSIGHTS_BODY_MAX, visitors=True,
          needs="site.view", scope=None, installed="site:views:read", summary="Take events of the readers of a site"),
    reads("aggregateSiteEvents", _BASE + "/events/aggregate", aggregate, insights.present_aggregation,
          method="POST", before=ask, needs="site.view", scope="site:insights:read",
          summary="Aggregate events of a site"),
    reads("listSiteVisitorSegments", _BASE + "/visitor-segments", segments, insights.present_segments,
          before=ask_segments, needs="site.view", scope=None, installed="site:views:read",
          summary="List what is known of the visitors of a site"),
    reads("getSiteInsightsReport", _BASE + "/report", report, insights.present_report,
          before=ask_report, media=("text/csv",), needs="site.view", scope="site:insights:read",
          summary="Get a table of what readers of a site do, also as CSV"),
    writes("POST", "forgetSiteVisitors", _BASE + "/forget", forget, insights.present_forgotten,
           before=forget_ahead, needs="site.admin", scope="site:write", audit="site.insights.forget",
           summary="Remove the events of visitors of a site"),
)  # fmt: skip
