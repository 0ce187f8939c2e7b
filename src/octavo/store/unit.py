"""A unit of work: one transaction with every shelf, and the events that happened in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import msgspec

from octavo.kernel.audit import Source
from octavo.kernel.clock import Clock
from octavo.kernel.events import Event
from octavo.kernel.records import Json
from octavo.store.content.links import Links
from octavo.store.content.revisions import BlobIndex, Objects, Revisions
from octavo.store.database.engine import Connection, Engine
from octavo.store.installation import Cache, Installation
from octavo.store.jobs import Jobs
from octavo.store.kept import Kept
from octavo.store.library.grants import Grants
from octavo.store.library.spaces import Spaces
from octavo.store.people.audit import Audit
from octavo.store.people.invites import Invites
from octavo.store.people.notifications import Notifications
from octavo.store.people.people import People
from octavo.store.people.proofs import Proofs
from octavo.store.people.saml import Saml
from octavo.store.people.sessions import Sessions
from octavo.store.people.teams import Teams
from octavo.store.review.change_requests import ChangeRequests
from octavo.store.review.comments import Comments
from octavo.store.review.reviews import Reviews
from octavo.store.search.search import SearchIndex
from octavo.store.sites import Sites

T = TypeVar("T")


class Provenance(msgspec.Struct, frozen=True):
    """Who works, and on whose request."""

    actor: str | None = None
    token: str | None = None
    address: str | None = None
    request: str | None = None
    agent: str | None = None
    """What the header `User-Agent` says."""
    session: str | None = None
    source: Source = "workflow"


NOBODY = Provenance()
"""The process itself."""


@dataclass(frozen=True)
class Reaction:
    """A job that an event asks for."""

    kind: str
    payload: Json
    dedup: str | None = None
    delay: int = 0
    """Milliseconds."""


Reactions = Callable[[Event], list[Reaction]]


class Unit:
    """One transaction. Shelves are attributes; nothing outside is touched before it commits."""

    def __init__(self, at: Connection, now: int, provenance: Provenance, reactions: Reactions, kept: Kept) -> None:
        self.at = at
        self.kept = kept
        self.now = now
        self.provenance = provenance
        self._reactions = reactions
        self.enqueued = False

    @cached_property
    def audit(self) -> Audit:
        return Audit(self.at, self.now, self.provenance)

    @cached_property
    def people(self) -> People:
        return People(self.at)

    @cached_property
    def sessions(self) -> Sessions:
        return Sessions(self.at)

    @cached_property
    def saml(self) -> Saml:
        return Saml(self.at)

    @cached_property
    def proofs(self) -> Proofs:
        return Proofs(self.at)

    @cached_property
    def invites(self) -> Invites:
        return Invites(self.at)

    @cached_property
    def teams(self) -> Teams:
        return Teams(self.at)

    @cached_property
    def grants(self) -> Grants:
        return Grants(self.at)

    @cached_property
    def spaces(self) -> Spaces:
        return Spaces(self.at)

    @cached_property
    def sites(self) -> Sites:
        return Sites(self.at)

    @cached_property
    def change_requests(self) -> ChangeRequests:
        return ChangeRequests(self.at)

    @cached_property
    def reviews(self) -> Reviews:
        return Reviews(self.at)

    @cached_property
    def comments(self) -> Comments:
        return Comments(self.at)

    @cached_property
    def notifications(self) -> Notifications:
        return Notifications(self.at)

    @cached_property
    def revisions(self) -> Revisions:
        return Revisions(self.at)

    @cached_property
    def objects(self) -> Objects:
        return Objects(self.at)

    @cached_property
    def blobs(self) -> BlobIndex:
        return BlobIndex(self.at)

    @cached_property
    def links(self) -> Links:
        return Links(self.at)

    @cached_property
    def jobs(self) -> Jobs:
        return Jobs(self.at)

    @cached_property
    def search(self) -> SearchIndex:
        return SearchIndex(self.at)

    @cached_property
    def installation(self) -> Installation:
        return Installation(self.at)

    @cached_property
    def cache(self) -> Cache:
        return Cache(self.at)

    async def emit(self, event: Event) -> list[str]:
        """Enqueue what the event asks for, in this transaction; the ids of the jobs."""
        jobs = []
        for reaction in self._reactions(event):
            job = await self.jobs.add(
                reaction.kind,
                reaction.payload,
                now=self.now,
                organization=event.organization or None,
                dedup=reaction.dedup,
                delay=reaction.delay,
            )
            jobs.append(job.id)
            self.enqueued = True
        return jobs


class Store:
    """Opens units on an engine; tells workers of new jobs after the commit, never before."""

    def __init__(
        self, engine: Engine, clock: Clock, reactions: Reactions = lambda event: [], *, kept: Kept | None = None
    ) -> None:
        """`kept` holds what was made of this store's data; without one it is a keeper of the usual size."""
        self.engine = engine
        self.clock = clock
        self.kept = kept or Kept()
        self._reactions = reactions
        self.on_work: Callable[[], None] = lambda: None

    async def read(self, work: Callable[[Unit], Awaitable[T]], provenance: Provenance = NOBODY) -> T:
        """Run `work` on one view of the data."""
        return await self.engine.read(lambda at: work(self._unit(at, provenance)))

    async def read_apart(self, work: Callable[[Unit], Awaitable[T]], provenance: Provenance = NOBODY) -> T:
        """The same for what takes milliseconds; see `Engine.read_apart`."""
        return await self.engine.read_apart(lambda at: work(self._unit(at, provenance)))

    async def write(
        self,
        work: Callable[[Unit], Awaitable[T]],
        provenance: Provenance = NOBODY,
        *,
        lock: tuple[str, str] | None = None,
    ) -> T:
        """Run `work` in a transaction; see `Engine.write`."""
        enqueued = False

        async def run(at: Connection) -> T:
            nonlocal enqueued
            unit = self._unit(at, provenance)
            result = await work(unit)
            enqueued = unit.enqueued
            return result

        result = await self.engine.write(run, lock=lock)
        if enqueued:
            self.on_work()
        return result

    def _unit(self, at: Connection, provenance: Provenance) -> Unit:
        return Unit(at, self.clock(), provenance, self._reactions, self.kept)
