"""Where integrations answer requests themselves, and the scripts that they put on pages; their scripts are asked by jobs.

What comes from there is a stranger's. On the installation's own host, which has sessions, it gets no cookie of the browser's,
sets none, has an origin of its own, and is no script of that host's pages.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import msgspec

from octavo.access.addresses import client_address, household
from octavo.access.people.attempts import Allowance, spend
from octavo.access.signing import Signer
from octavo.kernel import limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import Failure, Forbidden, NotFound, NotInstalled, TookTooLong, TooMany, Unavailable
from octavo.kernel.records.integrations import Installation, Integration, Placement
from octavo.kernel.records.sites import Site
from octavo.kernel.settings import Settings
from octavo.publish.request import SiteRequest
from octavo.site.injected import Fetched, Injected, fetched, injected_on, is_script, policy_text, runs
from octavo.store.kept import Kind
from octavo.store.unit import Store, Unit
from octavo.web.answers import Answer
from octavo.web.asgi import Headers, Receive, Scope
from octavo.web.bodies import read_body
from octavo.web.door import only
from octavo.wire.integrations.integrations import ENDPOINT as PATH

ENDPOINT = f"/{PATH}/"
SCRIPTS = "scripts"
"""Below `~octavo/` of a site: `scripts/<installation>.js`."""
METHODS = ("GET", "POST", "PUT", "DELETE", "OPTIONS")
FRESH = 5 * MINUTE
"""Milliseconds after which a script is asked for anew."""
_SENDS = frozenset(["accept", "accept-language", "authorization", "content-type", "origin", "referer", "user-agent"])
"""Headers of requests that integrations are told of, beside those that begin with `x-`: none says who is logged in."""
_ANSWERS = frozenset(
    (
        "cache-control",
        "content-disposition",
        "content-language",
        "content-type",
        "etag",
        "expires",
        "last-modified",
        "link",
        "location",
        "vary",
    )
)
_SANDBOX = "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
_REDIRECTS = (301, 302, 303, 307, 308)
_KEPT: Kind[Answer] = Kind("scripts of integrations", lambda answer: 500 + len(answer.body))


class _At(msgspec.Struct, frozen=True):
    """What an address of an integration names."""

    integration: Integration
    installation: Installation | None
    place: Placement | None
    rest: str

    @property
    def organization(self) -> str:
        return self.integration.organization if self.installation is None else self.installation.organization


class Endpoints:
    """Asks integrations for whoever visits."""

    def __init__(self, store: Store, settings: Settings, signer: Signer, base: str) -> None:
        self._store, self._settings, self._signer, self._base = store, settings, signer, base

    async def answer(self, scope: Scope, receive: Receive) -> Answer:
        """What an integration answers at an address of its own."""
        only(scope, *METHODS)
        headers: Headers = dict(scope["headers"])
        if scope["method"] == "OPTIONS":
            return _preflight()
        at = await self._store.read(lambda unit: _at(unit, scope["path"].removeprefix(ENDPOINT)))
        if at is None:
            raise NotFound("there is no such integration, or it is not installed there")
        if not runs(self._settings, at.integration, at.organization):
            raise NotInstalled("this installation runs no scripts of integrations")
        if headers.get(b"sec-fetch-site") == b"same-origin" and headers.get(b"sec-fetch-dest") == b"script":
            raise Forbidden("what an integration answers is no script of this host")
        await self._pace(scope, headers, at)
        if is_script(at.rest) and at.place is not None and at.place.site is not None:
            return await self._script_of(at.place.site, at.integration.id)
        most = limits.INTEGRATION_FETCH_BYTES
        body = await read_body(receive, headers, most) if scope["method"] in ("POST", "PUT") else None
        installation = None if at.installation is None else at.installation.id
        said = self._said(scope, headers, at)
        return _handed_on(await self._of(at.integration.id, installation, at.organization, said, body), at.integration)

    def _said(self, scope: Scope, headers: Headers, at: _At) -> dict[str, Any]:
        query = scope.get("query_string", b"").decode("latin-1")
        path = scope.get("raw_path") or scope["path"].encode()
        told = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers.items()}
        request = {
            "method": "get" if scope["method"] == "HEAD" else scope["method"].lower(),
            "url": self._base + path.decode("latin-1") + (f"?{query}" if query else ""),
            "headers": {name: value for name, value in told.items() if name in _SENDS or name.startswith("x-")},
        }
        said: dict[str, Any] = {"type": "fetch", "request": request}
        if at.place is not None:
            said["spaceId" if at.place.space is not None else "siteId"] = at.place.target
        return said

    async def _of(
        self, name: str, installation: str | None, organization: str, said: dict[str, Any], body: bytes | None = None
    ) -> Fetched:
        """What an integration answers. Its mistakes are told to its authors, not to strangers."""
        try:
            return await fetched(self._store, self._signer, name, installation, organization, said, body)
        except TookTooLong as failure:
            raise TookTooLong("the integration took too long to answer") from failure
        except Failure as failure:
            raise Unavailable("the integration did not answer") from failure

    async def _pace(self, scope: Scope, headers: Headers, at: _At) -> None:
        house = household(client_address(scope, headers, tuple(self._settings.trusted_proxies)))
        allowance = Allowance(f"integration {at.integration.id} {house}", limits.INTEGRATION_FETCHES, 1)
        if not await self._store.write(lambda unit: spend(unit, [allowance])):
            raise TooMany("too much comes from this address; try again in a minute")

    async def _script_of(self, site: str, integration: str) -> Answer:
        async def found(unit: Unit) -> Injected | None:
            record: Site | None = await unit.sites.get(site)
            known = () if record is None or not record.published else await injected_on(unit, record)
            return next((one for one in known if one.integration == integration), None)

        injected = await self._store.read(found)
        if injected is None:
            raise NotFound("the site has no script of that integration")
        return (await self._script(injected)).header("cross-origin-resource-policy", "cross-origin")

    async def script(self, request: SiteRequest, name: str) -> Answer:
        """A script on the host of its site."""
        installation = name.removesuffix(".js")
        one = next((one for one in request.snapshot.scripts if one.installation == installation), None)
        if one is None or not is_elsewhere(request.address.base):
            raise NotFound("the site has no such script")
        return await self._script(one)

    async def _script(self, one: Injected) -> Answer:
        key = (one, self._store.clock() // FRESH)
        kept = None if one.tunnelled else self._store.kept.get(_KEPT, key)
        if kept is None:
            said = {"type": "fetch_published_script", "siteId": one.site}
            found = await self._of(one.integration, one.installation, one.organization, said)
            if found.status != 200:
                raise Unavailable("the integration has no script for this site")
            kind = [(b"content-type", b"text/javascript; charset=utf-8")]
            made = Answer(200, found.body, [*kind, (b"cache-control", b"public, max-age=300")])
            kept = made if one.tunnelled else self._store.kept.put(_KEPT, key, made)
        return kept.copy()

    async def visitor(self, site: Site, integration: str, location: str, action: str | None = None) -> Answer:
        """Where an integration sends somebody who has to show who she is, or wants to be forgotten. Raises NotFound where it
        is not on the site."""

        async def found(unit: Unit) -> Installation | None:
            one = await unit.integrations.installation_in(integration, site.organization)
            on = None if one is None else await unit.integrations.place_on_site(one.id, site.id)
            active = on is not None and on.status == "active" and one is not None and one.status == "active"
            return one if active else None

        installation = await self._store.read(found)
        if installation is None:
            raise NotFound("whoever lets visitors into this site is not there")
        said: dict[str, Any] = {"type": "fetch_visitor_authentication", "siteId": site.id, "location": location}
        if action is not None:
            said["action"] = action
        answer = await self._of(integration, installation.id, site.organization, said)
        target = answer.header("location")
        if answer.status not in _REDIRECTS or target is None or not _is_web(target):
            raise Unavailable("whoever lets visitors into this site sends them nowhere")
        headers = [(b"location", target.encode("latin-1", "replace")), (b"cache-control", b"no-store")]
        return Answer(303, b"", [*headers, (b"referrer-policy", b"no-referrer")])


def is_elsewhere(base: str) -> bool:
    """Whether a site is being read on a host that has no sessions of Octavo's, where its own scripts may run."""
    return not base.startswith("/sites/")


