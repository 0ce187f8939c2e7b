"""The life of a request under /v1: find the row, authenticate, pace, parse, open a unit, locate, require, do, present."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import logging
from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from octavo.access.addresses import client_address, user_agent
from octavo.access.caller import Caller
from octavo.access.signing import Signer
from octavo.api import audit
from octavo.api.auth import Callers
from octavo.api.plan import Plan, plan_of
from octavo.api.router import Router
from octavo.kernel import limits
from octavo.kernel.clock import Clock
from octavo.kernel.errors import (
    Broken,
    Conflict,
    Failure,
    Forbidden,
    NotAllowed,
    NotFound,
    Stale,
    TooMany,
    Unauthorized,
    Unsupported,
)
from octavo.kernel.ids import new_id
from octavo.kernel.operation import NOTHING, UNLIMITED, AnyOperation
from octavo.kernel.settings import Settings
from octavo.resources.call import Ahead, Call, no_turns
from octavo.site.visits import ANYONE
from octavo.store.content.blobs import Blobs
from octavo.store.unit import NOBODY, Provenance, Store, Unit
from octavo.web.answers import has, send_whole
from octavo.web.asgi import Headers, Receive, Scope, Send
from octavo.web.beside import beside
from octavo.web.bodies import content_type, read_body
from octavo.web.errors import body_of
from octavo.web.metrics import OPERATION
from octavo.web.pace import Pacer
from octavo.wire.view import View

PREFIX = "/v1"
PREPARATIONS = 5
"""Times that what a row needs ahead of its unit is prepared, while others change the same thing."""
_GUESSES = 2
"""Times its allowance that an address has unknown tokens looked up: people behind it may have right ones."""
LARGE = 64 << 10
"""Bytes of a body that is read only of who may send it."""
_ERROR = (b"content-type", b"application/json")
_CROSS_ORIGIN = (
    (b"access-control-allow-headers", b"authorization, content-type, if-none-match, prefer"),
    (b"access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
    (
        b"access-control-expose-headers",
        b"etag, link, location, octavo-warning, x-gitbook-cache-tag, x-request-id, x-ratelimit-limit, x-ratelimit-remaining,"
        b" x-ratelimit-reset",
    ),
    (b"access-control-max-age", b"600"),
)
_VARY = (b"vary", b"authorization")
_NEVER_SNIFFED = (b"x-content-type-options", b"nosniff")
_UNCHANGING = (b"cache-control", b"private, no-cache")
_log = logging.getLogger("octavo.api")


class Asked(msgspec.Struct):
    """A request whose row and caller are known."""

    plan: Plan
    words: Sequence[str]
    caller: Caller
    takes: Any
    query: Any
    """Of a row that takes a body too."""
    path: str
    provenance: Provenance
    unknown: str
    """Fields of the body that were ignored."""
    follows: set[str] = msgspec.field(default_factory=set)
    """What the answer follows; see `Call.follows`."""


class Api:
    """The ASGI application under /v1."""

    def __init__(
        self,
        rows: Iterable[AnyOperation],
        store: Store,
        settings: Settings,
        clock: Clock,
        view: View,
        signer: Signer,
        blobs: Blobs,
    ) -> None:
        self.rows = list(rows)
        self._router = Router(self.rows)
        self._plans: dict[str, Plan] = {}
        self._actions = audit.actions(self.rows)
        self._store = store
        self._settings = settings
        self._view = view
        self._signer = signer
        self._blobs = blobs
        self._callers = Callers(store, clock, signer, settings.operators)
        self._pacer = Pacer(clock)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Word of a locked row -> whose turn it is, as long as somebody waits."""
        self._started = new_id()
        self._requests = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        headers: Headers = dict(scope["headers"])
        request_id = f"{self._started}-{next(self._requests):x}"
        said = [(b"x-request-id", request_id.encode()), _NEVER_SNIFFED]
        if b"origin" in headers:
            self._allow_origin(headers[b"origin"], said)
        try:
            status, body = await self._answer(scope, receive, headers, said, request_id)
        except Failure as failure:
            status, body = failure.status, body_of(failure)
            said.append(_ERROR)
            if isinstance(failure, NotAllowed):
                said.append((b"allow", ", ".join(failure.allow).encode()))
            if status == 401:
                said.append((b"www-authenticate", b"Bearer"))
        except Exception:
            _log.exception(
                "a request failed", extra={"request": request_id, "method": scope["method"], "path": scope["path"]}
            )
            said.append(_ERROR)
            status, body = 500, body_of(Broken(f"something broke here; the log has it under {request_id}"))
        await send_whole(scope, send, status, said, body)

    async def _answer(
        self,
        scope: Scope,
        receive: Receive,
        headers: Headers,
        said: list[tuple[bytes, bytes]],
        request_id: str,
    ) -> tuple[int, bytes]:
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
            return 204, b""
        caller, remembered = await self._caller(scope, headers, said)
        row, words = self._router.find(scope["method"], _path(scope))
        scope[OPERATION] = row.id
        caller = _opened(caller, row)
        plan = self._plan(row)
        caller, remembered = await self._let_in(plan, words, caller, headers, remembered=remembered)
        asked = await self._read(plan, words, caller, scope, receive, headers, request_id)
        if asked.unknown:
            said.append((b"octavo-warning", f"fields that were ignored: {asked.unknown}".encode()))
        result = await self._done(asked, headers, remembered=remembered)
        answer = asked.plan.answer
        long = row.long is not None and (asked.caller.visiting is not None or row.long(asked.takes))
        body, more = await beside(answer, result, self._view) if long else answer(result, self._view)
        if row.method != "GET":
            said.extend(more)
            return row.status, body
        said.append(_VARY)
        if asked.follows:
            said.append((b"x-gitbook-cache-tag", ",".join(sorted(asked.follows)).encode()))
        if row.immutable:
            tag = b'"' + hashlib.blake2b(body, digest_size=12).hexdigest().encode() + b'"'
            said.extend(((b"etag", tag), _UNCHANGING))
            if has(headers, tag):
                return 304, b""
        said.extend(more)
        return row.status, body

    async def _done(self, asked: Asked, headers: Headers, *, remembered: bool) -> Any:
        try:
            return await self._do(asked)
        except (NotFound, Forbidden):
            # What was remembered of the caller may be older than a role that was just given.
            if not remembered:
                raise
            again = await self._again(headers, asked.plan.row)
            if again is None or again == asked.caller:
                raise
            asked.caller = again
            return await self._do(asked)

    async def _again(self, headers: Headers, row: AnyOperation) -> Caller | None:
        """Who asks, as she is now."""
        caller = await self._callers.find(_bearer(headers) or "")
        return None if caller is None else _opened(caller, row)

    async def _caller(self, scope: Scope, headers: Headers, said: list[tuple[bytes, bytes]]) -> tuple[Caller, bool]:
        """Who asks, whose request is counted; and whether that was remembered. Raises Unauthorized for nobody."""
        secret = _bearer(headers)
        caller = None if secret is None else self._callers.known(secret)
        remembered = caller is not None
        address, most = "", self._settings.rate_limit_address
        if caller is None:
            address = f"a{client_address(scope, headers, self._settings.trusted_proxies)}"
            # From where far too much was guessed, no token is looked up that was not valid before.
            if secret is not None and (self._callers.met(secret) or self._pacer.spent(address) < _GUESSES * most):
                caller = await self._callers.find(secret)
        if caller is not None:
            self._pace(caller.token.id, self._settings.rate_limit_token, said)
            return caller, remembered
        if self._is_for_anyone(scope):
            self._pace(f"~{address}", self._settings.rate_limit_lookup, said)
            return ANYONE, False
        self._pace(address, most, said)
        if secret is not None:
            raise Unauthorized("the token is unknown, revoked or expired")
        self._router.find(scope["method"], _path(scope))
        raise Unauthorized("a token is needed: send the header `Authorization: Bearer <API_TOKEN>`")

    def _is_for_anyone(self, scope: Scope) -> bool:
        try:
            return self._router.find(scope["method"], _path(scope))[0].anyone
        except Failure:
            return False

    def _plan(self, row: AnyOperation) -> Plan:
        """Made with the first request for a row, as most processes serve few of them."""
        plan = self._plans.get(row.id)
        if plan is None:
            plan = self._plans[row.id] = plan_of(row)
        return plan

    async def _let_in(
        self, plan: Plan, words: Sequence[str], caller: Caller, headers: Headers, *, remembered: bool
    ) -> tuple[Caller, bool]:
        """The caller, who may send what she sends where that is large: nobody else's is read. Raises NotFound or Forbidden."""
        if not _is_large(plan.row, headers):
            return caller, remembered
        try:
            await self._store.read(lambda unit: plan.reach(unit, caller, words))
        except (NotFound, Forbidden):
            again = await self._again(headers, plan.row) if remembered else None
            if again is None or again == caller:
                raise
            return await self._let_in(plan, words, again, headers, remembered=False)
        return caller, remembered

    async def _read(
        self,
        plan: Plan,
        words: Sequence[str],
        caller: Caller,
        scope: Scope,
        receive: Receive,
        headers: Headers,
        request_id: str,
    ) -> Asked:
        """The request, parsed."""
        row, unknown = plan.row, ""
        query = plan.query(scope)
        if not row.in_body:
            takes, query = (NOTHING if query is None else query), None
        else:
            cap = self._settings.body_max if row.body_max == limits.BODY_MAX else row.body_max
            data = await read_body(receive, headers, cap)
            if data and content_type(headers) != b"application/json":
                raise Unsupported("a body must be sent as Content-Type: application/json")
            # Beside the loop, on which others wait, where it takes long.
            takes, unknown = plan.body(data) if len(data) < LARGE else await beside(plan.body, data)
        provenance = NOBODY
        if row.writes or row.before is not None:
            address = client_address(scope, headers, self._settings.trusted_proxies)
            agent = user_agent(headers)
            provenance = _provenance(caller, address, request_id, agent)
        return Asked(plan, words, caller, takes, query, scope["path"], provenance, unknown)

    async def _do(self, asked: Asked) -> Any:
        """What the row's function returns, prepared again as long as others change the same thing."""
        if asked.plan.row.before is None:
            return await self._run(asked, None)
        for attempt in range(1, PREPARATIONS + 1):
            try:
                async with contextlib.AsyncExitStack() as turn:
                    return await self._run(asked, await self._prepare(asked, attempt, turn))
            except Stale:
                continue
        raise Conflict("others changed the same thing at the same time; try again")

    async def _prepare(self, asked: Asked, attempt: int, turn: contextlib.AsyncExitStack) -> Any:
        """What the row needs ahead of its unit, of what a unit of its own located and allowed."""
        plan, words = asked.plan, asked.words

        async def work(unit: Unit) -> Any:
            return (await plan.locate(unit, asked.caller, words, asked.takes))[0]

        async def take_turn() -> None:
            await turn.enter_async_context(self._turns.setdefault(words[plan.locked or 0], asyncio.Lock()))

        ahead = Ahead(
            store=self._store,
            blobs=self._blobs,
            caller=asked.caller,
            provenance=asked.provenance,
            settings=self._settings,
            signer=self._signer,
            view=self._view,
            query=asked.query,
            attempt=attempt,
            take_turn=no_turns if plan.locked is None else take_turn,
        )
        at = await self._store.read(work, asked.provenance)
        assert plan.row.before is not None  # it was asked for
        return await plan.row.before(ahead, at, asked.takes)

    async def _run(self, asked: Asked, prepared: Any) -> Any:
        """The row's unit."""
        plan, caller = asked.plan, asked.caller
        row = plan.row
        within: str | None = None

        async def work(unit: Unit) -> Any:
            nonlocal within
            at, within = await plan.locate(unit, caller, asked.words, asked.takes)
            call = Call(
                unit, caller, self._view, self._settings, self._signer, asked.path, asked.query, prepared, self._actions,
                asked.follows,
            )  # fmt: skip
            result = await row.does(call, at, asked.takes)
            if row.audit is not None:
                await audit.note(call, row, at, asked.takes, result)
            return result

        if row.writes:
            result = await self._store.write(work, asked.provenance, lock=plan.table(asked.words))
        else:
            result = await self._store.read(work, asked.provenance)
        if within is not None and caller.is_somebody and self._callers.is_news(caller, within):
            await self._callers.note_seen(caller, within)
        return result

    def _pace(self, key: str, limit: int, said: list[tuple[bytes, bytes]]) -> None:
        left, headers = self._pacer.spend(key, limit)
        said.extend(headers)
        if left < 0:
            raise TooMany(f"too many requests; try again in {self._pacer.seconds_left()} seconds")

    def _allow_origin(self, origin: bytes, said: list[tuple[bytes, bytes]]) -> None:
        allowed = self._settings.cors_origins
        if "*" in allowed or origin.decode("latin-1") in allowed:
            said.append((b"access-control-allow-origin", b"*" if "*" in allowed else origin))
            if "*" not in allowed:
                said.append((b"vary", b"origin"))
            said.extend(_CROSS_ORIGIN)


