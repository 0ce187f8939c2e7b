"""Every answer of an engine is that of a naive aggregation over the same events."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from octavo.kernel.clock import DAY, HOUR
from octavo.kernel.records.insights import COLUMNS, EVENT_TYPES, Event, Filter, Question, Term
from octavo.store.insights.asking import SPOOL, Aggregate, ForgetSites, Segments
from octavo.store.insights.office import Office
from octavo.store.insights.spool import Writer
from tests.profiles import DEEP
from tests.store.insights import engines, naive

NOW = 1_774_742_400_000
"""2026-03-29T00:00Z: the clocks of Europe change an hour later, those of New York did three weeks before."""
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "America/St_Johns")
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
)


def text(*more: str) -> st.SearchStrategy[str | None]:
    """What a field may have: an empty text is kept as none."""
    return st.sampled_from([None, *(word for word in WORDS if word), *more])


@st.composite
def events(draw: st.DrawFn, site: str) -> Event:
    claims = draw(st.sampled_from(CLAIMS))
    flat = {"plan": claims["plan"]} if "plan" in claims else {}
    flat |= {"beta": "true"} if "beta" in claims else {}
    flat |= {"team.size": "3", "o'k": "x/~y"} if "team" in claims else {}
    names = ("section", "path", "url", "referrer_domain", "utm_source", "query", "comment", "country", "language")
    target = draw(st.sampled_from([None, '{"kind":"page","page":"p"}', '{"kind":"url","url":"https://a.test/"}']))
    return Event(
        organization="o",
        site=site,
        moment=NOW + draw(st.integers(-40 * DAY, 10 * DAY)),
        type=draw(st.sampled_from(EVENT_TYPES)),
        visitor=draw(st.integers(0, 5)),
        session=draw(st.integers(0, 9)),
        agent=draw(st.sampled_from(AGENTS)),
        page=draw(st.sampled_from([None, "p", "q"])),
        space=draw(st.sampled_from([None, "s", "t"])),
        rating=draw(st.sampled_from([None, "bad", "ok", "good"])),
        answer_rating=draw(st.sampled_from([None, 1, -1])),
        results=draw(st.sampled_from([None, 0, 3])),
        authenticated=draw(st.booleans()),
        claims=msgspec.json.encode(claims, order="deterministic").decode() if claims else None,
        claims_flat=msgspec.json.encode(flat, order="deterministic").decode() if flat else None,
        link_target=target,
        **{name: draw(text()) for name in names},  # type: ignore[arg-type]
    )


_PHASES = (Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] if DEEP else []))
"""To make an example smaller takes minutes, as every one asks an engine."""
TERMS = (
    [
        Term(name, claim="o'k" if column.kind == "claim" else None)
        for name, column in COLUMNS.items()
        if not column.counts and column.kind != "cell"
    ]
    + [Term("datetime", interval=interval) for interval in ("hour", "day", "week", "month")]
    + [Term("visitorClaim", claim="plan")]
)
COUNTS = [Term(name) for name, column in COLUMNS.items() if column.counts]
SORTABLE = [term for term in COUNTS if COLUMNS[term.column].kind == "count"]


def _values(term: Term) -> st.SearchStrategy[Any]:
    found = COLUMNS[term.column]
    match found.kind:
        case "time":
            return st.integers(NOW - 40 * DAY, NOW + 10 * DAY)
        case "weekday":
            return st.integers(1, 7)
        case "hour":
            return st.integers(0, 23)
        case "flag":
            return st.booleans()
        case "number":
            return st.sampled_from([None, 0, 1, -1, 3])
        case "page":
            return st.sampled_from(
                [None, {"page": "p", "space": "s"}, {"page": "p", "space": ""}, {"page": "x", "space": "s"}]
            )
        case "json":
            return st.sampled_from([None, {"page": "p", "kind": "page"}])
        case "claims":
            return st.sampled_from(["plan", "beta", "team.size", "o'k", "none"])
        case "claim":
            return st.sampled_from(["pro", "free", "", "x/~y"])
    return st.sampled_from(found.values) if found.values else st.sampled_from([None, *WORDS])


@st.composite
def filters(draw: st.DrawFn) -> Filter:
    term = draw(st.sampled_from([one for one in TERMS if one.interval is None]))
    comparable = COLUMNS[term.column].kind in ("time", "weekday", "hour", "number")
    operator = draw(st.sampled_from(["in", "notIn", *(["greaterThan", "lessThanOrEqual"] if comparable else [])]))
    if operator in ("in", "notIn"):
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
        where.append(Filter(draw(st.sampled_from(SORTABLE)), "greaterThan", [draw(st.integers(0, 3))]))
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


@settings(
    max_examples=400 if DEEP else 60,
    deadline=None,
    phases=_PHASES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_answers_are_those_of_a_naive_aggregation(where: tuple[Office, Path], data: st.DataObject) -> None:
    office, folder = where
    office.answer(ForgetSites(["site", "other"]))
    some = data.draw(st.lists(events("site"), max_size=40))
    put(folder, [*some, *data.draw(st.lists(events("other"), max_size=3))])
    for _ in range(5):
        question = data.draw(questions("site"))
        expected = naive.answer(question, some)
        found = rows(office, question)
        if (
            question.group is not None
            and len(question.group) == 1
            and question.group[0].interval
            and not _having(question)
        ):
            _compare_filled(question, found, expected)
        else:
            _same(question, found, expected)


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


def test_segments_are_counted(where: tuple[Office, Path]) -> None:
    office, folder = where
    claims = ['{"plan":"pro"}', '{"plan":"pro"}', None, '{"plan":"free"}']
    put(folder, [Event(organization="o", site="seg", moment=NOW, type="page_view", visitor=n % 2, session=n, claims=one)
                 for n, one in enumerate(claims)])  # fmt: skip
    found = office.answer(Segments("o", "seg", 10)).result
    assert [(one["claims"], one["events"], one["visitors"], one["sessions"]) for one in found] == [
        ({"plan": "pro"}, 2, 2, 2), ({}, 1, 1, 1), ({"plan": "free"}, 1, 1, 1),
    ]  # fmt: skip
    assert len(office.answer(Segments("o", "seg", 1)).result) == 1
    assert office.answer(Segments("elsewhere", "seg", 10)).result == []


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
