"""What readers of a site do: pages tell it by small posts to the site's own address, the door notes what machines fetch.

Site, page and space follow from the address; nobody brings a token. Whoever asks not to be watched is not.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import UNSET, Meta

from octavo.access.addresses import client_address, user_agent
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import BadRequest, Forbidden, NotAllowed, TooMany
from octavo.kernel.events import PageViewed
from octavo.kernel.records import Json
from octavo.publish.building import FEEDBACK
from octavo.publish.reading import contents_at
from octavo.publish.request import SiteRequest, is_ahead
from octavo.site.recording import Recorder, hashed
from octavo.site.snapshot import Place
from octavo.store.unit import Store, Unit
from octavo.web.answers import Answer
from octavo.web.asgi import Header, Headers
from octavo.web.fields import first, form_fields
from octavo.wire.sites import insights as wire

ENDPOINT = "~octavo/insights"
VISITOR, SESSION = "octavo-visitor", "octavo-session"
"""Cookies, where the look of the site says so."""
_YEAR = 365 * 24 * 3600
_IDLE = 30
"""Minutes without anything after which a session is another one."""
_KNOWN = 50_000
"""Visitors whose sessions a process remembers, and addresses that it counts."""
_WAITING = 1_000
"""Events of the door that wait for the disk; more are left out."""
_MACHINES = {"llms.txt": "standard", "llms-full.txt": "full"}
_CONTEXTS = {"mcp_request": "mcp", "page_post_feedback": "site", "page_post_feedback_comment": "site"}
"""Where events happen that the door notes; the others, at the server."""
_VIEWS = ("site_view", "site:views:read")
_log = logging.getLogger("octavo.insights")
_Text = Annotated[str, Meta(max_length=limits.INSIGHTS_TEXT_MAX)]
_Url = Annotated[str, Meta(max_length=limits.URL_MAX)]


Cookies = Callable[[str, str, int | None], Header]
"""A cookie of the site by its name, value and age in seconds."""


class _Viewed(msgspec.Struct, frozen=True, tag="page_view"):
    pass


class _Opened(msgspec.Struct, frozen=True, tag="search_open"):
    pass


class _Typed(msgspec.Struct, frozen=True, tag="search_type_query"):
    query: _Text
    results: Annotated[int, Meta(ge=0, le=1_000_000)] | msgspec.UnsetType = UNSET


class _Chosen(msgspec.Struct, frozen=True, tag="search_open_result"):
    query: _Text
    url: _Url


class _Followed(msgspec.Struct, frozen=True, tag="link_click"):
    url: _Url
    position: Literal["announcement", "header", "footer", "sidebar", "content"]


class _ClientOpened(msgspec.Struct, frozen=True, tag="api_client_open"):
    operation: wire.OperationPointer


class _ClientAsked(msgspec.Struct, frozen=True, tag="api_client_request"):
    operation: wire.OperationPointer


class _Rated(msgspec.Struct, frozen=True, tag="page_post_feedback"):
    feedback: wire.Feedback


class _Commented(msgspec.Struct, frozen=True, tag="page_post_feedback_comment"):
    feedback: wire.FeedbackComment


_Told = _Viewed | _Opened | _Typed | _Chosen | _Followed | _ClientOpened | _ClientAsked | _Rated | _Commented


class _Beacon(msgspec.Struct, frozen=True):
    """What a page posts."""

    events: Annotated[list[_Told], Meta(max_length=limits.INSIGHTS_BEACON_EVENTS)]
    url: _Url
    referrer: _Url = ""
    language: Annotated[str, Meta(max_length=64)] | None = None


_read = msgspec.json.Decoder(_Beacon).decode


class Watcher:
    """Takes what pages tell, and notes what the door answers."""

    def __init__(self, store: Store, trusted: list[str]) -> None:
        """`trusted`: proxies whose forwarded headers are believed."""
        self._store = store
        self._trusted = trusted
        self._sessions: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._counted: OrderedDict[str, int] = OrderedDict()
        self._minute = 0
        self._writing: set[asyncio.Future[None]] = set()

    async def take(self, request: SiteRequest, cookie: Cookies) -> Answer:
        """What a page of the site posted; `cookie` makes one of the site. 204 when it is durable. Raises BadRequest,
        Forbidden or TooMany."""
        if request.body is None:
            raise NotAllowed("pages of the site post here", ["POST"])
        headers: Headers = dict(request.scope["headers"])
        _require_own(headers)
        address = self._address(request)
        self._pace(address)
        answer = Answer(204, b"", [(b"cache-control", b"no-store")])
        if self._store.insights is None or _unwatched(headers):
            return answer
        try:
            beacon = _read(request.body)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BadRequest(f"this is not what a page posts: {error}") from error
        visitor, session = await self._who(request, address, headers, answer, cookie)
        told = await self._told(request, beacon, self._session(request, headers, visitor, session))
        recorder = Recorder(self._store)
        made = await recorder.made(request.snapshot.site, told, self._store.clock(), address)
        await self._store.insights.append(made)
        await self._tell(request, told, visitor, beacon)
        return answer

    async def _tell(self, request: SiteRequest, told: list[Any], visitor: str, beacon: _Beacon) -> None:
        """Integrations and webhooks that listen hear which pages were opened."""
        organization = request.snapshot.site.organization
        seen = [one for one in told if isinstance(one, wire.PageView) and one.location.page is not None]
        if not seen or not await self._store.read(lambda unit: unit.listeners.any_for(organization, _VIEWS)):
            return
        agent = user_agent(dict(request.scope["headers"]))
        events = [
            PageViewed(
                organization=organization,
                site=request.snapshot.site.id,
                site_space=one.location.site_space or "",
                space=one.location.space or "",
                page=one.location.page or "",
                visitor=visitor,
                url=one.location.url,
                referrer=beacon.referrer,
                agent=agent,
                language=beacon.language,
            )
            for one in seen
        ]

        async def emit(unit: Unit) -> None:
            for one in events:
                await unit.emit(one)

        await self._store.write(emit)

    def _address(self, request: SiteRequest) -> str:
        return client_address(request.scope, dict(request.scope["headers"]), self._trusted)

    def _pace(self, address: str) -> None:
        minute = self._store.clock() // MINUTE
        if minute != self._minute:
            self._minute = minute
            self._counted.clear()
        count = self._counted[address] = self._counted.get(address, 0) + 1
        if count > limits.INSIGHTS_BEACONS or len(self._counted) > _KNOWN:
            raise TooMany("too much comes from this address; try again in a minute")

    async def _who(
        self, request: SiteRequest, address: str, headers: Headers, answer: Answer, cookie: Cookies
    ) -> tuple[str, str]:
        """The visitor and the session: by cookies where the look says so, else by address and browser for a day."""
        look = request.snapshot.site.customization or {}
        if (look.get("insights") or {}).get("trackingCookie"):
            visitor = _cookie(headers, VISITOR) or secrets.token_urlsafe(16)
            session = _cookie(headers, SESSION) or secrets.token_urlsafe(16)
            for name, value, age in ((VISITOR, visitor, _YEAR), (SESSION, session, _IDLE * 60)):
                answer.headers.append(cookie(name, value, age))
            return visitor, session
        now = self._store.clock()
        salt = await Recorder(self._store).day_salt(now)
        visitor = f"{hashed(salt, request.snapshot.site.id, f'{address} {user_agent(headers)}'):x}"
        session, last = self._sessions.pop(visitor, ("", 0))
        if now - last > _IDLE * MINUTE:
            session = secrets.token_urlsafe(16)
        self._sessions[visitor] = (session, now)
        if len(self._sessions) > _KNOWN:
            self._sessions.popitem(last=False)
        return visitor, session

    def _session(self, request: SiteRequest, headers: Headers, visitor: str, session: str) -> Json:
        claims = request.snapshot.visitor.claims
        return {
            "visitorId": visitor,
            "sessionId": session,
            "userAgent": (user_agent(headers) or "")[:2048],
            "language": None,
            "referrer": None,
        } | ({"visitorAuthClaims": claims} if claims else {})

    async def _told(self, request: SiteRequest, beacon: _Beacon, session: Json) -> list[Any]:
        """Events as the API takes them; those of a page that is none are left out."""
        rest = below(request, beacon.url)
        if rest is None:
            raise BadRequest("url: it is not of this site")
        found = await self._page(request, rest)
        if found is None:
            return []
        place, page = found
        url = request.address.public + rest + (f"?{query}" if (query := urlsplit(beacon.url).query) else "")
        location = self._location(request, url, place, page)
        session = session | {"language": beacon.language, "referrer": beacon.referrer or None}
        made = []
        for one in beacon.events:
            said = msgspec.to_builtins(one)
            if isinstance(one, _Chosen):
                chosen = await self._page(request, below(request, one.url))
                if chosen is None:
                    continue
                del said["url"]
                said["result"] = {"spaceId": chosen[0].space.id, "pageId": chosen[1]}
            elif isinstance(one, _Followed):
                said["link"] = {
                    "target": await self._target(request, said.pop("url")),
                    "position": said.pop("position"),
                }
            made.append(said | {"session": session, "location": location})
        return msgspec.convert(made, list[wire.Event])

    async def _target(self, request: SiteRequest, url: str) -> Json:
        inside = await self._page(request, below(request, url))
        if inside is None:
            return {"kind": "url", "url": url}
        return {"kind": "page", "page": inside[1], "space": inside[0].space.id}

    async def _page(self, request: SiteRequest, rest: str | None) -> tuple[Place, str] | None:
        """The page at a path of the site as its visitor sees it."""
        snapshot = request.snapshot
        place = None if rest is None else snapshot.place(rest)
        if place is None:
            return None
        contents = await self._store.read(lambda unit: contents_at(unit, snapshot, place.space.id, place.site_space))
        branch = contents.by_path.get(place.rest.lower()) if place.rest else contents.landing
        return None if branch is None else (place, branch.page.id)

    def _location(
        self, request: SiteRequest, url: str, place: Place | None, page: str | None, context: str = "site"
    ) -> Json:
        made: Json = {"url": url, "displayContext": context, "page": page}
        if place is not None:
            revision = request.snapshot.revisions[place.space.id].id
            section = None if place.section is None else place.section.id
            made |= {
                "siteSection": section,
                "siteSpace": place.site_space.id,
                "space": place.space.id,
                "revision": revision,
            }
        return made

    def note(self, request: SiteRequest, answer: Answer) -> None:
        """Write down what the door answered to programs, and addresses at which nothing is; nobody waits for that."""
        if self._store.insights is None or len(self._writing) >= _WAITING:
            return
        said = _answered(request, answer)
        if said is None or _unwatched(request.headers) or is_ahead(request.headers):
            return
        task = asyncio.ensure_future(self._noted(request, said))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def settled(self) -> None:
        """When everything noted so far is durable."""
        await asyncio.gather(*self._writing)

    async def _noted(self, request: SiteRequest, said: Json) -> None:
        try:
            headers: Headers = dict(request.scope["headers"])
            address = self._address(request)
            now = self._store.clock()
            salt = await Recorder(self._store).day_salt(now)
            visitor = f"{hashed(salt, request.snapshot.site.id, f'{address} {user_agent(headers)}'):x}"
            place = request.snapshot.place(request.path)
            context = _CONTEXTS.get(said["type"], "server")
            page, path = await self._meant(request, said["type"])
            url = (request.address.public + path)[: limits.URL_MAX]
            location = self._location(request, url, place, page, context)
            session = self._session(request, headers, visitor, self._sessions.get(visitor, (visitor, 0))[0])
            referrer = headers.get(b"referer", b"").decode("latin-1")[: limits.URL_MAX]
            session["referrer"] = referrer or None
            event = msgspec.convert(said | {"session": session, "location": location}, wire.Event)
            insights = self._store.insights
            assert insights is not None  # who notes has asked
            await insights.append(await Recorder(self._store).made(request.snapshot.site, [event], now, address))
        except Exception:
            _log.exception("what the door answered could not be written down")

    async def _meant(self, request: SiteRequest, type: str) -> tuple[str | None, str]:
        """The page that a program fetched in another form, or somebody rated; and the path that is told."""
        path = request.path
        if type.startswith("page_post_feedback"):
            before, _, page = path.partition(FEEDBACK)
            return page, before
        if type == "page_markdown_request":
            found = await self._page(request, path.removesuffix(".md"))
        elif type == "rss_request":
            found = await self._page(request, path.removesuffix("rss.xml").rstrip("/"))
        else:
            return None, path
        return None if found is None else found[1], path


def below(request: SiteRequest, url: str) -> str | None:
    """The path of an address below the site's, percent-decoded; None for one of elsewhere."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    path = unquote(parts.path)
    base = unquote(request.address.base)
    public = urlsplit(request.address.public)
    host = next((value.decode("latin-1") for name, value in request.scope["headers"] if name == b"host"), "")
    if parts.netloc.lower() in (host.lower(), "") and (path + "/").startswith(base):
        return path[len(base) :]
    own = unquote(public.path)
    return path[len(own) :] if parts.netloc == public.netloc and (path + "/").startswith(own) else None


