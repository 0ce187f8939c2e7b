"""Insights: an event as it is kept, the columns that it is asked by, and a question, all as data."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Event(msgspec.Struct, frozen=True, array_like=True, kw_only=True):
    """What happened on a site, as it is written down: no address of a visitor, and hashes in place of her ids.

    Fields are added at the end, with a default: what a spool holds was written by the version before.
    """

    organization: str
    site: str
    moment: int
    """Milliseconds since 1970."""
    type: str
    visitor: int
    """63 bits, as all hashes here: both engines have numbers of that size."""
    session: int
    key: int | None = None
    """Hash of the event's own id and its site: what comes again is not counted again."""
    agent: str = ""
    """What the browser says it is; the engine keeps what was made of it."""
    url: str | None = None
    path: str | None = None
    context: str = "site"
    section: str | None = None
    site_space: str | None = None
    share_key: str | None = None
    space: str | None = None
    revision: str | None = None
    page: str | None = None
    country: str | None = None
    cell: int | None = None
    """Of the H3 grid, at its finest; None where the address has no place."""
    language: str | None = None
    referrer: str | None = None
    referrer_domain: str | None = None
    authenticated: bool = False
    claims: str | None = None
    """JSON with sorted names, as they were sent."""
    claims_flat: str | None = None
    """JSON: name -> text; what lies deeper is named with dots."""
    utm_source: str | None = None
    utm_medium: str | None = None
    utm_campaign: str | None = None
    utm_term: str | None = None
    utm_content: str | None = None
    query: str | None = None
    results: int | None = None
    """How many results a search had, where it is known."""
    result_space: str | None = None
    result_page: str | None = None
    result_record: str | None = None
    rating: str | None = None
    comment: str | None = None
    answer_rating: int | None = None
    link_target: str | None = None
    """JSON with sorted names: a content reference."""
    link_kind: str | None = None
    link_domain: str | None = None
    link_position: str | None = None
    operation_path: str | None = None
    operation_method: str | None = None
    variant: str | None = None
    not_found: str | None = None
    markdown_source: str | None = None
    ad_domain: str | None = None
    ad_placement: str | None = None
    trademark: str | None = None


Kind = Literal[
    "time", "weekday", "hour", "text", "flag", "number", "count", "ratings", "page", "json", "cell", "claim", "claims"
]


class Column(msgspec.Struct, frozen=True):
    """A column of answers: what kind of values it has, and the field that it reads."""

    name: str
    kind: Kind
    field: str = ""
    values: tuple[str, ...] = ()
    """All that there are; () = any text."""
    blank: bool = False
    """Whether its absence is answered as "", as clients expect of texts that are never null."""

    @property
    def counts(self) -> bool:
        """Whether it is a number of a group of events, rather than something of one event."""
        return self.kind in ("count", "ratings")


EVENT_TYPES = (
    "page_view", "page_markdown_request", "search_open", "search_type_query", "search_open_result", "page_post_feedback",
    "page_post_feedback_comment", "agent_feedback", "ask_question", "ask_view", "ask_rate_response", "link_click",
    "api_client_open", "api_client_request", "ad_click", "ad_display", "trademark_click", "llms_request", "mcp_request",
    "rss_request",
)  # fmt: skip
CONTEXTS = ("site", "server", "embed", "mcp")
DEVICES = ("desktop", "tablet", "mobile", "unknown")
BROWSERS = ("chrome", "firefox", "safari", "edge", "ie", "opera", "unknown")
SYSTEMS = ("windows", "macos", "linux", "android", "ios", "unknown")
BOTS = (
    "unknown", "googlebot", "bingbot", "duckduckbot", "facebookbot", "applebot", "chatgpt", "openai", "claude", "anthropic",
    "gemini", "perplexity", "cohere", "mistral", "deepseek", "meta", "bytespider", "ccbot", "amazonbot", "youbot", "cursor",
    "vscode", "claude-code", "codex", "opencode", "gptbot", "claudebot", "meta-fetcher", "grok", "github-copilot",
    "meta-webindexer", "meta-ads", "duckassist", "amzn-searchbot", "amzn-user",
)  # fmt: skip
RATINGS = ("bad", "ok", "good")
POSITIONS = ("announcement", "header", "footer", "sidebar", "content")
PLACEMENTS = ("sidebar", "ad", "footer", "pdf", "embed")
LINK_KINDS = (
    "url", "page", "file", "anchor", "space", "collection", "user", "reusable-content", "tag", "openapi",
)  # fmt: skip

