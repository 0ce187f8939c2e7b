"""The ASGI application under /scim/v2: the organization is the token's, the protocol is that of scim2-server."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Any

import msgspec

from octavo.access.addresses import client_address, user_agent
from octavo.kernel import extras, limits
from octavo.kernel.clock import MINUTE
from octavo.kernel.errors import TooMany, Unauthorized
from octavo.kernel.ids import new_id, token_hash
from octavo.kernel.records.provisioning import ScimToken
from octavo.kernel.settings import Settings
from octavo.store.unit import Provenance, Store, Unit
from octavo.web.answers import Answer
from octavo.web.asgi import Headers, Receive, Scope, Send
from octavo.web.bodies import read_body
from octavo.web.door import answered
from octavo.web.fields import Fields
from octavo.web.metrics import OPERATION
from octavo.web.pace import Header, Pacer

if TYPE_CHECKING:
    from scim2_server.requests import ScimRequest
    from scim2_server.responses import ScimResponse

    from octavo.scim.models import Service

PREFIX = "/scim/v2"
_TOUCHED_EVERY = 5 * MINUTE
_WRITING = ("POST", "PUT", "PATCH", "DELETE")
_ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"
_log = logging.getLogger("octavo.scim")


class Provisioning:
    """What identity providers ask."""

    def __init__(self, store: Store, settings: Settings, base: str) -> None:
        self._store, self._settings = store, settings
        self._address = base + PREFIX
        self._pacer = Pacer(store.clock)
        self._turns = asyncio.Semaphore(limits.SCIM_AT_ONCE)
        self._service: Service | None = None

    @staticmethod
    def answers(path: str) -> bool:
        """Whether a path is of this door."""
        return path == PREFIX or path.startswith(PREFIX + "/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        said: list[Header] = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]

        async def work(query: Fields) -> Answer:
            return await self._answer(scope, receive, query, said)

        def refuse(status: int, sentence: str, _: str | None) -> Answer:
            body = {"schemas": [_ERROR], "status": str(status), "detail": sentence}
            answer = Answer(status, msgspec.json.encode(body)).header("content-type", "application/scim+json")
            return answer.header("www-authenticate", 'Bearer realm="SCIM"') if status == 401 else answer

        answer = await answered(scope, _log, work, refuse)
        await answer.send(scope, send, said)

    async def _answer(self, scope: Scope, receive: Receive, query: Fields, said: list[Header]) -> Answer:
        headers: Headers = dict(scope["headers"])
        token = await self._token(scope, headers, said)
        body = await read_body(receive, headers, limits.SCIM_BODY_MAX)
        method = scope["method"]
        scope[OPERATION] = f"scim{method.capitalize()}"
        extras.require("scim")
        async with self._turns:
            # With the first request: what it is made of takes half a second to load, and few installations need it.
            if self._service is None:
                self._service = await asyncio.to_thread(_service)
            asked = _request(self._address, scope, query, headers, body)
            if method in _WRITING and not scope["path"].endswith("/.search"):
                return await self._write(token, asked, headers, scope)
            return await self._read(token, asked)

    async def _token(self, scope: Scope, headers: Headers, said: list[Header]) -> ScimToken:
        """What the request was made with. Raises Unauthorized, and TooMany for too many requests."""
        address = client_address(scope, headers, self._settings.trusted_proxies)
        kind, _, secret = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        secret = secret.strip() if kind.lower() == "bearer" else ""
        guessed, most = f"a{address}", self._settings.rate_limit_address
        token = None
        if secret and self._pacer.spent(guessed) < most:
            digest = token_hash(secret)
            token = await self._store.read(lambda unit: _valid(unit, digest))
        key, most = (token.id, self._settings.rate_limit_token) if token is not None else (guessed, most)
        left, told = self._pacer.spend(key, most)
        said.extend(told)
        if left < 0:
            seconds = self._pacer.seconds_left()
            said.append((b"retry-after", b"%d" % seconds))
            raise TooMany(f"too many requests; try again in {seconds} seconds")
        if token is None:
            raise Unauthorized("a token for SCIM is needed, which an admin of the organization makes in its settings")
        if self._store.clock() - (token.last_used_at or 0) > _TOUCHED_EVERY:
            await self._store.write(lambda unit: unit.scim.touch_token(token.id, unit.now))
        return token

    async def _read(self, token: ScimToken, asked: ScimRequest) -> Answer:
        """In a thread: models of a long list take a while to be made. What it reads is read here."""
        loop = asyncio.get_running_loop()

        async def run(work: Callable[[Unit], Awaitable[Any]]) -> Any:
            reading = asyncio.run_coroutine_threadsafe(self._store.read_apart(work), loop)
            return await asyncio.wrap_future(reading)

        service = self._service
        assert service is not None  # loaded before
        handled = await asyncio.to_thread(
            asyncio.run, _handled(service, token.organization, self._settings.operators, asked, run)
        )
        return _told(handled)

    async def _write(self, token: ScimToken, asked: ScimRequest, headers: Headers, scope: Scope) -> Answer:
        """In one transaction, with the audit log's events in it."""
        service = self._service
        assert service is not None  # loaded before
        address = client_address(scope, headers, self._settings.trusted_proxies)
        whence = Provenance(token=token.id, address=address, agent=user_agent(headers), source="api", request=new_id())

        async def work(unit: Unit) -> ScimResponse:
            async def run(step: Callable[[Unit], Awaitable[Any]]) -> Any:
                return await step(unit)

            return await _handled(service, token.organization, self._settings.operators, asked, run, refuses=False)

        from scim2_models import SCIMException

        try:
            done = await self._store.write(work, whence, lock=("organizations", token.organization))
        except SCIMException as refused:
            # Raised, so that nothing of it stays.
            done = service.error_response(refused)
        return _told(done)


