"""What a screen shows of a site's readers: tables of a range, and of the range before it to compare with."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import UNSET

from octavo.kernel.errors import BadRequest
from octavo.kernel.records import Json
from octavo.kernel.records.insights import Filter, Question, Term
from octavo.kernel.records.sites import Site
from octavo.site.questions import span, zone
from octavo.wire.sites.insights import AskedRange, ReportQuery

_EVENTS, _VISITORS, _SESSIONS = Term("eventsCount"), Term("visitorsCount"), Term("sessionsCount")
_VIEWS = Filter(Term("eventType"), "in", ["page_view"])
_READ = Filter(Term("page"), "notIn", [None])
_PEOPLE = Filter(Term("visitorBot"), "in", [None])


class Table(msgspec.Struct, frozen=True):
    """One report: by what it groups, what it counts, of which events; `cells` are names of what an answer has, in order."""

    group: tuple[Term, ...]
    counts: tuple[Term, ...]
    where: tuple[Filter, ...]
    each: bool = False
    """Whether events are listed one by one."""


_SEARCH = (Term("eventSearchQuery"), Term("eventSearchResults"))
_SEARCHED = Filter(Term("eventType"), "in", ["search_type_query"])
_DAY = Term("datetime", interval="day")
_READERS = (_EVENTS, _VISITORS, _SESSIONS)


def _by(column: str, *where: Filter, people: bool = True) -> Table:
    return Table((Term(column),), _READERS, (_VIEWS, _READ, *([_PEOPLE] if people else []), *where))


_RANGES = ("current", "before")
REPORTS: dict[str, Table] = {
    "traffic": Table((_DAY,), _READERS, (_VIEWS, _READ, _PEOPLE)),
    "pages": Table((Term("page"), Term("urlPath")), _READERS, (_VIEWS, _READ, _PEOPLE)),
    "referrers": _by("referrerDomain", Filter(Term("referrerDomain"), "notIn", [""])),
    "countries": _by("visitorGeoCountry"),
    "devices": _by("visitorDevice"),
    "browsers": _by("visitorBrowser"),
    "systems": _by("visitorOS"),
    "languages": _by("visitorLanguage"),
    "bots": Table((Term("visitorBot"),), (_EVENTS,), (Filter(Term("visitorBot"), "notIn", [None]),)),
    "searches": Table(_SEARCH, (_EVENTS, _VISITORS), (_SEARCHED,)),
    "searches-without-result": Table(
        _SEARCH, (_EVENTS, _VISITORS), (_SEARCHED, Filter(Term("eventSearchResults"), "in", [0]))
    ),
    "feedback": Table(
        (Term("page"),),
        (Term("pageFeedbackRating"), _EVENTS),
        (Filter(Term("eventType"), "in", ["page_post_feedback", "page_post_feedback_comment"]),),
    ),
    "comments": Table(
        (Term("datetime"), Term("page"), Term("eventPageFeedbackRating"), Term("eventPageFeedbackComment")),
        (),
        (Filter(Term("eventType"), "in", ["page_post_feedback_comment"]),),
        each=True,
    ),
    "links": Table(
        (Term("eventLinkTargetValue"), Term("eventLinkPosition")),
        (_EVENTS, _VISITORS),
        (Filter(Term("eventType"), "in", ["link_click"]),),
    ),
    "not-found": Table(
        (Term("urlPath"), Term("referrer")), (_EVENTS, _VISITORS), (_VIEWS, Filter(Term("page"), "in", [None]))
    ),
}
"""By the names under which they are asked for."""


def questions_of(site: Site, asked: ReportQuery, now: int) -> list[Question]:
    """The question of a report, and with `compare` the same for as long a time before. Raises BadRequest."""
    if (asked.from_ is UNSET) != (asked.to is UNSET):
        raise BadRequest("from and to go together: give both or neither")
    if asked.interval is not UNSET and asked.report != "traffic":
        raise BadRequest("interval: only the report traffic has one")
    given = asked.range if asked.from_ is UNSET or asked.to is UNSET else AskedRange(asked.from_, asked.to)
    since, until = span(given, now)
    ranges = [(since, until), *([(2 * since - until, since)] if asked.compare else [])]
    return [_question(site, asked, *one) for one in ranges]


def _question(site: Site, asked: ReportQuery, since: int, until: int) -> Question:
    table = REPORTS[asked.report]
    group = table.group
    if asked.interval is not UNSET:
        group = (Term("datetime", interval=asked.interval),)
    timed = group[0].column == "datetime"
    order = group[0] if timed else _EVENTS
    return Question(
        organization=site.organization, site=site.id, since=max(since, 0), until=until, select=[*group, *table.counts],
        where=list(table.where), group=None if table.each else list(group), order=order,
        descending=not timed or table.each, limit=1000 if timed and not table.each else asked.limit,
        zone=zone(asked.time_zone),
    )  # fmt: skip


def as_csv(tables: Sequence[Sequence[Json]]) -> bytes:
    """A table with a line of names, or the one of a range and the one of the time before below it: a first column tells
    them apart. What spreadsheets would take for a formula is text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for at, columns in enumerate(tables):
        flat = [cell for column in columns for cell in _cells(column)]
        which = [_RANGES[at]] if len(tables) > 1 else []
        if at == 0:
            writer.writerow([*(["range"] if which else []), *(name for name, _ in flat)])
        rows = zip(*([_harmless(value) for value in values] for _, values in flat))
        writer.writerows([*which, *row] for row in rows)
    return out.getvalue().encode()


def _cells(column: Json) -> list[tuple[str, list[Any]]]:
    """A column as those of a table of texts and numbers: ratings become three, pages two."""
    name, values = column["column"], column["values"]
    inner: dict[str, Callable[[Any], Any]] = {}
    if name == "page":
        inner = {"page": lambda one: one and one["page"], "space": lambda one: one and one["space"]}
    elif name == "pageFeedbackRating":
        inner = {f"pageFeedbackRating.{one}": itemgetter(one) for one in ("good", "ok", "bad")}
    elif name == "eventLinkTargetValue":
        inner = {name: lambda one: one and (one.get("url") or one.get("page") or msgspec.json.encode(one).decode())}
    if not inner:
        return [(name, values)]
    return [(title, [pick(value) for value in values]) for title, pick in inner.items()]


def _harmless(value: Any) -> Any:
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
