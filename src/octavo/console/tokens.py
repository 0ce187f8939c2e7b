"""The page of a person's tokens: made, shown once, revoked."""

from __future__ import annotations

import msgspec

from octavo.access import locate
from octavo.access.caller import Caller
from octavo.access.people import sessions
from octavo.access.people.tokens import Made, Wanted, make_for, revoke_for
from octavo.console.answers import Answer, Header, go, html
from octavo.console.visit import HOME, Visit
from octavo.kernel.audit import Target
from octavo.kernel.clock import DAY
from octavo.kernel.errors import Failure
from octavo.kernel.operation import SCOPES
from octavo.kernel.records import Record
from octavo.kernel.records.people import Token
from octavo.store.unit import Unit

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


async def show(visit: Visit, caller: Caller, refusal: Failure | None = None) -> Answer:
    """GET /account/tokens; a token that was just made is shown on it, this once."""

    async def found(unit: Unit) -> tuple[list[Token], int]:
        others = [one for one in await unit.sessions.of_user(caller.user.id) if one.expires_at > unit.now]
        return await unit.people.tokens_of(caller.user.id), len(others)

    tokens, browsers = await visit.house.store.read(found)
    tokens.sort(key=lambda one: (one.created_at, one.id), reverse=True)
    new = _new(visit)
    page = visit.render(
        "tokens.html",
        tokens=tokens,
        new=new,
        made=next((one for one in tokens if new is not None and one.id == new.token), None),
        lifetimes=LIFETIMES,
        scopes=_grouped(),
        browsers=browsers,
        now=visit.house.store.clock(),
        error=None if refusal is None else refusal.message,
        typed={"label": visit.typed("label"), "days": visit.typed("days") if visit.fields else "90",
               "scopes": visit.fields.get("scope", [])},
    )  # fmt: skip
    taken = [_cookie(visit, "", 0)] if _SHOWN in visit.cookies else []
    return html(200 if refusal is None else refusal.status, page, *taken)


async def make(visit: Visit, caller: Caller) -> Answer:
    """POST /account/tokens."""
    days = visit.typed("days")
    now = visit.house.store.clock()
    wanted = Wanted(
        label=visit.typed("label").strip(),
        scopes=visit.fields.get("scope"),
        expires_at=now + int(days) * DAY if days in [value for value, _ in LIFETIMES if value] else None,
    )

    async def work(unit: Unit) -> Made:
        made = await make_for(unit, caller, wanted)
        await unit.audit.of_account("token.create", caller.user, target=_target(made.token))
        return made

    try:
        made = await visit.house.store.write(work, visit.provenance)
    except Failure as refusal:
        return await show(visit, caller, refusal)
    assert visit.session is not None
    new = _New(session=visit.session.id, token=made.token.id, secret=made.secret)
    sealed = visit.house.signer.seal(msgspec.json.encode(new).decode())
    return go(HOME, _cookie(visit, sealed, _SECONDS))


async def revoke(visit: Visit, caller: Caller, word: str) -> Answer:
    """POST /account/tokens/{token}/revoke; one that is gone already is as good."""

    async def work(unit: Unit) -> None:
        seen = await locate.token(unit, caller, word)
        await revoke_for(unit, caller, seen.record)
        await unit.audit.of_account("token.revoke", caller.user, target=_target(seen.record))

    try:
        await visit.house.store.write(work, visit.provenance)
    except Failure as refusal:
        return await show(visit, caller, refusal)
    return go(HOME)


def _target(token: Token) -> Target:
    return Target("token", token.id, token.label)


def _new(visit: Visit) -> _New | None:
    """The token to show, if this browser has just made one."""
    sealed = visit.cookies.get(_SHOWN)
    if not sealed or visit.session is None:
        return None
    try:
        new = msgspec.json.decode(visit.house.signer.unseal(sealed), type=_New)
    except (ValueError, msgspec.DecodeError):
        return None
    return new if new.session == visit.session.id else None


def _cookie(visit: Visit, value: str, age: int) -> Header:
    return sessions.set_cookie(_SHOWN, value, age, secure=visit.house.secure, path=HOME)


def _grouped() -> list[tuple[str, list[str]]]:
    """Scopes by what they begin with."""
    groups: dict[str, list[str]] = {}
    for scope in SCOPES:
        groups.setdefault(_GROUPS.get(begins := scope.partition(":")[0], begins.capitalize()), []).append(scope)
    return list(groups.items())
