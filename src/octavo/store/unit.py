"""A unit of work: one transaction with every shelf, and the events that happened in it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Generic, TypeVar

import msgspec

from octavo.kernel import traces
from octavo.kernel.clock import Clock
from octavo.kernel.events import Event
from octavo.kernel.figures import Histogram, histograms
from octavo.kernel.records import Json
from octavo.store.content.links import Links
from octavo.store.content.revisions import BlobIndex, Objects, Revisions
from octavo.store.database.engine import Connection, Engine
from octavo.store.git import GitShelf
from octavo.store.git_sites import GitSites
from octavo.store.imports import Imports
from octavo.store.insights.reach import Insights
from octavo.store.installation import Cache, Installation
from octavo.store.integrations.events import IntegrationEvents
from octavo.store.integrations.integrations import Integrations
from octavo.store.integrations.listeners import Listeners
from octavo.store.integrations.webhooks import Webhooks
from octavo.store.jobs import Jobs
from octavo.store.kept import Kept
from octavo.store.library.grants import Grants
from octavo.store.library.spaces import Spaces
from octavo.store.openapi import OpenAPISpecs
from octavo.store.people.audit import Audit
from octavo.store.people.domains import Domains
from octavo.store.people.invites import Invites
from octavo.store.people.notifications import Notifications
from octavo.store.people.people import People
from octavo.store.people.presences import Presences
from octavo.store.people.proofs import Proofs
from octavo.store.people.saml import Saml
from octavo.store.people.scim import Scim
from octavo.store.people.sessions import Sessions
from octavo.store.people.teams import Teams
from octavo.store.provenance import NOBODY, Provenance
from octavo.store.review.change_requests import ChangeRequests
from octavo.store.review.comments import Comments
from octavo.store.review.reviews import Reviews
from octavo.store.search.search import SearchIndex
from octavo.store.sites.feedback import PageFeedbacks
from octavo.store.sites.fonts import Fonts
from octavo.store.sites.hostnames import Hostnames
from octavo.store.sites.mcp_servers import McpServers
from octavo.store.sites.redirects import Redirects
from octavo.store.sites.sites import Sites
from octavo.store.sites.structure import Structure
from octavo.store.translations import Glossary, TranslationMemory, Translations
from octavo.store.whole import Whole

S = TypeVar("S")
T = TypeVar("T")

__all__ = ["NOBODY", "Provenance", "Reaction", "Reactions", "Store", "Unit"]


class Reaction(msgspec.Struct, frozen=True):
    """A job that an event asks for."""

    kind: str
    payload: Json
    dedup: str | None = None
    delay: int = 0
    """Milliseconds."""
    heard_as: frozenset[str] = frozenset()
    """The job is made where somebody listens for one of these names (see `Listeners`); without names always."""


Reactions = Callable[[Event], list[Reaction]]


class _Shelf(Generic[S]):
    """An attribute that is made with its first use in a unit. (A cached property takes a lock, which costs more.)"""

    def __init__(self, kind: Callable[[Connection], S]) -> None:
        self._kind = kind

    def __set_name__(self, owner: type[Unit], name: str) -> None:
        self._name = name

    def __get__(self, unit: Unit, owner: type[Unit]) -> S:
        made: S = unit.__dict__.setdefault(self._name, self._kind(unit.at))
        return made


class Unit:
    """One transaction. Shelves are attributes; nothing outside is touched before it commits."""

    people = _Shelf(People)
    sessions = _Shelf(Sessions)
    saml = _Shelf(Saml)
    scim = _Shelf(Scim)
    domains = _Shelf(Domains)
    proofs = _Shelf(Proofs)
    invites = _Shelf(Invites)
    teams = _Shelf(Teams)
    grants = _Shelf(Grants)
    spaces = _Shelf(Spaces)
    git = _Shelf(GitShelf)
    git_sites = _Shelf(GitSites)
    sites = _Shelf(Sites)
    feedback = _Shelf(PageFeedbacks)
    structure = _Shelf(Structure)
    hostnames = _Shelf(Hostnames)
    redirects = _Shelf(Redirects)
    mcp_servers = _Shelf(McpServers)
    fonts = _Shelf(Fonts)
    translations = _Shelf(Translations)
    translation_memory = _Shelf(TranslationMemory)
    glossary = _Shelf(Glossary)
    imports = _Shelf(Imports)
    openapi = _Shelf(OpenAPISpecs)
    integrations = _Shelf(Integrations)
    integration_events = _Shelf(IntegrationEvents)
    webhooks = _Shelf(Webhooks)
    listeners = _Shelf(Listeners)
    change_requests = _Shelf(ChangeRequests)
    reviews = _Shelf(Reviews)
    comments = _Shelf(Comments)
    notifications = _Shelf(Notifications)
    presences = _Shelf(Presences)
    revisions = _Shelf(Revisions)
    objects = _Shelf(Objects)
    blobs = _Shelf(BlobIndex)
    links = _Shelf(Links)
    jobs = _Shelf(Jobs)
    search = _Shelf(SearchIndex)
    installation = _Shelf(Installation)
    whole = _Shelf(Whole)
    cache = _Shelf(Cache)

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

    async def emit(self, event: Event) -> list[str]:
        """Enqueue what the event asks for, in this transaction; the ids of the jobs."""
        jobs = []
        for reaction in self._reactions(event):
            if reaction.heard_as and not await self.listeners.any_for(event.organization, reaction.heard_as):
                continue
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


class Writes:
    """How long units that write waited for their turn, a lock or a connection, and how long they then took."""

    BOUNDS = (0.001, 0.005, 0.02, 0.1, 0.5, 2.5, 10.0)

    def __init__(self) -> None:
        self._waited, self._took = Histogram(self.BOUNDS), Histogram(self.BOUNDS)

    def note(self, waited: float, took: float) -> None:
        """One more, in seconds."""
        self._waited.note(waited)
        self._took.note(took)

    def text(self) -> str:
        """As Prometheus reads it."""
        waited = histograms("octavo_unit_wait_seconds", "Seconds until a unit that writes began", [({}, self._waited)])
        return waited + histograms("octavo_unit_seconds", "Seconds that a unit then took", [({}, self._took)])


class Store:
    """Opens units on an engine; tells workers of new jobs after the commit, never before."""

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        reactions: Reactions = lambda event: [],
        *,
        kept: Kept | None = None,
        insights: Insights | None = None,
    ) -> None:
        """`kept` holds what was made of this store's data; without one it is a keeper of the usual size. `insights` is
        where events of readers go; None = nowhere, as the operator says."""
        self.engine = engine
        self.clock = clock
        self.kept = kept or Kept()
        self.insights = insights
        self._reactions = reactions
        self.writes = Writes()
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
        enqueued, asked = False, time.perf_counter()
        begun = asked

        async def run(at: Connection) -> T:
            nonlocal enqueued, begun
            begun = time.perf_counter()
            unit = self._unit(at, provenance)
            result = await work(unit)
            enqueued = unit.enqueued
            return result

        with traces.span("write"):
            result = await self.engine.write(run, lock=lock)
            # The unit may have run in a thread, which knows of no span.
            traces.say(octavo__waited_seconds=begun - asked)
        self.writes.note(begun - asked, time.perf_counter() - begun)
        if enqueued:
            self.on_work()
        return result

    def _unit(self, at: Connection, provenance: Provenance) -> Unit:
        return Unit(at, self.clock(), provenance, self._reactions, self.kept)