def _answered(request: SiteRequest, answer: Answer) -> Json | None:
    """The event that an answer is; None for all others."""
    method, name = request.scope["method"], request.path.lower().rpartition("/")[2]
    kind = next((value for header, value in answer.headers if header == b"content-type"), b"")
    if method == "POST" and f"/{FEEDBACK}" in f"/{request.path}":
        return _rated(request) if answer.status == 303 else None
    if method == "POST":
        return {"type": "mcp_request"} if request.path.endswith("~octavo/mcp") and answer.status < 300 else None
    if method != "GET":
        return None
    if answer.status == 404 and "text/html" in request.accept and not request.path.startswith("~"):
        return {"type": "page_view"}
    if answer.status != 200:
        return None
    if name in _MACHINES:
        return {"type": "llms_request", "llmsVariant": _MACHINES[name]}
    if kind.startswith(b"application/rss+xml"):
        return {"type": "rss_request"}
    return {"type": "page_markdown_request"} if kind.startswith(b"text/markdown") else None


def _rated(request: SiteRequest) -> Json:
    """What the form at the foot of a page said; the door has taken it."""
    fields = form_fields(dict(request.scope["headers"]), request.body or b"")
    rating, comment = first(fields, "rating"), first(fields, "comment").replace("\r\n", "\n").strip()
    if not comment:
        return {"type": "page_post_feedback", "feedback": {"rating": rating}}
    comment = comment[: limits.INSIGHTS_TEXT_MAX]
    return {"type": "page_post_feedback_comment", "feedback": {"rating": rating, "comment": comment}}


def _require_own(headers: Headers) -> None:
    """Only pages of the same host post here: others would count what nobody read. Raises Forbidden."""
    fetched = headers.get(b"sec-fetch-site")
    origin = urlsplit(headers.get(b"origin", b"").decode("latin-1")).netloc.lower()
    hosts = [headers[name].decode("latin-1").lower() for name in (b"host", b"x-forwarded-host") if name in headers]
    if fetched not in (None, b"same-origin") or (origin not in hosts and (fetched is None or origin)):
        raise Forbidden("only pages of this site post here")


def _unwatched(headers: Headers) -> bool:
    """Whether somebody asks not to be watched."""
    return headers.get(b"dnt") == b"1" or headers.get(b"sec-gpc") == b"1"


def _cookie(headers: Headers, name: str) -> str | None:
    for part in headers.get(b"cookie", b"").decode("latin-1").split(";"):
        own, equals, word = part.strip().partition("=")
        if own == name and equals and 8 <= len(word) <= 64 and word.isascii():
            return word
    return None
