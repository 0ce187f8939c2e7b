"""The life of a request under /v1: find the row, authenticate, pace, parse, open a unit, locate, require, do, present."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import logging
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from octavo.access.addresses import client_address, user_agent
from octavo.access.caller import Caller
from octavo.access.locate import FINDERS, Finder, Seen
from octavo.access.policy import POLICY, Kind, allows
from octavo.access.signing import Signer
from octavo.api import audit
from octavo.api.auth import Callers
from octavo.api.pace import Allowance, Pacer
from octavo.api.router import Router
from octavo.kernel import limits
from octavo.kernel.clock import Clock
from octavo.kernel.errors import (
    BadRequest,
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
from octavo.kernel.operation import ANYBODY, UNLIMITED, AnyOperation, Nothing, Raw, Rule
from octavo.kernel.settings import Settings
from octavo.resources.call import Ahead, Call, no_turns
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Provenance, Store, Unit
from octavo.web.answers import Answer, has
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.bodies import content_type, read_body
from octavo.web.errors import body_of
from octavo.web.fields import Fields, read_query
from octavo.wire.view import View

Headers = list[tuple[bytes, bytes]]

PREFIX = "/v1"
PREPARATIONS = 5
"""Times that what a row needs ahead of its unit is prepared, while others change the same thing."""
_LOCKED = {"space": "spaces", "site": "sites", "organization": "organizations"}
_JSON = (b"content-type", b"application/json")
_CROSS_ORIGIN = (
    (b"access-control-allow-headers", b"authorization, content-type, if-none-match, prefer"),
    (b"access-control-allow-methods", b"GET, POST, PUT, PATCH, DELETE"),
    (
        b"access-control-expose-headers",
        b"etag, link, location, x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset",
    ),
    (b"access-control-max-age", b"600"),
)
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000|\x00")
_log = logging.getLogger("octavo.api")


class Plan:
    """A row, prepared: how its words are found, who may, how its input is read. Raises TypeError for a row that is none."""

    def __init__(self, row: AnyOperation) -> None:
        self.row = row
        words = [part.strip("{}").removesuffix("...") for part in row.path.split("/") if part.startswith("{")]
        hints = {} if row.at is Nothing else typing.get_type_hints(row.at)
        names = [] if row.at is Nothing else [field.name for field in msgspec.structs.fields(row.at)]
        if names != words:
            raise TypeError(f"{row.id}: the path has the words {words}, `at` has {names}")
        self.finders: list[tuple[str, Finder]] = [(name, FINDERS[hints[name]]) for name in names]
        self.lock = None if row.lock is None else words.index(row.lock)
        self.in_query = row.takes is not Nothing and not row.in_body
        self.body = msgspec.json.Decoder(row.takes) if row.in_body else None
        self.lists = set(_list_fields(row.takes)) if self.in_query else set()
        self.allows = _allows(row, names)


Allowed = Callable[[Caller, Mapping[str, Any], Any, Any], None]


def _allows(row: AnyOperation, names: list[str]) -> Allowed:
    """What raises Forbidden for a caller that the row does not allow; of what was located, `at`, and what was sent."""
    needs = row.needs
    if isinstance(needs, Rule):
        rule = needs

        def by_rule(caller: Caller, found: Mapping[str, Any], at: Any, takes: Any) -> None:
            if not rule.may(caller, at, takes):
                raise Forbidden(rule.otherwise)

        return by_rule
    if needs == ANYBODY:
        return lambda caller, found, at, takes: None
    kind, _, word = needs.partition(".")
    if word not in POLICY.get(typing.cast("Kind", kind), {}) or kind not in names:
        raise TypeError(f"{row.id}: {needs} is not in the policy table, or the path names no {kind}")

    def by_role(caller: Caller, found: Mapping[str, Any], at: Any, takes: Any) -> None:
        if not allows(typing.cast("Kind", kind), word, found[kind].role):
            raise Forbidden(f"you may see this {kind}, but your role does not allow that (needs {needs})")

    return by_role


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
        rows = list(rows)
        self.rows = rows
        self._router = Router(rows)
        self._plans: dict[str, Plan] = {}
        self.actions = audit.actions(rows)
        self._store = store
        self._settings = settings
        self._view = view
        self._signer = signer
        self._blobs = blobs
        self._callers = Callers(store, clock)
        self._pacer = Pacer(clock)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Word of a locked row -> whose turn it is, as long as somebody waits."""
        self._started = new_id()
        self._requests = itertools.count(1)

    def _plan(self, row: AnyOperation) -> Plan:
        """Made with the first request for a row, as most processes serve few of them."""
        plan = self._plans.get(row.id)
        if plan is None:
            plan = self._plans[row.id] = Plan(row)
        return plan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        headers = dict(scope["headers"])
        request_id = f"{self._started}-{next(self._requests):x}"
        answer: Headers = [_JSON, (b"x-request-id", request_id.encode())]
        self._allow_origin(headers, answer)
        try:
            status, body = await self._answer(scope, receive, headers, answer, request_id)
        except Failure as failure:
            status, body = failure.status, body_of(failure)
            if isinstance(failure, NotAllowed):
                answer.append((b"allow", ", ".join(failure.allow).encode()))
            if status == 401:
                answer.append((b"www-authenticate", b"Bearer"))
        except Exception:
            _log.exception(
                "a request failed", extra={"request": request_id, "method": scope["method"], "path": scope["path"]}
            )
            status, body = 500, body_of(Broken(f"something broke here; the log has it under {request_id}"))
        if status in (204, 205, 304):
            answer.remove(_JSON)
            body = b""
        await Answer(status, body, answer).send(scope, send)

    async def _answer(
        self, scope: Scope, receive: Receive, headers: dict[bytes, bytes], answer: Headers, request_id: str
    ) -> tuple[int, bytes]:
        method = scope["method"]
        if method == "OPTIONS" and b"access-control-request-method" in headers:
            return 204, b""
        secret = _bearer(headers)
        address = client_address(scope, headers, self._settings.trusted_proxies)
        if secret is None:
            self._pace(f"a{address}", self._settings.rate_limit_address, answer)
            self._router.find(method, _path(scope))
            raise Unauthorized("a token is needed: send the header `Authorization: Bearer <API_TOKEN>`")
        caller, remembered = await self._callers.find(secret)
        if caller is None:
            self._pace(f"a{address}", self._settings.rate_limit_address, answer)
            raise Unauthorized("the token is unknown, revoked or expired")
        self._pace(caller.token.id, self._settings.rate_limit_token, answer)
        row, words = self._router.find(method, _path(scope))
        if not caller.has_scope(row.scope):
            raise Forbidden(_lacking(row.scope))
        plan = self._plan(row)
        given = await self._read(plan, scope, receive, headers)
        agent = user_agent(headers)
        provenance = Provenance(caller.user.id, caller.token.id, address, request_id, agent, source="api")
        try:
            body, more = await self._do(plan, words, given, caller, provenance, scope)
        except (NotFound, Forbidden):
            # What was remembered of the caller may be older than a role that was just given.
            if not remembered:
                raise
            again, _ = await self._callers.find(secret, fresh=True)
            if again is None or again == caller:
                raise
            body, more = await self._do(plan, words, given, again, provenance, scope)
        if any(name == b"content-type" for name, _ in more):
            answer.remove(_JSON)
        answer.extend(more)
        return self._finish(plan, headers, answer, body)

    async def _do(
        self, plan: Plan, words: list[str], given: Any, caller: Caller, provenance: Provenance, scope: Scope
    ) -> tuple[bytes, Headers]:
        row = plan.row
        for attempt in range(1, PREPARATIONS + 1):
            try:
                async with contextlib.AsyncExitStack() as turn:
                    prepared = await self._prepare(plan, words, given, caller, provenance, attempt, turn)
                    result = await self._run(plan, words, given, caller, provenance, scope, prepared)
                break
            except Stale:
                if attempt == PREPARATIONS:
                    raise Conflict("others changed the same thing at the same time; try again") from None
        if row.gives is None:
            return b"", []
        shape = row.present(result, self._view)
        if isinstance(shape, Raw):
            link = [] if shape.next is None else [(b"link", f'<{shape.next}>; rel="next"'.encode())]
            return shape.body, [(b"content-type", shape.media.encode()), *link]
        location = _location(shape) if row.status == 201 else None
        return msgspec.json.encode(shape), [] if location is None else [(b"location", location.encode())]

    async def _prepare(
        self,
        plan: Plan,
        words: list[str],
        given: Any,
        caller: Caller,
        provenance: Provenance,
        attempt: int,
        turn: contextlib.AsyncExitStack,
    ) -> Any:
        """What the row needs ahead of its unit; None where that is nothing."""
        if plan.row.before is None:
            return None
        at = await self._store.read(lambda unit: _locate(plan, words, unit, caller, given[0]), provenance)

        async def take_turn() -> None:
            await turn.enter_async_context(self._turns.setdefault(words[plan.lock or 0], asyncio.Lock()))

        ahead = Ahead(
            store=self._store,
            blobs=self._blobs,
            caller=caller,
            provenance=provenance,
            settings=self._settings,
            signer=self._signer,
            view=self._view,
            query=given[1],
            attempt=attempt,
            take_turn=no_turns if plan.lock is None else take_turn,
        )
        return await plan.row.before(ahead, at, given[0])

    async def _run(
        self,
        plan: Plan,
        words: list[str],
        given: Any,
        caller: Caller,
        provenance: Provenance,
        scope: Scope,
        prepared: Any,
    ) -> Any:
        """The row's unit."""
        row = plan.row
        place: str | None = None

        async def work(unit: Unit) -> Any:
            nonlocal place
            at = await _locate(plan, words, unit, caller, given[0])
            place = _organization(at)
            call = Call(
                unit, caller, self._view, self._settings, self._signer, scope["path"], given[1], prepared, self.actions
            )
            result = await row.does(call, at, given[0])
            if row.audit is not None:
                await audit.note(call, row, at, given[0], result)
            return result

        if row.writes:
            lock = None if plan.lock is None else (_LOCKED[row.lock or ""], words[plan.lock])
            result = await self._store.write(work, provenance, lock=lock)
        else:
            result = await self._store.read(work, provenance)
        if place is not None:
            await self._callers.note_seen(caller, place)
        return result

    def _finish(self, plan: Plan, headers: dict[bytes, bytes], answer: Headers, body: bytes) -> tuple[int, bytes]:
        row = plan.row
        if row.method == "GET":
            answer.append((b"vary", b"authorization"))
            if row.immutable:
                tag = b'"' + hashlib.blake2b(body, digest_size=12).hexdigest().encode() + b'"'
                answer.append((b"etag", tag))
                answer.append((b"cache-control", b"private, no-cache"))
                if has(headers, tag):
                    return 304, b""
        return row.status, body

    async def _read(self, plan: Plan, scope: Scope, receive: Receive, headers: dict[bytes, bytes]) -> tuple[Any, Any]:
        """What the row takes, and the query of a row that takes a body too."""
        row = plan.row
        asked = read_query(scope)
        query = None if row.query is None else _query(row.query, set(_list_fields(row.query)), asked)
        if plan.in_query:
            return _query(row.takes, plan.lists, asked), query
        if plan.body is None:
            return Nothing(), query
        cap = self._settings.body_max if row.body_max == limits.BODY_MAX else row.body_max
        data = await read_body(receive, headers, cap)
        if not data:
            data = b"{}"
        elif content_type(headers) != b"application/json":
            raise Unsupported("a body must be sent as Content-Type: application/json")
        if _NUL.search(data):
            raise BadRequest("the body holds the character U+0000, which no text may hold")
        try:
            return plan.body.decode(data), query
        except msgspec.ValidationError as error:
            raise BadRequest(_sentence(str(error))) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadRequest(f"the body is not JSON: {error}") from error

    def _pace(self, key: str, limit: int, answer: Headers) -> Allowance:
        allowance = self._pacer.spend(key, limit)
        answer.extend(
            (
                (b"x-ratelimit-limit", str(allowance.limit).encode()),
                (b"x-ratelimit-remaining", str(allowance.remaining).encode()),
                (b"x-ratelimit-reset", str(allowance.reset).encode()),
            )
        )
        if allowance.exceeded:
            raise TooMany(f"too many requests; try again in {self._pacer.seconds_left()} seconds")
        return allowance

    def _allow_origin(self, headers: dict[bytes, bytes], answer: Headers) -> None:
        origin = headers.get(b"origin")
        if origin is None:
            return
        allowed = self._settings.cors_origins
        if "*" in allowed or origin.decode("latin-1") in allowed:
            answer.append((b"access-control-allow-origin", b"*" if "*" in allowed else origin))
            if "*" not in allowed:
                answer.append((b"vary", b"origin"))
            answer.extend(_CROSS_ORIGIN)


