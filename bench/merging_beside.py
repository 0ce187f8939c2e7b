"""Measure how long others wait beside merges, updates and restores of many pages, in one process.

    python -m bench.merging_beside [--engine sqlite|postgres] [--sizes 5,200,1000] [--rounds 3]

Both sides change the same pages in different places, so that every text is merged. Meanwhile the title of another space is
changed again and again. Five figures: the whole operation; the longest of the other writes, which the load of the machine
lengthens too; and what does not depend on that: the most CPU time that the process used during one of them, and the longest
CPU time that any write unit took in its thread, and that any step took on the event loop. On PostgreSQL a unit is many steps
of the loop, so there the last one is the one that counts.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bench.client import Refused
from bench.content import Author
from bench.figures import spread
from bench.world import World, opened
from octavo import administration
from octavo.main import App, engine_of, open_house
from octavo.store.database.engine import Connection, Engine

T = TypeVar("T")
BATCH = 50
"""Pages that one request writes."""
QUIET = 2.0
"""Seconds during which the other write is looked at alone."""


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


def watch_steps(longest: Longest) -> None:
    """Time every step of the event loop of this process."""
    run = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        longest.step = max(longest.step, (time.thread_time() - began) * 1000)

    asyncio.Handle._run = timed


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
        return msgspec.json.decode(said[1]["body"])


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


class Bench:
    """An application, somebody who writes beside, and what is measured."""

    def __init__(self, api: Api, longest: Longest, beside: str) -> None:
        self.api = api
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


@contextlib.asynccontextmanager
async def running(world: World) -> AsyncIterator[Bench]:
    """The application of a world in this process."""
    first = await administration.bootstrap(world.settings, "admin@example.org", "Admin", "Bench")
    world.organization = first["organization"]
    settings = msgspec.structs.replace(world.settings, rate_limit_token=10**9)
    longest = Longest()
    watch_steps(longest)
    engine = Watching(engine_of(settings), longest)
    async with open_house(settings, base=settings.base_url, engine=engine) as house:
        api = Api(App(house, works=False), first["token"])
        made = await api.ask("POST", f"/v1/orgs/{world.organization}/spaces", {"title": "Beside", "empty": True})
        yield Bench(api, longest, f"/v1/spaces/{made['id']}")


async def measure(world: World, sizes: list[int], rounds: int) -> None:
    async with running(world) as bench:
        quiet = Found()
        for _ in range(rounds):
            await bench.measured(quiet, asyncio.sleep(QUIET))
        say("nothing", quiet)
        for size in sizes:
            body = {"title": f"{size} pages", "empty": True}
            made = await bench.api.ask("POST", f"/v1/orgs/{world.organization}/spaces", body)
            space = Space(bench.api, f"/v1/spaces/{made['id']}", size)
            await space.fill()
            found = {name: Found() for name in ("update", "merge", "restore")}
            for _ in range(rounds):
                back = (await bench.api.ask("GET", space.path))["revision"]
                first, second = await space.sides()
                await bench.measured(found["update"], bench.api.ask("POST", f"{first}/update"))
                await bench.measured(found["merge"], bench.api.ask("POST", f"{second}/merge"))
                path = f"{space.path}/revisions/{back}/restore"
                await bench.measured(found["restore"], bench.api.ask("POST", path))
            for name, one in found.items():
                say(f"{name} of {size} pages", one)


def say(name: str, found: Found) -> None:
    whole, wait, used, unit, step = (
        spread(values).text(digits)
        for values, digits in ((found.whole, 0), (found.wait, 0), (found.used, 0), (found.unit, 1), (found.step, 1))
    )
    sys.stdout.write(f"| {name:22} | {whole:22} | {wait:20} | {used:18} | {unit:22} | {step:22} |\n")
    sys.stdout.flush()


def main() -> None:
    options = argparse.ArgumentParser(description="Measure what writes wait for beside merges.")
    options.add_argument("--engine", choices=("sqlite", "postgres"), default="sqlite")
    options.add_argument("--sizes", default="5,200,1000")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--folder", type=Path)
    asked = options.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="octavo-bench-", dir=asked.folder) as folder,
        opened(asked.engine, Path(folder)) as world,
    ):
        if world is None:
            sys.exit("no PostgreSQL answers")
        sys.stdout.write(f"{asked.engine}, milliseconds: median (quartiles) of {asked.rounds} rounds\n")
        sys.stdout.write(
            "| beside | whole | longest other write | CPU during it | CPU of a write unit | CPU of a step of the loop |\n"
        )
        asyncio.run(measure(world, [int(size) for size in asked.sizes.split(",")], asked.rounds))


if __name__ == "__main__":
    main()
