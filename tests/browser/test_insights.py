"""What readers do in a real browser is found again by the API."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Served

pytest.importorskip("playwright.sync_api", reason="browser tests need the playwright library")


class Api:
    """Asks about the site of the kitchen sink."""

    def __init__(self, served: Served) -> None:
        self._base, _, word = served.kitchen.rstrip("/").partition("/sites/")
        self._token = served.token
        [organization] = [one["id"] for one in self._ask("/v1/orgs")["items"]]
        sites = self._ask(f"/v1/orgs/{organization}/sites")["items"]
        site = next(one["id"] for one in sites if one.get("basename") == word)
        self._at = f"/v1/orgs/{organization}/sites/{site}/insights/events/aggregate"

    def _ask(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {self._token}", "content-type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(self._base + path, data, headers)) as reply:
            return json.load(reply)

    def counts(self, *columns: str) -> dict[Any, int]:
        """Values of columns -> events."""
        select = [{"column": one} for one in (*columns, "eventsCount")]
        found = self._ask(self._at, {"range": "last24Hours", "select": select})["columns"]
        *keys, counted = (one["values"] for one in found)
        return dict(zip(zip(*keys, strict=True), counted, strict=True))

    def until(self, columns: tuple[str, ...], holds: Callable[[dict[Any, int]], bool]) -> dict[Any, int]:
        """What is counted, when something holds: browsers post after a moment."""
        ends = time.monotonic() + 15
        while True:
            found = self.counts(*columns)
            if holds(found) or time.monotonic() > ends:
                return found
            time.sleep(0.1)


def test_a_reader_is_found_again(served: Served, open_page: Callable[..., Any]) -> None:
    api = Api(served)
    before = api.counts("eventType")
    page = open_page(served.kitchen)
    page.keyboard.press("/")
    page.keyboard.type("table")
    page.wait_for_selector(".search-body a.page")
    api.until(("eventType",), lambda found: ("search_type_query",) in found)
    page.click(".search-body a.page")
    page.wait_for_load_state()
    wanted = ("page_view", "search_open", "search_type_query", "search_open_result")

    def arrived(found: dict[Any, int]) -> bool:
        views = found.get(("page_view",), 0) - before.get(("page_view",), 0)
        return views >= 2 and all((name,) in found for name in wanted)

    found = api.until(("eventType",), arrived)
    assert arrived(found), found
    assert ("table",) in api.counts("eventSearchQuery")
    assert {(browser, bot) for browser, bot in api.counts("visitorBrowser", "visitorBot")} == {("chrome", "unknown")}
    assert not page.context.cookies()


def test_who_asks_not_to_be_watched_is_not(served: Served, open_page: Callable[..., Any]) -> None:
    api = Api(served)
    before = api.counts("eventType")
    posts: list[str] = []
    page = open_page("about:blank")
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.add_init_script("Object.defineProperty(navigator, 'globalPrivacyControl', {value: true})")
    page.goto(served.kitchen)
    page.wait_for_timeout(600)
    assert posts == []
    assert api.counts("eventType") == before
