"""Who is let into a site, as browsers keep it: a share link, a log-in elsewhere and back, claims, a stranger's preview."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest

from tests.browser.conftest import Served
from tests.publish.browsing import SCHEMA

Open = Callable[..., Any]


@dataclass
class Api:
    """The API of the server, as its first admin."""

    served: Served

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        base = "/".join(self.served.kitchen.split("/")[:3])
        request = urllib.request.Request(
            f"{base}/v1{path}",
            None if body is None else json.dumps(body).encode(),
            {"authorization": f"Bearer {self.served.token}", "content-type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None


@dataclass
class Closed:
    """A published site that is not for everybody."""

    api: Api
    path: str
    space: str
    address: str


@pytest.fixture
def site(served: Served) -> Closed:
    api = Api(served)
    organization = api("GET", "/orgs")["items"][0]["id"]
    made = api("POST", f"/orgs/{organization}/sites", {"title": "Closed", "spaces": "sample"})
    path = f"/orgs/{organization}/sites/{made['id']}"
    address = api("POST", f"{path}/publish")["urls"]["published"]
    space = api("GET", f"{path}/structure")["structure"][0]["space"]["id"]
    return Closed(api, path, space, address)


def test_a_share_link_is_exchanged_and_leaves_the_address(site: Closed, open_page: Open) -> None:
    site.api("PATCH", site.path, {"visibility": "share-link"})
    link = site.api("POST", f"{site.path}/share-links", {"name": "Friends"})
    tab = open_page(site.address)
    assert tab.locator("h1").inner_text() == "Log in to read on"
    tab.goto(link["urls"]["published"])
    assert tab.url == site.address
    assert tab.locator("article h1").count() == 1
    assert tab.evaluate("document.referrer + document.cookie") == ""
    tab.reload()
    assert tab.locator("article h1").count() == 1
    site.api("PATCH", f"{site.path}/share-links/{link['id']}", {"active": False})
    tab.reload()
    assert tab.locator("h1").inner_text() == "Log in to read on"


@contextmanager
def _issuer(key: str, back: str, claims: dict[str, Any]) -> Iterator[str]:
    """A login elsewhere: it sends whoever comes back to where they were, with a token."""

    class Login(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            location = parse_qs(urlsplit(self.path).query)["location"][0]
            token = jwt.encode(claims | {"exp": int(time.time()) + 600}, key, algorithm="HS256")
            self.send_response(302)
            self.send_header("Location", f"{back.rstrip('/')}{location}?jwt_token={token}")
            self.end_headers()

        def log_message(self, *words: Any) -> None:
            pass

    with ThreadingHTTPServer(("localhost", 0), Login) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}/login"
        finally:
            server.shutdown()
            thread.join()


def test_logging_in_elsewhere_and_reading_what_is_for_some(site: Closed, open_page: Open) -> None:
    text = "# Hello\n\nFor all.\n\n{% if visitor.claims.beta %}\nFor some.\n{% endif %}\n"
    change = {"operation": "insert_page", "document": {"markdown": text}}
    site.api("PATCH", f"/spaces/{site.space}", {"editMode": "live"})
    site.api("POST", f"/spaces/{site.space}/content", {"changes": [change]})
    page = "hello"
    site.api("PUT", f"{site.path}/adaptive-schema", {"jsonSchema": SCHEMA})
    site.api("PATCH", site.path, {"visibility": "visitor-auth", "adaptiveContent": {"enabled": True}})
    key = site.api("GET", f"{site.path}/publishing/auth")["privateKey"]
    for claims, sees in (({"beta": True}, True), ({"beta": False}, False)):
        with _issuer(key, site.address, claims) as login:
            site.api("PATCH", f"{site.path}/publishing/auth", {"backend": "custom", "fallbackURL": login})
            tab = open_page(site.address + page)
            assert tab.url == site.address + page
            assert tab.locator("article h1").inner_text() == "Hello"
            assert ("For some." in tab.locator("article").inner_text()) is sees
            [cookie] = tab.context.cookies()
            assert cookie["httpOnly"]
            assert cookie["path"] == urlsplit(site.address).path
            assert 0 < cookie["expires"] - time.time() <= 601
    # The log-in is gone, and the cookie with it.
    site.api("POST", f"{site.path}/publishing/auth/regenerate")
    site.api("PATCH", f"{site.path}/publishing/auth", {"backend": "custom", "fallbackURL": None})
    tab.reload()
    assert tab.locator("h1").inner_text() == "Log in to read on"


def test_a_stranger_sees_a_change_request_on_its_site(site: Closed, open_page: Open) -> None:
    site.api("POST", f"{site.path}/unpublish")
    request = site.api("POST", f"/spaces/{site.space}/change-requests", {"subject": "More birds"})
    path = f"/spaces/{site.space}/change-requests/{request['id']}"
    change = {"operation": "insert_page", "document": {"markdown": "# Heron\n\nA bird.\n"}}
    site.api("POST", f"{path}/content", {"changes": [change]})
    tab = open_page(site.api("GET", f"{path}/preview")["url"], java_script_enabled=False)
    bar = tab.locator(".preview-bar")
    assert "More birds" in bar.inner_text()
    bar.locator("summary").click()
    bar.get_by_role("link", name="Heron").click()
    tab.wait_for_url("**/heron")
    assert tab.locator("article h1").inner_text() == "Heron"
    assert "A bird." in tab.locator("ins.marked-added").inner_text()
    assert tab.locator(".nav [aria-current=page] .nav-mark").inner_text() == "new"
    assert open_page(site.address).locator("h1").inner_text() == "Nothing is published here yet"
