"""Questions as one tree of SQL, printed for the engine at hand; and their rows as the values of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlglot import exp

from octavo.kernel.clock import iso
from octavo.kernel.records.insights import COLUMNS, Column, Filter, Question, Term
from octavo.store.insights import calendar
from octavo.store.insights.dialects import Dialect

_COMPARES = {
    "greaterThan": exp.GT, "greaterThanOrEqual": exp.GTE, "lessThan": exp.LT, "lessThanOrEqual": exp.LTE,
}  # fmt: skip
_RATINGS: dict[str, dict[str, Any]] = {
    "pageFeedbackRating": {"ok": "ok", "good": "good", "bad": "bad"},
    "askResponseRating": {"positive": 1, "negative": -1},
}
_PROPERTY = "claim_property"


def column(name: str) -> exp.Column:
    """A column of the table of events."""
    return exp.column(name, quoted=True)


def number(value: int) -> exp.Expr:
    """A number in a query."""
    return exp.Literal.number(value)


def literal(value: Any) -> exp.Expr:
    """A value in a query; texts are quoted by the printer."""
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    return number(value) if isinstance(value, int) else exp.convert(value)


def of_site(organization: str, site: str) -> exp.Expr:
    """Whose events."""
    return exp.and_(column("organization").eq(literal(organization)), column("site").eq(literal(site)))


class Printed:
    """A question for one engine: its SQL, and what becomes of the rows."""

    def __init__(self, question: Question, dialect: Dialect) -> None:
        self._question = question
        self._dialect = dialect
        self._zone = calendar.Zone(question.zone, question.since, question.until)

    @property
    def fills(self) -> Term | None:
        """The interval by which alone the events are grouped: what happened in none of its buckets is answered as 0."""
        group, counted = self._question.group, any(COLUMNS[one.term.column].counts for one in self._question.where)
        if group is None or len(group) != 1 or counted:
            return None
        return group[0] if group[0].interval is not None else None

    def sql(self) -> str:
        """The whole query."""
        asked = self._question
        terms = self._terms
        tree = exp.select()
        for at, parts in enumerate(self._parts(term) for term in terms):
            for part, expression in enumerate(parts):
                tree = tree.select(exp.alias_(expression, f"c{at}_{part}", quoted=True))
        tree = tree.from_(self._source())
        tree = tree.where(self._range(), *(self._filter(one) for one in asked.where if not _counts(one.term)))
        if asked.group is not None:
            keys = [part for term in asked.group for part in self._parts(term)]
            if keys:
                tree = tree.group_by(*[part.copy() for part in keys])
            tree = tree.having(*(self._filter(one) for one in asked.where if _counts(one.term)))
        if orders := self._orders():
            tree = tree.order_by(*orders)
        if self.fills is None:
            tree = tree.limit(asked.limit)
        return self._dialect.printed(tree)

    def answer(self, rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
        """`columns` of the answer, in the order in which they were asked for."""
        values = [self._row(row) for row in rows]
        if (bucket := self.fills) is not None:
            values = self._filled(values, bucket)
        wanted = [self._terms.index(term) for term in self._question.select]
        made = []
        for at in wanted:
            term = self._terms[at]
            said = {"column": term.column} | ({"claim": term.claim} if term.claim is not None else {})
            if term.interval is not None:
                said["interval"] = term.interval
            made.append(said | {"values": [self._shown(term, row[at]) for row in values]})
        return made

    def _shown(self, term: Term, value: Any) -> Any:
        if COLUMNS[term.column].kind == "time":
            return iso(self._zone.moment(value, term.interval))
        return shown(term, value)

    @property
    def _terms(self) -> list[Term]:
        """What each row has: what is asked for, and by what it is grouped or sorted."""
        asked = self._question
        every = [*asked.select, *(asked.group or []), *([asked.order] if asked.order is not None else [])]
        return list(dict.fromkeys(every))

    def _source(self) -> exp.Expr:
        table = exp.to_table("events", alias=None)
        asked = self._question
        if not any(COLUMNS[term.column].kind == "claims" for term in self._terms):
            return table
        each = exp.alias_(self._dialect.each_key(column("claims_flat")), _PROPERTY, quoted=True)
        inner = exp.select("*", each).from_(table).where(of_site(asked.organization, asked.site))
        return inner.where(column("claims_flat").is_(exp.null()).not_()).subquery("properties")

    def _range(self) -> exp.Expr:
        asked, moment = self._question, column("moment")
        whose = of_site(asked.organization, asked.site)
        return exp.and_(whose, exp.GTE(this=moment, expression=number(asked.since)), moment < number(asked.until))

    def _parts(self, term: Term) -> list[exp.Expr]:
        """The expressions that one term reads."""
        found = COLUMNS[term.column]
        match found.kind:
            case "page":
                # Where there is no page, nobody asks of which space it is none.
                return [column("page"), exp.case().when(column("page").is_(exp.null()).not_(), column("space"))]
            case "ratings":
                return [_count_of(found.field, value) for value in _RATINGS[found.name].values()]
            case "count":
                whole = exp.Count(this=exp.Star())
                return [exp.Count(this=exp.Distinct(expressions=[column(found.field)])) if found.field else whole]
            case _:
                return [self._part(found, term)]

    def _part(self, found: Column, term: Term) -> exp.Expr:
        read = column(found.field)
        match found.kind:
            case "time":
                return self._zone.bucket(read, term.interval)
            case "weekday":
                return self._zone.weekday(read)
            case "hour":
                return self._zone.hour(read)
            case "cell":
                return self._dialect.parent_cell(read, 15 if term.precision is None else term.precision)
            case "claim":
                return self._dialect.claim(read, term.claim or "")
            case "claims":
                return column(_PROPERTY)
            case _:
                return read

    def _filter(self, one: Filter) -> exp.Expr:
        found = COLUMNS[one.term.column]
        if found.kind == "page":
            return self._pages(one)
        grouped = one.term in self._terms
        if found.kind == "claims" and not grouped:
            has = self._dialect.has_key(column("claims_flat"), [str(value) for value in one.values])
            return exp.not_(has) if one.operator == "notIn" else has
        [part] = self._parts(one.term)
        values = [stored(found, value) for value in one.values]
        if one.operator in _COMPARES:
            return _COMPARES[one.operator](this=part, expression=literal(values[0]))
        some = [value for value in values if value is not None]
        chosen: exp.Expr = part.isin(*[literal(value) for value in some]) if some else exp.false()
        if None in values:
            chosen = exp.or_(chosen, part.copy().is_(exp.null()))
        if one.operator == "in":
            return chosen
        # What is absent is none of the values, which SQL says of nothing.
        absent = part.copy().is_(exp.null())
        return exp.not_(exp.paren(chosen)) if None in values else exp.or_(exp.not_(exp.paren(chosen)), absent)

    def _pages(self, one: Filter) -> exp.Expr:
        page, space = column("page"), column("space")
        chosen: list[exp.Expr] = []
        for value in one.values:
            if value is None:
                chosen.append(page.is_(exp.null()))
            else:
                # Plain comparisons, by which engines leave out what cannot be meant without reading it.
                here = space.eq(literal(value["space"])) if value["space"] else space.is_(exp.null())
                chosen.append(exp.and_(page.eq(literal(value["page"])), here))
        either = exp.or_(*chosen) if chosen else exp.false()
        # What is absent is none of the values, which SQL says of nothing.
        return either if one.operator == "in" else exp.not_(exp.func("coalesce", either, exp.false()))

    def _orders(self) -> list[exp.Expr]:
        """By what was asked for, and then by everything else, so that equal rows have one order."""
        asked = self._question
        by = [asked.order] if asked.order is not None else []
        rest = [term for term in (self._terms if asked.group is None else asked.group) if term not in by]
        orders = [(part, asked.descending) for term in by for part in self._parts(term)]
        orders += [(part, False) for term in rest for part in self._parts(term)]
        return [exp.Ordered(this=part, desc=desc, nulls_first=False) for part, desc in orders]

    def _row(self, row: Sequence[Any]) -> list[Any]:
        made: list[Any] = []
        at = 0
        for term in self._terms:
            found = COLUMNS[term.column]
            width = len(self._parts(term)) if found.kind in ("page", "ratings") else 1
            if found.kind == "time":
                made.append(self._zone.start(row[at], term.interval))
            else:
                made.append(tuple(row[at : at + width]) if width > 1 else row[at])
            at += width
        return made

    def _filled(self, rows: list[list[Any]], bucket: Term) -> list[list[Any]]:
        """With a row for every bucket of the range, in the order that was asked for."""
        at = self._terms.index(bucket)
        asked, known = self._question, {row[at]: row for row in rows}
        none = [_nothing(term) for term in self._terms]
        starts = self._zone.starts(bucket.interval)
        by_time = asked.order is None or asked.order == bucket
        if by_time:
            starts = (starts[::-1] if asked.descending and asked.order is not None else starts)[: asked.limit]
        made = [known.get(start) or [*none[:at], start, *none[at + 1 :]] for start in starts]
        if not by_time and asked.order is not None:
            by = self._terms.index(asked.order)
            made.sort(key=lambda row: row[by], reverse=asked.descending)
        return made[: asked.limit]


def _counts(term: Term) -> bool:
    return COLUMNS[term.column].counts


def _nothing(term: Term) -> Any:
    kind = COLUMNS[term.column].kind
    return (0,) * len(_RATINGS[term.column]) if kind == "ratings" else 0 if kind == "count" else None


def _count_of(field: str, value: Any) -> exp.Expr:
    chosen = exp.case().when(column(field).eq(literal(value)), number(1))
    return exp.Count(this=chosen)


def stored(found: Column, value: Any) -> Any:
    """A value of a filter as the engine has it."""
    if value is None or (found.blank and value == ""):
        return None
    match found.kind:
        case "weekday":
            return value - 1
        case "json":
            return msgspec.json.encode(value, order="deterministic").decode()
        case "cell":
            return int(value["h3"], 16)
        case _:
            return value


def shown(term: Term, value: Any) -> Any:
    """A value as the API answers it."""
    found = COLUMNS[term.column]
    if found.kind == "page":
        page, space = value
        return None if page is None else {"page": page, "space": space or ""}
    if found.kind == "ratings":
        return dict(zip(_RATINGS[found.name], value))
    if value is None:
        return "" if found.blank else None
    match found.kind:
        case "weekday":
            return value + 1
        case "json":
            return msgspec.json.decode(value)
        case "flag":
            return bool(value)
        case "cell":
            return _point(value)
        case _:
            return value


def _point(cell: int) -> dict[str, Any]:
    import h3  # few installations have a database of places

    word = h3.int_to_str(cell)
    latitude, longitude = h3.cell_to_latlng(word)
    return {"latitude": round(latitude, 6), "longitude": round(longitude, 6), "h3": word}
