"""Bearer tokens, of users, of pages of the application and of visits: who calls, remembered for less than a second."""

from __future__ import annotations

import contextlib
from collections.abc import Collection

import msgspec

from octavo.access import visits
from octavo.access.acting import is_acting
from octavo.access.caller import Caller, caller_of, integration_caller
from octavo.access.people.browsers import caller_of_page
from octavo.access.signing import PAGE, Signer
from octavo.kernel.clock import MINUTE, Clock
from octavo.kernel.errors import Failure
from octavo.kernel.ids import token_hash
from octavo.site import visits as of_sites
from octavo.store.database.memory import Memory
from octavo.store.unit import Store
from octavo.web.pace import Latest

_TOUCHED_EVERY = 5 * MINUTE
_SEEN_MOST = 20_000
"""Members of whom this process remembers when it noted them last, and tokens of which it knows that they were valid."""


class Callers:
    """Token -> caller."""

    def __init__(self, store: Store, clock: Clock, signer: Signer, operators: Collection[str] = ()) -> None:
        self._operators = frozenset(one.strip().casefold() for one in operators)
        self._store = store
        self._clock = clock
        self._signer = signer
        self._known: Memory[Caller] = Memory(store, "callers")
        self._visits: Memory[Caller] = Memory(store, "sites")
        self._seen: Latest[tuple[str, str]] = Latest(_SEEN_MOST)
        self._met: Latest[str] = Latest(_SEEN_MOST)

    def known(self, secret: str) -> Caller | None:
        """The caller, if that is remembered."""
        # What is remembered goes by the hash: the secret itself is neither kept nor compared.
        return (self._visits if visits.is_visit(secret) else self._known).get(token_hash(secret))

    def met(self, secret: str) -> bool:
        """Whether the token was valid lately: somebody's, and no guess."""
        return self._met.get(token_hash(secret)) > 0

    async def find(self, secret: str) -> Caller | None:
        """The caller as the store has it now; None for nobody."""
        digest = token_hash(secret)
        if visits.is_visit(secret):
            return await self._visiting(secret, digest)
        if is_acting(secret):
            return await self._acting(secret, digest)
        if secret.startswith(PAGE):
            return await self._on_page(secret, digest)
        generation = self._known.current()
        caller = self._named(await self._store.read(lambda unit: caller_of(unit, digest)))
        if caller is None:
            self._known.forget(digest)
            return None
        await self._note_use(caller)
        self._known.put(digest, caller, generation, until=caller.token.expires_at)
        self._met.note(digest, 1)
        return caller

    async def _visiting(self, secret: str, digest: str) -> Caller | None:
        visit = visits.read(self._signer.visits, secret, self._clock())
        if visit is None:
            return None
        generation = self._visits.current()
        caller = await self._store.read(lambda unit: of_sites.caller_of(unit, visit))
        if caller is not None:
            self._visits.put(digest, caller, generation)
            self._met.note(digest, 1)
        return caller

    async def _acting(self, secret: str, digest: str) -> Caller | None:
        word = self._signer.read_acting(secret)
        if word is None:
            return None
        generation = self._known.current()
        caller = await self._store.read(lambda unit: integration_caller(unit, word))
        if caller is None:
            self._known.forget(digest)
            return None
        self._known.put(digest, caller, generation, until=word.until)
        self._met.note(digest, 1)
        return caller

    async def _on_page(self, secret: str, digest: str) -> Caller | None:
        session = self._signer.read_page_token(secret, self._clock())
        if session is None:
            return None
        generation = self._known.current()
        caller = self._named(await self._store.read(lambda unit: caller_of_page(unit, session)))
        if caller is None:
            self._known.forget(digest)
            return None
        self._known.put(digest, caller, generation)
        self._met.note(digest, 1)
        return caller

    def _named(self, caller: Caller | None) -> Caller | None:
        """The same, who knows whom the settings name as operators."""
        return caller and msgspec.structs.replace(caller, operators=self._operators)

    async def _note_use(self, caller: Caller) -> None:
        """Keep `last_used_at` true within minutes, at the price of one small write each."""
        now = self._clock()
        if now - (caller.token.last_used_at or 0) > _TOUCHED_EVERY:
            token = caller.token.id
            await self._store.write(lambda unit: unit.people.touch_token(token, now))

    def is_news(self, caller: Caller, organization: str) -> bool:
        """Whether it is minutes since a member was noted to be there."""
        return self._clock() - self._seen.get((caller.user.id, organization)) > _TOUCHED_EVERY

    async def note_seen(self, caller: Caller, organization: str) -> None:
        """Keep a member's `last_seen_at` true within minutes, at the same price."""
        key, now = (caller.user.id, organization), self._clock()
        self._seen.note(key, now)
        # What was asked is done: it does not fail for this.
        with contextlib.suppress(Failure):
            await self._store.write(lambda unit: unit.people.note_seen(organization, caller.user.id, now))
