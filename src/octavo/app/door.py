"""The application in the browser: its page for whoever is signed in, its files, and the token that the page works with.

The page is a client of /v1 like any other. Only its token is made here: a session's cookie buys one of some minutes by a POST
from a page of this very origin. So /v1 reads no cookie, and no other site can make a browser call it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from html import escape
from urllib.parse import urlencode

import msgspec

from octavo.access.caller import Caller
from octavo.access.people import sessions
from octavo.access.people.browsers import PAGE_LIVES, Browsers
from octavo.access.people.forms import names_origin
from octavo.access.signing import Signer
from octavo.app import files
from octavo.kernel.clock import SECOND
from octavo.kernel.errors import Forbidden, NotFound, Unauthorized
from octavo.site.names import own_host
from octavo.store.unit import Store
from octavo.web.answers import Answer, html, plain, redirect
from octavo.web.asgi import Headers, Receive, Scope, Send
from octavo.web.door import answered, only
from octavo.web.errors import ErrorBody, ErrorDetail
from octavo.web.fields import Fields
from octavo.web.pages import locked

HOME = "/app"
TOKEN = "/app/~/token"
_LOCAL = ("", "localhost", "127.0.0.1", "[::1]")
"""Hosts besides the base URL's own; that of a site never gets here."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https: data: blob:; "
    "media-src 'self' https:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types octavo default"
)
_LOCKED = tuple(
    (name, _POLICY.encode() if name == b"content-security-policy" else value) for name, value in locked("same-origin")
)
_log = logging.getLogger("octavo.app")


class Bought(msgspec.Struct, rename="camel"):
    """What a page gets for its session: a token, and for how many seconds it serves."""

    token: str
    expires_in: int


class Application:
    """The ASGI application under /app."""

    def __init__(self, store: Store, signer: Signer, base: str, asset: Callable[[str], str]) -> None:
        """`asset` gives the address of a file that published pages have: style sheets, the mark, the frame of diagrams."""
        self._clock = store.clock
        self._signer = signer
        self._base = base
        self._own = own_host(base)
        self._asset = asset
        self._secure = sessions.secure_base(base)
        self._browsers = Browsers(store)

    @staticmethod
    def answers(path: str) -> bool:
        """Whether a path is of this door."""
        return path == HOME or path.startswith("/app/")

    async def welcomes(self, scope: Scope) -> bool:
        """Whether who asks for the root of the installation is signed in, and is led to the application."""
        return scope["path"] == "/" and scope["method"] in ("GET", "HEAD") and await self._caller(scope) is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        refuse = _refuse_program if scope["path"] == TOKEN else _refuse
        answer = await answered(scope, _log, lambda query: self._answer(scope, query), refuse)
        await answer.send(scope, send, _LOCKED)

    async def _answer(self, scope: Scope, query: Fields) -> Answer:
        path: str = scope["path"]
        if path.startswith(files.STATIC):
            only(scope, "GET")
            found = files.file(path.removeprefix(files.STATIC))
            if found is None:
                raise NotFound("there is no such file; reload the page, as Octavo may have been updated")
            return found.copy()
        self._require_own_host(scope)
        if path == TOKEN:
            only(scope, "POST")
            return await self._sell(scope)
        only(scope, "GET")
        if path == "/":
            return redirect(303, HOME).header("cache-control", "no-store")
        if await self._caller(scope) is None:
            asked = scope.get("query_string", b"").decode("latin-1")
            wanted = (scope.get("raw_path") or path.encode()).decode("latin-1") + ("?" + asked if asked else "")
            return redirect(303, "/login" if wanted == HOME else "/login?" + urlencode({"next": wanted}, safe="/"))
        return html(200, self._page())

    def _page(self) -> str:
        made = files.page()
        for name in ("pages.css", "site.css", "mark.svg", "diagrams.html"):
            made = made.replace("{{" + name + "}}", escape(self._asset(name)))
        return made

    def _require_own_host(self, scope: Scope) -> None:
        host = _host(scope).lower()
        name = host if host.endswith("]") else host.rsplit(":", 1)[0]
        if name != self._own and name not in _LOCAL:
            raise NotFound(f"the application is at {self._base}{HOME}")

    async def _sell(self, scope: Scope) -> Answer:
        hosts = {self._base.partition("://")[2].lower(), _host(scope).lower()}
        if not names_origin(scope["headers"], hosts):
            raise Forbidden("tokens are given to pages of this installation only")
        caller = await self._caller(scope)
        if caller is None or caller.session is None:
            raise Unauthorized("nobody is signed in with this browser")
        now = self._clock()
        token = self._signer.write_page_token(caller.session.id, now + PAGE_LIVES)
        answer = Answer(200, msgspec.json.encode(Bought(token, PAGE_LIVES // SECOND)))
        return answer.header("content-type", "application/json")

    async def _caller(self, scope: Scope) -> Caller | None:
        value = sessions.read_cookie(scope["headers"], secure=self._secure)
        return None if value is None else await self._browsers.find(value)


def _host(scope: Scope) -> str:
    headers: Headers = dict(scope["headers"])
    return headers.get(b"host", b"").decode("latin-1")


def _refuse(status: int, sentence: str, _: str | None) -> Answer:
    return plain(status, sentence)


def _refuse_program(status: int, sentence: str, _: str | None) -> Answer:
    body = msgspec.json.encode(ErrorBody(ErrorDetail(status, sentence)))
    return Answer(status, body).header("content-type", "application/json")
