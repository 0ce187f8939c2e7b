"""How long others wait beside merges, updates and restores of many pages, and beside the purge of a space; in one process.

Both sides change the same pages in different places, so that every text is merged. Meanwhile the title of another space is
changed again and again. Five figures: the whole operation; the longest of the other writes, which the load of the machine
lengthens too; and what does not depend on that: the most CPU time that the process used during one of them, and the longest
CPU time that any write unit took in its thread, and that any step took on the event loop. On PostgreSQL a unit is many steps
of the loop, so there the last one is the one that counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from bench.client import Refused
from bench.content import Author
from bench.figures import within
from bench.rounds import Bench
from bench.world import World, opened
from octavo import administration
from octavo.jobs.library.purge import DAYS
from octavo.jobs.worker import Worker
from octavo.kernel import collecting
from octavo.kernel.clock import DAY, system_clock
from octavo.main import App, engine_of, open_house
from octavo.store.database.engine import Connection, Engine

T = TypeVar("T")
BATCH = 50
"""Pages that one request writes."""
QUIET = 2.0
"""Seconds during which the other write is looked at alone."""
WAIT = 50
"""Milliseconds that no write may wait for somebody else's."""


@dataclass
class Longest:
    """Milliseconds of CPU time: of write units, and of steps of the event loop."""

    unit: float = 0.0
    step: float = 0.0


@dataclass
class Found:
    """Milliseconds, a round each: of the operation, of the longest other write, and the CPU times."""

    whole: list[float] = field(default_factory=list)
    wait: list[float] = field(default_factory=list)
    used: list[float] = field(default_factory=list)
    unit: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)


class Watching:
    """An engine whose write units are timed."""

    def __init__(self, inner: Engine, longest: Longest) -> None:
        self._inner = inner
        self._longest = longest

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def write(self, work: Callable[[Connection], Awaitable[T]], *, lock: tuple[str, str] | None = None) -> T:
        async def timed(at: Connection) -> T:
            began = time.thread_time()
            try:
                return await work(at)
            finally:
                self._longest.unit = max(self._longest.unit, (time.thread_time() - began) * 1000)

        return await self._inner.write(timed, lock=lock)


@contextlib.contextmanager
def stepping(longest: Longest) -> Iterator[None]:
    """Time every step of the event loop of this process meanwhile."""
    run = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        longest.step = max(longest.step, (time.thread_time() - began) * 1000)

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        asyncio.Handle._run = run  # type: ignore[method-assign]


class Api:
    """Requests to an application in this process, as its admin."""

    def __init__(self, app: App, token: str) -> None:
        self._app = app
        self._token = token

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer, which has to be a success."""
        raw, _, query = path.partition("?")
        sent = msgspec.json.encode(body or {})
        headers = {"host": "localhost", "authorization": f"Bearer {self._token}", "content-type": "application/json"}
        scope = {
            "type": "http", "method": method, "scheme": "http", "path": raw, "raw_path": raw.encode(),
            "query_string": query.encode(), "client": ("127.0.0.1", 1),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        said: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: Any) -> None:
            said.append(message)

        await self._app(scope, receive, send)
        if said[0]["status"] >= 300:
            raise Refused(f"{method} {path}: {said[0]['status']} {said[1]['body'][:300]!r}")
        return msgspec.json.decode(said[1]["body"] or b"null")


class Space:
    """A space of pages that both sides of a merge change."""

    def __init__(self, api: Api, path: str, count: int) -> None:
        self.api = api
        self.path = path
        author = Author(count)
        self._texts = [author.page(author.title(), []) for _ in range(count)]
        self._pages: list[str] = []

    async def fill(self) -> None:
        """Write all pages down."""
        draft = await self._begun()
        for at in range(0, len(self._texts), BATCH):
            part = self._texts[at : at + BATCH]
            changes = [{"operation": "insert_page", "document": {"markdown": text}} for text in part]
            made = await self.api.ask("POST", f"{draft}/content?compat=false", {"changes": changes})
            self._pages += [change["page"]["id"] for change in made["changes"]]
        await self.api.ask("POST", f"{draft}/merge")

    async def sides(self) -> tuple[str, str]:
        """Primary content changed in front, and two change requests that change the same pages behind; their paths."""
        ours, first, second = [await self._begun() for _ in range(3)]
        await self._write(ours, lambda text: text.replace("\n\n# ", "\n\n# Other ", 1))
        for theirs in (first, second):
            await self._write(theirs, lambda text: f"{text}\nThe other side.\n")
        await self.api.ask("POST", f"{ours}/merge")
        return first, second

    async def _begun(self) -> str:
        made = await self.api.ask("POST", f"{self.path}/change-requests", {"subject": "Bench"})
        return f"{self.path}/change-requests/{made['number']}"

    async def _write(self, draft: str, change: Callable[[str], str]) -> None:
        for at in range(0, len(self._pages), BATCH):
            part = zip(self._pages[at : at + BATCH], self._texts[at : at + BATCH])
            changes = [{"operation": "update_page", "page": page, "document": {"markdown": change(text)}}
                       for page, text in part]  # fmt: skip
            await self.api.ask("POST", f"{draft}/content", {"changes": changes})


class Beside:
    """An application, somebody who writes beside, and what is measured."""

    def __init__(self, api: Api, longest: Longest, spaces: str, beside: str, worker: Worker, clock: Watch) -> None:
        self.api = api
        self.spaces = spaces
        """Where spaces are made."""
        self.worker = worker
        self.clock = clock
        self._longest = longest
        self._beside = beside

    async def measured(self, found: Found, work: Awaitable[object]) -> None:
        """Do it, and change the title of another space meanwhile, again and again."""
        self._longest.unit = self._longest.step = 0.0
        started = time.perf_counter()
        task = asyncio.ensure_future(work)
        waits: list[float] = []
        used: list[float] = []
        while not task.done():
            began, cpu = time.perf_counter(), time.process_time()
            await self.api.ask("PATCH", self._beside, {"title": f"Beside {len(waits)}"})
            waits.append((time.perf_counter() - began) * 1000)
            used.append((time.process_time() - cpu) * 1000)
            await asyncio.sleep(0.001)
        await task
        found.whole.append((time.perf_counter() - started) * 1000)
        found.wait.append(max(waits))
        found.used.append(max(used))
        found.unit.append(self._longest.unit)
        found.step.append(self._longest.step)


class Watch:
    """A clock that is sent ahead: what is due in days is due now."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        return system_clock() + self.ahead


