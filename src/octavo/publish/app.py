"""The door for visitors: published sites under /sites/<name>/, on their own hosts, and what belongs to them."""

from __future__ import annotations

import logging
from dataclasses import replace

from msgspec import structs

from octavo.access.people.sessions import secure_base
from octavo.access.signing import Signer
from octavo.kernel import limits
from octavo.kernel.errors import NotFound
from octavo.kernel.records.openapi import OpenapiSpecVersion
from octavo.kernel.records.sites import Font, Site
from octavo.kernel.settings import Settings
from octavo.publish import assets, favicons, feedback, mcp, pdf, pictures, pressing, templating, theme
from octavo.publish.boards import BOARDS, Painter
from octavo.publish.building import FEEDBACK, PDF, STATIC, Address
from octavo.publish.drawing import Drawings
from octavo.publish.endpoints import ENDPOINT as ENDPOINTS
from octavo.publish.endpoints import Endpoints
from octavo.publish.entrance import Asked, Entrance, for_one, restricted
from octavo.publish.messages import message
from octavo.publish.previews import Previews, for_reviewers
from octavo.publish.request import SiteRequest
from octavo.publish.site_door import SiteDoor
from octavo.publish.views import Link, MessageView
from octavo.publish.watching import ENDPOINT, Watcher
from octavo.site.addresses import page_path, site_address
from octavo.site.hosts import host_site
from octavo.site.names import own_host
from octavo.site.previewing import PREVIEW
from octavo.site.snapshot import Snapshot, find_site, snapshot_of
from octavo.site.visitor import ANYBODY
from octavo.store.content.blobs import Blobs
from octavo.store.database.memory import Memory
from octavo.store.unit import Store, Unit
from octavo.web.answers import FOREVER, REVALIDATE, Answer, plain, redirect, zipped
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.bodies import read_body
from octavo.web.door import answered, only
from octavo.web.fields import Fields, first
from octavo.wire.integrations.integrations import pictures as pictures_of
from octavo.wire.sites.fonts import face_path

_SITES = "/sites/"
_INTERNAL = "~octavo/"
_FORWARDED = "x-forwarded-host, x-octavo-host"
_HOSTS = "/~octavo/hosts"
"""Where a proxy in front asks for which hosts it may get certificates: `?domain=docs.example.com`."""
_FONTS = "fonts/"
_OPENAPI = "openapi/"
_INTEGRATIONS = "integrations/"
_FOR_ALL = ((b"access-control-allow-origin", b"*"),)
_LISTED = 50
"""Sites that the installation's own root names."""
_FOREVER = (b"cache-control", FOREVER.encode())
_log = logging.getLogger("octavo.publish")


