"""Personal tokens: who makes which, and who takes them away; a token never gives more than it has."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from octavo.access.caller import Caller
from octavo.kernel import limits, names
from octavo.kernel.errors import BadRequest, Conflict, Forbidden
from octavo.kernel.ids import new_id, new_token, token_hash
from octavo.kernel.operation import SCOPES
from octavo.kernel.records.people import Token
from octavo.store.unit import Unit


class Wanted(msgspec.Struct, frozen=True):
    """What a new token shall be."""

    label: str = ""
    scopes: Sequence[str] | None = None
    """None = every scope, or those of the token that asks."""
    expires_at: int | None = None
    """None = never, or when the token that asks expires."""


class Made(msgspec.Struct, frozen=True):
    """A token, and what it is called with: known here and never again."""

    token: Token
    secret: str


async def make(unit: Unit, user: str, wanted: Wanted, *, provider: str | None = None) -> Made:
    """Make a token of a user; `provider` is the SAML provider that proved who asks.

    Raises BadRequest for scopes that do not exist and a time that is over, Conflict where there are too many.
    """
    unknown = [scope for scope in wanted.scopes or () if scope not in SCOPES]
    if unknown:
        raise BadRequest(f"scopes: there is no scope {unknown[0]!r}")
    if wanted.scopes is not None and not wanted.scopes:
        raise BadRequest("scopes: name at least one, or leave it out for all")
    if wanted.expires_at is not None and wanted.expires_at <= unit.now:
        raise BadRequest("expiresAt: is not in the future")
    if len(wanted.label) > limits.TOKEN_LABEL_MAX:
        raise BadRequest(f"label: has more than {limits.TOKEN_LABEL_MAX} characters")
    wrong = names.fault(wanted.label)
    if wrong is not None:
        raise BadRequest(f"label: {wrong}")
    if len(await unit.people.tokens_of(user)) >= limits.TOKENS_MAX:
        raise Conflict(f"there are {limits.TOKENS_MAX} tokens already; revoke one first")
    secret = new_token()
    token = Token(
        id=new_id(),
        user=user,
        hash=token_hash(secret),
        label=wanted.label,
        scopes=None if wanted.scopes is None else sorted(set(wanted.scopes)),
        provider=provider,
        created_at=unit.now,
        expires_at=wanted.expires_at,
    )
    await unit.people.add_token(token)
    return Made(token, secret)


async def make_for(unit: Unit, caller: Caller, wanted: Wanted) -> Made:
    """The same as the caller asks: one made with a token has no scope that this lacks, and does not outlive it.

    Raises Forbidden when more is asked.
    """
    scopes, ends = wanted.scopes, wanted.expires_at
    held = caller.token.scopes
    if held is not None:
        scopes = held if scopes is None else scopes
        lacking = sorted(set(scopes) - set(held))
        if lacking:
            raise Forbidden(f"the token lacks the scope {lacking[0]} and cannot give it")
    if caller.session is None and caller.token.expires_at is not None:
        ends = caller.token.expires_at if ends is None else ends
        if ends > caller.token.expires_at:
            raise Forbidden("a token cannot make one that expires later than it does")
    return await make(unit, caller.user.id, Wanted(wanted.label, scopes, ends), provider=caller.provider)


async def revoke_for(unit: Unit, caller: Caller, token: Token) -> None:
    """Revoke one of the caller's tokens: a token may revoke itself, and those that can do nothing that it cannot.

    Raises Forbidden for others.
    """
    held = caller.token.scopes
    if held is not None and token.id != caller.token.id and (token.scopes is None or set(token.scopes) - set(held)):
        raise Forbidden("the token cannot revoke one that has scopes it lacks")
    await unit.people.revoke_token(token.id)