async def _valid(unit: Unit, digest: str) -> ScimToken | None:
    token = await unit.scim.token_by_hash(digest)
    if token is None or not hmac.compare_digest(token.hash, digest):
        return None
    if token.expires_at is not None and token.expires_at <= unit.now:
        return None
    return None if await unit.people.organization(token.organization) is None else token


def _service() -> Service:
    from octavo.scim import storage as storage  # as slow to load as the rest
    from octavo.scim.models import Service, provider

    return Service(provider())


def _request(base: str, scope: Scope, query: Fields, headers: Headers, body: bytes) -> ScimRequest:
    from scim2_server.requests import ScimRequest

    from octavo.scim.quirks import straightened

    method = scope["method"]
    return ScimRequest(
        method="GET" if method == "HEAD" else method,
        base_url=base,
        path=scope["path"].removeprefix(PREFIX) or "/",
        query={name: values[0] for name, values in query.items()},
        headers={name.decode("latin-1"): value.decode("latin-1") for name, value in headers.items()},
        body=straightened(body) if method == "PATCH" else body,
    )


async def _handled(
    service: Service,
    organization: str,
    operators: Collection[str],
    asked: ScimRequest,
    run: Callable[[Callable[[Unit], Awaitable[Any]]], Awaitable[Any]],
    *,
    refuses: bool = True,
) -> ScimResponse:
    """What the protocol answers; raises SCIMException unless it `refuses`."""
    from scim2_models import SCIMException
    from scim2_server.handler import AsyncScimHandler

    from octavo.scim.storage import Storage

    try:
        return await AsyncScimHandler(service, Storage(organization, operators, run)).handle(asked)
    except SCIMException as refused:
        if not refuses:
            raise
        return service.error_response(refused)


def _told(done: ScimResponse) -> Answer:
    body = b"" if done.body is None else msgspec.json.encode(done.body)
    answer = Answer(int(done.status), body)
    for name, value in done.headers.items():
        if body or name.lower() != "content-type":
            answer.header(name.lower(), value)
    return answer
