"""…/sites/{site}/insights: events, aggregations, segments, and what is forgotten."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from octavo.jobs.tidy import tidy
from octavo.kernel.clock import DAY, HOUR, MINUTE, iso
from octavo.kernel.records.insights import COLUMNS
from tests.client import Reply, World
from tests.conftest import FakeClock, opened_world
from tests.resources.checks import check_json, check_refusals, check_roles, other_organization
from tests.resources.integrations.building import installed, published
from tests.resources.writing import Line
from tests.store.insights import engines

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"


class Watched:
    """A site whose readers are watched."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.space = world.space("Guide")["id"]
        line = Line(world, self.space)
        self.page = line.insert("# Herons\n")
        line.post("merge")
        self.site = world.site(self.space)
        self.at = f"/v1/orgs/{world.organization}/sites/{self.site['id']}/insights"

    def event(self, type: str = "page_view", visitor: str = "v1", **more: Any) -> dict[str, Any]:
        session = {
            "visitorId": visitor,
            "sessionId": f"{visitor}-s",
            "cookies": {},
            "userAgent": FIREFOX,
            "language": "en",
        }
        location = {"url": "https://docs.test/a?utm_source=news&jwt_token=x", "space": self.space, "page": self.page}
        session |= more.pop("session", {})
        location |= more.pop("location", {})
        return {"type": type, "session": {"referrer": None, **session}, "location": location} | more

    def track(self, *events: dict[str, Any], **options: Any) -> Reply:
        return self.world.api.post(f"{self.at}/events", {"events": list(events)}, **options)

    def kept(self, *events: dict[str, Any]) -> None:
        reply = self.track(*events)
        assert reply.status == 204, reply.text

    def ask(self, *select: Any, **body: Any) -> dict[str, list[Any]]:
        """Column -> values."""
        chosen = [{"column": one} if isinstance(one, str) else one for one in select]
        reply = self.world.api.post(f"{self.at}/events/aggregate", {"range": "last24Hours", "select": chosen} | body)
        assert reply.status == 200, reply.text
        return {one["column"]: one["values"] for one in reply.json["columns"]}

    def count(self, **body: Any) -> int:
        [count] = self.ask("eventsCount", **body)["eventsCount"]
        return int(count)


@pytest.fixture
def watched(world: World) -> Watched:
    return Watched(world)


OWN: dict[str, dict[str, Any]] = {
    "page_view": {},
    "page_markdown_request": {"markdownSource": "page-action"},
    "search_open": {},
    "search_type_query": {"query": "install", "results": 0},
    "search_open_result": {"query": "install", "result": {"spaceId": "s", "pageId": "p"}},
    "page_post_feedback": {"feedback": {"rating": "bad"}},
    "page_post_feedback_comment": {"feedback": {"rating": "bad", "comment": "It does not work."}},
    "agent_feedback": {},
    "ask_question": {"query": "why?", "goal": "to know"},
    "ask_view": {},
    "ask_rate_response": {"query": "why?", "rating": -1, "responseId": "r"},
    "link_click": {"link": {"target": {"kind": "url", "url": "https://www.a.test/x"}, "position": "header"}},
    "api_client_open": {"operation": {"path": "/users", "method": "get"}},
    "api_client_request": {"operation": {"path": "/users", "method": "GET"}},
    "trademark_click": {"placement": "footer"},
    "ad_click": {"ad": {"domain": "ads.test", "zoneId": "z", "placement": "aside"}},
    "ad_display": {"ad": {"domain": "ads.test", "zoneId": "z", "placement": "aside"}},
    "llms_request": {"llmsVariant": "full"},
    "mcp_request": {},
    "rss_request": {},
}
"""What each type of event has of its own."""


