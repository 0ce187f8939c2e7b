"""Aggregations as they are asked for, checked part by part, as questions to an engine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import UNSET

from octavo.kernel import limits
from octavo.kernel.clock import DAY
from octavo.kernel.errors import BadRequest
from octavo.kernel.records.insights import (
    COLUMNS,
    COMPARABLE,
    DAY_RANGES,
    MEMBERS,
    Column,
    Filter,
    Question,
    Term,
)
from octavo.kernel.records.sites import Site
from octavo.wire.fields import milliseconds
from octavo.wire.sites.insights import AggregateEvents, AskedColumn, AskedFilter, AskedRange

_COUNT = Term("eventsCount")


def question_of(site: Site, asked: AggregateEvents, now: int) -> Question:
    """The question. Raises BadRequest that names the part which is wrong."""
    since, until = span(asked.range, now)
    select = [_term(one, f"select[{at}]") for at, one in enumerate(asked.select)]
    where = [_filter(one, f"where[{at}]") for at, one in enumerate(asked.where)]
    group = None
    if asked.group_by is not UNSET:
        group = [_grouping(one, f"groupBy[{at}]") for at, one in enumerate(asked.group_by)]
    if not select:
        select = [*(group or []), _COUNT]
    if group is None and any(COLUMNS[one.column].counts for one in select):
        group = [one for one in dict.fromkeys(select) if not COLUMNS[one.column].counts]
    _check_select(select, group)
    _check_where(where, group)
    order, descending = None, False
    if asked.order is not UNSET:
        order, descending = _term(asked.order.by, "order.by"), asked.order.direction == "desc"
        _check_order(order, group)
    else:
        order, descending = _usual_order(select, group)
    return Question(
        organization=site.organization, site=site.id, since=since, until=until, select=select, where=where, group=group,
        order=order, descending=descending, limit=asked.limit, zone=zone(asked.time_zone),
    )  # fmt: skip


def span(asked: str | AskedRange, now: int) -> tuple[int, int]:
    """From when, and before when, in milliseconds. Raises BadRequest for a range that is none, or too long."""
    if isinstance(asked, str):
        # What happens in this very millisecond is in it.
        return now + 1 - DAY_RANGES[asked] * DAY, now + 1
    since, until = (_moment(one, name) for one, name in ((asked.from_, "range.from"), (asked.to, "range.to")))
    if since >= until:
        raise BadRequest("range.to: it has to be after range.from")
    if until - since > limits.INSIGHTS_YEARS * 366 * DAY:
        raise BadRequest(f"range: it spans {limits.INSIGHTS_YEARS} years at most")
    return since, until


def _moment(at: datetime, name: str) -> int:
    if not 1970 < at.year < 9000:
        raise BadRequest(f"{name}: expected a time after 1970 and before 9000")
    return milliseconds(at)


def zone(name: str) -> str:
    """The name, if it is that of a time zone. Raises BadRequest."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadRequest(f"timeZone: {name!r} is not the name of a time zone, as Europe/Berlin is") from error
    return name


def _term(one: AskedColumn, name: str) -> Term:
    kind = COLUMNS[one.column].kind
    for field, own, value in (
        ("interval", "time", one.interval), ("claim", "claim", one.claim), ("precision", "cell", one.precision),
    ):  # fmt: skip
        if value is not UNSET and kind != own:
            raise BadRequest(f"{name}.{field}: {one.column} has none")
    if kind == "claim" and one.claim is UNSET:
        raise BadRequest(f"{name}.claim: this field is required, it says which claim")
    interval = None if one.interval is UNSET else one.interval
    claim = None if one.claim is UNSET else one.claim
    return Term(one.column, interval, claim, None if one.precision is UNSET else one.precision)


def _grouping(one: AskedColumn, name: str) -> Term:
    term = _term(one, name)
    if COLUMNS[term.column].counts:
        raise BadRequest(f"{name}.column: {term.column} is counted for each group, and makes none")
    return term


def _check_select(select: Sequence[Term], group: Sequence[Term] | None) -> None:
    for at, term in enumerate(select):
        if group is not None and not COLUMNS[term.column].counts and term not in group:
            raise BadRequest(f"select[{at}].column: {term.column} is not in groupBy in this form: a group has many")


