"""One request to the console: who asks, what was typed, and whether it was typed into a form of ours."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from octavo.access.addresses import client_address, user_agent
from octavo.access.caller import Caller
from octavo.access.people import sessions
from octavo.access.people.browsers import Browsers
from octavo.access.people.forms import FIELD, form_word, is_ours
from octavo.access.people.login import SignIn
from octavo.access.signing import Signer
from octavo.kernel.errors import Forbidden
from octavo.kernel.ids import token_hash
from octavo.kernel.records.people import Session
from octavo.kernel.settings import Settings
from octavo.store.unit import Provenance, Store
from octavo.web.asgi import Header, Headers, Receive, Scope
from octavo.web.fields import Fields, first, read_form
from octavo.web.limits import FORM_MAX
from octavo.web.pages import Pages

HOME = "/app"
"""Where people are after signing in, unless they came for something else."""
_EXPIRED = "This form is no longer valid. Please try again."


@dataclass(frozen=True)
class Services:
    """What all pages work with."""

    store: Store
    settings: Settings
    signer: Signer
    base: str
    pages: Pages
    scopes: Collection[str]
    """What tokens may be limited to, as far as it limits anything."""

    @property
    def secure(self) -> bool:
        return sessions.secure_base(self.base)

    @property
    def mails(self) -> bool:
        """Whether codes can be sent."""
        return self.settings.smtp_host is not None


@dataclass
class ConsoleRequest:
    """One request."""

    services: Services
    scope: Scope
    headers: Headers
    cookies: dict[str, str]
    caller: Caller | None
    word: str
    """In the cookie of a browser that is not signed in."""
    new: bool
    """Whether the browser still has to be told that word."""
    query: Fields
    fields: Fields = field(default_factory=dict)
    """What was typed, of a POST."""

    @property
    def session(self) -> Session | None:
        return None if self.caller is None else self.caller.session

    @property
    def address(self) -> str:
        return client_address(self.scope, self.headers, self.services.settings.trusted_proxies)

    @property
    def agent(self) -> str | None:
        """What the browser says that it is."""
        return user_agent(self.headers)

    @property
    def desk(self) -> SignIn:
        known = sessions.known_browser(self.cookies, secure=self.services.secure)
        return SignIn(self.services.store, self.services.signer, self.address, self.agent, known)

    @property
    def provenance(self) -> Provenance:
        caller = self.caller
        who = None if caller is None else caller.user.id
        session = None if self.session is None else self.session.id
        return Provenance(who, None, self.address, agent=self.agent, session=session, source="ui")

    @property
    def next(self) -> str:
        """Where to go when signed in."""
        asked = self.typed("next") or first(self.query, "next")
        to = sessions.local_path(asked, HOME)
        return HOME if urlsplit(to).path.rstrip("/") in ("/login", "/login/code", "/logout") else to

    @property
    def form(self) -> str:
        """The word of every form that this browser gets."""
        return form_word(self.services.signer, self._bound)

    @property
    def _bound(self) -> str:
        return f"visit {token_hash(self.word)}" if self.session is None else f"session {self.session.id}"

    def typed(self, name: str) -> str:
        """What is in a field; empty where there is none."""
        return first(self.fields, name)

    def render(self, template: str, **values: object) -> str:
        """A page for this browser."""
        return self.services.pages.render(template, form=self.form, caller=self.caller, **values)

    def greeting(self) -> list[Header]:
        """The header that tells a new browser its word."""
        if not self.new:
            return []
        secure = self.services.secure
        return [sessions.set_cookie(visit_name(secure), self.word, None, secure=secure)]

    async def read_form(self, receive: Receive) -> None:
        """Read what was typed. Raises Forbidden unless it was typed into a form of ours in this browser."""
        self.fields = await read_form(receive, self.headers, FORM_MAX)
        own = {urlsplit(self.services.base).netloc.lower(), self.headers.get(b"host", b"").decode("latin-1").lower()}
        if not is_ours(self.services.signer, self._bound, self.typed(FIELD), self.scope["headers"], own):
            raise Forbidden(_EXPIRED)


async def open_request(services: Services, browsers: Browsers, scope: Scope, query: Fields) -> ConsoleRequest:
    """Who asks, from the request's cookies."""
    cookies = sessions.cookies(scope["headers"])
    value = sessions.read_cookie(scope["headers"], secure=services.secure)
    caller = None if value is None else await browsers.find(value)
    word = cookies.get(visit_name(services.secure), "")
    known = len(word) > 20
    word = word if known else secrets.token_urlsafe(32)
    return ConsoleRequest(services, scope, dict(scope["headers"]), cookies, caller, word, not known, query)


def visit_name(secure: bool) -> str:
    """Of the cookie of browsers, signed in or not."""
    return "__Host-octavo_visit" if secure else "octavo_visit"
