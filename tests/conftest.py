"""Fixtures of the whole suite: a store on each engine, an application on it, the corpus."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest

from octavo.access.signing import Signer
from octavo.gateways import dns
from octavo.gateways.failures import Unreachable
from octavo.jobs.table import JOBS, reactions_with
from octavo.jobs.work import Tools
from octavo.jobs.worker import Worker
from octavo.kernel import collecting
from octavo.kernel.clock import system_clock
from octavo.kernel.settings import load
from octavo.main import App, House, insights_of
from octavo.store.content.blobs import Blobs
from octavo.store.database.engine import Engine
from octavo.store.database.migrate import migrate, statements
from octavo.store.database.postgres import PostgresEngine
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.database.statement import Statement
from octavo.store.unit import Store
from tests import engines
from tests.children import WARM, Children
from tests.client import World
from tests.profiles import DEEP

POSTGRES = os.environ.get("OCTAVO_TEST_DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")
ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpora" / "elsa-workflows.bundle"
_NO_JOBS = Statement("DELETE FROM jobs")
SPECIFICATION = ROOT.parent / "shared" / "spec"


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors, as tests also wait: for browsers, servers and databases."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what `tests/engines.py` says and, outside of the long profile, what is for it alone; a test that is asked
    for by its whole name runs."""
    if any("[" in word for word in config.args):
        return
    wanted = os.environ.get("OCTAVO_TEST_ENGINES") or ("both" if DEEP else "one" if _postgres_answers() else "sqlite")
    if wanted not in ("one", "both", *engines.ENGINES):
        raise pytest.UsageError(f"OCTAVO_TEST_ENGINES is one, both, sqlite or postgres, not {wanted!r}")
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for one in items:
        daily = DEEP or one.get_closest_marker("deep") is None
        (kept if daily and engines.runs(one.nodeid, one.function, wanted) else left).append(one)  # type: ignore[attr-defined]
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def pytest_collection_finish() -> None:
    """Workers look for garbage as seldom as servers do: as often as Python does by itself takes a twentieth of their time."""
    collecting.seldom()


def _postgres_answers() -> bool:
    """Whether there is a PostgreSQL, or has to be: else every test that may run on SQLite does."""
    if os.environ.get("OCTAVO_TEST_REQUIRE_POSTGRES"):
        return True
    url = urlsplit(POSTGRES)
    try:
        socket.create_connection((url.hostname or "127.0.0.1", url.port or 5432), timeout=1).close()
    except OSError:
        return False
    return True


