"""Who is signed in with the browser that asks: by its cookie, or by the token of a page that was opened in it."""

from __future__ import annotations

from octavo.access.caller import Caller
from octavo.access.people import sessions
from octavo.kernel.clock import MINUTE
from octavo.kernel.ids import token_hash
from octavo.store.database.memory import Memory
from octavo.store.unit import Store, Unit

PAGE_LIVES = 10 * MINUTE
"""Milliseconds for which the token of a page opens the API, unless its session ends before."""


class Browsers:
    """Cookie -> caller, remembered for less than a second."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: Memory[Caller] = Memory(store, "callers")

    async def find(self, value: str) -> Caller | None:
        """Who is signed in with it; None = nobody any more."""
        digest = token_hash(value)
        known = self._known.get(digest)
        if known is not None and known.session is not None and sessions.alive(known.session, self._store.clock()):
            return known
        generation = self._known.generation
        caller = await self._store.read(lambda unit: _caller(unit, value))
        if caller is None or caller.session is None:
            self._known.forget(digest)
            return None
        now, session = self._store.clock(), caller.session
        if now - session.used_at > sessions.TOUCHED_EVERY:
            await self._store.write(lambda unit: unit.sessions.touch(session.id, now))
        self._known.put(digest, caller, generation)
        return caller


async def _caller(unit: Unit, value: str) -> Caller | None:
    session = await sessions.find(unit, value)
    return None if session is None else await sessions.caller_of_session(unit, session)


async def caller_of_page(unit: Unit, session: str) -> Caller | None:
    """Whom the token of a page stands for, by its session's id: the same as the session, as long as that is alive."""
    found = await unit.sessions.get(session)
    if found is None or not sessions.alive(found, unit.now):
        return None
    return await sessions.caller_of_session(unit, found)
