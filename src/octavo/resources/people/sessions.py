"""The caller's browsers, which can be signed out one by one or all at once, and her password."""

from __future__ import annotations

from typing import Any

from octavo.access.caller import Caller
from octavo.access.locate import SeenSession
from octavo.access.people import attempts, passwords
from octavo.access.people.sessions import alive
from octavo.kernel import limits
from octavo.kernel.errors import Conflict, Forbidden, TooMany
from octavo.kernel.operation import UNLIMITED, Nothing, Rule, nothing, reads, writes
from octavo.kernel.records.people import Session
from octavo.resources.call import Ahead, Call, Slice, listed
from octavo.resources.places import Place
from octavo.wire.lists import ListQuery
from octavo.wire.people import sessions
from octavo.wire.people.sessions import SessionView, SetPassword


class AtSession(Place, frozen=True):
    session: SeenSession


async def list_mine(call: Call, at: Nothing, query: ListQuery) -> Slice[SessionView]:
    """Newest first, with the one that asks."""
    found = [one for one in await call.unit.sessions.of_user(call.caller.user.id) if alive(one, call.now)]
    found.sort(key=lambda one: (-one.created_at, one.id))
    page = call.cut(found, query, lambda one: (-one.created_at, one.id))
    return Slice([SessionView(one, _is_here(call.caller, one)) for one in page.items], page.count, page.next)


def _is_here(caller: Caller, session: Session) -> bool:
    return caller.session is not None and caller.session.id == session.id


async def end(call: Call, at: AtSession, takes: Nothing) -> None:
    """That browser has to sign in again."""
    await call.unit.sessions.remove(at.session.record.id)


async def end_others(call: Call, at: Nothing, takes: Nothing) -> None:
    """All but the one that asks; asked with a token, all."""
    here = call.caller.session
    await call.unit.sessions.remove_of_user(call.caller.user.id, besides="" if here is None else here.id)


async def prepare_password(prior: Ahead, at: Nothing, body: SetPassword) -> tuple[str | None, str]:
    """(hash of the password that holds, hash of the new one). Raises Forbidden where `current` is not the password, Conflict
    where there is none, TooMany after too many attempts: whoever sits before an open browser does not guess on."""
    user = prior.caller.user.id
    tried = attempts.Allowance(f"password of {user}", limits.LOGINS_OF_ACCOUNT, limits.LOGIN_MINUTES)
    if not await prior.store.write(lambda unit: attempts.spend(unit, [tried]), prior.provenance):
        raise TooMany("too many attempts; wait some minutes")
    digest = await prior.read(lambda unit: unit.proofs.password(user))
    if digest is None:
        raise Conflict("the account has no password: it signs in by mail or by an identity provider")
    if not await passwords.matches(body.current, digest):
        raise Forbidden("current: is not your password")
    return digest, await passwords.digest_of(body.password)


async def set_password(call: Call, at: Nothing, body: SetPassword) -> None:
    """Another one; every other browser has to sign in again, and tokens stay."""
    before, digest = call.prepared
    user = call.caller.user.id
    if await call.unit.proofs.password(user) != before:
        raise Forbidden("current: is not your password")
    await attempts.forget(call.unit, f"password of {user}")
    await call.unit.proofs.set_password(user, digest, call.now)
    await call.unit.sessions.remove_of_user(user, besides="" if call.caller.session is None else call.caller.session.id)


def _somebody(caller: Caller, at: Any, takes: object) -> bool:
    return caller.is_somebody


SOMEBODY: Rule[Any, Any] = Rule("who has an account", _somebody, "this is for people with an account")
_ALL = "/user/sessions"

OPERATIONS = (
    reads("listUserSessions", _ALL, list_mine, listed(sessions.present),
          needs=SOMEBODY, scope=UNLIMITED, tag="tokens", summary="List the browsers that the caller is signed in with"),
    writes("DELETE", "endOtherUserSessions", _ALL, end_others, nothing,
           status=204, needs=SOMEBODY, scope=UNLIMITED, audit="user.session.end-others", tag="tokens",
           summary="Sign out every other browser"),
    writes("DELETE", "endUserSession", _ALL + "/{session}", end, nothing,
           status=204, needs=SOMEBODY, scope=UNLIMITED, audit="user.session.end", tag="tokens",
           also="whose session it is", summary="Sign out a browser"),
    writes("PUT", "setUserPassword", "/user/password", set_password, nothing,
           before=prepare_password, status=204, needs=SOMEBODY, scope=UNLIMITED, audit="user.password.change",
           tag="tokens", summary="Change one's password"),
)  # fmt: skip
