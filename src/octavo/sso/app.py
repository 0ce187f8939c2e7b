"""Browser single sign-on: a request goes out with a browser, its answer comes back by POST, and a session begins.

An answer that holds is kept for a moment, and the browser is sent on to fetch it by GET: only then does it show the cookie
that says that it asked, because browsers send no such cookie with a POST from another site. So an answer that somebody else
asked for signs nobody in. Before a signed answer came, nothing is written.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from octavo.access.addresses import client_address, user_agent
from octavo.access.people import sessions
from octavo.access.people.certificates import certificates
from octavo.access.people.single_sign_on import arrive
from octavo.access.signing import Signer
from octavo.kernel import extras
from octavo.kernel.audit import Target
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import Failure, NotAllowed, TooLarge
from octavo.kernel.ids import new_id, token_hash
from octavo.kernel.records.people import Organization
from octavo.kernel.records.saml import SamlLogin, SamlProvider
from octavo.kernel.settings import Settings
from octavo.sso.openid import OpenIdWay, start_path
from octavo.sso.pages import REQUEST_LIVES, Turned, Way, Ways
from octavo.store.unit import Provenance, Store, Unit
from octavo.web.answers import Answer, redirect
from octavo.web.asgi import Header, Receive, Scope, Send
from octavo.web.door import answered, only
from octavo.web.fields import Fields, first, read_form
from octavo.web.limits import LOGOUT_FORM_MAX, SAML_FORM_MAX
from octavo.web.pages import locked
from octavo.wire.people.saml import service_of
from octavo.wire.view import View

if TYPE_CHECKING:
    from octavo.gateways.saml import Here, Proven, There

LOGIN_LIVES = 5 * MINUTE
HOME = "/app"
"""Where people are after signing in, unless they came for something else."""
RELAY_MAX = 80
"""Characters that identity providers give back, as the specification says."""
_AT_ONCE = 4
_WAITING = 64
_PATH = re.compile(r"/sso/saml/([\w-]{1,64})/(start|acs|finish|metadata)")
_OPENID = re.compile(r"/sso/oidc/([\w-]{1,64})/(start|callback|out|logout)")
_BROWSER = re.compile(r"[\w-]{43}")
_LOCKED = locked("no-referrer")
"""Addresses on the way hold words that are nobody else's business."""
_log = logging.getLogger("octavo.sso")