_ALL = (
    Column("datetime", "time", "moment"),
    Column("dayOfWeek", "weekday", "moment"),
    Column("hourOfDay", "hour", "moment"),
    Column("url", "text", "url", blank=True),
    Column("urlPath", "text", "path", blank=True),
    Column("eventType", "text", "type", EVENT_TYPES),
    Column("eventsCount", "count"),
    Column("sessionsCount", "count", "session"),
    Column("visitorsCount", "count", "visitor"),
    Column("siteSection", "text", "section"),
    Column("siteSpace", "text", "site_space"),
    Column("siteShareKey", "text", "share_key"),
    Column("displayContext", "text", "context", CONTEXTS),
    Column("page", "page", "page"),
    Column("visitorGeoCountry", "text", "country"),
    Column("visitorGeoPoint", "cell", "cell"),
    Column("visitorDevice", "text", "device", DEVICES),
    Column("visitorBrowser", "text", "browser", BROWSERS),
    Column("visitorOS", "text", "system", SYSTEMS),
    Column("visitorBot", "text", "bot", BOTS),
    Column("visitorLanguage", "text", "language"),
    Column("eventLinkTargetValue", "json", "link_target"),
    Column("eventLinkTargetKind", "text", "link_kind", LINK_KINDS),
    Column("eventLinkTargetDomain", "text", "link_domain"),
    Column("eventLinkPosition", "text", "link_position", POSITIONS),
    Column("eventAPIOperationPath", "text", "operation_path"),
    Column("eventAPIOperationMethod", "text", "operation_method"),
    Column("eventLLMSVariant", "text", "variant", ("standard", "full")),
    Column("eventPageNotFoundType", "text", "not_found", ("conditional",)),
    Column("eventMarkdownSource", "text", "markdown_source", ("page-action",)),
    Column("eventSearchQuery", "text", "query", blank=True),
    Column("eventSearchResultRecordId", "text", "result_record"),
    Column("eventPageFeedbackRating", "text", "rating", RATINGS),
    Column("eventPageFeedbackComment", "text", "comment", blank=True),
    Column("eventAskResponseRating", "number", "answer_rating"),
    Column("pageFeedbackRating", "ratings", "rating"),
    Column("askResponseRating", "ratings", "answer_rating"),
    Column("referrer", "text", "referrer", blank=True),
    Column("referrerDomain", "text", "referrer_domain", blank=True),
    Column("utmSource", "text", "utm_source", blank=True),
    Column("utmMedium", "text", "utm_medium", blank=True),
    Column("utmCampaign", "text", "utm_campaign", blank=True),
    Column("utmTerm", "text", "utm_term", blank=True),
    Column("utmContent", "text", "utm_content", blank=True),
    Column("visitorAuthenticated", "flag", "authenticated"),
    Column("visitorClaimProperty", "claims", "claims_flat", blank=True),
    Column("visitorClaim", "claim", "claims_flat", blank=True),
    Column("eventAdDomain", "text", "ad_domain", blank=True),
    Column("eventAdPlacement", "text", "ad_placement", ("aside",)),
    Column("eventTrademarkPlacement", "text", "trademark", PLACEMENTS),
    # What the API of Octavo has beyond the official one.
    Column("eventSearchResults", "number", "results"),
)
COLUMNS = {column.name: column for column in _ALL}
"""Every column that an aggregation may name."""

INTERVALS = ("hour", "day", "week", "month")
MEMBERS = ("in", "notIn")
COMPARISONS = ("greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual")
COMPARABLE = ("time", "weekday", "hour", "number", "count")
"""Kinds whose values have an order that filters know."""
DAY_RANGES = {"lastYear": 365, "last3Months": 90, "last30Days": 30, "last7Days": 7, "last24Hours": 1}
"""Days of a preset range, which end now."""


class Term(msgspec.Struct, frozen=True):
    """A column with what says how it is read."""

    column: str
    interval: str | None = None
    claim: str | None = None
    precision: int | None = None


class Filter(msgspec.Struct, frozen=True):
    """What the values of a column have to be; moments are milliseconds here."""

    term: Term
    operator: str
    values: list[Any]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """An aggregation over the events of one site, checked: from `since`, before `until`."""

    organization: str
    site: str
    since: int
    until: int
    select: list[Term]
    where: list[Filter] = []
    group: list[Term] | None = None
    """None = one row for each event."""
    order: Term | None = None
    descending: bool = False
    limit: int = 1000
    zone: str = "UTC"


class Segment(msgspec.Struct, frozen=True):
    """Visitors of whom the same is known."""

    claims: dict[str, Any]
    events: int
    visitors: int
    sessions: int
