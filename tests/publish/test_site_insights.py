"""What pages of a site tell of their readers, and what the door notes of programs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from octavo.kernel.clock import DAY, MINUTE
from octavo.publish import assets
from tests.client import Reply, World
from tests.conftest import FakeClock, opened_world
from tests.resources.writing import Line

OWN = {
    "origin": "http://octavo.test",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
}


class Read:
    """A published site and its readers."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.space = world.space("Guide")["id"]
        line = Line(world, self.space)
        line.insert("# Herons\n\nThe grey heron.\n")
        line.insert("# Terns\n\nThe tern.\n")
        line.post("merge")
        world.work()
        self.site = world.site(self.space)
        self.base = f"/sites/{self.site['basename']}"
        self.at = f"/v1/orgs/{world.organization}/sites/{self.site['id']}"

    def tell(self, *events: Any, url: str = "/herons", headers: dict[str, str] | None = None, **more: Any) -> Reply:
        body = {"events": list(events), "url": f"http://octavo.test{self.base}{url}", "language": "de"} | more
        return self.post(json.dumps(body).encode(), headers)

    def post(self, body: bytes, headers: dict[str, str] | None = None, address: str = "192.0.2.7") -> Reply:
        sent = {"content-type": "text/plain"} | (OWN if headers is None else headers)
        return self.world.api.request(
            "POST", f"{self.base}/~octavo/insights", body=body, headers=sent, token="", address=address
        )

    def get(self, path: str, **headers: str) -> Reply:
        reply = self.world.api.get(self.base + path, token="", headers=headers)
        self.world.run(self.world.app._publisher.watcher.settled())
        return reply

    def rows(self, *columns: str, **body: Any) -> list[tuple[Any, ...]]:
        chosen = [{"column": one} for one in columns]
        order = {"by": {"column": "datetime"}, "direction": "asc"}
        asked = (
            {"range": "last7Days", "select": chosen} | ({"order": order} if "eventsCount" not in columns else {}) | body
        )
        reply = self.world.api.post(f"{self.at}/insights/events/aggregate", asked)
        assert reply.status == 200, reply.text
        return list(zip(*(one["values"] for one in reply.json["columns"]), strict=True))


@pytest.fixture
def read(world: World) -> Read:
    return Read(world)


VIEW = {"type": "page_view"}


def test_site_page_and_space_follow_from_the_address(read: Read) -> None:
    pages = {
        one["title"]: one["id"] for one in read.world.api.get(f"/v1/spaces/{read.space}/content/pages").json["pages"]
    }
    assert read.tell(VIEW, referrer="https://search.test/?q=x").status == 204
    assert read.tell(VIEW, url="/terns?utm_source=mail#food").status == 204
    herons, terns = ({"page": pages[title], "space": read.space} for title in ("Herons", "Terns"))
    [home] = read.world.api.get(f"{read.at}/structure").json["structure"]
    found = read.rows(
        "page", "siteSpace", "displayContext", "referrerDomain", "utmSource", "visitorLanguage", "visitorBrowser"
    )
    assert sorted(found, key=lambda row: row[4]) == [
        (herons, home["id"], "site", "search.test", "", "de", "firefox"),
        (terns, home["id"], "site", "", "mail", "de", "firefox"),
    ]


def test_every_event_of_a_page_is_kept(read: Read) -> None:
    here = f"http://octavo.test{read.base}"
    events = [
        VIEW,
        {"type": "search_open"},
        {"type": "search_type_query", "query": "heron", "results": 2},
        {"type": "search_open_result", "query": "heron", "url": f"{here}/terns"},
        {"type": "search_open_result", "query": "heron", "url": "https://elsewhere.test/"},
        {"type": "link_click", "url": "https://elsewhere.test/x", "position": "content"},
        {"type": "link_click", "url": f"{here}/terns", "position": "sidebar"},
        {"type": "api_client_open", "operation": {"path": "/users", "method": "get"}},
        {"type": "api_client_request", "operation": {"path": "/users", "method": "get"}},
        {"type": "page_post_feedback", "feedback": {"rating": "good"}},
        {"type": "page_post_feedback_comment", "feedback": {"rating": "bad", "comment": "No."}},
    ]
    reply = read.tell(*events)
    assert reply.status == 204, reply.text
    counts = dict(read.rows("eventType", "eventsCount"))
    assert counts == {
        "page_view": 1, "search_open": 1, "search_type_query": 1, "search_open_result": 1, "link_click": 2,
        "api_client_open": 1, "api_client_request": 1, "page_post_feedback": 1, "page_post_feedback_comment": 1,
    }  # fmt: skip
    links = read.rows("eventLinkTargetKind", "eventLinkTargetDomain", "eventLinkPosition", "eventsCount")
    assert {("url", "elsewhere.test", "content", 1), ("page", None, "sidebar", 1)} <= set(links)


