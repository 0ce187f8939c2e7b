"""What a job is given, and what a kind of job says about itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from octavo.access.signing import Signer
from octavo.gateways.mail import Mailer
from octavo.gateways.translators import Translator
from octavo.jobs.children.staying import Pool
from octavo.kernel.clock import SECOND
from octavo.kernel.records import Json
from octavo.kernel.records.jobs import Job
from octavo.kernel.settings import Settings
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Provenance, Store, Unit

T = TypeVar("T")

BACKOFF = (1 * SECOND, 10 * SECOND, 60 * SECOND)


class JobFailed(Exception):
    """The job cannot succeed, also not when it is tried again; the sentence is kept in its record."""


class JobBroke(Exception):
    """The same, and the reason is this installation, not what was asked for."""


class JobLate(JobBroke):
    """The same, and the reason is that it took longer than it may."""


class NotYet(Exception):
    """The job did not succeed this time, and nothing is broken here: it is tried again after a pause; the sentence is
    kept in its record."""


class Gone(Exception):
    """Another worker has the job: nothing more may be written for it."""


@dataclass(frozen=True)
class Tools:
    """What jobs work with."""

    settings: Settings
    blobs: Blobs
    unseal: Callable[[str], str]
    """The inverse of how rooms seal secrets in payloads."""
    seal: Callable[[str], str] = str
    """How they do."""
    base: str = ""
    """The installation's address without a slash at the end."""
    mailer: Mailer | None = None
    """Who sends letters; None = nobody."""
    translator: Translator | None = None
    """Who translates; None = whom the settings name."""
    signer: Signer | None = None
    """Signs and seals as requests do."""
    room: Path | None = None
    """The folder in which jobs make theirs; None = the system's for temporary files."""
    backup: Callable[[], Awaitable[Json]] | None = None
    """Makes a backup where the settings say; None = this process makes none."""
    staying: Pool = field(default_factory=Pool)
    """Children that are asked again; closed with whoever made these tools."""


@dataclass
class Work:
    """One run of a job."""

    job: Job
    store: Store
    tools: Tools
    lease: int
    progress: Json = field(default_factory=dict)
    on_progress: Callable[[Json], None] = lambda progress: None
    """Told of every step at once; a command line draws its bar by it."""

    async def read(self, work: Callable[[Unit], Awaitable[T]]) -> T:
        return await self.store.read(work)

    async def write(
        self,
        work: Callable[[Unit], Awaitable[T]],
        *,
        lock: tuple[str, str] | None = None,
        whence: Provenance | None = None,
    ) -> T:
        """A unit behind the fence: raises Gone when the lease was lost. `whence` is who asked, if not the job's user."""

        async def fenced(unit: Unit) -> T:
            if not await unit.jobs.held(self.job):
                raise Gone
            return await work(unit)

        user = self.job.payload.get("user")
        return await self.store.write(fenced, whence or Provenance(actor=user, request=self.job.id), lock=lock)

    async def beat(self) -> None:
        """Prolong the lease and write the progress down."""
        progress = dict(self.progress) or None
        await self.store.write(lambda unit: unit.jobs.beat(self.job, until=unit.now + self.lease, progress=progress))


@dataclass(frozen=True, eq=False)
class Lane:
    """Kinds of jobs that wait for one another, and for no other."""

    slots: int
    """How many of them a worker runs at a time."""
    each: int | None = None
    """How many of these one organization may have, so that the others are not all behind it; None = all."""


SHORT = Lane(3)
"""What is over soon, and what others wait to see: search, links, what people are told."""
MAIL = Lane(2)
"""What waits for the mail server."""
FETCHES = Lane(3, each=2)
"""What a request waits for while a party outside takes its time."""
IMPORTS = Lane(2, each=1)
"""What takes minutes and gigabytes."""
PDFS = Lane(1)
TRANSLATIONS = Lane(2, each=1)
"""What waits for a translator, for hours perhaps."""
UPKEEP = Lane(1)
"""What nobody waits for, and may take hours."""


@dataclass(frozen=True)
class JobKind:
    """One kind of job; all of them stand in `jobs/table.py`."""

    run: Callable[[Work], Awaitable[Json | None]]
    tries: int
    seconds: float
    outside: bool
    """Whether it asks or tells parties outside: in a restored copy what waits of it goes."""
    failed: Callable[[Work, str], Awaitable[None]] | None = None
    """What to write down when it ended without success."""
    pauses: tuple[int, ...] = BACKOFF
    """Milliseconds before each further try; the last one is repeated."""
    lane: Lane = SHORT
