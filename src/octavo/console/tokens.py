"""The page of a person's tokens: made, shown once, revoked."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.access.people import sessions
from octavo.access.people.tokens import Made, Wanted, make_for, revoke_for
from octavo.console.request import ConsoleRequest
from octavo.kernel.audit import Target
from octavo.kernel.clock import DAY
from octavo.kernel.errors import Failure
from octavo.kernel.records import Record
from octavo.kernel.records.people import Token
from octavo.store.unit import Unit
from octavo.web.answers import Answer, html, redirect
from octavo.web.asgi import Header

PLACE = "/account/tokens"
LIFETIMES = (("30", "30 days"), ("90", "90 days"), ("365", "a year"), ("", "it does not expire"))
_GROUPS = {"change-request": "Change requests", "openapi": "OpenAPI"}
_SHOWN = "octavo_made"
_SECONDS = 120
"""For which a new token waits to be shown; then it is gone."""


class _New(Record, frozen=True, kw_only=True):
    """What the cookie holds, sealed, between the form and the page that shows the token."""

    session: str
    token: str
    secret: str


async def show(request: ConsoleRequest, caller: Caller, refusal: Failure | None = None) -> Answer:
    """GET /account/tokens; a token that was just made is shown on it, this once."""

    async def found(unit: Unit) -> tuple[list[Token], int]:
        others = [one for one in await unit.sessions.of_user(caller.user.id) if one.expires_at > unit.now]
        return await unit.people.tokens_of(caller.user.id), len(others)

    tokens, browsers = await request.services.store.read(found)
    tokens.sort(key=lambda one: (one.created_at, one.id), reverse=True)
    new = _new(request)
    page = request.render(
        "tokens.html",
        tokens=tokens,
        new=new,
        made=next((one for one in tokens if new is not None and one.id == new.token), None),
        lifetimes=LIFETIMES,
        scopes=_grouped(request.services.scopes),
        browsers=browsers,
        now=request.services.store.clock(),
        error=None if refusal is None else refusal.message,
        typed={"label": request.typed("label"), "days": request.typed("days") if request.fields else "90",
               "scopes": request.fields.get("scope", [])},
    )  # fmt: skip
    taken = [_cookie(request, "", 0)] if _SHOWN in request.cookies else []
    return html(200 if refusal is None else refusal.status, page, *taken)


async def make(request: ConsoleRequest, caller: Caller) -> Answer:
    """POST /account/tokens."""
    days = request.typed("days")
    now = request.services.store.clock()
    wanted = Wanted(
        label=request.typed("label").strip(),
        scopes=request.fields.get("scope"),
        expires_at=now + int(days) * DAY if days in [value for value, _ in LIFETIMES if value] else None,
    )

    async def work(unit: Unit) -> Made:
        made = await make_for(unit, caller, wanted)
        await unit.audit.of_account("token.create", caller.user, target=_target(made.token))
        return made

    try:
        made = await request.services.store.write(work, request.provenance)
    except Failure as refusal:
        return await show(request, caller, refusal)
    assert request.session is not None
    new = _New(session=request.session.id, token=made.token.id, secret=made.secret)
    sealed = request.services.signer.seal(msgspec.json.encode(new).decode())
    return redirect(303, PLACE, _cookie(request, sealed, _SECONDS))


async def revoke(request: ConsoleRequest, caller: Caller, word: str) -> Answer:
    """POST /account/tokens/{token}/revoke; one that is gone already is as good."""

    async def work(unit: Unit) -> None:
        seen = await locate.token(unit, caller, word)
        await revoke_for(unit, caller, seen.record)
        await unit.audit.of_account("token.revoke", caller.user, target=_target(seen.record))

    try:
        await request.services.store.write(work, request.provenance)
    except Failure as refusal:
        return await show(request, caller, refusal)
    return redirect(303, PLACE)


def _target(token: Token) -> Target:
    return Target("token", token.id, token.label)


def _new(request: ConsoleRequest) -> _New | None:
    """The token to show, if this browser has just made one."""
    sealed = request.cookies.get(_SHOWN)
    if not sealed or request.session is None:
        return None
    try:
        new = msgspec.json.decode(request.services.signer.unseal(sealed), type=_New)
    except (ValueError, msgspec.DecodeError):
        return None
    return new if new.session == request.session.id else None


def _cookie(request: ConsoleRequest, value: str, age: int) -> Header:
    return sessions.set_cookie(_SHOWN, value, age, secure=request.services.secure, path=PLACE)


def _grouped(scopes: Collection[str]) -> list[tuple[str, list[str]]]:
    """Scopes by what they begin with."""
    groups: dict[str, list[str]] = {}
    for scope in scopes:
        groups.setdefault(_GROUPS.get(begins := scope.partition(":")[0], begins.capitalize()), []).append(scope)
    return list(groups.items())