def test_every_type_is_kept_and_found_by_what_it_has(watched: Watched) -> None:
    watched.kept(*(watched.event(type, **more) for type, more in OWN.items()))
    found = watched.ask("eventType", "eventsCount", groupBy=[{"column": "eventType"}])
    assert dict(zip(found["eventType"], found["eventsCount"], strict=True)) == dict.fromkeys(OWN, 1)
    said = {
        "eventMarkdownSource": "page-action", "eventSearchQuery": "install", "eventPageFeedbackRating": "bad",
        "eventPageFeedbackComment": "It does not work.", "eventAskResponseRating": -1, "eventLinkTargetKind": "url",
        "eventLinkTargetDomain": "a.test", "eventLinkPosition": "header", "eventAPIOperationPath": "/users",
        "eventAPIOperationMethod": "GET", "eventTrademarkPlacement": "footer", "eventAdDomain": "ads.test",
        "eventAdPlacement": "aside", "eventLLMSVariant": "full", "eventSearchResults": 0,
        "eventLinkTargetValue": {"kind": "url", "url": "https://www.a.test/x"},
    }  # fmt: skip
    for column, value in said.items():
        where = [{"column": column, "values": [value]}]
        assert watched.ask(column, "eventsCount", where=where, groupBy=[{"column": column}])[column] == [value], column


def test_every_column_is_answered(watched: Watched) -> None:
    watched.kept(*(watched.event(type, **more) for type, more in OWN.items()))
    for name, column in COLUMNS.items():
        one = {"column": name} | ({"claim": "plan"} if name == "visitorClaim" else {})
        if column.counts:
            assert len(watched.ask(one)[name]) == 1
        else:
            assert (
                sum(watched.ask(one, "eventsCount", groupBy=[one])["eventsCount"])
                == (name != "visitorClaimProperty") * 20
            )


def test_what_is_kept_of_a_visitor(watched: Watched, tmp_path: Path) -> None:
    session = {"ip": "203.0.113.77", "referrer": "https://www.search.test/?q=secret&token=t0p", "language": "de",
               "visitorAuthClaims": {"plan": "pro", "team": {"size": 3}}}  # fmt: skip
    watched.kept(watched.event(visitor="ada-lovelace", session=session), watched.event(visitor="ada-lovelace"))
    found = watched.ask(
        "url", "urlPath", "utmSource", "referrerDomain", "visitorDevice", "visitorBrowser", "visitorOS", "visitorBot",
        "visitorAuthenticated", "visitorLanguage", {"column": "visitorClaim", "claim": "team.size"},
        where=[{"column": "visitorAuthenticated", "values": [True]}],
    )  # fmt: skip
    assert {name: value[0] for name, value in found.items()} == {
        "url": "https://docs.test/a?utm_source=news", "urlPath": "/a", "utmSource": "news", "referrerDomain": "search.test",
        "visitorDevice": "desktop", "visitorBrowser": "firefox", "visitorOS": "linux", "visitorBot": None,
        "visitorAuthenticated": True, "visitorLanguage": "de", "visitorClaim": "3",
    }  # fmt: skip
    assert watched.ask("visitorsCount", "sessionsCount") == {"visitorsCount": [1], "sessionsCount": [1]}
    files = watched.world.house.settings.data / "insights"
    kept = b"".join(path.read_bytes() for path in files.rglob("*") if path.is_file())
    for word in (b"203.0.113.77", b"ada-lovelace", b"t0p"):
        assert word not in kept
    segments = watched.world.api.get(f"{watched.at}/visitor-segments").json
    assert segments == {
        "count": 2,
        "items": [
            {"title": "Without claims", "claims": {}, "events": 1, "visitors": 1, "sessions": 1},
            {"title": 'plan: pro, team: {"size":3}', "claims": {"plan": "pro", "team": {"size": 3}}, "events": 1,
             "visitors": 1, "sessions": 1},
        ],
    }  # fmt: skip


def test_the_same_event_counts_once(watched: Watched) -> None:
    one = watched.event(id="e1")
    watched.kept(one, one, watched.event(id="e2"), watched.event())
    watched.kept(one, watched.event(id="e3"))
    assert watched.count() == 4
    other = Watched(watched.world)
    other.kept(other.event(id="e1"))
    assert other.count() == 1