class Publisher:
    """The ASGI application for visitors."""

    def __init__(self, store: Store, settings: Settings, blobs: Blobs, signer: Signer, base: str) -> None:
        self._store = store
        self._settings = settings
        self._blobs = blobs
        self._base = base
        self._own_host = own_host(base)
        self._snapshots: Memory[Snapshot] = Memory(store, "sites", most=500)
        self._hosts: Memory[str] = Memory(store, "sites")
        self._drawings = Drawings(store.kept)
        desk = feedback.Desk(store, signer, tuple(settings.trusted_proxies))
        self._endpoints = Endpoints(store, settings, signer, base)
        press = pdf.Press(store, blobs, desk.trusted)
        painter = Painter(store, settings, signer)
        boards = pressing.Pressing(store, blobs, painter, desk.trusted)
        self._door = SiteDoor(store, blobs, self._drawings, desk, press, self._endpoints, boards)
        self._entrance = Entrance(store, signer, self._endpoints)
        self._previews = Previews(store, signer)
        self.watcher = Watcher(store, settings.trusted_proxies)

    async def site_of_host(self, scope: Scope) -> str | None:
        """The site that answers on the request's host: its basename before the site domain, or its own hostname; before
        the site domain also an organization's hostname, for its default content."""
        host = _host(scope)
        return None if not host or self._is_own(host) else await self._site_on(host)

    async def _site_on(self, host: str) -> str | None:
        known = self._hosts.get(host)
        if known is None:
            generation = self._hosts.generation
            known = await self._store.read(lambda unit: self._find_host(unit, host))
            self._hosts.put(host, known, generation)
        return known or None

    async def _knows(self, host: str) -> Answer:
        """Whether this installation answers on a host: a proxy asks before it gets a certificate for one."""
        if host and (host == self._own_host or await self._site_on(host) is not None):
            return plain(200, "This installation answers on that host.").header("cache-control", "no-store")
        return plain(404, "No site answers on that host.").header("cache-control", "no-store")

    def _is_own(self, host: str) -> bool:
        """Whether a host is the installation's, on which its root names the sites."""
        return host == self._own_host or host in ("localhost", "127.0.0.1", "[::1]")

    async def _find_host(self, unit: Unit, host: str) -> str:
        site = await host_site(unit, self._settings.site_domain, host)
        return "" if site is None else site.id

    async def __call__(self, scope: Scope, receive: Receive, send: Send, site: str | None = None) -> None:
        """Answer a visitor; `site` is given when the host names it."""

        async def work(query: Fields) -> Answer:
            if site is None and scope["path"].startswith(ENDPOINTS):
                return await self._endpoints.answer(scope, receive)
            most = _posted(scope["path"])
            only(scope, "GET", *(("POST",) if most else ()))
            posted = scope["method"] == "POST"
            body = await read_body(receive, dict(scope["headers"]), most) if posted else None
            return await self._answer(scope, query, site, body)

        answer = await answered(scope, _log, work, _refuse)
        await answer.send(scope, send, templating.SECURITY)

    async def _answer(self, scope: Scope, query: Fields, site: str | None, body: bytes | None) -> Answer:
        path: str = scope["path"]
        if path.startswith(STATIC):
            own = await self._own(path.removeprefix(STATIC), query)
            if own is not None:
                return own
        if site is not None:
            return await self._on_site(site, "/", path[1:], query, scope, body)
        if path == _HOSTS:
            return await self._knows(first(query, "domain").lower())
        if not path.startswith(_SITES) or path == _SITES:
            return await self._front(path, own=self._is_own(_host(scope)))
        word, slash, rest = path.removeprefix(_SITES).partition("/")
        base = f"{_SITES}{page_path(word)}/"
        return await self._on_site(word, base, rest if slash else None, query, scope, body)

    async def _own(self, name: str, query: Fields) -> Answer | None:
        """What every site has below `~octavo/`, fonts, pictures and specifications; None where the name is none of theirs."""
        if name.startswith(_FONTS):
            return await self._font(*name.removeprefix(_FONTS).partition("/")[::2])
        if name.startswith(_OPENAPI):
            return await self._openapi(*name.removeprefix(_OPENAPI).partition("/")[::2])
        if name.startswith(_INTEGRATIONS):
            return await self._picture(*name.removeprefix(_INTEGRATIONS).partition("/")[::2])
        if name.startswith(pictures.PLACE):
            return await pictures.picture(
                self._store, self._blobs, *name.removeprefix(pictures.PLACE).partition("/")[::2]
            )
        return _asset(name, query)

    async def _openapi(self, word: str, slug: str) -> Answer:
        """The text of a specification that is public."""

        async def found(unit: Unit) -> OpenapiSpecVersion | None:
            spec = await unit.openapi.get(word)
            if spec is None or spec.visibility != "public" or spec.slug != slug or spec.last_version is None:
                return None
            if await unit.people.organization(spec.organization) is None:
                return None
            return await unit.openapi.version(spec.last_version)

        version = await self._store.read(found)
        data = None if version is None else await self._blobs.get(version.organization, version.blob)
        if version is None or data is None:
            raise NotFound("there is no such specification, or it is not public")
        kind = b"application/json" if version.format == "json" else b"application/yaml; charset=utf-8"
        headers = [(b"content-type", kind), (b"cache-control", b"public, max-age=60"), *_FOR_ALL]
        return Answer(200, data, headers, f'"{version.id}"'.encode())

    async def _picture(self, word: str, name: str) -> Answer:
        """A picture of an integration: `name` begins as the digest of its bytes."""
        integration = await self._store.read(lambda unit: unit.integrations.get(word))
        blob, media = ("", "") if integration is None else pictures_of(integration).get(name, ("", ""))
        data = await self._blobs.get(integration.organization, blob) if integration is not None and blob else None
        if data is None:
            raise NotFound("there is no such picture")
        return Answer(200, data, [(b"content-type", media.encode()), _FOREVER, *_FOR_ALL], f'"{name}"'.encode())

    async def _font(self, word: str, name: str) -> Answer:
        """A file of an organization's font: `name` begins as the digest of its bytes."""

        async def found(unit: Unit) -> Font | None:
            font = await unit.fonts.get(word)
            return None if font is None or await unit.people.organization(font.organization) is None else font

        font = await self._store.read(found)
        for face in [] if font is None else font.faces["faces"]:
            if font is not None and face_path(font.id, face).endswith(f"/{name}"):
                data = await self._blobs.get(font.organization, face["blob"])
                if data is not None:
                    headers = [(b"content-type", face["contentType"].encode()), _FOREVER, *_FOR_ALL]
                    return Answer(200, data, headers, f'"{name}"'.encode())
        raise NotFound("there is no such font")

    async def _front(self, path: str, *, own: bool) -> Answer:
        """The installation's own root, and whatever is nowhere."""
        if path == "/favicon.ico":
            return await favicons.svg_as_ico(self._drawings, assets.text("mark.svg"))
        if path != "/":
            return message(None, 404, MessageView("not-found", text="There is nothing at this address."))
        found = await self._store.read(lambda unit: unit.sites.open_to_all(_LISTED)) if own else []
        sites = tuple(Link(site.title, _public(self._base, site)) for site in found)
        text = "These sites are published here for everybody." if sites else "Its sites have addresses of their own."
        text += " Who writes them signs in. The reference of the API is at /docs."
        view = MessageView("home", title="Octavo runs here", text=text, nearest=sites, action=Link("Sign in", "/login"))
        return message(None, 200, view)

    async def _on_site(
        self, word: str, base: str, path: str | None, query: Fields, scope: Scope, body: bytes | None
    ) -> Answer:
        """`path` is below the site's base; None where not even the slash at its end was there."""
        if path is not None and path.startswith(_INTERNAL):
            own = await self._own(path.removeprefix(_INTERNAL), query)
            if own is not None:
                return own
        snapshot = self._snapshots.get(word)
        if snapshot is None:
            generation = self._snapshots.generation
            snapshot = await self._store.read(lambda unit: _load(unit, word, self._settings))
            if snapshot is None and path is not None:
                return message(None, 404, MessageView("not-found", text="There is no site at this address."))
            if snapshot is not None:
                self._snapshots.put(word, snapshot, generation)
        address = self._address(snapshot, base, scope)
        if path is None or snapshot is None:
            asked = scope.get("query_string", b"").decode("latin-1")
            answer = redirect(308, f"{address.base}{'?' + asked if asked else ''}")
        else:
            answer = await self._visited(SiteRequest(snapshot, address, path, query, scope, self._blobs, body))
        # Behind a directory of another host the same address has other links.
        proxied = snapshot is not None and snapshot.site.proxy is not None
        return answer.header("vary", _FORWARDED) if proxied else answer

    async def _visited(self, request: SiteRequest) -> Answer:
        snapshot, site = request.snapshot, request.snapshot.site
        if request.path.startswith(PREVIEW):
            opened = await self._previews.open(request)
            if opened is None:
                return for_reviewers(message(None, 404, MessageView("expired")))
            return for_reviewers(await self._door.answer(opened))
        if not site.published:
            return message(None, 404, MessageView("unpublished"))
        # Directories of other hosts are ones of https, whatever hands their requests on.
        secure = secure_base(self._base) or request.address.static != STATIC
        asked = Asked(site, request.address, request.path, request.query, request.scope, secure)
        met = await self._entrance.meet(asked)
        if isinstance(met, Answer):
            return met
        seen = request if met is ANYBODY else replace(request, snapshot=snapshot.seen_by(met))
        if request.path == ENDPOINT:
            return await self.watcher.take(seen, asked.cookie)
        answer = await self._door.answer(seen)
        self.watcher.note(seen, answer)
        return for_one(answer, site) if restricted(site) else answer

    def _address(self, snapshot: Snapshot | None, base: str, scope: Scope) -> Address:
        """Where the site is being read: where the request came to, or the directory of another host that hands it on."""
        if snapshot is None:
            return Address(base, self._base)
        public = _public(self._base, snapshot.site)
        host, slash, directory = (snapshot.site.proxy or "").partition("/")
        if not slash or host not in _forwarded_hosts(scope):
            return Address(base, public)
        directory = f"/{page_path(directory)}/"
        return Address(directory, public, directory + _INTERNAL)


