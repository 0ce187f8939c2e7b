"""Bearer tokens: who calls, remembered for less than a second."""

from __future__ import annotations

from octavo.access.caller import Caller, caller_of
from octavo.kernel.clock import MINUTE, Clock
from octavo.store.memory import Memory
from octavo.store.unit import Store

_TOUCHED_EVERY = 5 * MINUTE


class Callers:
    """Token -> caller."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: Memory[Caller] = Memory(store)

    async def find(self, secret: str, *, fresh: bool = False) -> tuple[Caller | None, bool]:
        """The caller, and whether that was remembered; `fresh` asks the store anew."""
        known = await self._known.get(secret)
        if known is not None and not fresh:
            return known, True
        caller = await self._store.read(lambda unit: caller_of(unit, secret))
        if caller is None:
            self._known.forget(secret)
            return None, False
        await self._note_use(caller)
        self._known.put(secret, caller, until=caller.token.expires_at)
        return caller, False

    async def _note_use(self, caller: Caller) -> None:
        """Keep `last_used_at` true within minutes, at the price of one small write each."""
        now = self._clock()
        if now - (caller.token.last_used_at or 0) > _TOUCHED_EVERY:
            token = caller.token.id
            await self._store.write(lambda unit: unit.people.touch_token(token, now))
