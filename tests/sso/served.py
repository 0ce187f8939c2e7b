"""The provider of OpenID Connect of these tests as a server, with a page on which people say who they are."""

from __future__ import annotations

import asyncio
import html
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from octavo.gateways.addresses import Guard
from tests.sso.openid import Provider
from tests.threads import answering

_PAGE = """<!doctype html><html lang="en"><title>Acme</title><link rel="icon" href="data:,"><h1>Who are you?</h1>
<form action="/in"><label>Address <input name="email"></label><label>Name <input name="name"></label>
<button>Sign in</button>{hidden}</form></html>"""


@contextmanager
def serving() -> Iterator[Provider]:
    """A provider at http://localhost, on a port of the system's choice: its `issuer`."""
    provider = Provider(lambda: int(time.time() * 1000))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            query = dict(parse_qsl(address.query))
            if address.path == "/authorize":
                self._page(query)
            elif address.path == "/in":
                self._in(query)
            else:
                self._ask("GET", None)

        def do_POST(self) -> None:
            self._ask("POST", self.rfile.read(int(self.headers["Content-Length"])))

        def _page(self, query: dict[str, str]) -> None:
            words = {name: query[name] for name in ("redirect_uri", "state", "nonce", "code_challenge")}
            hidden = "".join(
                f'<input type="hidden" name="{name}" value="{html.escape(word)}">' for name, word in words.items()
            )
            self._answer(200, _PAGE.format(hidden=hidden).encode(), "text/html; charset=utf-8")

        def _in(self, query: dict[str, str]) -> None:
            provider.nonce, provider.challenge = query["nonce"], query["code_challenge"]
            provider.claims = {"sub": query["email"], "email": query["email"], "name": query["name"]}
            back = urlencode({"code": "code", "state": query["state"]})
            self.send_response(302)
            self.send_header("Location", f"{query['redirect_uri']}?{back}")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _ask(self, method: str, body: bytes | None) -> None:
            headers = {name.lower(): word for name, word in self.headers.items()}
            url = provider.issuer + self.path
            told = asyncio.run(provider(url, method=method, guard=Guard(), headers=headers, body=body))
            self._answer(told.status, told.body, "application/json")

        def _answer(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://localhost:{server.server_port}"
    with answering(server):
        yield provider
