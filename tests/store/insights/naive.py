"""A second opinion on aggregations, in plain Python, over events in a list."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import h3
import msgspec

from octavo.kernel.records.insights import COLUMNS, Event, Filter, Question, Term
from octavo.store.insights.agents import read_agent

EPOCH = datetime(1970, 1, 1, tzinfo=ZoneInfo("UTC"))


def at(moment: int) -> datetime:
    return EPOCH + timedelta(milliseconds=moment)


def answer(question: Question, events: list[Event]) -> list[tuple[Any, ...]]:
    """The rows of an answer, each as a tuple in the order of what is selected, in the order that is asked for; all rows,
    whatever the limit."""
    mine = [
        one
        for one in events
        if one.organization == question.organization
        and one.site == question.site
        and question.since <= one.moment < question.until
    ]
    group = question.group or []
    pairs = [(one, name) for one in mine for name in _properties(one, question)]
    pairs = [
        pair for pair in pairs if all(_holds(pair, one, question) for one in question.where if not _counts(one.term))
    ]
    if question.group is None:
        rows = [({term: value(pair, term, question.zone) for term in _terms(question)}, [pair[0]]) for pair in pairs]
    else:
        groups: dict[Any, list[Event]] = {}
        for pair in pairs:
            key = tuple(_hashable(value(pair, term, question.zone)) for term in group)
            groups.setdefault(key, []).append(pair)  # type: ignore[arg-type]
        rows = []
        if not group:
            groups.setdefault((), [])
        for members in groups.values():
            said = {term: value(members[0], term, question.zone) for term in group}  # type: ignore[arg-type]
            inside = [pair[0] for pair in members]  # type: ignore[index]
            said |= {term: counted(inside, term) for term in _terms(question) if _counts(term)}
            rows.append((said, inside))
        rows = [row for row in rows if all(_compares(row[0].get(one.term, counted(row[1], one.term)), one)
                                           for one in question.where if _counts(one.term))]  # fmt: skip
    keys = [question.order] if question.order is not None else []
    rows.sort(key=lambda row: [_last(row[0][term], COLUMNS[term.column].blank) for term in _order(question, keys)])
    if question.order is not None:
        rows.sort(
            key=lambda row: _last(row[0][question.order], COLUMNS[question.order.column].blank, question.descending),
            reverse=question.descending,
        )
    return [tuple(row[0][term] for term in question.select) for row in rows]


def _order(question: Question, first: list[Term]) -> list[Term]:
    rest = _terms(question) if question.group is None else question.group
    return [*first, *(term for term in rest if term not in first)]


def _terms(question: Question) -> list[Term]:
    every = [*question.select, *(question.group or []), *([question.order] if question.order is not None else [])]
    return list(dict.fromkeys(every))


def _last(said: Any, blank: bool, descending: bool = False) -> Any:
    """Absent values come last, whichever way; of one page, so does the one of no space."""
    absent = said is None or (blank and said == "")
    if isinstance(said, dict) and said.keys() == {"page", "space"}:
        said = (said["page"], (not said["space"]) != descending, said["space"])
    elif isinstance(said, dict):
        said = said.get("h3") or tuple(said.items())
    return (
        (absent != descending, "" if absent else said) if not isinstance(said, bool) else (absent != descending, said)
    )


def _counts(term: Term) -> bool:
    return COLUMNS[term.column].counts


def _properties(one: Event, question: Question) -> list[str | None]:
    """Where events are told apart by the names of their claims, one for each."""
    if not any(term.column == "visitorClaimProperty" for term in _terms(question)):
        return [None]
    return [*msgspec.json.decode(one.claims_flat)] if one.claims_flat else []


def value(pair: Any, term: Term, zone: str) -> Any:
    """What an event has in a column, as the API answers it."""
    event, name = pair
    found = COLUMNS[term.column]
    local = at(event.moment).astimezone(ZoneInfo(zone))
    match found.name:
        case "datetime":
            return _iso(_start(event.moment, local, term.interval))
        case "dayOfWeek":
            return local.isoweekday()
        case "hourOfDay":
            return local.hour
        case "page":
            return None if event.page is None else {"page": event.page, "space": event.space or ""}
        case "visitorGeoPoint":
            return _place(event.cell, term.precision)
        case "visitorClaimProperty":
            return name
        case "visitorClaim":
            return "" if not event.claims_flat else msgspec.json.decode(event.claims_flat).get(term.claim) or ""
        case "visitorDevice" | "visitorBrowser" | "visitorOS" | "visitorBot":
            names = ("visitorDevice", "visitorBrowser", "visitorOS", "visitorBot")
            return read_agent(event.agent)[names.index(found.name)]
        case "eventLinkTargetValue":
            return None if event.link_target is None else msgspec.json.decode(event.link_target)
        case _:
            said = getattr(event, found.field)
            return "" if said is None and found.blank else said


def _place(cell: int | None, precision: int | None) -> Any:
    if cell is None:
        return None
    word = h3.cell_to_parent(h3.int_to_str(cell), 15 if precision is None else precision)
    latitude, longitude = h3.cell_to_latlng(word)
    return {"latitude": round(latitude, 6), "longitude": round(longitude, 6), "h3": word}


def _start(moment: int, local: datetime, interval: str | None) -> datetime:
    if interval is None:
        return at(moment)
    if interval == "hour":
        return at(moment) - timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
    day = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    if interval == "week":
        day -= timedelta(days=local.weekday())
    return (day.replace(day=1) if interval == "month" else day).astimezone(ZoneInfo("UTC"))


def _iso(moment: datetime) -> str:
    return moment.astimezone(ZoneInfo("UTC")).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def counted(events: list[Event], term: Term) -> Any:
    match term.column:
        case "eventsCount":
            return len(events)
        case "visitorsCount":
            return len({one.visitor for one in events})
        case "sessionsCount":
            return len({one.session for one in events})
        case "pageFeedbackRating":
            return {name: sum(one.rating == name for one in events) for name in ("ok", "good", "bad")}
        case _:
            rated = (("positive", 1), ("negative", -1))
            return {name: sum(one.answer_rating == number for one in events) for name, number in rated}


def _holds(pair: Any, one: Filter, question: Question) -> bool:
    found = COLUMNS[one.term.column]
    if found.kind == "claims" and pair[1] is None:
        names = msgspec.json.decode(pair[0].claims_flat) if pair[0].claims_flat else {}
        return any(name in names for name in one.values) == (one.operator == "in")
    said = pair[0].moment if found.name == "datetime" else value(pair, one.term, question.zone)
    if found.kind == "cell":
        said = None if said is None else {"h3": said["h3"]}
    if found.blank:
        said = said or ""
        return _compares(said, Filter(one.term, one.operator, [value or "" for value in one.values]))
    return _compares(said, one)


def _compares(said: Any, one: Filter) -> bool:
    match one.operator:
        case "in":
            return said in one.values
        case "notIn":
            return said not in one.values
    if said is None:
        return False
    other = one.values[0]
    return bool({"greaterThan": said > other, "greaterThanOrEqual": said >= other,
                 "lessThan": said < other, "lessThanOrEqual": said <= other}[one.operator])  # fmt: skip


def _hashable(said: Any) -> Any:
    return msgspec.json.encode(said, order="deterministic") if isinstance(said, dict) else said