def _check_where(where: Sequence[Filter], group: Sequence[Term] | None) -> None:
    for at, one in enumerate(where):
        if COLUMNS[one.term.column].counts and group is None:
            raise BadRequest(
                f"where[{at}].column: {one.term.column} is counted for groups, and nothing is grouped here"
            )


def _check_order(order: Term, group: Sequence[Term] | None) -> None:
    found = COLUMNS[order.column]
    if found.kind == "ratings":
        raise BadRequest(f"order.by.column: {order.column} are several numbers, which have no order")
    if found.counts and group is None:
        raise BadRequest(f"order.by.column: {order.column} is counted for groups, and nothing is grouped here")
    if not found.counts and group is not None and order not in group:
        raise BadRequest(f"order.by.column: {order.column} is not in groupBy in this form")


def _usual_order(select: Sequence[Term], group: Sequence[Term] | None) -> tuple[Term | None, bool]:
    """By time where that is a column; else most first; single events newest first."""
    if group is None:
        return Term("datetime"), True
    times = [term for term in group if COLUMNS[term.column].kind in ("time", "weekday", "hour")]
    counts = [term for term in select if COLUMNS[term.column].kind == "count"]
    return (times[0], False) if times else (counts[0], True) if counts else (None, False)


def _filter(one: AskedFilter, name: str) -> Filter:
    term, found = _term(one, name), COLUMNS[one.column]
    if found.kind == "ratings":
        raise BadRequest(f"{name}.column: {one.column} are several numbers, which nothing is compared with")
    if one.operator not in MEMBERS:
        if found.kind not in COMPARABLE or term.interval is not None:
            raise BadRequest(
                f"{name}.operator: {one.operator} compares times and numbers only, {one.column} is neither"
            )
        if len(one.values) != 1 or one.values[0] is None:
            raise BadRequest(f"{name}.values: {one.operator} takes exactly one value")
    values = [_value(found, value, f"{name}.values[{at}]") for at, value in enumerate(one.values)]
    if found.kind == "time" and term.interval is not None:
        raise BadRequest(f"{name}.interval: filters compare moments, not intervals")
    return Filter(term, one.operator, values)


def _value(found: Column, value: Any, name: str) -> Any:
    """A value as filters have it. Raises BadRequest for one that the column never has."""
    if value is None:
        if found.kind in ("time", "weekday", "hour", "count"):
            raise BadRequest(f"{name}: {found.name} is never null")
        return None
    match found.kind:
        case "time":
            return _instant(value, name)
        case "weekday":
            return _whole(value, name, 1, 7)
        case "hour":
            return _whole(value, name, 0, 23)
        case "count":
            if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1 << 53:
                raise BadRequest(f"{name}: expected a number")
            return value
        case "number":
            return _whole(value, name, -1_000_000, 1_000_000)
        case "flag":
            return _of_type(value, bool, "true, false or null", name)
        case "page":
            return _page(value, name)
        case "json":
            return _of_type(value, dict, "a content reference", name)
        case "cell":
            return _cell(value, name)
        case _:
            return _word(found, value, name)


def _word(found: Column, value: Any, name: str) -> str:
    text: str = _of_type(value, str, "a text", name)
    if found.values and value not in found.values and value != "":
        raise BadRequest(f"{name}: {value[:100]!r} is not allowed here; allowed is {', '.join(found.values)}")
    return text


def _instant(value: Any, name: str) -> int:
    try:
        at = datetime.fromisoformat(value)
        if at.tzinfo is None:
            raise ValueError
        return _moment(at, name)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadRequest(f"{name}: expected a time with an offset, as in 2026-01-31T12:00:00Z") from error


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadRequest(f"{name}: expected a whole number from {least} to {most}")
    return value


def _of_type(value: Any, wanted: type, words: str, name: str) -> Any:
    if not isinstance(value, wanted):
        raise BadRequest(f"{name}: expected {words}")
    return value


def _page(value: Any, name: str) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get("page"), str) or not isinstance(value.get("space"), str):
        raise BadRequest(f"{name}: expected null, or an object with the ids `page` and `space`")
    return {"page": value["page"], "space": value["space"]}


def _cell(value: Any, name: str) -> Any:
    try:
        number = int(value["h3"], 16)
    except (TypeError, KeyError, ValueError) as error:
        raise BadRequest(f"{name}: expected null, or an object with `h3`, a cell of that grid") from error
    if not 0 < number < 1 << 62:
        raise BadRequest(f"{name}.h3: there is no such cell")
    return {"h3": f"{number:x}"}