@contextlib.asynccontextmanager
async def running(world: World) -> AsyncIterator[Beside]:
    """The application of a new world in this process."""
    first = await administration.bootstrap(world.settings, "admin@example.org", "Admin", "Bench")
    settings = msgspec.structs.replace(world.settings, rate_limit_token=10**9)
    collecting.seldom()  # as a server does
    longest, clock = Longest(), Watch()
    engine = Watching(engine_of(settings), longest)
    async with open_house(settings, base=settings.base_url or "http://localhost", clock=clock, engine=engine) as house:
        api = Api(App(house, works=False), first["token"])
        spaces = f"/v1/orgs/{first['organization']}/spaces"
        made = await api.ask("POST", spaces, {"title": "Beside", "empty": True})
        with stepping(longest):
            yield Beside(api, longest, spaces, f"/v1/spaces/{made['id']}", house.worker, clock)


def merges(bench: Bench) -> None:
    """Merges, updates and restores of some sizes, then the purge of the largest space, in an installation of their own."""
    with opened(bench.world.engine, bench.world.folder / "merges") as world:
        assert world is not None  # the engine is there: other parts have used it
        found = asyncio.run(measured(world, bench.scale.merges, bench.scale.merged))
    for name, one in found.items():
        for told, values, most in (
            ("the whole", one.whole, None),
            ("longest other write", [max(one.wait)], WAIT),
            ("most CPU during another write", [max(one.used)], None),
            ("most CPU of one write unit", [max(one.unit)], None),
            ("most CPU of one step of the loop", [max(one.step)], None),
        ):
            bench.add(within("Beside others", bench.world.engine, f"{name}: {told}", values, "ms", most))


async def measured(world: World, sizes: Sequence[int], rounds: int) -> dict[str, Found]:
    """Everything that was found, by what was done."""
    found: dict[str, Found] = defaultdict(Found)
    async with running(world) as beside:
        for _ in range(rounds):
            await beside.measured(found["nothing"], asyncio.sleep(QUIET))
        for size in sizes:
            made = await beside.api.ask("POST", beside.spaces, {"title": f"{size} pages", "empty": True})
            space = Space(beside.api, f"/v1/spaces/{made['id']}", size)
            await space.fill()
            for _ in range(rounds):
                back = (await beside.api.ask("GET", space.path))["revision"]
                first, second = await space.sides()
                for name, method, path in (
                    ("update", "POST", f"{first}/update"),
                    ("merge", "POST", f"{second}/merge"),
                    ("restore", "POST", f"{space.path}/revisions/{back}/restore"),
                ):
                    await beside.measured(found[f"{name} of {size} pages"], beside.api.ask(method, path))
        await beside.api.ask("DELETE", space.path)
        await beside.worker.drain()
        beside.clock.ahead = DAYS + DAY
        await beside.measured(found[f"purge of {size} pages"], beside.worker.drain())
    return found