async def _locate(plan: Plan, words: list[str], unit: Unit, caller: Caller, takes: Any) -> Any:
    """The row's `at`: its words found, and what it needs allowed."""
    found: dict[str, Any] = {}
    for (name, finder), word in zip(plan.finders, words):
        found[name] = await finder(unit, caller, word, found)
    at = plan.row.at(**found)
    plan.allows(caller, found, at, takes)
    return at


def _organization(at: Any) -> str | None:
    """Where the caller is seen: the organization that was located, or that of the space or collection."""
    for name in ("organization", "space", "collection"):
        seen: Any = getattr(at, name, None)
        if isinstance(seen, Seen):
            found: str = seen.record.id if name == "organization" else seen.record.organization  # type: ignore[attr-defined]
            return found
    return None


def _path(scope: Scope) -> str:
    raw = scope.get("raw_path")
    path = raw.decode("latin-1") if raw else scope["path"]
    return path.split("?", 1)[0].removeprefix(PREFIX) or "/"


def _bearer(headers: dict[bytes, bytes]) -> str | None:
    value = headers.get(b"authorization")
    if value is None:
        return None
    kind, _, secret = value.decode("latin-1").partition(" ")
    return secret.strip() if kind.lower() == "bearer" and secret.strip() else None


def _lacking(scope: str | None) -> str:
    if scope == UNLIMITED:
        return "the token is limited to scopes, and none of them is enough for this: use one without limits"
    return f"the token lacks the scope {scope}"


def _query(takes: type[Any], lists: set[str], given: Fields) -> Any:
    values = {name: texts if name in lists else texts[-1] for name, texts in given.items()}
    try:
        return msgspec.convert(values, takes, strict=False)
    except msgspec.ValidationError as error:
        raise BadRequest(_sentence(str(error))) from error


def _list_fields(takes: type[Any]) -> list[str]:
    hints = typing.get_type_hints(takes)
    return [
        field.encode_name
        for field in msgspec.structs.fields(takes)
        if any(typing.get_origin(kind) is list for kind in (hints[field.name], *typing.get_args(hints[field.name])))
    ]


def _sentence(message: str) -> str:
    """msgspec's "Expected `str` … - at `$.title`" as "title: expected …"."""
    text, _, place = message.partition(" - at ")
    field = place.strip("`").removeprefix("$").lstrip(".")
    text = text[:1].lower() + text[1:] if field else text
    return f"{field}: {text}" if field else text


def _location(shape: Any) -> str | None:
    urls = getattr(shape, "urls", None)
    found = getattr(urls, "location", None)
    return found if isinstance(found, str) else None