def _posted(path: str) -> int:
    """Bytes that may be posted to an address, most of which take none."""
    if path.endswith(mcp.ENDPOINT):
        return mcp.BODY
    if path.endswith(ENDPOINT):
        return limits.INSIGHTS_BEACON_BYTES
    if f"/{BOARDS}" in path:
        return pressing.BODY
    return feedback.BODY if f"/{FEEDBACK}" in path or f"/{PDF}" in path else 0


def _refuse(status: int, sentence: str, reference: str | None) -> Answer:
    return (
        plain(status, sentence)
        if reference is None
        else message(None, status, MessageView("error", reference=reference))
    )


def _asset(name: str, query: Fields) -> Answer | None:
    """A file that every site has; None where the name is none of theirs."""
    if name == "theme.css":
        sheet = theme.sheet(query)
        if sheet is None:
            raise NotFound("there is no such style sheet")
        return Answer(200, sheet.encode(), [(b"content-type", b"text/css; charset=utf-8"), _FOREVER])
    if name == "diagrams.html":
        frame = zipped(200, "text/html", templating.diagrams()).header("cache-control", REVALIDATE)
        return frame.header("content-security-policy", templating.DIAGRAMS_SECURITY_POLICY)
    asset = assets.find(name)
    if asset is None:
        return None
    headers = [(b"content-type", asset.media_type.encode()), _FOREVER, *_FOR_ALL]
    return Answer(200, asset.body, headers, asset.etag.encode(), asset.gzipped)


async def _load(unit: Unit, word: str, settings: Settings) -> Snapshot | None:
    site = await find_site(unit, word)
    if site is None:
        return None
    found = await snapshot_of(unit, site)
    if settings.script_program is None and found.scripts:
        # Nothing would answer for the others.
        found = structs.replace(found, scripts=tuple(one for one in found.scripts if one.tunnelled))
    return found


def _public(base: str, site: Site) -> str:
    return f"https://{site.proxy}/" if site.proxy is not None else site_address(base, site)


def _forwarded_hosts(scope: Scope) -> list[str]:
    """The hosts that visitors asked, as whoever hands their requests on says; it is compared with what the site expects."""
    said = (value for name, value in scope["headers"] if name in (b"x-forwarded-host", b"x-octavo-host"))
    hosts = (one.strip().lower() for value in said for one in value.decode("latin-1").split(","))
    # Some say the port too, which browsers leave out.
    return [host.removesuffix(":443").removesuffix(":80") for host in hosts]


def _host(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"host":
            host = str(value.decode("latin-1")).lower()
            return host if host.endswith("]") else host.rsplit(":", 1)[0]
    return ""
