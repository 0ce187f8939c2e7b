"""The entrance of a site: who is let in and what is known of them, by share link, visitor's token, or preview address.

What comes in an address and lets somebody in goes into a cookie of the site, and the browser on to the clean address.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote, urlencode

import msgspec

from octavo.access.people.sessions import set_cookie
from octavo.access.signing import Signer
from octavo.kernel import limits
from octavo.kernel.clock import DAY, SECOND
from octavo.kernel.errors import Failure
from octavo.kernel.records import Json
from octavo.kernel.records.sites import Site
from octavo.publish.building import Address
from octavo.publish.endpoints import Endpoints
from octavo.publish.messages import message
from octavo.publish.request import is_ahead
from octavo.publish.views import Link, MessageView
from octavo.site.addresses import page_path, within
from octavo.site.admission import login_address
from octavo.site.claims import filtered, said
from octavo.site.scripts import visitor_key
from octavo.site.shown import SHARED
from octavo.site.tokens import Token, read_token
from octavo.site.visitor import ANYBODY, Visitor
from octavo.store.database.memory import Memory
from octavo.store.unit import Store, Unit
from octavo.web.answers import Answer, redirect
from octavo.web.asgi import Header, Headers, Scope
from octavo.web.fields import Fields, first
from octavo.wire.sites.sites import LOGIN, LOGOUT

TOKEN, PUBLIC, ENTRY = "gitbook-visitor-token", "gitbook-visitor-public", "octavo-share"
"""Cookies; logins of others set the first themselves, scripts of a site the second."""
TRIED = "octavo-login"
"""The cookie of who was sent to the log-in with a token that does not hold, until the next one may hold."""
QUERY, SAID = "jwt_token", "visitor."
_LEAVES = 303
_LONGEST = 365 * DAY // SECOND
_AGAIN = 60
"""Seconds: a log-in that has nobody type anything sends back at once."""


class Doors(msgspec.Struct, frozen=True):
    """What lets visitors into one site."""

    links: dict[str, str] = {}
    """Active share links: id -> key."""
    key: str | None = None
    """That signs visitors' tokens."""
    fallback: str | None = None
    logout: str | None = None
    integration: str | None = None
    """The name of who lets visitors in instead."""


class Asked(msgspec.Struct, frozen=True):
    """A request at the entrance of a site; `path` is below the site's, percent-decoded."""

    site: Site
    address: Address
    path: str
    query: Fields
    scope: Scope
    secure: bool = False
    """Whether browsers come by https, wherever on the way that ends."""

    def cookies(self, name: str) -> Iterator[str]:
        """The values of a cookie, those of the longest path first: a name may be in use elsewhere on the host."""
        for header, value in self.scope["headers"]:
            if header == b"cookie":
                for part in value.decode("latin-1").split(";"):
                    own, equals, word = part.strip().partition("=")
                    if own == name and equals:
                        yield word.strip('"')

    @property
    def bearers(self) -> list[str]:
        """The token of a program that has one, as assistants send it."""
        words = [value.decode("latin-1") for name, value in self.scope["headers"] if name == b"authorization"]
        return [word[7:].strip() for word in words if word[:7].lower() == "bearer "]

    def cookie(self, name: str, value: str, age: int | None) -> Header:
        """The header that sets a cookie of this site alone."""
        secure = self.secure or self.scope.get("scheme") == "https"
        # A semicolon would end the path; what is in the cookie says itself of which site it is.
        path, cut, _ = self.address.base.partition(";")
        path = path.rpartition("/")[0] + "/" if cut else path
        return set_cookie(name, value, age, secure=secure, path=path)

    def clean(self, *headers: Header) -> Answer:
        """On to the same address without what let somebody in."""
        kept = [
            (name, value)
            for name, values in self.query.items()
            if name != QUERY and not name.startswith(SAID)
            for value in values
        ]
        address = self.below(self.path) + ("?" + urlencode(kept) if kept else "")
        return _away(address, *headers)

    def below(self, path: str) -> str:
        """The address of a path of this site, and of nothing else: two slashes at the beginning would name a host, and two
        dots what is above the site."""
        return self.address.base + page_path(within(path).lstrip("/"))

    @property
    def is_page(self) -> bool:
        """Whether somebody reads, rather than a page that fetches something, or a browser that does before a click."""
        headers: Headers = dict(self.scope["headers"])
        if self.path.startswith("~") or is_ahead(headers):
            return False
        accept = headers.get(b"accept", b"")
        if accept.strip() not in (b"", b"*/*"):
            return b"text/html" in accept
        # Programs take anything. So do pictures and scripts of pages, which say what they are for, and files have an ending.
        return headers.get(b"sec-fetch-dest", b"document") == b"document" and "." not in self.path.rpartition("/")[2]


