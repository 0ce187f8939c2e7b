"""Insights of a site: events that are sent, aggregations that are asked for, and their answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta

from octavo.kernel import limits
from octavo.kernel.clock import iso
from octavo.kernel.operation import Raw
from octavo.kernel.records import insights as records
from octavo.wire.fields import Body, DateTime, Id, Instant, Json, Maybe, Query, Shape, WebUrl, matching
from octavo.wire.view import View

_Word = Annotated[str, Meta(min_length=1, max_length=limits.INSIGHTS_ID_MAX)]
_Text = Annotated[str, Meta(max_length=limits.INSIGHTS_TEXT_MAX)]
_Url = Annotated[str, Meta(max_length=limits.URL_MAX)]
_Comment = Annotated[str, Meta(min_length=1, max_length=limits.INSIGHTS_TEXT_MAX)]
_Ids = Id | None


class EventSession(Body, frozen=True):
    """Whose event it is. `ip` becomes a country, where the installation has a database of these, and is not kept;
    `visitorId` and `sessionId` are kept as hashes; `cookies` are not kept."""

    visitor_id: _Word
    session_id: _Word
    cookies: Annotated[dict[str, str], Meta(max_length=limits.INSIGHTS_COOKIES_MAX)] = {}
    ip: Maybe[_Text | None] = UNSET
    user_agent: Annotated[str, Meta(max_length=2048)] | None = ""
    language: _Text | None = None
    referrer: _Url | None = None
    visitor_auth_claims: Maybe[Json | None] = UNSET


class EventLocation(Body, frozen=True):
    """Where it happened: ids of the site's own sections, site-spaces and spaces. A view of no page is one of an address
    where nothing is."""

    url: WebUrl
    display_context: Literal["site", "server", "embed", "mcp"] = "site"
    site_section: _Ids = None
    site_space: _Ids = None
    site_share_key: _Text | None = None
    space: _Ids = None
    revision: _Ids = None
    page: _Ids = None


class _Event(Body, frozen=True, kw_only=True, tag_field="type"):
    """`timestamp` is within 5 minutes of now, which it is where it is left out; `id` is the event's own: what comes again
    with it within a day is not counted again."""

    session: EventSession
    location: EventLocation
    timestamp: Maybe[Instant] = UNSET
    id: Maybe[_Word] = UNSET


class PageView(_Event, frozen=True, tag="page_view"):
    pass


class MarkdownRequest(_Event, frozen=True, tag="page_markdown_request"):
    markdown_source: Maybe[Literal["page-action"]] = UNSET


class SearchOpen(_Event, frozen=True, tag="search_open"):
    pass


class SearchTypeQuery(_Event, frozen=True, kw_only=True, tag="search_type_query"):
    """`results` says how many were found, where it is known."""

    query: _Text
    results: Maybe[Annotated[int, Meta(ge=0, le=1_000_000)]] = UNSET


class FoundPage(Body, frozen=True):
    space_id: Maybe[Id] = UNSET
    page_id: Maybe[Id] = UNSET
    record_id: Maybe[_Word] = UNSET

    def __post_init__(self) -> None:
        if self.record_id is UNSET and (self.space_id is UNSET or self.page_id is UNSET):
            raise ValueError("Expected `spaceId` and `pageId`, or `recordId`")


class SearchOpenResult(_Event, frozen=True, kw_only=True, tag="search_open_result"):
    query: _Text
    result: FoundPage


class Feedback(Body, frozen=True):
    rating: Literal["bad", "ok", "good"]


class FeedbackComment(Body, frozen=True):
    rating: Literal["bad", "ok", "good"]
    comment: _Comment


class PostFeedback(_Event, frozen=True, kw_only=True, tag="page_post_feedback"):
    feedback: Feedback


class PostFeedbackComment(_Event, frozen=True, kw_only=True, tag="page_post_feedback_comment"):
    feedback: FeedbackComment


class AgentFeedback(_Event, frozen=True, tag="agent_feedback"):
    pass


class AskQuestion(_Event, frozen=True, kw_only=True, tag="ask_question"):
    query: _Text
    goal: Maybe[_Text] = UNSET


class AskView(_Event, frozen=True, tag="ask_view"):
    pass


class AskRateResponse(_Event, frozen=True, kw_only=True, tag="ask_rate_response"):
    query: _Text
    rating: Literal[1, -1]
    response_id: _Word


class TargetRef(Body, frozen=True):
    """A content reference: `kind` and what that kind names."""

    kind: Literal["url", "page", "file", "anchor", "space", "collection", "user", "reusable-content", "tag", "openapi"]
    url: Maybe[_Url] = UNSET
    page: Maybe[Id] = UNSET
    anchor: Maybe[_Text] = UNSET
    file: Maybe[Id] = UNSET
    space: Maybe[Id] = UNSET
    collection: Maybe[Id] = UNSET
    user: Maybe[Id] = UNSET
    reusable_content: Maybe[Id] = UNSET
    tag: Maybe[_Text] = UNSET
    spec: Maybe[_Text] = UNSET


class ClickedLink(Body, frozen=True):
    target: TargetRef
    position: Literal["announcement", "header", "footer", "sidebar", "content"]


class LinkClick(_Event, frozen=True, kw_only=True, tag="link_click"):
    link: ClickedLink


class OperationPointer(Body, frozen=True):
    path: _Url
    method: _Text


class ApiClientOpen(_Event, frozen=True, kw_only=True, tag="api_client_open"):
    operation: OperationPointer


class ApiClientRequest(_Event, frozen=True, kw_only=True, tag="api_client_request"):
    operation: OperationPointer


class TrademarkClick(_Event, frozen=True, kw_only=True, tag="trademark_click"):
    placement: Literal["sidebar", "ad", "footer", "pdf", "embed"]


class Ad(Body, frozen=True):
    domain: _Text
    zone_id: _Text
    placement: Literal["aside"]


class AdClick(_Event, frozen=True, kw_only=True, tag="ad_click"):
    ad: Ad


class AdDisplay(_Event, frozen=True, kw_only=True, tag="ad_display"):
    ad: Ad


class LlmsRequest(_Event, frozen=True, kw_only=True, tag="llms_request"):
    llms_variant: Literal["standard", "full"]


class McpRequest(_Event, frozen=True, tag="mcp_request"):
    pass


class RssRequest(_Event, frozen=True, tag="rss_request"):
    pass


Event = (
    PageView | MarkdownRequest | SearchOpen | SearchTypeQuery | SearchOpenResult | PostFeedback | PostFeedbackComment
    | AgentFeedback | AskQuestion | AskView | AskRateResponse | LinkClick | ApiClientOpen | ApiClientRequest
    | TrademarkClick | AdClick | AdDisplay | LlmsRequest | McpRequest | RssRequest
)  # fmt: skip


class TrackEvents(Body, frozen=True):
    """A batch: all of it is kept, or nothing."""

    events: Annotated[list[Event], Meta(max_length=limits.INSIGHTS_EVENTS_MAX)]


if TYPE_CHECKING:
    ColumnName = str
else:
    ColumnName = Literal[tuple(records.COLUMNS)]
_ZONE = matching("^[A-Za-z0-9_+/-]+", "the name of a time zone, as in Europe/Berlin", max_length=64)


class AskedColumn(Body, frozen=True):
    """A column; `interval` cuts `datetime` into buckets, `claim` names the one of `visitorClaim`, `precision` says how fine
    the grid of `visitorGeoPoint` is."""

    column: ColumnName
    interval: Maybe[Literal["hour", "day", "week", "month"]] = UNSET
    claim: Maybe[_Text] = UNSET
    precision: Maybe[Annotated[int, Meta(ge=0, le=15)]] = UNSET


class AskedFilter(AskedColumn, frozen=True, kw_only=True):
    """What a column has to be: one of the values, none of them, or more or less than one."""

    values: Annotated[list[Any], Meta(max_length=limits.INSIGHTS_VALUES_MAX)]
    operator: Literal["in", "notIn", "greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual"] = "in"


class AskedOrder(Body, frozen=True):
    by: AskedColumn
    direction: Literal["asc", "desc"]


class AskedRange(Body, frozen=True):
    """From a moment, and before another."""

    from_: Instant = msgspec.field(name="from")
    to: Instant


Preset = Literal["lastYear", "last3Months", "last30Days", "last7Days", "last24Hours"]
_Terms = Annotated[list[AskedColumn], Meta(max_length=limits.INSIGHTS_TERMS_MAX)]


class AggregateEvents(Body, frozen=True, kw_only=True):
    """What is selected of the events of a range. Without `groupBy` they are grouped by the selected columns where a count
    is among these, and else answered one by one. `timeZone` says where days begin."""

    range: Preset | AskedRange
    select: _Terms = []
    where: Annotated[list[AskedFilter], Meta(max_length=limits.INSIGHTS_TERMS_MAX)] = []
    group_by: Maybe[_Terms] = UNSET
    order: Maybe[AskedOrder] = UNSET
    limit: Annotated[int, Meta(ge=1, le=1000)] = 1000
    time_zone: Annotated[str, _ZONE] = "UTC"


class AnsweredColumn(Shape, frozen=True):
    """`values` has one entry for each row, in the order of the rows."""

    column: ColumnName
    values: list[Any]
    interval: Maybe[str] = UNSET
    claim: Maybe[str] = UNSET


class Aggregation(Shape, frozen=True):
    columns: list[AnsweredColumn]


class VisitorSegment(Shape, frozen=True):
    title: str
    claims: Json
    events: int
    visitors: int
    sessions: int


class VisitorSegments(Shape, frozen=True):
    items: list[VisitorSegment]
    count: int


class ForgetVisitors(Body, frozen=True):
    """Ids of visitors as they were sent with their events."""

    visitors: Annotated[list[_Word], Meta(min_length=1, max_length=limits.INSIGHTS_VISITORS_MAX)]


class Forgotten(Shape, frozen=True):
    """How many events were removed."""

    events: int


def present_aggregation(found: list[Json], view: View) -> Aggregation:
    """The columns as the API serves them."""
    return Aggregation([AnsweredColumn(**one) for one in found])


def present_segments(found: list[records.Segment], view: View) -> VisitorSegments:
    """Most frequent first."""
    items = [VisitorSegment(_title(one.claims), one.claims, one.events, one.visitors, one.sessions) for one in found]
    return VisitorSegments(items, len(items))


def present_forgotten(events: int, view: View) -> Forgotten:
    """How many there were."""
    return Forgotten(events)


_LONGEST = 100
_SPACES = re.compile(r"\s+")


def _title(claims: Json) -> str:
    """What a segment is called: its claims, as far as they are short.

    >>> _title({"plan": "pro", "beta": True}), _title({})
    ('plan: pro, beta: true', 'Without claims')
    """
    if not claims:
        return "Without claims"
    said = ", ".join(
        f"{name}: {value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in claims.items()
    )
    said = _SPACES.sub(" ", said)
    return said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"


class ReportTable(Shape, frozen=True):
    """The rows of a range, from a moment and before another."""

    from_: DateTime = msgspec.field(name="from")
    to: DateTime
    columns: list[AnsweredColumn]
    events: int
    """Of all rows."""


class Report(Shape, frozen=True):
    report: str
    table: ReportTable
    before: Maybe[ReportTable] = UNSET
    """The same for as long a time before."""


class ReportView(msgspec.Struct, frozen=True):
    report: str
    ranges: list[tuple[int, int]]
    tables: list[list[Json]]
    csv: bytes | None = None


def present_report(found: ReportView, view: View) -> Report | Raw:
    """A table, and the one to compare with where it is asked for."""
    if found.csv is not None:
        return Raw("text/csv", found.csv)
    tables = [_table(*both) for both in zip(found.ranges, found.tables)]
    return Report(found.report, tables[0], tables[1] if len(tables) > 1 else UNSET)


def _table(span: tuple[int, int], columns: list[Json]) -> ReportTable:
    counted = next((one["values"] for one in columns if one["column"] == "eventsCount"), None)
    events = sum(counted) if counted is not None else len(columns[0]["values"])
    return ReportTable(iso(span[0]), iso(span[1]), [AnsweredColumn(**one) for one in columns], events)


class ReportQuery(Query, frozen=True):
    """`report` names the table; `range` ends now, unless `from` and `to` say otherwise; `compare` adds the time before it,
    in CSV below it and with a first column `range`: `current` or `before`."""

    report: Literal[
        "traffic",
        "pages",
        "referrers",
        "countries",
        "devices",
        "browsers",
        "systems",
        "languages",
        "bots",
        "searches",
        "searches-without-result",
        "feedback",
        "comments",
        "links",
        "not-found",
    ] = "traffic"
    range: Preset = "last30Days"
    from_: Maybe[Instant] = msgspec.field(default=UNSET, name="from")
    to: Maybe[Instant] = UNSET
    compare: bool = False
    interval: Maybe[Literal["hour", "day", "week", "month"]] = UNSET
    time_zone: Annotated[str, _ZONE] = "UTC"
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    format: Literal["json", "csv"] = "json"
