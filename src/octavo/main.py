"""The composition root: settings become engine, store, doors and worker; the only place that knows everything."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from octavo.access.addresses import seen
from octavo.access.downloads import reachable
from octavo.access.signing import Signer
from octavo.api import hooks
from octavo.api.documents import Documents, described
from octavo.api.pipeline import Api
from octavo.api.routes import OPERATIONS
from octavo.app.door import Application
from octavo.console.app import Console
from octavo.console.styles import styles_address
from octavo.gateways.mail import mailer
from octavo.jobs.table import JOBS, reactions_with
from octavo.jobs.work import Tools
from octavo.jobs.worker import LEASE, Worker
from octavo.kernel import extras
from octavo.kernel.clock import Clock, system_clock
from octavo.kernel.errors import NotFound
from octavo.kernel.operation import SCOPES
from octavo.kernel.records import Json
from octavo.kernel.settings import Settings
from octavo.publish import assets
from octavo.publish.app import Publisher
from octavo.publish.files import Files
from octavo.publish.reference import Reference
from octavo.scim.door import Provisioning
from octavo.sso.app import SingleSignOn
from octavo.store import directory
from octavo.store.content.blobs import Blobs
from octavo.store.database.engine import Engine
from octavo.store.database.migrate import migrate, version
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.figures import figures
from octavo.store.insights.asking import Options
from octavo.store.insights.reach import Insights
from octavo.store.kept import Kept
from octavo.store.unit import Store
from octavo.web.answers import Answer
from octavo.web.asgi import Receive, Scope, Send
from octavo.web.door import answered, only, refuse_plainly
from octavo.web.fields import Fields, first
from octavo.web.metrics import CONTENT_TYPE, Requests
from octavo.web.pulse import Pulse
from octavo.wire.view import View

_log = logging.getLogger("octavo.health")


@dataclass
class House:
    """Everything of one process, opened."""

    settings: Settings
    store: Store
    blobs: Blobs
    signer: Signer
    worker: Worker
    base: str
    """The installation's address without a slash at the end."""


def engine_of(settings: Settings) -> Engine:
    """PostgreSQL where a database address is set, else SQLite in the data directory."""
    if settings.database_url is not None:
        # Its driver costs a tenth of a start, and only those who have it should pay.
        extras.require("postgres")
        from octavo.store.database.postgres import PostgresEngine

        return PostgresEngine(settings.database_url)
    return SqliteEngine(settings.data / directory.DATABASE)


def blobs_of(settings: Settings) -> Blobs:
    """Where the bytes of files are kept: in the data directory, or in the object store that is set."""
    if settings.blobs_url is not None:
        return Blobs.at(settings.blobs_url)
    return Blobs.local(settings.data / directory.BLOBS)


@asynccontextmanager
async def opened(settings: Settings, engine: Engine | None = None, *, makes: bool = False) -> AsyncIterator[Engine]:
    """The database, open for the block. Raises NotFound where there is no installation, unless one is to be made."""
    if settings.database_url is None and engine is None and not makes:
        file = settings.data / directory.DATABASE
        # Opened, it would be there.
        if not file.is_file() or file.stat().st_size == 0:
            raise _nothing_in(str(settings.data))
    directory.secure(settings.data)
    engine = engine or engine_of(settings)
    await engine.open()
    try:
        if not makes and await version(engine) is None:
            raise _nothing_in(str(settings.data) if settings.database_url is None else "the PostgreSQL database")
        yield engine
    finally:
        await engine.close()


def _nothing_in(place: str) -> NotFound:
    return NotFound(f"there is no installation of Octavo in {place}; `octavo bootstrap` makes one")


def insights_of(settings: Settings, *, inside: bool = False) -> Insights | None:
    """Where events of readers go; None where the operator wants none, or has no libraries for them. `inside` keeps their
    engine in this process. Raises NotInstalled where somebody counts on it."""
    folder = settings.data / directory.INSIGHTS
    if not settings.insights:
        return None
    if extras.lacks("insights"):
        if settings.insights_clickhouse or (inside and folder.is_dir()):
            extras.require("insights")
        return None
    options = Options(
        memory=settings.insights_memory,
        seconds=settings.insights_seconds,
        spool=settings.insights_spool,
        countries=settings.insights_countries,
        clickhouse=settings.insights_clickhouse,
        rotation=settings.insights_rotation,
        days=settings.insights_days,
    )
    return Insights(folder, options, inside=inside)


@asynccontextmanager
async def open_house(
    settings: Settings,
    *,
    base: str,
    clock: Clock = system_clock,
    engine: Engine | None = None,
    makes: bool = False,
    backup: Callable[[], Awaitable[Json]] | None = None,
) -> AsyncIterator[House]:
    """Open an installation (brought up to date, and with `makes` made where there is none) and wire what works on it;
    closes it at the end. `backup` makes one, in processes that do so by schedule."""
    async with opened(settings, engine, makes=makes) as engine:
        await migrate(engine)
        insights = insights_of(settings)
        store = Store(engine, clock, reactions_with(settings), kept=Kept(settings.kept_bytes), insights=insights)
        kept = await store.write(lambda unit: unit.installation.secret("secret"))
        signer = Signer(settings.secret or kept)
        blobs = blobs_of(settings)
        with directory.workroom(settings.data) as room:
            tools = Tools(
                settings, blobs, signer.unseal, signer.seal, base, mailer(settings), None, signer, room, backup
            )
            worker = Worker(store, JOBS, tools)
            store.on_work = worker.wake
            try:
                yield House(settings, store, blobs, signer, worker, base)
            finally:
                await tools.staying.close()
                if insights is not None:
                    await insights.close()


