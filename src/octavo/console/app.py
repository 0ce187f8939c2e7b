"""The door for people with a session: signing in and out, their tokens, and what they are told of."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlencode

from octavo.access.addresses import client_address
from octavo.access.caller import Caller
from octavo.access.people.browsers import Browsers
from octavo.access.signing import Signer
from octavo.console import invites, login, notifications, setup, tokens, unsubscribing
from octavo.console.request import HOME, ConsoleRequest, Services, open_request
from octavo.console.styles import STYLES, styles, styles_address
from octavo.kernel.errors import NotFound
from octavo.kernel.operation import SCOPES
from octavo.kernel.settings import Settings
from octavo.store.unit import Store
from octavo.web.answers import FOREVER, Answer, redirect
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.door import answered, only
from octavo.web.fields import Fields
from octavo.web.pages import Pages, locked

ANYBODY: dict[tuple[str, str], Callable[[ConsoleRequest], Awaitable[Answer]]] = {
    ("GET", "/login"): login.show,
    ("POST", "/login"): login.sign_in,
    ("POST", "/login/ask"): login.ask_code,
    ("GET", "/login/code"): login.show_code,
    ("POST", "/login/code"): login.enter_code,
    ("GET", "/logout"): login.show_sign_out,
    ("POST", "/logout"): login.sign_out,
    ("GET", setup.PLACE): setup.hint,
}
"""Pages without a session; those with one are in `_page`."""
_BELOW = ("/login/", "/account/", "/invites/", "/setup/", "/o/", unsubscribing.BELOW)
_BEFORE = "/o/"
"""Began the addresses of the application before it had its own; old letters and links name them."""
_INVITE = re.compile(r"/invites/([\w-]{1,64})/([\w-]{1,64})", re.ASCII)
_SETUP = re.compile(r"/setup/([\w-]{1,64})", re.ASCII)
_UNSUBSCRIBE = re.compile(re.escape(unsubscribing.BELOW) + r"([\w.-]{1,200})", re.ASCII)
_REVOKE = re.compile(r"/account/tokens/([\w-]{1,64})/revoke")
_LOCKED = locked("same-origin")
_log = logging.getLogger("octavo.console")


class Console:
    """The ASGI application for people."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        signer: Signer,
        base: str,
        asset: Callable[[str], str],
        scopes: Collection[str] = SCOPES,
    ) -> None:
        """`asset` gives the address of a file that published pages have: style sheets, typefaces, the mark. `scopes` are
        those that some operation asks for."""
        pages = Pages("octavo.console", asset=asset, styles=styles_address())
        self._services = Services(store, settings, signer, base, pages, scopes)
        self._browsers = Browsers(store)
        self._store = store
        self._begun = False
        """Whether somebody has an account, once that is known: it stays so."""

    @staticmethod
    def answers(path: str) -> bool:
        """Whether a path is the console's."""
        return path in ("/login", "/logout", "/account", setup.PLACE) or path.startswith(_BELOW)

    async def fresh(self) -> bool:
        """Whether nobody has an account yet."""
        self._begun = self._begun or await self._store.read(lambda unit: unit.people.anybody())
        return not self._begun

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        answer = await answered(scope, _log, lambda query: self._answer(scope, receive, query), self._refuse)
        await answer.send(scope, send, _LOCKED)

    async def _answer(self, scope: Scope, receive: Receive, query: Fields) -> Answer:
        only(scope, "GET", "POST")
        path: str = scope["path"]
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        if path == STYLES and method == "GET":
            css = Answer(200, styles(), [(b"content-type", b"text/css; charset=utf-8")])
            return css.header("cache-control", FOREVER)
        if path.startswith(_BEFORE) and method == "GET":
            return redirect(308, f"/app{path}")
        if path in ("/", "/login") and method == "GET" and await self.fresh():
            return redirect(303, setup.PLACE)
        ended = _UNSUBSCRIBE.fullmatch(path)
        if ended is not None:
            return await self._unsubscribe(scope, method, ended[1])
        request = await open_request(self._services, self._browsers, scope, query)
        page = ANYBODY.get((method, path))
        if page is not None:
            if method == "POST":
                await request.read_form(receive)
            return await page(request)
        invited = _INVITE.fullmatch(path)
        if invited is not None:
            if method == "GET":
                return await invites.show(request, *invited.groups())
            await request.read_form(receive)
            return await invites.accept(request, *invited.groups())
        begins = _SETUP.fullmatch(path)
        if begins is not None:
            if method == "GET":
                return await setup.show(request, begins[1])
            await request.read_form(receive)
            return await setup.make(request, begins[1])
        if request.caller is None:
            # Whatever was asked for, it is behind the login; what was typed into it is not kept.
            wanted = path if method == "GET" else HOME
            return redirect(303, "/login?" + urlencode({"next": wanted}, safe="/") if wanted != HOME else "/login")
        if method == "POST":
            await request.read_form(receive)
        return await self._page(request, request.caller, method, path)

    async def _unsubscribe(self, scope: Scope, method: str, word: str) -> Answer:
        """Not a request of a browser that is known: mail programs post too."""
        if method == "GET":
            return await unsubscribing.show(self._services, word)
        address = client_address(scope, dict(scope["headers"]), self._services.settings.trusted_proxies)
        return await unsubscribing.end(self._services, word, address)

    async def _page(self, request: ConsoleRequest, caller: Caller, method: str, path: str) -> Answer:
        if path == "/account" and method == "GET":
            return redirect(303, tokens.PLACE)
        if path == tokens.PLACE:
            return await (tokens.show(request, caller) if method == "GET" else tokens.make(request, caller))
        if path == notifications.PLACE:
            return await (notifications.show if method == "GET" else notifications.choose)(request, caller)
        revoked = _REVOKE.fullmatch(path)
        if revoked is not None and method == "POST":
            return await tokens.revoke(request, caller, revoked[1])
        raise NotFound("there is nothing at this address")

    def _refuse(self, status: int, sentence: str, _: str | None) -> Answer:
        return self._services.pages.page(status, "message.html", status=status, text=sentence, caller=None)