def test_a_bad_event_is_named_and_nothing_of_its_batch_is_kept(watched: Watched, clock: FakeClock) -> None:
    good = watched.event()
    now, far = clock.now, "9" * 400
    cases: list[tuple[Any, str]] = [
        (good | {"type": "page_vew"}, "events[1].type"),
        ({key: value for key, value in good.items() if key != "session"}, "events[1].session"),
        (watched.event(session={"visitorId": ""}), "events[1].session.visitorId"),
        (watched.event(session={"sessionId": far}), "events[1].session.sessionId"),
        (watched.event(session={"ip": "300.1.1.1"}), "events[1].session.ip"),
        (watched.event(session={"ip": "203.0.113.7, 10.0.0.1"}), "events[1].session.ip"),
        (watched.event(session={"visitorAuthClaims": {str(n): n for n in range(10_000)}}), "visitorAuthClaims"),
        (watched.event(session={"visitorAuthClaims": {"a": "x" * 10_000}}), "visitorAuthClaims"),
        (watched.event(location={"url": "javascript:alert(1)"}), "events[1].location.url"),
        (watched.event(location={"space": "elsewhere"}), "events[1].location.space"),
        (watched.event(location={"siteSpace": "elsewhere"}), "events[1].location.siteSpace"),
        (watched.event(location={"siteSection": "elsewhere"}), "events[1].location.siteSection"),
        (watched.event(timestamp=iso(now + 6 * MINUTE)), "events[1].timestamp"),
        (watched.event(timestamp=iso(now - 761 * DAY)), "events[1].timestamp"),
        (watched.event(timestamp="1970-01-01T00:00:00Z"), "events[1].timestamp"),
        (watched.event(timestamp="yesterday"), "events[1].timestamp"),
        (watched.event("search_type_query"), "events[1].query"),
        (watched.event("page_post_feedback", feedback={"rating": "great"}), "events[1].feedback.rating"),
        (watched.event("page_post_feedback_comment", feedback={"rating": "ok", "comment": ""}), "events[1].feedback"),
        (watched.event("ask_rate_response", query="q", rating=2, responseId="r"), "events[1].rating"),
        (watched.event("search_open_result", query="q", result={"spaceId": "s"}), "events[1].result"),
    ]
    check_refusals(
        watched.world, "POST", f"{watched.at}/events", [({"events": [good, bad]}, name) for bad, name in cases]
    )
    check_refusals(
        watched.world, "POST", f"{watched.at}/events", [({"events": [good] * 1001}, "events"), ({}, "events")]
    )
    check_json(watched.world, "POST", f"{watched.at}/events")
    assert watched.count() == 0
    watched.kept()
    watched.kept(watched.event(timestamp=iso(now - 4 * MINUTE)), watched.event(timestamp=iso(now + 4 * MINUTE)))
    assert watched.count() == 1  # the other one is still to come
    clock.advance(5 * MINUTE)
    assert watched.count() == 2


def test_what_was_gathered_elsewhere_is_brought_in_once(watched: Watched, clock: FakeClock) -> None:
    world, past = watched.world, [clock.now - days * DAY for days in (1, 40, 300)]
    events = [watched.event(timestamp=iso(moment), id=f"e{moment}") for moment in past]
    watched.kept(*events)
    assert watched.count(range="lastYear") == 3
    found = watched.ask({"column": "datetime", "interval": "day"}, "eventsCount", range="last3Months")
    counted = {
        moment[:10]: count for moment, count in zip(found["datetime"], found["eventsCount"], strict=True) if count
    }
    assert counted == {iso(moment)[:10]: 1 for moment in past[:2]}
    # An hour later what has expired is removed; the same batch still counts once.
    clock.advance(HOUR)
    world.run(tidy(world.house.store, world.house.settings))
    watched.kept(*events)
    assert watched.count(range="lastYear") == 3