def test_who_comes_from_elsewhere_is_refused(read: Read) -> None:
    for headers in (
        {}, {"origin": "https://evil.test"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"},
        OWN | {"sec-fetch-site": "cross-site"}, {"origin": "https://evil.test", "sec-fetch-site": "same-site"},
    ):  # fmt: skip
        assert read.tell(VIEW, headers=headers).status == 403, headers
    assert read.tell(VIEW, headers={"sec-fetch-site": "same-origin", "origin": "http://octavo.test"}).status == 204
    assert read.world.api.get(f"{read.base}/~octavo/insights", token="").status == 405
    assert read.rows("eventsCount") == [(1,)]


def test_what_no_page_posts_is_refused(read: Read) -> None:
    for body in (b"", b"[]", b"{", b"\xff", b'{"events":[{"type":"mcp_request"}],"url":"/"}'):
        assert read.post(body).status == 400, body
    assert read.tell(VIEW, url="", headers=OWN).status == 204
    assert read.post(json.dumps({"events": [VIEW], "url": "https://evil.test/"}).encode()).status == 400
    assert read.post(json.dumps({"events": [VIEW] * 21, "url": "/"}).encode()).status == 400
    assert read.post(b" " * (17 << 10)).status == 413
    # Of a page that is none nothing is kept: anybody could fill the list of broken links.
    assert read.tell(VIEW, url="/nowhere").status == 204
    assert read.rows("eventsCount") == [(1,)]


COUNTRIES = Path(__file__).parents[1] / "store" / "insights" / "countries.mmdb"


@pytest.mark.parametrize(
    ("trusted", "countries"), [([], ["DE", "DE", "DE"]), (["192.0.2.7"], ["DE", "FR", "SE"])], ids=["nobody", "a proxy"]
)
def test_a_spoofed_address_is_believed_of_trusted_proxies_alone(
    read: Read, trusted: list[str], countries: list[str]
) -> None:
    house = read.world.house
    with opened_world(
        house.store.engine, house.store.clock, house.settings.data / "spoofed", read.world.loop,  # type: ignore[arg-type]
        insights_countries=str(COUNTRIES), trusted_proxies=trusted,
    ) as world:  # fmt: skip
        site = Read(world)
        for forwarded in (
            {},
            {"x-forwarded-for": "198.51.100.9"},
            {"forwarded": 'for="[2001:db8::1]"', "x-forwarded-for": "2001:db8::1"},
        ):
            assert site.tell(VIEW, headers=OWN | forwarded).status == 204
        assert sorted(row[0] for row in site.rows("visitorGeoCountry")) == sorted(countries)
        assert site.rows("visitorsCount", "eventsCount") == [(len(set(countries)), 3)]


def test_too_many_posts_from_one_address_are_refused(read: Read, clock: FakeClock) -> None:
    body = json.dumps({"events": [], "url": f"{read.base}/herons"}).encode()
    statuses = [read.post(body).status for _ in range(241)]
    assert (statuses.count(204), statuses[-1]) == (240, 429)
    assert read.post(body, address="192.0.2.8").status == 204
    clock.advance(MINUTE)
    assert read.post(body).status == 204


@pytest.mark.parametrize("header", ["dnt", "sec-gpc"])
def test_who_does_not_want_to_be_watched_is_not(read: Read, header: str) -> None:
    assert read.tell(VIEW, headers=OWN | {header: "1"}).status == 204
    assert read.get("/llms.txt", **{header: "1"}).status == 200
    assert read.rows("eventsCount") == [(0,)]


def test_without_cookies_a_visitor_is_one_for_a_day(read: Read, clock: FakeClock) -> None:
    assert "set-cookie" not in read.tell(VIEW).headers
    read.tell(VIEW)
    clock.advance(31 * MINUTE)
    read.tell(VIEW)
    read.post(json.dumps({"events": [VIEW], "url": f"{read.base}/herons"}).encode(), address="192.0.2.99")
    assert read.rows("visitorsCount", "sessionsCount", "eventsCount")[0][2] == 4
    clock.advance(DAY)
    read.tell(VIEW)
    [(visitors, sessions, events)] = read.rows("visitorsCount", "sessionsCount", "eventsCount")
    assert (events, sessions) == (5, 4)
    assert visitors in (3, 4)  # midnight may lie between the first ones


def test_with_cookies_as_the_look_says(read: Read, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    look = {"insights": {"trackingCookie": True}}
    assert read.world.api.patch(f"{read.at}/customization", look).status in (200, 405)
    current = read.world.api.get(f"{read.at}/customization").json
    if not current["insights"]["trackingCookie"]:
        assert read.world.api.put(f"{read.at}/customization", current | look).status == 200
    clock.advance(1000)
    first = read.tell(VIEW).headers["set-cookie"]
    assert "octavo-visitor=" in first
    assert "HttpOnly" in first
    assert "SameSite=Lax" in first
    assert "; Secure" not in first
    cookie = "; ".join(part.split(";")[0] for part in first.replace(", octavo", "\noctavo").splitlines())
    clock.advance(2 * DAY)
    read.tell(VIEW, headers=OWN | {"cookie": cookie})
    assert read.rows("visitorsCount", "eventsCount") == [(1, 2)]
    # Where the installation is behind https, it ends on the way.
    monkeypatch.setattr(read.world.app._publisher, "_base", "https://octavo.test")
    assert read.tell(VIEW).headers["set-cookie"].count("; Secure") == 2


def test_programs_are_noted_at_the_door(read: Read) -> None:
    for path in ("/llms.txt", "/llms-full.txt", "/herons.md"):
        assert read.get(path).status == 200
    assert read.get("/terns", accept="text/markdown").status == 200
    assert read.get("/wp-login.php", accept="text/html").status == 404
    assert read.get("/wp-login.php").status == 404  # nobody reads that
    for purpose in ("prefetch", "prefetch;prerender", "prefetch;anonymous-client-ip"):  # who clicks asks again
        assert read.get("/wp-admin", accept="text/html", **{"sec-purpose": purpose}).status == 404
    assert read.get("/herons", accept="text/html").status == 200  # its page tells itself
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert read.world.api.post(f"{read.base}/~octavo/mcp", message, token="").status == 200
    read.world.run(read.world.app._publisher.watcher.settled())
    found = read.rows("eventType", "eventLLMSVariant", "displayContext", "urlPath", "eventsCount")
    base = read.base
    assert set(found) >= {
        ("llms_request", "standard", "server", f"{base}/llms.txt", 1),
        ("llms_request", "full", "server", f"{base}/llms-full.txt", 1),
        ("page_markdown_request", None, "server", f"{base}/herons.md", 1),
        ("page_markdown_request", None, "server", f"{base}/terns", 1),
        ("page_view", None, "server", f"{base}/wp-login.php", 1),
        ("mcp_request", None, "mcp", f"{base}/~octavo/mcp", 1),
    }
    assert sum(row[4] for row in found) == 6
    broken = [{"column": "page", "values": [None]}, {"column": "eventType", "values": ["page_view"]}]
    assert read.rows("urlPath", "eventsCount", where=broken) == [(f"{base}/wp-login.php", 1)]


def test_an_address_that_is_too_long_is_noted_as_far_as_it_is_kept(read: Read) -> None:
    assert read.get("/" + "x" * 3_000, accept="text/html").status == 404
    [(url, count)] = read.rows("url", "eventsCount")
    assert (len(url), count) == (2_048, 1)
    assert url.startswith(f"http://octavo.test{read.base}/xxx")


def test_what_readers_say_of_a_page_is_found_again(read: Read) -> None:
    current = read.world.api.get(f"{read.at}/customization").json
    look = current | {"feedback": {"enabled": True}}
    assert read.world.api.put(f"{read.at}/customization", look).status == 200
    page = read.world.api.get(f"/v1/spaces/{read.space}/content/pages").json["pages"][0]["id"]
    form = OWN | {"content-type": "application/x-www-form-urlencoded"}
    for body in (b"rating=bad", b"rating=bad&comment=It+is+wrong.", b"rating=nothing"):
        reply = read.world.api.request(
            "POST", f"{read.base}/~octavo/feedback/{page}", body=body, headers=form, token=""
        )
        assert reply.status == (400 if b"nothing" in body else 303), reply.text
    read.world.run(read.world.app._publisher.watcher.settled())
    found = read.rows("eventType", "page", "eventPageFeedbackRating", "eventPageFeedbackComment", "displayContext")
    here = {"page": page, "space": read.space}
    assert sorted(found, key=lambda row: row[3]) == [
        ("page_post_feedback", here, "bad", "", "site"),
        ("page_post_feedback_comment", here, "bad", "It is wrong.", "site"),
    ]


def test_a_screen_finds_what_it_needs_of_a_published_site(read: Read, clock: FakeClock) -> None:
    """What docs/running/insights.md names, as a reader makes it and as a screen asks for it: one answer each, and as CSV."""
    current = read.world.api.get(f"{read.at}/customization").json
    assert read.world.api.put(f"{read.at}/customization", current | {"feedback": {"enabled": True}}).status == 200
    tree = read.world.api.get(f"/v1/spaces/{read.space}/content/pages").json["pages"]
    [page] = [one["id"] for one in tree if one["title"] == "Herons"]
    here, public = {"page": page, "space": read.space}, f"http://octavo.test{read.base}"
    read.tell(VIEW)
    clock.advance(7 * DAY)
    read.tell(VIEW, referrer="https://www.search.test/?q=heron")
    read.tell({"type": "search_type_query", "query": "heron", "results": 2})
    read.tell({"type": "search_type_query", "query": "unicorn", "results": 0})
    read.tell({"type": "link_click", "url": "https://elsewhere.test/x", "position": "content"})
    form = OWN | {"content-type": "application/x-www-form-urlencoded"}
    for body in (b"rating=good", b"rating=bad&comment=No."):
        path = f"{read.base}/~octavo/feedback/{page}"
        assert read.world.api.request("POST", path, body=body, headers=form, token="").status == 303
    for path in ("/heron", "/heron", "/old/terns"):
        left = read.get(
            path, accept="text/html", referer=f"{public}/herons?jwt_token=x", **{"user-agent": OWN["user-agent"]}
        )
        assert left.status == 404

    def report(name: str, **more: str) -> Reply:
        query = "&".join(f"{key}={value}" for key, value in ({"report": name, "range": "last7Days"} | more).items())
        reply = read.world.api.get(f"{read.at}/insights/report?{query}")
        assert reply.status == 200, reply.text
        return reply

    def rows(table: Any) -> list[tuple[Any, ...]]:
        return list(zip(*(column["values"] for column in table["columns"]), strict=True))

    once, twice = (1, 1, 1), (2, 1)
    wanted: dict[str, list[tuple[Any, ...]]] = {
        "pages": [(here, f"{read.base}/herons", *once)],
        "referrers": [("search.test", *once)],
        "countries": [(None, *once)],
        "devices": [("desktop", *once)],
        "browsers": [("firefox", *once)],
        "systems": [("linux", *once)],
        "languages": [("de", *once)],
        "bots": [],
        "searches": [("heron", 2, 1, 1), ("unicorn", 0, 1, 1)],
        "searches-without-result": [("unicorn", 0, 1, 1)],
        "feedback": [(here, {"good": 1, "ok": 0, "bad": 1}, 2)],
        "links": [({"kind": "url", "url": "https://elsewhere.test/x"}, "content", 1, 1)],
        "not-found": [
            (f"{read.base}/heron", f"{public}/herons", *twice),
            (f"{read.base}/old/terns", f"{public}/herons", 1, 1),
        ],
    }
    for name, expected in wanted.items():
        assert rows(report(name).json["table"]) == expected, name
        assert len(report(name, format="csv").text.splitlines()) == len(expected) + 1, name
    [comment] = rows(report("comments").json["table"])
    assert comment[1:] == (here, "bad", "No.")
    compared = report("traffic", compare="true").json
    assert (compared["table"]["events"], compared["before"]["events"]) == (1, 1)
    assert compared["before"]["to"] == compared["table"]["from"]
    lines = report("devices", compare="true", format="csv").text.splitlines()
    assert lines == [
        "range,visitorDevice,eventsCount,visitorsCount,sessionsCount",
        "current,desktop,1,1,1",
        "before,desktop,1,1,1",
    ]
    hours = report("traffic", interval="hour", format="csv").text.splitlines()
    assert (hours[0], len(hours)) == ("datetime,eventsCount,visitorsCount,sessionsCount", 7 * 24 + 2)


def test_pages_carry_the_script(read: Read) -> None:
    reply = read.get("/herons", accept="text/html")
    assert f'data-to="{read.base}/~octavo/insights"' in reply.text
    assert assets.path("insights.js") in reply.text
    assert len(assets.find(assets.path("insights.js")).body) < 2048  # type: ignore[union-attr]


def test_several_pages_at_once(read: Read) -> None:
    async def together() -> list[int]:
        body = json.dumps({"events": [VIEW] * 5, "url": f"{read.base}/herons"}).encode()
        posts = [
            read.world.api.send("POST", f"{read.base}/~octavo/insights", body=body, headers=OWN, token="")
            for _ in range(20)
        ]
        return [reply.status for reply in await asyncio.gather(*posts)]

    assert read.world.run(together()) == [204] * 20
    assert read.rows("eventsCount") == [(100,)]
