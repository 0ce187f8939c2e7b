"""Tokens: what programs call with on behalf of a user."""

from __future__ import annotations

from msgspec import UNSET

from octavo.access.locate import SeenToken
from octavo.access.people.tokens import Made, Wanted, make_for, revoke_for
from octavo.kernel.operation import ANYBODY, Nothing, nothing, reads, writes
from octavo.kernel.records.people import Token
from octavo.resources.call import Call, Slice, listed
from octavo.resources.places import Place
from octavo.wire.fields import milliseconds
from octavo.wire.lists import ListQuery
from octavo.wire.people import tokens
from octavo.wire.people.tokens import CreateUserAPIToken
from octavo.wire.view import View


class AtToken(Place, frozen=True):
    token: SeenToken


async def list_mine(call: Call, at: Nothing, query: ListQuery) -> Slice[Token]:
    """Newest first."""
    found = await call.unit.people.tokens_of(call.caller.user.id)
    found.sort(key=lambda one: (-one.created_at, one.id))
    return call.cut(found, query, lambda one: (-one.created_at, one.id))


async def create(call: Call, at: Nothing, body: CreateUserAPIToken) -> Made:
    """Its secret is in this answer and nowhere else."""
    wanted = Wanted(
        label="" if body.label is UNSET else body.label,
        scopes=None if body.scopes is UNSET else body.scopes,
        expires_at=None if body.expires_at is UNSET else milliseconds(body.expires_at),
    )
    return await make_for(call.unit, call.caller, wanted)


async def get(call: Call, at: AtToken, takes: Nothing) -> Token:
    """One of the caller's tokens."""
    return at.token.record


async def revoke(call: Call, at: AtToken, takes: Nothing) -> None:
    """Within a second no process takes it any more."""
    await revoke_for(call.unit, call.caller, at.token.record)


def _present_made(made: Made, view: View) -> tokens.CreatedUserAPIToken:
    return tokens.present_made(made.token, made.secret, view)


_ALL = "/user/tokens"
_ONE = _ALL + "/{token}"


OPERATIONS = (
    reads("listUserAPITokens", _ALL, list_mine, listed(tokens.present),
          needs=ANYBODY, scope="user:read", tag="tokens", summary="List the caller's tokens"),
    writes("POST", "createUserAPIToken", _ALL, create, _present_made,
           status=201, needs=ANYBODY, scope=None, audit="token.create", tag="tokens", about=lambda made: made.token,
           summary="Create a token"),
    reads("getUserAPIToken", _ONE, get, tokens.present,
          needs=ANYBODY, scope="user:read", tag="tokens", also="whose token it is", summary="Get a token"),
    writes("DELETE", "revokeUserAPIToken", _ONE, revoke, nothing,
           status=204, needs=ANYBODY, scope=None, audit="token.revoke", tag="tokens", also="whose token it is",
           summary="Revoke a token"),
)  # fmt: skip