COUNTRIES = Path(__file__).parents[2] / "store" / "insights" / "countries.mmdb"


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "broken"])
def test_an_address_becomes_a_country_where_there_is_a_database(watched: Watched, whole: bool, tmp_path: Path) -> None:
    file = tmp_path / "countries.mmdb"
    file.write_bytes(COUNTRIES.read_bytes() if whole else b"no database")
    house = watched.world.house
    with opened_world(house.store.engine, house.store.clock, house.settings.data / "countries", watched.world.loop,
                      insights_countries=str(file)) as world:  # fmt: skip
        site = Watched(world)
        addresses = ("192.0.2.7", "::ffff:192.0.2.8", "2001:db8::1", "10.0.0.1", "198.51.100.9")
        site.kept(*(site.event(session={"ip": ip}) for ip in addresses))
        found = site.ask("visitorGeoCountry", "eventsCount")
        counts = dict(zip(found["visitorGeoCountry"], found["eventsCount"], strict=True))
        assert counts == ({"DE": 2, "SE": 1, "FR": 1, None: 1} if whole else {None: 5})
        point = site.ask({"column": "visitorGeoPoint", "precision": 3}, "eventsCount")["visitorGeoPoint"]
        assert [one and (round(one["latitude"]), round(one["longitude"])) for one in point if one] == [(49, 2)] * whole


def test_what_an_event_names_is_the_sites_own(watched: Watched) -> None:
    world = watched.world
    beside = Watched(world)
    good = watched.event(location={"page": None})
    cases: list[tuple[dict[str, Any], str]] = [
        ({"space": beside.space}, "space"), ({"space": "none"}, "space"), ({"siteSpace": "none"}, "siteSpace"),
        ({"siteSection": "none"}, "siteSection"),
    ]  # fmt: skip
    check_refusals(
        world, "POST", f"{watched.at}/events",
        [({"events": [good, watched.event(location=bad)]}, f"events[1].location.{name}") for bad, name in cases],
    )  # fmt: skip
    assert watched.count() == 0


def test_a_page_that_is_gone_costs_no_batch(watched: Watched) -> None:
    line = Line(watched.world, watched.space)
    line.write({"operation": "delete_page", "page": watched.page})
    line.post("merge")
    watched.kept(watched.event(location={"page": None}), watched.event(), watched.event(location={"revision": "old"}))
    assert watched.count() == 3


