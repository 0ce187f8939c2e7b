"""An installation to measure: a data directory or database of its own, people, spaces, imported repositories."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import msgspec

from bench.client import Process, free_port, request
from bench.content import write_repository
from octavo import administration
from octavo.kernel.settings import Settings

POSTGRES = os.environ.get("OCTAVO_TEST_DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
CORPUS = Path(__file__).parents[2] / "shared" / "corpora" / "elsa-workflows.bundle"
SEED = 20


@dataclass
class Import:
    """What an import took."""

    pages: int
    seconds: float
    cpu: float
    space: str
    site: str
    """Path of the published site, with a slash at the end."""


@dataclass
class World:
    """One installation on one engine."""

    engine: str
    folder: Path
    database_url: str | None
    organization: str = ""
    admin: str = ""
    """Token of the organization's admin."""
    member: str = ""
    """Token of a member with the role read."""
    spaces: list[str] = field(default_factory=list)

    @property
    def data(self) -> Path:
        return self.folder / self.engine

    @property
    def settings(self) -> Settings:
        return Settings(data=self.data, database_url=self.database_url, base_url="http://localhost:8000")

    @property
    def environment(self) -> dict[str, str]:
        """Of the application's processes: production settings, but no limit on the pace."""
        given = {
            "OCTAVO_DATA": str(self.data),
            "OCTAVO_BASE_URL": "http://localhost:8000",
            "OCTAVO_RATE_LIMIT_TOKEN": str(10**9),
            "OCTAVO_RATE_LIMIT_ADDRESS": str(10**9),
            "OCTAVO_LOG_LEVEL": "error",
        }
        return given | ({} if self.database_url is None else {"OCTAVO_DATABASE_URL": self.database_url})

    def server(self) -> Process:
        """`octavo serve`, as operators start it."""
        port = free_port()
        return Process(["octavo.cli", "serve", "--port", str(port)], self.environment, port)

    def worker(self) -> Process | None:
        """`octavo worker` where the server does no jobs."""
        return None if self.database_url is None else Process(["octavo.cli", "worker"], self.environment)

    def authorized(self, token: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {token}"}

    def import_directory(self, source: Path, title: str, space: str | None = None) -> Import:
        """`octavo import --publish`, into a new space or into one again."""
        command = [sys.executable, "-m", "octavo.cli", "import", str(source), "--organization", self.organization]
        before, started = _children_cpu(), time.perf_counter()
        done = subprocess.run(
            [*command, "--publish", *(["--title", title] if space is None else ["--space", space])],
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
        )
        seconds, cpu = time.perf_counter() - started, _children_cpu() - before
        if done.returncode:
            raise RuntimeError(f"the import failed: {done.stderr}")
        made: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        site = "/sites/" + made["url"].rstrip("/").rsplit("/", 1)[-1] + "/"
        return Import(made["pages"], seconds, cpu, made["space"], site)

    def prepare(self, spaces: int) -> None:
        """People, and empty spaces for the API to serve."""
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        first = asyncio.run(administration.bootstrap(self.settings, "admin@example.org", "Admin", "Bench"))
        self.organization, self.admin = first["organization"], first["token"]
        made = administration.create_user(self.settings, "member@example.org", "Member", self.organization, "read")
        self.member = asyncio.run(made)["token"]
        server = self.server()
        line = server.line()
        for at in range(spaces):
            body = json.dumps({"title": f"Space {at}", "empty": True}).encode()
            path = f"/v1/orgs/{self.organization}/spaces"
            reply = line.ask(request(path, self.authorized(self.admin), method="POST", body=body))
            self.spaces.append(json.loads(reply.body)["id"])
        line.close()
        server.end()


@dataclass
class Reading:
    """What the reading of a directory took, without the start of its process."""

    pages: int
    seconds: float
    cpu: float


def read_directory(source: Path) -> Reading:
    """The reading that an import of the directory does, in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "bench.reading", str(source)], capture_output=True, check=True)
    return msgspec.json.decode(done.stdout, type=Reading)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextlib.contextmanager
def opened(engine: str, folder: Path) -> Iterator[World | None]:
    """A world on that engine; None where no PostgreSQL answers. The database is dropped at the end."""
    if engine == "sqlite":
        yield World(engine, folder, None)
        return
    name = f"octavo_bench_{uuid.uuid4().hex[:12]}"
    try:
        asyncio.run(_administer(f"CREATE DATABASE {name}"))
    except (OSError, asyncpg.PostgresError):
        yield None
        return
    try:
        yield World(engine, folder, POSTGRES.rsplit("/", 1)[0] + "/" + name)
    finally:
        asyncio.run(_administer(f"DROP DATABASE {name} WITH (FORCE)"))


async def _administer(command: str) -> None:
    connection = await asyncpg.connect(POSTGRES, timeout=5)
    try:
        await connection.execute(command)
    finally:
        await connection.close()


def generated(folder: Path, pages: int) -> Path:
    """A generated repository of that many pages."""
    target = folder / f"generated-{pages}"
    if not target.exists():
        write_repository(target, pages, SEED)
    return target


def corpus(folder: Path) -> Path | None:
    """A work tree of the corpus of real documentation, where it lies beside the checkout."""
    if not CORPUS.exists():
        return None
    target = folder / "corpus"
    if not target.exists():
        subprocess.run(["git", "clone", "-q", str(CORPUS), str(target)], check=True, capture_output=True)
    return target


def discuss(world: World, space: str, pages: Sequence[str], count: int) -> None:
    """So many comments on these pages, on one after the other; every third has a reply and an emoji."""
    server = world.server()
    line = server.line()
    path, admin = f"/v1/spaces/{space}/comments", world.authorized(world.admin)

    def send(method: str, path: str, body: dict[str, Any]) -> Any:
        reply = line.ask(request(path, admin, method=method, body=json.dumps(body).encode()))
        assert reply.status == 200, reply.body
        return json.loads(reply.body)

    for at in range(count):
        body = {"markdown": f"Comment {at}: is **that** what was meant here, or does it stand elsewhere already?"}
        made = send("POST", path, {"body": body, "page": pages[at % len(pages)]})
        if at % 3 == 0:
            send("POST", f"{path}/{made['id']}/replies", {"body": {"markdown": "It is what was meant."}})
            send("PUT", f"{path}/{made['id']}", {"addedReactions": ["👍"]})
    line.close()
    server.end()


def page_paths(source: Path, count: int) -> list[str]:
    """Addresses of pages below their site, evenly from the whole repository."""
    names = sorted(str(file.relative_to(source)) for file in source.rglob("*.md") if file.name != "SUMMARY.md")
    paths = [name.removesuffix(".md").removesuffix("README").rstrip("/") for name in names]
    step = max(1, len(paths) // count)
    return [path for path in paths if path][::step][:count]


def page_ids(world: World, made: Import) -> list[str]:
    """Ids of all document pages of an imported space, in the order of its table of contents."""
    server = world.server()
    line = server.line()
    reply = line.ask(request(f"/v1/spaces/{made.space}/content/pages", world.authorized(world.admin)))
    line.close()
    server.end()
    found: list[str] = []
    waiting: list[Any] = json.loads(reply.body)["pages"]
    while waiting:
        page = waiting.pop(0)
        if page["type"] == "document":
            found.append(page["id"])
        waiting = [*page.get("pages", ()), *waiting]
    return found