async def _at(unit: Unit, rest: str) -> _At | None:
    name, _, rest = rest.partition("/")
    integration = await unit.integrations.get(name)
    if integration is None or await unit.people.organization(integration.organization) is None:
        return None
    word, _, below = rest.partition("/")
    one = await unit.integrations.installation(word) if word else None
    if one is None or one.integration != name:
        return _At(integration, None, None, rest)
    if one.status == "paused":
        return None
    kind, _, further = below.partition("/")
    target, _, last = further.partition("/")
    if kind not in ("spaces", "sites") or not target:
        return _At(integration, one, None, below)
    places = unit.integrations
    place = await (places.place_on_space if kind == "spaces" else places.place_on_site)(one.id, target)
    return None if place is None else _At(integration, one, place, last)


def _handed_on(found: Fetched, integration: Integration) -> Answer:
    headers = []
    for name, value in found.headers:
        named = name.lower()
        if "\n" in value or "\r" in value or (named == "location" and not _is_web(value)):
            continue
        if named in _ANSWERS or named.startswith("access-control-"):
            headers.append((named.encode("latin-1", "replace"), value.encode("latin-1", "replace")))
    answer = Answer(found.status if 200 <= found.status < 600 else 502, found.body, headers)
    own = policy_text(integration)
    return answer.header("content-security-policy", _SANDBOX + (f"; {own}" if own else ""))


def _is_web(address: str) -> bool:
    try:
        return urlsplit(address).scheme in ("http", "https", "")
    except ValueError:
        return False


def _preflight() -> Answer:
    named = [
        (b"access-control-allow-origin", b"*"),
        (b"access-control-allow-methods", ", ".join(METHODS).encode()),
        (b"access-control-allow-headers", b"authorization, content-type"),
        (b"access-control-max-age", b"600"),
    ]
    return Answer(204, b"", named)