CHILDREN = Children()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Decide how the children of this test are started, before anything of it is made."""
    CHILDREN.warm = item.nodeid.startswith(WARM)


@pytest.fixture(scope="session", autouse=True)
def _children() -> Iterator[None]:
    with CHILDREN.installed():
        yield


@pytest.fixture(scope="session", autouse=True)
def no_names() -> Iterator[None]:
    """Nobody asks the domain name system of the machine that runs the tests; a resolver that a test has set is asked."""
    ask = dns.texts

    async def nobody(name: str, servers: dns.Servers = ()) -> list[str]:
        if servers:
            return await ask(name, servers)
        raise Unreachable(f"The domain name system did not answer for {name}.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dns, "texts", nobody)
        yield


class FakeClock:
    """A clock that moves only when it is told to."""

    def __init__(self) -> None:
        self.now = system_clock()

    def __call__(self) -> int:
        return self.now

    def advance(self, milliseconds: int) -> None:
        self.now += milliseconds


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """One event loop and one pool of connections for the session."""
    with asyncio.Runner() as runner:
        yield runner.get_loop()


@pytest.fixture(scope="session")
def memory_folder() -> Iterator[Path]:
    """A folder in memory where there is one: the real engine without a disk's fsync."""
    parent = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="octavo-test-", dir=parent))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def sqlite_template(memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Path:
    """A migrated, empty database file to copy."""
    path = memory_folder / "template.db"

    async def make() -> None:
        engine = SqliteEngine(path)
        await engine.open()
        await migrate(engine)
        await engine.close()

    loop.run_until_complete(make())
    return path


@pytest.fixture(scope="session")
def postgres_url(loop: asyncio.AbstractEventLoop) -> Iterator[str]:
    """A migrated, empty database of this worker's own; skips where no PostgreSQL answers and none is required."""
    with postgres_database(loop) as url:
        yield url


@contextmanager
def postgres_database(loop: asyncio.AbstractEventLoop) -> Iterator[str]:
    """The address of a further one, which is dropped afterwards."""
    name = f"octavo_test_{uuid.uuid4().hex[:12]}"

    async def admin(*commands: str) -> None:
        connection = await asyncpg.connect(POSTGRES, timeout=5)
        for command in commands:
            await connection.execute(command)
        await connection.close()

    try:
        loop.run_until_complete(admin(f"CREATE DATABASE {name}", f"ALTER DATABASE {name} SET synchronous_commit = off"))
    except (OSError, asyncpg.PostgresError) as error:
        if os.environ.get("OCTAVO_TEST_REQUIRE_POSTGRES"):
            pytest.fail(f"PostgreSQL is required and does not answer: {error}")
        pytest.skip("no PostgreSQL answers at OCTAVO_TEST_DATABASE_URL")
    url = POSTGRES.rsplit("/", 1)[0] + "/" + name

    async def prepare() -> None:
        connection = await asyncpg.connect(url)
        for statement in statements("postgres", None):
            await connection.execute(statement)
        await connection.close()

    loop.run_until_complete(prepare())
    yield url
    loop.run_until_complete(admin(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def postgres_engine(postgres_url: str, loop: asyncio.AbstractEventLoop) -> Iterator[PostgresEngine]:
    engine = PostgresEngine(postgres_url, size=8)
    loop.run_until_complete(engine.open())
    yield engine
    loop.run_until_complete(engine.close())


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, loop: asyncio.AbstractEventLoop) -> Iterator[Engine]:
    """An open, migrated database: an empty SQLite file, or the worker's PostgreSQL database, which is shared and keeps
    everything but jobs: else who waits for her own would wait for those of all tests before hers."""
    if request.param == "postgres":
        shared: PostgresEngine = request.getfixturevalue("postgres_engine")
        loop.run_until_complete(shared.write(lambda at: at.run(_NO_JOBS, {})))
        yield shared
        return
    template: Path = request.getfixturevalue("sqlite_template")
    path = template.with_name(f"{uuid.uuid4().hex}.db")
    shutil.copyfile(template, path)
    engine = SqliteEngine(path)
    loop.run_until_complete(engine.open())
    yield engine
    loop.run_until_complete(engine.close())
    for part in path.parent.glob(path.name + "*"):
        part.unlink()


@contextmanager
def own_engine(kind: str, loop: asyncio.AbstractEventLoop, template: Path) -> Iterator[Engine]:
    """A migrated, empty database of its own on an engine, for what concerns everything in one; `template` is the file of
    `sqlite_template`."""
    with ExitStack() as stack:
        engine: Engine
        if kind == "postgres":
            engine = PostgresEngine(stack.enter_context(postgres_database(loop)), size=4)
        else:
            engine = SqliteEngine(Path(shutil.copyfile(template, template.with_name(f"{uuid.uuid4().hex}.db"))))
        loop.run_until_complete(engine.open())
        stack.callback(lambda: loop.run_until_complete(engine.close()))
        yield engine


@contextmanager
def as_another_process(engine: Engine, loop: asyncio.AbstractEventLoop) -> Iterator[Engine]:
    """The same database as another process has it open."""
    if isinstance(engine, PostgresEngine):
        other: Engine = PostgresEngine(engine._url, size=2)
    else:
        assert isinstance(engine, SqliteEngine)
        other = SqliteEngine(engine.path)
    loop.run_until_complete(other.open())
    yield other
    loop.run_until_complete(other.close())


@pytest.fixture
def store(engine: Engine, clock: FakeClock) -> Store:
    """Units on either engine, or on both: see `tests/engines.py`. Use `loop.run_until_complete`."""
    return Store(engine, clock)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A work tree of the real documentation repository."""
    if not CORPUS.exists():
        pytest.skip("the corpus of real documentation is not beside this checkout")
    target = tmp_path_factory.mktemp("corpus") / "elsa"
    subprocess.run(["git", "clone", "-q", str(CORPUS), str(target)], check=True, capture_output=True)
    return target


@pytest.fixture
def world(engine: Engine, clock: FakeClock, memory_folder: Path, loop: asyncio.AbstractEventLoop) -> Iterator[World]:
    """An application with an organization and its admin, on either engine or on both: see `tests/engines.py`."""
    with opened_world(engine, clock, memory_folder, loop) as made:
        yield made


@contextmanager
def opened_world(
    engine: Engine, clock: FakeClock, folder: Path, loop: asyncio.AbstractEventLoop, **settings: Any
) -> Iterator[World]:
    """The same with other settings."""
    data = folder / uuid.uuid4().hex
    # `cat` answers with the texts of the question: whoever asks it translates nothing, and everything is answered.
    usual = {"translation_command": ["cat"]} | settings
    given = load({}, data=data, secret="a secret of the tests, which is long enough", **usual)
    insights = insights_of(given, inside=True)
    store = Store(engine, clock, reactions_with(given), insights=insights)
    signer, blobs = Signer("a secret of the tests"), Blobs.local(data / "blobs")
    worker = Worker(store, JOBS, Tools(given, blobs, signer.unseal, signer.seal, "http://octavo.test", signer=signer))
    house = House(given, store, blobs, signer, worker, "http://octavo.test")
    yield World(house, App(house, works=True), loop)
    loop.run_until_complete(worker.tools.staying.close())
    if insights is not None:
        loop.run_until_complete(insights.close())
    shutil.rmtree(data, ignore_errors=True)
