"""Every answer of an engine is that of a naive aggregation over the same events."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import h3
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from octavo.kernel.clock import DAY, HOUR
from octavo.kernel.records.insights import (
    COLUMNS,
    COMPARABLE,
    COMPARISONS,
    CONTEXTS,
    EVENT_TYPES,
    INTERVALS,
    MEMBERS,
    Event,
    Filter,
    Question,
    Term,
)
from octavo.site.recording import flat
from octavo.store.insights.asking import SPOOL, Aggregate
from octavo.store.insights.office import Office
from octavo.store.insights.spool import Writer
from tests.profiles import DEEP, law
from tests.store.insights import engines, naive

NOW = 1_774_742_400_000
"""2026-03-29T00:00Z: the clocks of Europe change an hour later, those of New York did three weeks before, and those
of Lord Howe do a week later, by half an hour."""
ZONES = (
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "America/St_Johns",
    "Australia/Lord_Howe",
)  # fmt: skip
AGENTS = (
    "",
    "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
)
WORDS = ("a", "b", "B", "ä", "it's", 'sa"y', "back\\slash", "", "100%", "line\nbreak", "~/x")
CLAIMS: tuple[dict[str, Any], ...] = (
    {},
    {"plan": "pro"},
    {"plan": "free", "beta": True},
    {"team": {"size": 3}, "o'k": "x/~y"},
    {"plan": "", "team.size": "4"},
)


TARGETS = ('{"kind":"page","page":"p"}', '{"kind":"url","url":"https://a.test/"}')
CELLS = tuple(h3.str_to_int(h3.latlng_to_cell(*place, 15)) for place in ((52.5, 13.4), (52.5, 13.4001), (-33.9, 151.2)))
FREE = (
    "section", "site_space", "share_key", "url", "path", "referrer", "referrer_domain", "utm_source", "utm_medium",
    "utm_campaign", "utm_term", "utm_content", "query", "comment", "country", "language", "link_domain", "operation_path",
    "operation_method", "result_record", "ad_domain",
)  # fmt: skip
"""Fields of any text."""
CHOSEN = {
    column.field: column.values for name, column in COLUMNS.items()
    if column.values and column.field not in ("type", "context", "device", "browser", "system", "bot")
}  # fmt: skip
"""Fields whose texts are known, or nothing."""


def event(site: str, one_of: Callable[[Sequence[Any]], Any]) -> Event:
    """An event of a site, each of its fields chosen of what there is."""
    claims = one_of(CLAIMS)
    return Event(
        organization="o",
        site=site,
        moment=NOW + one_of(range(-40 * DAY, 10 * DAY)),
        type=one_of(EVENT_TYPES),
        context=one_of(CONTEXTS),
        visitor=one_of(range(6)),
        session=one_of(range(10)),
        agent=one_of(AGENTS),
        page=one_of([None, "p", "q"]),
        space=one_of([None, "s", "t"]),
        answer_rating=one_of([None, 1, -1]),
        results=one_of([None, 0, 3]),
        authenticated=one_of([False, True]),
        claims=msgspec.json.encode(claims, order="deterministic").decode() if claims else None,
        claims_flat=msgspec.json.encode(dict(flat(claims)), order="deterministic").decode() if claims else None,
        cell=one_of([None, *CELLS]),
        link_target=one_of([None, *TARGETS]),
        **{name: one_of([None, *values]) for name, values in CHOSEN.items()},
        **{name: one_of([None, *(word for word in WORDS if word)]) for name in FREE},  # an empty text is kept as none
    )


@st.composite
def events(draw: st.DrawFn, site: str, most: int) -> list[Event]:
    """Some events; an event has fifty fields, and to draw each by itself takes longer than all else."""
    chance = random.Random(draw(st.integers(0, 1 << 32)))
    return [event(site, chance.choice) for _ in range(draw(st.integers(0, most)))]


_PHASES = (Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] if DEEP else []))
"""To make an example smaller takes minutes, as every one asks an engine."""
TERMS = (
    [
        Term(name, claim="o'k" if column.kind == "claim" else None)
        for name, column in COLUMNS.items()
        if not column.counts
    ]
    + [Term("datetime", interval=interval) for interval in INTERVALS]
    + [Term("visitorClaim", claim=claim) for claim in ("plan", "team.size", "none")]
    + [Term("visitorGeoPoint", precision=precision) for precision in (0, 5, 12)]
)
COUNTS = [Term(name) for name, column in COLUMNS.items() if column.counts]
SORTABLE = [term for term in COUNTS if COLUMNS[term.column].kind == "count"]


def options(term: Term) -> Sequence[Any]:
    """Values of a column that filters are tried with."""
    found = COLUMNS[term.column]
    match found.kind:
        case "count":
            return range(5)
        case "cell":
            finest = 15 if term.precision is None else term.precision
            return [None, *({"h3": h3.cell_to_parent(h3.int_to_str(one), finest)} for one in CELLS)]
        case "time":
            return range(NOW - 40 * DAY, NOW + 10 * DAY)
        case "weekday":
            return range(1, 8)
        case "hour":
            return range(24)
        case "flag":
            return [False, True]
        case "number":
            return [None, 0, 1, -1, 3]
        case "page":
            return [None, {"page": "p", "space": "s"}, {"page": "p", "space": ""}, {"page": "x", "space": "s"}]
        case "json":
            return [None, {"page": "p", "kind": "page"}]
        case "claims":
            return ["plan", "beta", "team.size", "o'k", "none"]
        case "claim":
            return ["pro", "free", "", "x/~y"]
    return found.values or [None, *WORDS]


def _values(term: Term) -> st.SearchStrategy[Any]:
    return st.sampled_from(options(term))


def operators(term: Term) -> tuple[str, ...]:
    return (*MEMBERS, *(COMPARISONS if COLUMNS[term.column].kind in COMPARABLE else ()))


@st.composite
def filters(draw: st.DrawFn, terms: Sequence[Term] = tuple(one for one in TERMS if one.interval is None)) -> Filter:
    term = draw(st.sampled_from(terms))
    operator = draw(st.sampled_from(operators(term)))
    if operator in MEMBERS:
        return Filter(term, operator, draw(st.lists(_values(term), max_size=3)))
    return Filter(term, operator, [draw(_values(term).filter(lambda value: value is not None))])


@st.composite
def questions(draw: st.DrawFn, site: str) -> Question:
    group = draw(st.none() | st.lists(st.sampled_from(TERMS), max_size=3, unique=True))
    if group is None:
        select = draw(
            st.lists(
                st.sampled_from([one for one in TERMS if one.interval is None]), min_size=1, max_size=4, unique=True
            )
        )
    else:
        counts = draw(st.lists(st.sampled_from(COUNTS), min_size=1, max_size=3, unique=True))
        select = draw(st.permutations([*group, *counts]))
    known = select if group is None else [*group, *SORTABLE]
    sortable = [one for one in known if COLUMNS[one.column].kind not in ("ratings", "json", "flag")]
    order = draw(st.none() | st.sampled_from(sortable)) if sortable else None
    where = draw(st.lists(filters(), max_size=2))
    if group is not None and draw(st.booleans()):
        where.append(draw(filters(SORTABLE)))
    since = NOW + draw(st.integers(-45 * DAY, 5 * DAY))
    return Question(
        organization="o", site=site, since=since, until=since + draw(st.integers(HOUR, 20 * DAY)), select=list(select),
        where=where, group=group, order=order if group is not None or order not in SORTABLE else None,
        descending=draw(st.booleans()), limit=draw(st.integers(1, 1000)), zone=draw(st.sampled_from(ZONES)),
    )  # fmt: skip


@pytest.fixture(scope="module", params=engines.NAMES)
def where(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Office, Path]]:
    folder = tmp_path_factory.mktemp("insights")
    with engines.office(request.param, folder) as office:
        yield office, folder


def put(folder: Path, some: list[Event]) -> None:
    """Events into the spool."""
    writer = Writer(folder / SPOOL, 1 << 30)
    asyncio.run(writer.append(some))
    writer.close()


def rows(office: Office, question: Question) -> list[tuple[Any, ...]]:
    reply = office.answer(Aggregate(question))
    assert not reply.fault, reply.sentence
    columns = [column["values"] for column in reply.result]
    assert len({len(column) for column in columns}) == 1
    return list(zip(*columns, strict=True))


@pytest.fixture(scope="module")
def all_of_them(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[tuple[Office, Path]]]:
    """Every engine that there is here: what costs most of a law is to draw its examples."""
    with ExitStack() as stack:
        folders = [(name, tmp_path_factory.mktemp(name)) for name in engines.PRESENT]
        yield [(stack.enter_context(engines.office(name, folder)), folder) for name, folder in folders]


_SITES = (f"site-{number}" for number in itertools.count())
"""A new one for each example: nothing has to be removed."""


@law(
    15,
    deep=400,
    phases=_PHASES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_answers_are_those_of_a_naive_aggregation(all_of_them: list[tuple[Office, Path]], data: st.DataObject) -> None:
    site = next(_SITES)
    some = data.draw(events(site, 40))
    others = data.draw(events(f"beside-{site}", 3))
    for _, folder in all_of_them:
        put(folder, [*some, *others])
    for _ in range(6):
        question = data.draw(questions(site))
        expected = naive.answer(question, some)
        for office, _ in all_of_them:
            _check(question, rows(office, question), expected)


def _check(question: Question, found: list[Any], expected: list[Any]) -> None:
    group = question.group
    if group is not None and len(group) == 1 and group[0].interval and not _having(question):
        _compare_filled(question, found, expected)
    else:
        _same(question, found, expected)


def _asked_of_everything(site: str, chance: random.Random) -> Iterator[Question]:
    """Each column as a group and as single values, with each of its operators, in each zone in turn; each count too."""
    zones = itertools.cycle(ZONES)
    whole: dict[str, Any] = {"organization": "o", "site": site, "since": NOW - 30 * DAY, "until": NOW + 9 * DAY}
    for term in TERMS:
        yield Question(**whole, select=[term, *COUNTS], group=[term], zone=next(zones))
        if term.interval is not None:
            continue
        for operator in operators(term):
            values = [chance.choice(options(term)) for _ in range(2)]
            if operator not in MEMBERS:
                values = [one for one in values if one is not None][:1] or [3]
            where = [Filter(term, operator, values)]
            yield Question(**whole, select=[Term("eventsCount")], group=[], where=where, zone=next(zones))
        yield Question(**whole, select=[term, Term("datetime")], where=where, order=Term("datetime"), zone=next(zones))
    for zone, interval in itertools.product(ZONES, INTERVALS):
        bucket = Term("datetime", interval=interval)
        yield Question(**whole, select=[bucket, *COUNTS], group=[bucket], zone=zone)
    page = Term("page")
    for count in SORTABLE:
        for operator in operators(count):
            having = [Filter(count, operator, [2])]
            yield Question(**whole, select=[page, count], group=[page], where=having, order=count, descending=True)


def test_every_column_interval_and_operator_is_as_a_naive_aggregation_says(
    all_of_them: list[tuple[Office, Path]],
) -> None:
    chance = random.Random(7)
    some = [event("everything", chance.choice) for _ in range(150)]
    for _, folder in all_of_them:
        put(folder, some)
    questions = list(_asked_of_everything("everything", chance))
    assert {term.column for one in questions for term in one.select} == COLUMNS.keys()
    for question in questions:
        expected = naive.answer(question, some)
        for office, _ in all_of_them:
            _check(question, rows(office, question), expected)


def _having(question: Question) -> bool:
    return any(COLUMNS[one.term.column].counts for one in question.where)


def _same(question: Question, found: list[Any], expected: list[Any]) -> None:
    """Equal where the order is whole; what is left to chance among equals is compared as a set."""
    limit = question.limit
    plain = [repr(row) for row in expected]
    assert len(found) == min(limit, len(expected)), question
    if question.group is not None or len(expected) <= limit:
        assert sorted(repr(row) for row in found) == sorted(plain[:limit] if len(expected) > limit else plain), question
    if question.order is not None and question.order in question.select:
        at = question.select.index(question.order)
        assert [row[at] for row in found] == [row[at] for row in expected[:limit]], question


def _compare_filled(question: Question, found: list[Any], expected: list[Any]) -> None:
    [bucket] = question.group or []
    at = question.select.index(bucket)
    known = {row[at]: row for row in expected}
    for row in found:
        if row[at] in known:
            assert row == known[row[at]], question
        else:
            assert all(not any(value.values()) if isinstance(value, dict) else not value
                       for place, value in enumerate(row) if place != at), question  # fmt: skip
    if len(found) < question.limit:
        assert known.keys() <= {row[at] for row in found}, question
        moments = sorted(row[at] for row in found)
        assert moments == sorted(set(moments))


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("interval", ["hour", "day", "week", "month"])
def test_buckets_without_events_are_there(where: tuple[Office, Path], zone: str, interval: str) -> None:
    bucket = Term("datetime", interval=interval)
    question = Question(
        organization="o", site="nobody's", since=NOW - 40 * DAY, until=NOW + 3 * DAY,
        select=[bucket, Term("eventsCount")], group=[bucket], limit=2000, zone=zone,
    )  # fmt: skip
    found = [row[0] for row in rows(where[0], question)]
    every = range(question.since, question.until, HOUR // 4)
    local = {naive.value((Event(organization="o", site="", moment=one, type="", visitor=0, session=0), None), bucket, zone)
             for one in every}  # fmt: skip
    assert found == sorted(local)