class SingleSignOn:
    """The ASGI application under /sso."""

    def __init__(
        self, store: Store, settings: Settings, signer: Signer, base: str, asset: Callable[[str], str], styles: str
    ) -> None:
        """`asset` gives the address of a file of published pages, `styles` is the one of the style sheet of forms."""
        self._store = store
        self._settings = settings
        self._signer = signer
        self._view = View(api=base, app=base)
        self._secure = sessions.secure_base(base)
        self._cookie = "__Host-octavo_sso" if self._secure else "octavo_sso"
        self._pages = Ways(asset, styles)
        self._openid = OpenIdWay(store, settings, signer, self._view, self._pages, self._secure)
        self._readers = asyncio.Semaphore(_AT_ONCE)
        self._reading = 0

    @staticmethod
    def answers(path: str) -> bool:
        """Whether a path is of this door."""
        return path == "/sso" or path.startswith("/sso/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path: str = scope["path"]
        found = _PATH.fullmatch(path)
        openid = _OPENID.fullmatch(path)
        again = f"/sso/saml/{found[1]}/start" if found else f"/sso/oidc/{openid[1]}/start" if openid else "/sso"

        async def work(query: Fields) -> Answer:
            try:
                return await self._answer(scope, receive, query)
            except Turned as turned:
                reference = new_id()
                _log.warning(
                    "nobody was signed in",
                    extra={"reason": turned.reason, "detail": str(turned)[:300], "path": path, "request": reference},
                )
                way = "/sso" if turned.reason in ("absent", "pending") else again
                return self._pages.refusal(turned.reason, way, reference, sentence=turned.sentence)

        def refuse(status: int, sentence: str, reference: str | None) -> Answer:
            reason = "broken" if reference else "request"
            return self._pages.refusal(reason, again, reference or "", sentence=sentence, status=status)

        answer = await answered(scope, _log, work, refuse)
        await answer.send(scope, send, _LOCKED)

    async def _answer(self, scope: Scope, receive: Receive, query: Fields) -> Answer:
        openid = _OPENID.fullmatch(scope["path"])
        if openid is not None:
            return await self._by_openid(scope, receive, openid[1], openid[2], query)
        found = _PATH.fullmatch(scope["path"])
        verb = found[2] if found else "list"
        if verb == "finish" and scope["method"] == "HEAD":
            # HEAD looks only; it must not use up a login.
            raise NotAllowed("only GET is possible here", ["GET"])
        only(scope, "POST" if verb == "acs" else "GET")
        if found is None:
            if scope["path"] != "/sso":
                raise Turned("absent")
            return await self._list(query)
        provider = await self._store.read(lambda unit: _provider(unit, found[1]))
        if verb == "metadata":
            return self._metadata(provider)
        if not provider.ready:
            raise Turned("pending")
        if missing := extras.lacks("saml"):
            raise Turned("missing", sentence=missing)
        if verb == "start":
            return self._start(scope, provider, query)
        if verb == "acs":
            return await self._consume(scope, receive, provider)
        return await self._finish(scope, provider, query)

    async def _by_openid(self, scope: Scope, receive: Receive, word: str, verb: str, query: Fields) -> Answer:
        """OpenID Connect: out, back, and signing out."""
        if verb == "logout":
            return await self._logged_out(scope, receive, word)
        if verb == "callback" and scope["method"] == "HEAD":
            raise NotAllowed("only GET is possible here", ["GET"])
        only(scope, "GET")
        provider = await self._openid.provider(word)
        if verb == "out":
            return await self._openid.out(provider)
        browser = self._browser(scope)
        if verb == "start":
            browser = browser or secrets.token_urlsafe(32)
            address = await self._openid.start(provider, _short(browser), query)
            return redirect(302, address, self._remember(browser))
        return await self._openid.callback(scope, provider, _short(browser), query)

    async def _logged_out(self, scope: Scope, receive: Receive, word: str) -> Answer:
        """POST by a provider itself, whom no page is for: OpenID Connect Back-Channel Logout 1.0."""
        only(scope, "POST")
        posted = await read_form(receive, dict(scope["headers"]), LOGOUT_FORM_MAX)
        try:
            provider = await self._openid.provider(word)
            await self._openid.logged_out(scope, provider, first(posted, "logout_token"))
        except Turned as turned:
            _log.warning("nobody was logged out", extra={"reason": turned.reason, "detail": str(turned)[:300]})
            told = {"error": "invalid_request", "error_description": str(turned)[:300]}
            answer = Answer(400, msgspec.json.encode(told)).header("content-type", "application/json")
            return answer.header("cache-control", "no-store")
        return Answer(200).header("cache-control", "no-store")

    def _browser(self, scope: Scope) -> str:
        """The word of a browser that asked before; empty where it has none."""
        browser = sessions.cookies(scope["headers"]).get(self._cookie, "")
        return browser if _BROWSER.fullmatch(browser) else ""

    async def _list(self, query: Fields) -> Answer:
        """Ways to sign in to one organization. Those of several are not told to whoever asks: they name the one."""
        asked = first(query, "organization").strip()
        organization, ready = await self._store.read(lambda unit: _ways(unit, asked))
        next_ = sessions.local_path(first(query, "next"), "")
        ways = [Way(one.label, start_path(one, next_)) for one in ready]
        title = "" if organization is None else organization.title
        return self._pages.listed(ways, title, first(query, "error"), asked=bool(asked), next_=next_)

    def _metadata(self, provider: SamlProvider) -> Answer:
        from octavo.gateways import saml

        service = service_of(provider.id, self._view)
        document = saml.metadata(saml.Here(service.entity_id, service.acs_url))
        return Answer(200, document, [(b"content-type", b"application/samlmetadata+xml")])

    def _start(self, scope: Scope, provider: SamlProvider, query: Fields) -> Answer:
        """Send the browser to the identity provider, with a cookie that says later that it is this one."""
        from octavo.gateways import saml

        now = self._store.clock()
        browser = self._browser(scope) or secrets.token_urlsafe(32)
        request = self._signer.write_saml_request(provider.id, _short(browser), now)
        relay = sessions.local_path(first(query, "next"), "")
        here, there = self._parties(provider)
        address = saml.request_address(here, there, request, now, relay if len(relay) <= RELAY_MAX else "")
        return redirect(302, address, self._remember(browser))

    async def _consume(self, scope: Scope, receive: Receive, provider: SamlProvider) -> Answer:
        """POST: the answer of the identity provider."""
        posted = await _posted(scope, receive)
        proven = await self._read(provider, first(posted, "SAMLResponse"))
        browser, ends = self._asked(provider, proven.request)
        word = secrets.token_urlsafe(32)
        login = SamlLogin(
            organization=provider.organization,
            provider=provider.id,
            hash=token_hash(word),
            browser=browser,
            subject=proven.subject,
            email=proven.email,
            name=proven.name,
            target=sessions.local_path(first(posted, "RelayState"), HOME),
            expires_at=self._store.clock() + LOGIN_LIVES,
        )

        async def work(unit: Unit) -> bool:
            used = (f"assertion {proven.assertion}", f"request {proven.request}")
            if not await unit.saml.use_once(provider, used, unit.now, ends):
                return False
            await unit.saml.await_login(login, unit.now)
            return True

        if not await self._store.write(work):
            raise Turned("used", f"assertion {proven.assertion}")
        return redirect(303, f"/sso/saml/{provider.id}/finish?login={quote(word)}")

    async def _read(self, provider: SamlProvider, given: str) -> Proven:
        """Whom an answer proves; in a thread, a few at once."""
        from octavo.gateways import saml

        if self._reading >= _WAITING:
            raise Turned("busy")
        self._reading += 1
        try:
            async with self._readers:
                here, there = self._parties(provider)
                return await asyncio.to_thread(saml.read_response, given, here, there, self._store.clock())
        except saml.Refused as refused:
            raise Turned(refused.reason, str(refused)) from refused
        finally:
            self._reading -= 1

    def _asked(self, provider: SamlProvider, request: str) -> tuple[str, int]:
        """The browser that asked, and until when its request may be answered. Raises Turned where nobody asked."""
        try:
            made_for, browser, made_at = self._signer.read_saml_request(request)
        except ValueError as error:
            raise Turned("unasked", "the request was not made here") from error
        if made_for != provider.id:
            raise Turned("unasked", "the request was made for another provider")
        if self._store.clock() >= made_at + REQUEST_LIVES:
            raise Turned("late", "the request is too old")
        return browser, made_at + REQUEST_LIVES

    async def _finish(self, scope: Scope, provider: SamlProvider, query: Fields) -> Answer:
        """The browser that asked is signed in."""
        secure, given = self._secure, token_hash(first(query, "login"))
        cookies = sessions.cookies(scope["headers"])
        browser = _short(cookies.get(self._cookie, ""))
        before = sessions.read_cookie(scope["headers"], secure=secure)
        address = client_address(scope, dict(scope["headers"]), self._settings.trusted_proxies)

        async def take(unit: Unit) -> SamlLogin | None:
            return await unit.saml.take_login(given, unit.now)

        whence = Provenance(address=address, agent=user_agent(dict(scope["headers"])), source="ui")
        login = await self._store.write(take, whence)
        if login is None or login.provider != provider.id or not secrets.compare_digest(login.browser, browser):
            raise Turned("browser", "no login of this browser")

        async def work(unit: Unit) -> Header:
            user = await arrive(unit, provider, login)
            old = None if before is None else await sessions.find(unit, before)
            value, session = await sessions.begin(unit, user.id, "saml", provider=provider.id, instead_of=old)
            return sessions.cookie(value, session, secure=secure, now=unit.now)

        try:
            cookie = await self._store.write(work, whence)
        except Failure as failure:
            await self._store.write(lambda unit: _refused(unit, provider), whence)
            raise Turned("account", failure.message, sentence=failure.message) from failure
        return redirect(303, login.target, cookie)

    def _parties(self, provider: SamlProvider) -> tuple[Here, There]:
        """This side and the other."""
        from octavo.gateways import saml

        service = service_of(provider.id, self._view)
        there = saml.There(provider.entity_id, provider.sso_url, certificates(provider.certificate))
        return saml.Here(service.entity_id, service.acs_url), there

    def _remember(self, browser: str) -> Header:
        age = REQUEST_LIVES // 1000 + LOGIN_LIVES // 1000
        return sessions.set_cookie(self._cookie, browser, age, secure=self._secure)


async def _provider(unit: Unit, word: str) -> SamlProvider:
    provider = await unit.saml.get(word)
    if provider is None or provider.oidc or await unit.people.organization(provider.organization) is None:
        raise Turned("absent")
    return provider


async def _refused(unit: Unit, provider: SamlProvider) -> None:
    """Note that the provider proved somebody who is not let in."""
    target = Target("saml-provider", provider.id, provider.label)
    details = {"how": "saml"}
    await unit.audit.append("user.login-failed", target, [provider.organization], details=details, anonymous=True)


async def _ways(unit: Unit, asked: str) -> tuple[Organization | None, list[SamlProvider]]:
    """The organization that was named by id or hostname, or is the only one; its providers that are ready, oldest first."""
    word = asked or await unit.saml.only_organization()
    if not word:
        return None, []
    organization = await unit.people.organization(word)
    organization = organization or await unit.people.organization_of_hostname(word.casefold())
    if organization is None or organization.deleted_at is not None:
        return None, []
    return organization, [one for one in reversed(await unit.saml.of(organization.id)) if one.ready]


def _short(browser: str) -> str:
    """What a request says of the browser: half of a hash."""
    return token_hash(browser)[:32]


async def _posted(scope: Scope, receive: Receive) -> Fields:
    """The form that an identity provider has a browser send."""
    try:
        return await read_form(receive, dict(scope["headers"]), SAML_FORM_MAX)
    except TooLarge as failure:
        raise Turned("large", failure.message) from failure