class App:
    """The ASGI application: /v1 for programs, /app for people, /sites and site hosts for visitors, health for operators."""

    def __init__(self, house: House, *, works: bool) -> None:
        """`works` tells whether this process runs jobs too, which readiness then looks at."""
        self.leaving = False
        """Whether the server is about to end: it answers, and is not to be asked any more."""
        self.pulse = Pulse()
        """How long this process's event loop was held; whoever runs it starts it."""
        self.requests = Requests()
        self._house = house
        self._works = works
        view = View(api=house.base, app=house.base)
        store, settings = house.store, house.settings
        self.api = Api(OPERATIONS, store, settings, store.clock, view, house.signer, house.blobs)
        self._documents = Documents(house.base)
        self._hooks = hooks.Hooks(store, house.signer, settings)
        self._reference = Reference(house.base, lambda: described(house.base), store.kept)
        self._files = Files(
            house.blobs,
            house.signer,
            store.clock,
            lambda download: store.read(lambda unit: reachable(unit, download)),
        )
        asked = {row.scope for row in OPERATIONS}
        self._console = Console(
            store,
            settings,
            house.signer,
            house.base,
            _asset,
            [scope for scope in SCOPES if scope in asked],
        )
        self._application = Application(
            store,
            house.signer,
            house.base,
            lambda name: f"/~octavo/{name}" if name == "diagrams.html" else _asset(name),
        )
        self._scim = Provisioning(store, settings, house.base)
        self._sso = SingleSignOn(store, settings, house.signer, house.base, _asset, styles_address())
        self._publisher = Publisher(store, settings, house.blobs, house.signer, house.base)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the request to its door."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            await self.requests.count(self._answer, scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        site = await self._publisher.site_of_host(scope)
        if site is not None:
            await self._publisher(scope, receive, send, site)
        elif path == "/v1" or path.startswith("/v1/"):
            await self.api(scope, receive, send)
        elif self._console.answers(path) or (path == "/" and await self._console.fresh()):
            await self._console(scope, receive, send)
        elif self._application.answers(path) or (path == "/" and await self._application.welcomes(scope)):
            await self._application(scope, receive, send)
        elif self._scim.answers(path):
            await self._scim(scope, receive, send)
        elif self._sso.answers(path):
            await self._sso(scope, receive, send)
        elif path in ("/healthz", "/readyz", "/metrics"):
            await self._health(scope, send)
        elif path.startswith(hooks.PREFIX):
            await self._hooks(scope, receive, send)
        elif path.startswith(("/files/", "/uploads/")):
            await self._files(scope, receive, send)
        elif path == "/openapi.json":
            await self._documents(scope, receive, send)
        elif path == "/docs" or path.startswith("/docs/"):
            await self._reference(scope, receive, send)
        else:
            await self._publisher(scope, receive, send)

    async def _health(self, scope: Scope, send: Send) -> None:
        async def work(query: Fields) -> Answer:
            only(scope, "GET")
            if scope["path"] == "/metrics":
                house = self._house
                own = self.pulse.text() + self.requests.text() + house.worker.outcomes.text()
                text = own + await figures(house.store, house.settings.data)
                headers = [(b"content-type", CONTENT_TYPE), (b"cache-control", b"no-store")]
                return Answer(200, text.encode(), headers)
            state: dict[str, Any] = {"status": "ok"}
            if scope["path"] == "/readyz":
                state = await self._ready()
            elif self._house.signer.reads_question(first(query, "question"), self._house.store.clock()):
                state["seen"] = seen(scope, self._house.settings.trusted_proxies)
            answer = Answer(200 if state["status"] == "ok" else 503, msgspec.json.encode(state))
            return answer.header("content-type", "application/json").header("cache-control", "no-store")

        answer = await answered(scope, _log, work, refuse_plainly)
        await answer.send(scope, send)

    async def _ready(self) -> dict[str, str]:
        """Whether the server stays, the store answers, and somebody takes jobs."""
        if self.leaving:
            return {"status": "unavailable", "server": "it is being stopped"}
        store = self._house.store
        try:
            oldest = await asyncio.wait_for(store.read(lambda unit: unit.jobs.oldest_due()), 2)
        except Exception as error:  # whatever it is, this process is not ready, and says why
            return {"status": "unavailable", "store": str(error) or type(error).__name__, "jobs": "unknown"}
        now = store.clock()
        stuck = (
            now - self._house.worker.beaten_at > LEASE if self._works else oldest is not None and now - oldest > LEASE
        )
        if stuck:
            return {"status": "unavailable", "store": "ok", "jobs": "nobody takes jobs: is a worker running?"}
        return {"status": "ok", "store": "ok", "jobs": "ok"}


def _asset(name: str) -> str:
    """Where a file of our own pages is fetched."""
    return f"/~octavo/{assets.path(name)}"


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