def test_the_wrong_part_of_a_question_is_named(watched: Watched) -> None:
    def asking(**more: Any) -> dict[str, Any]:
        return {"range": "last7Days"} | more

    day = {"column": "datetime", "interval": "day"}
    cases: list[tuple[Any, str]] = [
        ({}, "range"),
        (asking(range="lastDecade"), "range"),
        (asking(range={"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}), "range.to"),
        (asking(range={"from": "2010-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}), "range"),
        (asking(range={"from": "0001-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}), "range.from"),
        (asking(select=[{"column": "pages"}]), "select[0].column"),
        (asking(select=[{"column": "page", "interval": "day"}]), "select[0].interval"),
        (asking(select=[{"column": "visitorClaim"}]), "select[0].claim"),
        (asking(select=[{"column": "visitorGeoPoint", "precision": 16}]), "select[0].precision"),
        (asking(select=[{"column": "page"}], groupBy=[day]), "select[0].column"),
        (asking(select=[{"column": "datetime"}], groupBy=[day]), "select[0].column"),
        (asking(groupBy=[{"column": "eventsCount"}]), "groupBy[0].column"),
        (asking(groupBy=[day] * 21), "groupBy"),
        (asking(where=[{"column": "eventType", "values": ["nothing"]}]), "where[0].values[0]"),
        (asking(where=[{"column": "hourOfDay", "values": [24]}]), "where[0].values[0]"),
        (asking(where=[{"column": "datetime", "values": ["now"]}]), "where[0].values[0]"),
        (asking(where=[{"column": "page", "values": ["p"]}]), "where[0].values[0]"),
        (asking(where=[{"column": "url", "values": [5]}]), "where[0].values[0]"),
        (asking(where=[{"column": "url", "values": ["a"], "operator": "greaterThan"}]), "where[0].operator"),
        (asking(where=[{"column": "hourOfDay", "values": [1, 2], "operator": "lessThan"}]), "where[0].values"),
        (asking(where=[{"column": "url", "values": [], "operator": "like"}]), "where[0].operator"),
        (asking(select=[{"column": "url"}], where=[{"column": "eventsCount", "values": [1]}]), "where[0].column"),
        (asking(where=[{"column": "pageFeedbackRating", "values": [{}]}]), "where[0].column"),
        (asking(groupBy=[day], order={"by": {"column": "page"}, "direction": "asc"}), "order.by.column"),
        (asking(groupBy=[day], order={"by": day, "direction": "up"}), "order.direction"),
        (asking(groupBy=[day], order={"by": {"column": "askResponseRating"}, "direction": "asc"}), "order.by.column"),
        (asking(limit=0), "limit"),
        (asking(limit=1001), "limit"),
        (asking(timeZone="Mars/Olympus"), "timeZone"),
        (asking(timeZone="../../etc/passwd"), "timeZone"),
    ]
    check_refusals(watched.world, "POST", f"{watched.at}/events/aggregate", cases)
    check_json(watched.world, "POST", f"{watched.at}/events/aggregate")


def test_empty_days_are_filled_and_limits_hold(watched: Watched, clock: FakeClock) -> None:
    watched.kept(watched.event(), watched.event(visitor="v2"))
    clock.advance(3 * DAY)
    watched.kept(watched.event())
    day = {"column": "datetime", "interval": "day"}
    found = watched.ask(day, "eventsCount", "visitorsCount", range="last7Days", groupBy=[day])
    assert len(found["datetime"]) == 8
    assert [one for one in found["eventsCount"] if one] == [2, 1]
    assert [one for one in found["visitorsCount"] if one] == [2, 1]
    today = datetime.fromtimestamp(clock.now / 1000, UTC).date().isoformat()
    assert found["datetime"][-1] == f"{today}T00:00:00.000Z"
    newest = {"by": {"column": "datetime", "interval": "day"}, "direction": "desc"}
    assert watched.ask(day, "eventsCount", range="last7Days", groupBy=[day], order=newest, limit=2)["eventsCount"] == [
        1,
        0,
    ]
    most = {"by": {"column": "eventsCount"}, "direction": "desc"}
    assert watched.ask(day, "eventsCount", range="last7Days", groupBy=[day], order=most, limit=2)["eventsCount"] == [
        2,
        1,
    ]


def test_who_may(watched: Watched) -> None:
    world, body = watched.world, {"events": [watched.event()]}
    check_roles(world, "read", "POST", f"{watched.at}/events", body, success=204)
    check_roles(world, "read", "POST", f"{watched.at}/events/aggregate", {"range": "last24Hours"}, success=200)
    check_roles(world, "read", "GET", f"{watched.at}/visitor-segments", success=200)
    check_roles(world, "admin", "POST", f"{watched.at}/forget", {"visitors": ["x"]}, success=200)
    assert world.api.post(f"{watched.at}/events", body, token="").status == 401
    assert watched.count() == 6


def test_nothing_is_seen_of_another_site_or_organization(watched: Watched) -> None:
    watched.kept(watched.event(session={"visitorAuthClaims": {"secret": "ours"}}))
    beside = Watched(watched.world)
    assert beside.count() == 0
    assert watched.world.api.get(f"{beside.at}/visitor-segments").json["items"] == []
    other = other_organization(watched.world)["id"]
    path = f"/v1/orgs/{other}/sites/{watched.site['id']}/insights"
    assert watched.world.api.post(f"{path}/events/aggregate", {"range": "last24Hours"}).status == 404
    assert watched.world.api.post(f"{path}/events", {"events": []}).status == 404


def test_a_visitor_is_forgotten(watched: Watched) -> None:
    watched.kept(watched.event(), watched.event(), watched.event(visitor="v2"))
    beside = Watched(watched.world)
    beside.kept(beside.event())
    reply = watched.world.api.post(f"{watched.at}/forget", {"visitors": ["v1", "nobody"]})
    assert (reply.status, reply.json) == (200, {"events": 2})
    assert (watched.count(), beside.count()) == (1, 1)
    cases: list[tuple[Any, str]] = [({"visitors": []}, "visitors"), ({"visitors": [""]}, "visitors"), ({}, "visitors")]
    check_refusals(watched.world, "POST", f"{watched.at}/forget", cases)


def test_a_question_that_takes_too_long_is_ended(watched: Watched) -> None:
    with opened_world(
        watched.world.house.store.engine, watched.world.house.store.clock, watched.world.house.settings.data / "slow",
        watched.world.loop, insights_seconds=0.000001,
    ) as world:  # fmt: skip
        slow = Watched(world)
        slow.kept(*[slow.event(visitor=str(number), id=str(number)) for number in range(1000)])
        reply = world.api.post(
            f"{slow.at}/events/aggregate", {"range": "last24Hours", "select": [{"column": "visitorsCount"}]}
        )
        assert reply.status == 504
        assert "seconds" in reply.message


def test_over_clickhouse_answers_are_the_same(watched: Watched) -> None:
    pytest.importorskip("chdb", reason="ClickHouse's engine is not installed: make clickhouse")
    house = watched.world.house
    with opened_world(house.store.engine, house.store.clock, house.settings.data / "clickhouse", watched.world.loop,
                      insights_clickhouse=engines.clickhouse()) as world:  # fmt: skip
        site = Watched(world)
        for test in (
            test_every_type_is_kept_and_found_by_what_it_has, test_every_column_is_answered, test_the_same_event_counts_once,
        ):  # fmt: skip
            test(Watched(world))
        site.kept(site.event(), site.event(session={"visitorAuthClaims": {"plan": "pro"}}), site.event(visitor="v2"))
        titles = [one["title"] for one in world.api.get(f"{site.at}/visitor-segments").json["items"]]
        assert titles == ["Without claims", "plan: pro"]
        assert world.api.post(f"{site.at}/forget", {"visitors": ["v1"]}).json == {"events": 2}
        assert site.count() == 1
        assert _report(site, "report=traffic&compare=true")["table"]["events"] == 1


def test_without_insights_there_are_none(watched: Watched) -> None:
    house = watched.world.house
    with opened_world(house.store.engine, house.store.clock, house.settings.data / "none", watched.world.loop,
                      insights=False) as world:  # fmt: skip
        site = Watched(world)
        assert site.track(site.event()).status == 501
        assert world.api.post(f"{site.at}/events/aggregate", {"range": "last24Hours"}).status == 501


def _report(watched: Watched, query: str) -> Any:
    reply = watched.world.api.get(f"{watched.at}/report?{query}")
    assert reply.status == 200, reply.text
    return reply.json


def _columns(table: Any) -> dict[str, list[Any]]:
    return {one["column"]: one["values"] for one in table["columns"]}


def test_reports_of_a_range_and_of_the_one_before(watched: Watched, clock: FakeClock) -> None:
    watched.kept(watched.event(), watched.event(visitor="v2"), watched.event(session={"userAgent": "GPTBot/1.2"}))
    clock.advance(5 * DAY)
    link = {"target": {"kind": "url", "url": "=1+1"}, "position": "content"}
    watched.kept(
        watched.event(session={"referrer": "https://www.search.test/"}),
        watched.event(location={"page": None, "space": None, "url": "https://docs.test/gone"}),
        watched.event("search_type_query", query="none", results=0),
        watched.event("search_type_query", query="some", results=3),
        watched.event("page_post_feedback", feedback={"rating": "good"}),
        watched.event("page_post_feedback_comment", feedback={"rating": "bad", "comment": "=cmd()"}),
        watched.event("link_click", link=link),
    )
    range_ = f"from={iso(clock.now - 3 * DAY)}&to={iso(clock.now + 1)}".replace("+", "%2B")
    found = _report(watched, f"report=traffic&compare=true&{range_}")
    assert (found["table"]["events"], found["before"]["events"]) == (1, 2)
    assert len(_columns(found["table"])["datetime"]) == 4
    here = {"page": watched.page, "space": watched.space}
    pages = _columns(_report(watched, "report=pages&range=last7Days")["table"])
    assert (pages["page"], pages["eventsCount"], pages["visitorsCount"]) == ([here], [3], [2])
    assert _columns(_report(watched, "report=referrers")["table"])["referrerDomain"] == ["search.test"]
    assert _columns(_report(watched, "report=bots")["table"])["visitorBot"] == ["gptbot"]
    searches = _columns(_report(watched, "report=searches")["table"])
    assert dict(zip(searches["eventSearchQuery"], searches["eventSearchResults"], strict=True)) == {
        "none": 0,
        "some": 3,
    }
    feedback = _columns(_report(watched, "report=feedback")["table"])
    assert feedback["pageFeedbackRating"] == [{"good": 1, "ok": 0, "bad": 1}]
    assert _columns(_report(watched, "report=comments")["table"])["eventPageFeedbackComment"] == ["=cmd()"]
    assert _columns(_report(watched, "report=not-found")["table"])["urlPath"] == ["/gone"]
    for name in ("countries", "devices", "browsers", "systems", "languages", "links"):
        assert _report(watched, f"report={name}")["table"]["events"] == (1 if name == "links" else 3), name
    reply = watched.world.api.get(f"{watched.at}/report?report=comments&format=csv")
    assert reply.headers["content-type"].startswith("text/csv")
    lines = reply.text.split("\r\n")
    assert lines[0] == "datetime,page,space,eventPageFeedbackRating,eventPageFeedbackComment"
    assert lines[1].endswith(f",{watched.page},{watched.space},bad,'=cmd()")  # no formula
    assert watched.world.api.get(f"{watched.at}/report?format=csv&report=feedback").text.startswith(
        "page,space,pageFeedbackRating.good,pageFeedbackRating.ok,pageFeedbackRating.bad,eventsCount\r\n"
    )


def test_reports_refuse_what_is_wrong(watched: Watched) -> None:
    for query, name in (
        ("report=everything", "report"), ("range=ever", "range"), ("from=2026-01-01T00:00:00Z", "from"), ("limit=0", "limit"),
        ("timeZone=Mars/X", "timeZone"), ("interval=day&report=pages", "interval"), ("format=pdf", "format"),
        ("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "range.to"),
    ):  # fmt: skip
        reply = watched.world.api.get(f"{watched.at}/report?{query}")
        assert reply.status == 400, query
        assert name in reply.message
    check_roles(watched.world, "read", "GET", f"{watched.at}/report", success=200)


def test_integrations_tell_and_ask_of_the_sites_that_were_chosen_for_them(world: World) -> None:
    chosen, other = Watched(world), Watched(world)
    one = published(world, scopes=["site:views:read", "site:adaptive:read"])
    here = installed(world, one)
    assert world.api.post(f"{here}/sites", {"siteId": chosen.site["id"]}).status == 201
    token = world.acting(one["name"])
    assert (chosen.track(chosen.event(), token=token).status, chosen.count()) == (204, 1)
    for path in ("insights/visitor-segments", "adaptive-schema/template-conditions"):
        assert world.api.get(chosen.at.replace("insights", path), token=token).status == 200
        assert world.api.get(other.at.replace("insights", path), token=token).status == 404
    assert other.track(other.event(), token=token).status == 404
    assert world.api.post(f"{chosen.at}/events/aggregate", {"range": "lastYear"}, token=token).status == 403
    published(world, one["name"], scopes=["site:metadata:read"])
    assert world.api.get(f"{chosen.at}/visitor-segments", token=token).status == 403
    assert chosen.track(chosen.event(), token=token).status == 403