def _provenance(caller: Caller, address: str, request: str, agent: str | None) -> Provenance:
    """Who works by which token; a page of the application works for its session."""
    if caller.session is not None:
        session = caller.session.id
        return Provenance(caller.user.id, None, address, request, agent, session=session, source="ui")
    return Provenance(caller.user.id, caller.token.id, address, request, agent, source="api")


def _is_large(row: AnyOperation, headers: Headers) -> bool:
    """Whether a body may be; one that does not say its length is."""
    declared = headers.get(b"content-length", b"")
    if not declared.isdigit():
        return row.in_body and b"transfer-encoding" in headers
    return row.in_body and (len(declared) > 9 or int(declared) > LARGE)


def _path(scope: Scope) -> str:
    raw = scope.get("raw_path")
    path: str = raw.decode("latin-1") if raw else scope["path"]
    return path.split("?", 1)[0].removeprefix(PREFIX) or "/"


def _bearer(headers: Headers) -> str | None:
    value = headers.get(b"authorization")
    if value is None:
        return None
    kind, _, secret = value.decode("latin-1").partition(" ")
    return secret.strip() or None if kind.lower() == "bearer" else None


def _opened(caller: Caller, row: AnyOperation) -> Caller:
    """The caller as the operation sees her. Raises Forbidden where her token does not open it, whoever stands behind it."""
    if not caller.has_scope(row.scope):
        raise Forbidden(_lacking(row.scope))
    if caller.visiting is not None and not (row.visitors or row.anyone):
        raise Forbidden("the token of a visit opens only what the visitor of a site may read")
    if caller.acting is None:
        return caller
    if row.installed is not None and caller.acting.opens(row.installed):
        return caller.giving(row.installed)
    if not row.anyone:
        raise Forbidden(_not_given(row.installed))
    return caller


def _not_given(scope: str | None) -> str:
    if scope is None:
        return "the token of an integration does not open this"
    return f"the integration lacks the scope {scope}"


def _lacking(scope: str | None) -> str:
    if scope == UNLIMITED:
        return "the token is limited to scopes, and none of them is enough for this: use one without limits"
    return f"the token lacks the scope {scope}"
