"""Tokens: what programs call with on behalf of a user."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from octavo.access.locate import SeenToken
from octavo.access.people.tokens import Made, Wanted, make_for, revoke_for
from octavo.kernel.operation import READ, Nothing, Operation, write
from octavo.kernel.records.people import Token
from octavo.resources.call import Call, Page
from octavo.wire.fields import moment
from octavo.wire.lists import Listing, ListQuery
from octavo.wire.people import tokens
from octavo.wire.people.tokens import CreateUserAPIToken
from octavo.wire.view import View


@dataclass(frozen=True)
class AtToken:
    token: SeenToken


async def list_mine(call: Call, at: Nothing, query: ListQuery) -> Page[Token]:
    """Newest first."""
    found = await call.unit.people.tokens_of(call.caller.user.id)
    found.sort(key=lambda one: (-one.created_at, one.id))
    return call.cut(found, query, lambda one: (-one.created_at, one.id))


async def create(call: Call, at: Nothing, body: CreateUserAPIToken) -> Made:
    """Its secret is in this answer and nowhere else."""
    wanted = Wanted(
        label="" if body.label is UNSET else body.label,
        scopes=None if body.scopes is UNSET else body.scopes,
        expires_at=None if body.expires_at is UNSET else moment(body.expires_at),
    )
    return await make_for(call.unit, call.caller, wanted)


async def get(call: Call, at: AtToken, takes: Nothing) -> Token:
    """One of the caller's tokens."""
    return at.token.record


async def revoke(call: Call, at: AtToken, takes: Nothing) -> None:
    """Within a second no process takes it any more."""
    await revoke_for(call.unit, call.caller, at.token.record)


def _present_page(page: Page[Token], view: View) -> Listing[tokens.UserAPIToken]:
    return page.present(lambda one: tokens.present(one, view))


def _present_made(made: Made, view: View) -> tokens.CreatedUserAPIToken:
    return tokens.present_made(made.token, made.secret, view)


def _nothing(done: None, view: View) -> None:
    """204 carries no body."""


_ALL = "/user/tokens"
_ONE = _ALL + "/{token}"

OPERATIONS = (
    Operation(
        id="listUserAPITokens",
        method="GET",
        path=_ALL,
        at=Nothing,
        takes=ListQuery,
        does=list_mine,
        present=_present_page,
        gives=Listing[tokens.UserAPIToken],
        status=200,
        needs="user",
        pace="read",
        unit=READ,
        scope="user:read",
        summary="List the caller's tokens",
        tag="tokens",
    ),
    Operation(
        id="createUserAPIToken",
        method="POST",
        path=_ALL,
        at=Nothing,
        takes=CreateUserAPIToken,
        does=create,
        present=_present_made,
        gives=tokens.CreatedUserAPIToken,
        status=201,
        needs="user",
        pace="write",
        unit=write(),
        scope=None,
        summary="Create a token",
        tag="tokens",
    ),
    Operation(
        id="getUserAPIToken",
        method="GET",
        path=_ONE,
        at=AtToken,
        takes=Nothing,
        does=get,
        present=tokens.present,
        gives=tokens.UserAPIToken,
        status=200,
        needs="user",
        pace="read",
        unit=READ,
        scope="user:read",
        summary="Get a token",
        tag="tokens",
    ),
    Operation(
        id="revokeUserAPIToken",
        method="DELETE",
        path=_ONE,
        at=AtToken,
        takes=Nothing,
        does=revoke,
        present=_nothing,
        gives=None,
        status=204,
        needs="user",
        pace="write",
        unit=write(),
        scope=None,
        summary="Revoke a token",
        tag="tokens",
    ),
)
