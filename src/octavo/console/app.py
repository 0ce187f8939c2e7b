"""The door for people with a session: signing in and out, their tokens, and what they are told of."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

from octavo.access.caller import Caller
from octavo.access.signing import Signer
from octavo.console import invites, login, notifications, tokens
from octavo.console.answers import Answer, go, html
from octavo.console.templating import STYLES, Pages, styles
from octavo.console.visit import HOME, Browsers, House, Visit, open_visit
from octavo.kernel.errors import Failure
from octavo.kernel.ids import new_id
from octavo.kernel.settings import Settings
from octavo.store.unit import Store

ANYBODY: dict[tuple[str, str], Callable[[Visit], Awaitable[Answer]]] = {
    ("GET", "/login"): login.show,
    ("POST", "/login"): login.sign_in,
    ("POST", "/login/ask"): login.ask_code,
    ("GET", "/login/code"): login.show_code,
    ("POST", "/login/code"): login.enter_code,
    ("GET", "/logout"): login.show_sign_out,
    ("POST", "/logout"): login.sign_out,
}
"""Pages without a session; those with one are in `_page`."""
_INVITE = re.compile(r"/invites/([\w-]{1,64})/([\w-]{1,64})", re.ASCII)
_REVOKE = re.compile(r"/account/tokens/([\w-]{1,64})/revoke")
_log = logging.getLogger("octavo.console")


class Console:
    """The ASGI application for people."""

    def __init__(
        self, store: Store, settings: Settings, signer: Signer, base: str, asset: Callable[[str], str]
    ) -> None:
        """`asset` gives the address of a file that published pages have: style sheets, typefaces, the mark."""
        self._house = House(store, settings, signer, base, Pages(asset))
        self._browsers = Browsers(store)

    @staticmethod
    def answers(path: str) -> bool:
        """Whether a path is the console's."""
        return path in ("/login", "/logout", "/account") or path.startswith(("/login/", "/account/", "/invites/"))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        request = new_id()
        try:
            answer = await self._answer(scope, receive)
        except Failure as failure:
            answer = self._message(failure.status, failure.message)
        except Exception:
            _log.exception("a page failed", extra={"request": request, "path": scope["path"]})
            answer = self._message(500, f"Something broke here; the log has it under {request}.")
        await answer.send(scope, send)

    async def _answer(self, scope: Any, receive: Any) -> Answer:
        path: str = scope["path"]
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        if path == STYLES and method == "GET":
            kept = (b"cache-control", b"public, max-age=31536000, immutable")
            return Answer(200, styles(), [(b"content-type", b"text/css; charset=utf-8"), kept], kept=True)
        if method not in ("GET", "POST"):
            return self._message(405, "Only GET and POST are possible here.", (b"allow", b"GET, POST"))
        visit = await open_visit(self._house, self._browsers, scope)
        page = ANYBODY.get((method, path))
        if page is not None:
            if method == "POST":
                await visit.read_form(receive)
            return await page(visit)
        invited = _INVITE.fullmatch(path)
        if invited is not None:
            if method == "GET":
                return await invites.show(visit, *invited.groups())
            await visit.read_form(receive)
            return await invites.accept(visit, *invited.groups())
        if visit.caller is None:
            # Whatever was asked for, it is behind the login; what was typed into it is not kept.
            wanted = path if method == "GET" else HOME
            return go(f"/login?next={wanted}" if wanted != HOME else "/login")
        if method == "POST":
            await visit.read_form(receive)
        return await self._page(visit, visit.caller, method, path)

    async def _page(self, visit: Visit, caller: Caller, method: str, path: str) -> Answer:
        if path == "/account" and method == "GET":
            return go(HOME)
        if path == HOME:
            return await (tokens.show(visit, caller) if method == "GET" else tokens.make(visit, caller))
        if path == notifications.PLACE:
            return await (notifications.show if method == "GET" else notifications.choose)(visit, caller)
        revoked = _REVOKE.fullmatch(path)
        if revoked is not None and method == "POST":
            return await tokens.revoke(visit, caller, revoked[1])
        return self._message(404, "There is nothing at this address.")

    def _message(self, status: int, text: str, *headers: tuple[bytes, bytes]) -> Answer:
        return html(status, self._house.pages.render("message.html", status=status, text=text, caller=None), *headers)