class Entrance:
    """Lets visitors into published sites."""

    def __init__(self, store: Store, signer: Signer, endpoints: Endpoints) -> None:
        self._store = store
        self._signer = signer
        self._endpoints = endpoints
        self._doors: Memory[Doors] = Memory(store, "sites", most=2_000)

    async def meet(self, asked: Asked) -> Visitor | Answer:
        """Who comes, let in; or the answer to somebody who is not, or who is sent on."""
        site = asked.site
        if site.visibility in ("public", "unlisted") and not site.adaptive_enabled:
            return self._shared_before(asked) or ANYBODY
        doors = await self._doors_of(site)
        if asked.path.rstrip("/") == LOGOUT:
            return await self._logged_out(asked, doors)
        if site.visibility == "share-link" and (answer := self._by_link(asked, doors)) is not None:
            return answer
        token = _token(asked, doors)
        if QUERY in asked.query and (token is not None or site.visibility != "visitor-auth"):
            return asked.clean(*_kept(asked, token, self._store.clock() / SECOND))
        if asked.path.rstrip("/") == LOGIN and QUERY not in asked.query:
            return await self._logging_in(asked, doors, token)
        if site.visibility == "visitor-auth" and token is None:
            return await self._sent_to_login(asked, doors)
        return self._shared_before(asked) or _visitor(asked, token)

    def _shared_before(self, asked: Asked) -> Answer | None:
        """A share link of a site that asks for none any more leads where it led."""
        if asked.site.visibility == "share-link" or not asked.path.startswith(SHARED):
            return None
        return _away(asked.below(asked.path.removeprefix(SHARED).partition("/")[2]))

    def _by_link(self, asked: Asked, doors: Doors) -> Answer | None:
        """None for somebody who came by a link before, as long as that is good."""
        if asked.path.startswith(SHARED):
            key, _, rest = asked.path.removeprefix(SHARED).partition("/")
            link = next((link for link, own in doors.links.items() if own == key), None)
            if link is None:
                return message(None, 404, MessageView("expired"))
            word = self._signer.write_entry(asked.site.id, link, key)
            kept = asked.cookie(ENTRY, word, limits.SHARE_COOKIE_DAYS * DAY // SECOND)
            return _away(asked.below(rest), kept)
        if any(self._signer.opens(word, asked.site.id, doors.links) for word in asked.cookies(ENTRY)):
            return None
        return message(None, 404, MessageView("login"))

    async def _doors_of(self, site: Site) -> Doors:
        known = self._doors.get(site.id)
        if known is None:
            generation = self._doors.generation
            known = await self._store.read(lambda unit: self._read_doors(unit, site))
            self._doors.put(site.id, known, generation)
        return known

    async def _read_doors(self, unit: Unit, site: Site) -> Doors:
        links = await unit.sites.share_links(site.id) if site.visibility == "share-link" else []
        auth = await unit.sites.auth(site.id)
        active = {link.id: link.key for link in links if link.active}
        if auth is None:
            return Doors(active)
        # Where there is none, nobody comes in until there is a new one.
        key = await visitor_key(unit, self._signer, auth)
        own = auth.integration if auth.backend == "integration" else None
        return Doors(active, key, auth.fallback_url, auth.logout_url, own)

    async def _login(self, asked: Asked, doors: Doors, path: str) -> Answer | str | None:
        """Where visitors log in: the answer of an integration, or an address; None where the site has none."""
        if doors.integration is not None:
            return await self._endpoints.visitor(asked.site, doors.integration, f"/{path.lstrip('/')}")
        return None if doors.fallback is None else login_address(doors.fallback, path)

    async def _sent_to_login(self, asked: Asked, doors: Doors) -> Answer:
        """To where visitors log in, which sends them back with a token; a second one that does not hold is told of instead, or
        both would send the visitor to each other for ever."""
        wrong = QUERY in asked.query
        if (doors.fallback is None and doors.integration is None) or not (asked.is_page or wrong):
            return message(None, 404, MessageView("login"))
        if wrong and (not asked.is_page or any(asked.cookies(TRIED))):
            again = asked.below(LOGIN) + "?" + urlencode({"location": f"/{asked.path}"})
            if doors.integration is None and doors.fallback is not None:
                again = login_address(doors.fallback, asked.path)
            view = MessageView(
                "login",
                text="You were logged in, but what your login says does not hold here, or no longer.",
                action=Link("Log in again", again),
            )
            return message(None, 404, view)
        target, changed = await self._login(asked, doors, asked.path), [asked.cookie(TOKEN, "", 0)]
        if wrong:
            changed.append(asked.cookie(TRIED, "1", _AGAIN))
        if isinstance(target, Answer):
            target.headers.extend(changed)
            return target
        return _away(target or asked.address.base, *changed)

    async def _logging_in(self, asked: Asked, doors: Doors, token: Token | None) -> Answer:
        """To where visitors log in, and from there to the path that they want; at once for who is logged in already."""
        path = first(asked.query, "location").lstrip("/")
        if token is not None:
            return _away(asked.below(path))
        target = await self._login(asked, doors, path)
        if target is None:
            return message(None, 404, MessageView("login"))
        return _away(target) if isinstance(target, str) else target

    async def _logged_out(self, asked: Asked, doors: Doors) -> Answer:
        forgotten = [asked.cookie(name, "", 0) for name in (TOKEN, PUBLIC, ENTRY)]
        if doors.logout is not None:
            return _away(doors.logout, *forgotten)
        view = MessageView("login", title="You are logged out", action=Link("Log in again", asked.address.base))
        answer = message(None, 200, view)
        if doors.integration is not None:
            # One that knows of no logging out has forgotten nobody; here she is forgotten all the same.
            with contextlib.suppress(Failure):
                answer = await self._endpoints.visitor(asked.site, doors.integration, "/", "logout")
        answer.headers.extend(forgotten)
        return answer


def _token(asked: Asked, doors: Doors) -> Token | None:
    """The token of the address, or one that came before."""
    if doors.key is None:
        return None
    words = asked.query[QUERY][-1:] if QUERY in asked.query else [*asked.bearers, *asked.cookies(TOKEN)]
    return next((token for word in words if (token := read_token(word, doors.key)) is not None), None)


def _kept(asked: Asked, token: Token | None, now: float) -> list[Header]:
    """The cookies of what the address says: the token no longer than it holds."""
    headers = _said(asked)
    if token is not None:
        age = None if token.expires is None else min(max(0, int(token.expires - now)), _LONGEST)
        headers.append(asked.cookie(TOKEN, token.word, age))
    return headers


def _visitor(asked: Asked, token: Token | None) -> Visitor | Answer:
    """Who somebody is that was let in."""
    site = asked.site
    if not site.adaptive_enabled or site.adaptive_schema is None:
        return ANYBODY
    if any(name.startswith(SAID) for name in asked.query):
        return asked.clean(*_said(asked))
    claims = filtered(site.adaptive_schema, {} if token is None else token.claims, _public(asked))
    return Visitor(claims) if claims else ANYBODY


def _said(asked: Asked) -> list[Header]:
    """The cookie of what a visitor said before and says now."""
    schema = asked.site.adaptive_schema
    fields = {name: values for name, values in asked.query.items() if name.startswith(SAID)}
    if not asked.site.adaptive_enabled or schema is None or not fields:
        return []
    before = filtered(schema, {}, _public(asked)).get("unsigned", {})
    words = quote(msgspec.json.encode(before | said(schema, fields)).decode(), safe="")
    if len(words) > limits.PUBLIC_CLAIMS_MAX:
        return []
    name, value = asked.cookie(PUBLIC, words, None)
    # What visitors say of themselves is no secret, and the site's own scripts may say it.
    return [(name, value.replace(b" HttpOnly;", b""))]


def _public(asked: Asked) -> Mapping[str, Any]:
    """What the visitor's cookie says of them, true or not."""
    for word in asked.cookies(PUBLIC):
        if len(word) <= limits.PUBLIC_CLAIMS_MAX:
            try:
                return msgspec.json.decode(unquote(word, errors="strict"), type=Json)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                continue
    return {}


def _away(address: str, *headers: Header) -> Answer:
    answer = redirect(_LEAVES, address, *headers)
    return answer.header("cache-control", "no-store").header("referrer-policy", "no-referrer")


def restricted(site: Site) -> bool:
    """Whether what the site answers is for its visitor alone."""
    return site.visibility in ("share-link", "visitor-auth") or site.adaptive_enabled


def for_one(answer: Answer, site: Site) -> Answer:
    """The answer of such a site: nobody on the way keeps it, and no address of a closed site is told elsewhere."""
    kept = "no-store" if (b"cache-control", b"no-store") in answer.headers else "private, no-cache"
    answer.headers = [pair for pair in answer.headers if pair[0] != b"cache-control"]
    answer.header("cache-control", kept).header("vary", "cookie")
    return answer if site.visibility in ("public", "unlisted") else answer.header("referrer-policy", "no-referrer")
