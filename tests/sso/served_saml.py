"""The identity provider of SAML of these tests as a server: its page carries a signed answer back by a form."""

from __future__ import annotations

import base64
import html
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from lxml import etree

from tests.sso.idp import NS, Told, build, encoded, sign
from tests.threads import answering

_PAGE = """<!doctype html><html lang="en"><title>Acme</title><link rel="icon" href="data:,"><h1>Are you {email}?</h1>
<form method="post" action="{acs}"><input type="hidden" name="SAMLResponse" value="{answer}">
<input type="hidden" name="RelayState" value="{relay}"><button>Sign in</button></form></html>"""


@contextmanager
def serving(email: str) -> Iterator[str]:
    """The address of one that knows a single person, at http://localhost on a port of the system's choice."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            query = parse_qs(urlsplit(self.path).query)
            asked = etree.fromstring(zlib.decompress(base64.b64decode(query["SAMLRequest"][0]), -15))
            acs, audience = asked.get("AssertionConsumerServiceURL"), asked.findtext("saml:Issuer", None, NS)
            told = Told(asked.get("ID"), acs, audience, entity, int(time.time() * 1000), subject=email)
            told.attributes = {"email": email, "displayName": email.partition("@")[0].title()}
            words = {
                "email": email,
                "acs": acs,
                "answer": encoded(sign(build(told))),
                "relay": query.get("RelayState", [""])[0],
            }
            page = _PAGE.format_map({name: html.escape(word) for name, word in words.items()}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    entity = f"http://localhost:{server.server_port}"
    with answering(server):
        yield entity
