"""SQLite by apsw: reads inline on the event loop, longer ones in threads, writes in one thread with group commit."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar, cast

import apsw

from octavo.kernel.errors import Unavailable
from octavo.store.database import turns
from octavo.store.database.engine import Connection, Row, Values
from octavo.store.database.families import ALL, NOTHING, Family, Generations
from octavo.store.database.statement import Statement

T = TypeVar("T")

GROUP_MAX = 64
"""Write units that share one commit at the most."""
READERS = 2
"""Threads for what takes milliseconds to read."""
CHANGES_LIVE = 0.005
"""Seconds that an answer to "has another process written" is believed."""
CHECKPOINT_PAGES = 2000
"""Pages in the write-ahead log beyond which the checkpointer works."""


class SqliteConnection:
    """An open transaction on an apsw connection."""

    dialect = "sqlite"

    def __init__(self, raw: apsw.Connection) -> None:
        self.raw = raw
        self.stale = NOTHING
        """What was run on it makes stale, of that which is remembered."""

    async def rows(self, statement: Statement, values: Values) -> Sequence[Row]:
        if statement.stale:
            self.stale |= statement.stale
        return self.raw.execute(statement.sqlite, statement.for_sqlite(values)).fetchall()

    async def run(self, statement: Statement, values: Values) -> int:
        self.stale |= statement.stale
        self.raw.execute(statement.sqlite, statement.for_sqlite(values))
        return self.raw.changes()

    async def many(self, statement: Statement, values: Sequence[Values]) -> None:
        self.stale |= statement.stale
        self.raw.executemany(statement.sqlite, [statement.for_sqlite(one) for one in values])


class _Unit:
    """A write unit that waits for the writer thread."""

    __slots__ = ("error", "future", "loop", "result", "work")

    def __init__(self, work: Callable[[Connection], Awaitable[Any]], loop: asyncio.AbstractEventLoop) -> None:
        self.work = work
        self.loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.result: Any = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        if self.future.cancelled():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


def drive(work: Awaitable[T]) -> T:
    """Run a coroutine that awaits nothing but its unit, without an event loop.

    Inside a unit only the unit may be awaited; on SQLite nothing in it ever suspends, so one step ends it.
    """
    coroutine = cast("Coroutine[Any, Any, T]", work)
    try:
        coroutine.send(None)
    except StopIteration as done:
        return cast("T", done.value)
    coroutine.close()
    raise RuntimeError("a unit of work awaited something that is not the unit")


class _Others:
    """Whether another process wrote, as the connection of the writer tells: its own commits do not change its version."""

    def __init__(self, generations: Generations) -> None:
        self._generations = generations
        self._writer: apsw.Connection | None = None
        self._lock = threading.Lock()
        """Held by whoever uses the connection: the writer's thread from begin to commit, or `look` for a moment."""
        self._kept_out = False
        """Whether the database is locked for the writer, so that nobody else commits."""
        self._version = 0
        self.again_at = 0.0
        """When to look again, on the monotonic clock."""

    def watch(self, writer: apsw.Connection | None) -> None:
        """Ask that connection from now on; None = it is about to be closed."""
        with self._lock:
            self._writer = writer
            self.again_at = 0.0

    def look(self, now: float) -> None:
        """Pass everything on where another process may have written since the last time."""
        self.again_at = now + CHANGES_LIVE
        if self._lock.acquire(blocking=False):
            try:
                self._compare()
            finally:
                self._lock.release()
        elif not self._kept_out:
            # The writer waits for its turn, maybe until another process has written: nothing is certain.
            self._generations.pass_on(ALL)

    @contextlib.contextmanager
    def kept_out(self) -> Iterator[Callable[[], None]]:
        """For the writer's thread, around a transaction; it calls what it is given when the transaction has begun."""
        with self._lock:
            try:
                yield self._begun
            finally:
                self._kept_out = False

    def _begun(self) -> None:
        self._compare()
        self._kept_out = True

    def _compare(self) -> None:
        if self._writer is None:
            raise Unavailable("the database is closed")
        version = cast("int", self._writer.pragma("data_version"))
        if version != self._version:
            self._version = version
            self._generations.pass_on(ALL)


class SqliteEngine:
    """One database file in WAL mode, owned by one process; command lines beside it write with short units."""

    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reader: apsw.Connection | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._idle: queue.SimpleQueue[apsw.Connection] = queue.SimpleQueue()
        """Connections of the threads that read, while none uses them."""
        self._waiting: queue.SimpleQueue[_Unit | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._checkpointer: threading.Thread | None = None
        self._logged = threading.Event()
        self._ending = False
        self._generations = Generations()
        self._others = _Others(self._generations)

    async def open(self) -> None:
        sys.setswitchinterval(0.0005)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            writer = _connect(self.path, writes=True)
            turn = turns.Turns(self.path)
            self._others.watch(writer)
            self._reader = _connect(self.path, writes=False)
        except (apsw.Error, OSError) as error:
            raise Unavailable(f"the database {self.path} cannot be opened: {error}") from error
        self._readers = ThreadPoolExecutor(READERS, "octavo-reader")
        self._writer = threading.Thread(target=self._write_loop, args=(writer, turn), name="octavo-writer", daemon=True)
        self._writer.start()
        self._checkpointer = threading.Thread(target=self._checkpoint_loop, name="octavo-checkpoint", daemon=True)
        self._checkpointer.start()

    async def close(self) -> None:
        if self._writer is None or self._checkpointer is None or self._readers is None:
            return
        await asyncio.to_thread(self._readers.shutdown)
        while not self._idle.empty():
            self._idle.get().close()
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        self._ending = True
        self._logged.set()
        await asyncio.to_thread(self._checkpointer.join)
        if self._reader is not None:
            self._reader.close()
        self._reader = self._readers = self._writer = self._checkpointer = None

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        return _read(self._open_reader(), work)

    async def read_apart(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        if self._readers is None:
            raise Unavailable("the database is closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read_here, work)

    async def write(self, work: Callable[[Connection], Awaitable[T]], *, lock: tuple[str, str] | None = None) -> T:
        if self._writer is None:
            raise Unavailable("the database is closed")
        unit = _Unit(work, asyncio.get_running_loop())
        self._waiting.put(unit)
        return cast("T", await unit.future)

    async def script(
        self,
        statements: Sequence[str],
        *,
        when: Callable[[Connection], Awaitable[bool]] | None = None,
        rewrites: bool = False,
    ) -> bool:
        async def work(connection: Connection) -> bool:
            at = cast("SqliteConnection", connection)
            if when is not None and not await when(at):
                return False
            at.stale = ALL
            for statement in statements:
                at.raw.execute(statement)
            return True

        return await (asyncio.to_thread(self._rewrite, work) if rewrites else self.write(work))

    def generation(self, family: Family) -> int:
        # With every request: asking takes a lock of the file, so the last answer is believed for some milliseconds.
        now = time.monotonic()
        if now >= self._others.again_at:
            self._others.look(now)
        return self._generations.of[family]

    def snapshot(self, target: Path) -> None:
        """Copy the database, as of one moment, into a new file; others may write meanwhile."""
        source, copy = _connect(self.path, writes=False), apsw.Connection(str(target))
        try:
            with copy.backup("main", source, "main") as backup:
                while not backup.done:
                    backup.step(500)
        finally:
            copy.close()
            source.close()

    def _rewrite(self, work: Callable[[Connection], Awaitable[bool]]) -> bool:
        """Run `work` while deleting a row, or a table, deletes nothing that refers to it."""
        raw = _connect(self.path, writes=True)
        try:
            raw.pragma("foreign_keys", 0)
            raw.execute("BEGIN EXCLUSIVE")
            done = drive(work(SqliteConnection(raw)))
            broken = raw.execute("PRAGMA foreign_key_check").fetchall()
            if broken:
                raise Unavailable(f"rows of {broken[0][0]} would refer to rows of {broken[0][2]} that are not there")
            raw.execute("COMMIT")
            return done
        except apsw.BusyError as error:
            raise Unavailable("something else uses the database: stop every process of Octavo first") from error
        finally:
            raw.close()

    def _read_here(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        try:
            raw = self._idle.get_nowait()
        except queue.Empty:
            raw = _connect(self.path, writes=False)
        try:
            return _read(raw, work)
        finally:
            self._idle.put(raw)

    def _open_reader(self) -> apsw.Connection:
        if self._reader is None:
            raise Unavailable("the database is closed")
        return self._reader

    def _write_loop(self, raw: apsw.Connection, turn: turns.Turns) -> None:
        connection = SqliteConnection(raw)
        last = False
        while not last:
            units: list[_Unit] = []
            first = self._waiting.get()
            if first is None:
                break
            units.append(first)
            with contextlib.suppress(queue.Empty):
                while len(units) < GROUP_MAX:
                    more = self._waiting.get_nowait()
                    if more is None:
                        last = True
                        break
                    units.append(more)
            self._commit_together(raw, turn, connection, units)
            self._logged.set()
        self._others.watch(None)
        turn.close()
        raw.close()

    def _commit_together(
        self, raw: apsw.Connection, turn: turns.Turns, connection: SqliteConnection, units: list[_Unit]
    ) -> None:
        connection.stale = NOTHING
        with self._others.kept_out() as begun:
            try:
                with turn.taken():
                    raw.execute("BEGIN IMMEDIATE")
                begun()
                for unit in units:
                    _run_saved(raw, connection, unit)
                raw.execute("COMMIT")
            except BaseException as error:  # the whole group failed: nobody is told of a success
                with contextlib.suppress(apsw.Error):
                    if raw.in_transaction:
                        raw.execute("ROLLBACK")
                for unit in units:
                    unit.error = unit.error or _told(error)
        self._generations.pass_on(connection.stale)
        by_loop: dict[asyncio.AbstractEventLoop, list[_Unit]] = {}
        for unit in units:
            by_loop.setdefault(unit.loop, []).append(unit)
        for loop, settled in by_loop.items():
            with contextlib.suppress(RuntimeError):  # the loop is gone, and with it whoever waited
                loop.call_soon_threadsafe(_settle_all, settled)

    def _checkpoint_loop(self) -> None:
        raw = _connect(self.path, writes=True)
        while not self._ending:
            self._logged.wait()
            self._logged.clear()
            with contextlib.suppress(apsw.BusyError):
                logged, _ = raw.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)
                if logged >= CHECKPOINT_PAGES or self._ending:
                    raw.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        raw.close()


def damage(path: Path) -> str | None:
    """What is wrong with a database that nobody uses; None where it is whole."""
    try:
        raw = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            said = str(raw.execute("PRAGMA quick_check(1)").fetchall()[0][0])
        finally:
            raw.close()
    except apsw.Error as error:
        said = str(error)
    return None if said == "ok" else said


def _read(raw: apsw.Connection, work: Callable[[Connection], Awaitable[T]]) -> T:
    raw.execute("BEGIN")
    try:
        return drive(work(SqliteConnection(raw)))
    finally:
        raw.execute("COMMIT")


def _settle_all(units: list[_Unit]) -> None:
    for unit in units:
        unit.settle()


def _run_saved(raw: apsw.Connection, connection: SqliteConnection, unit: _Unit) -> None:
    """One unit in a savepoint of its own: its failure undoes it and nobody else."""
    raw.execute("SAVEPOINT unit")
    try:
        unit.result = drive(unit.work(connection))
    except BaseException as error:
        unit.error = error
        if not raw.in_transaction:
            raise
        raw.execute("ROLLBACK TO unit")
    raw.execute("RELEASE unit")


def _told(error: BaseException) -> BaseException:
    if isinstance(error, (apsw.BusyError, apsw.FullError, apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError)):
        return Unavailable(f"the database could not be written: {error}")
    return error


_CACHE = 4 << 10
"""KiB of pages that a connection may hold. The system has them too: with 32 MiB searches took as long, and 60 MiB more."""


def _connect(path: Path, *, writes: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if writes else 0)
    raw = apsw.Connection(str(path), flags=flags, statementcachesize=512)
    raw.set_busy_handler(turns.wait)
    # Without this, ANALYZE made joins 3x slower: the planner peeked at the values of parameters.
    raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    wanted: list[tuple[str, Any]] = [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("cache_size", -_CACHE),
        ("wal_autocheckpoint", 0),  # a thread of its own does that, so that no commit waits for it
    ]
    if not writes:
        wanted.append(("query_only", 1))
    for name, value in wanted:
        if raw.pragma(name) != value:
            raw.pragma(name, value)
            if (seen := raw.pragma(name)) != value:
                raise apsw.SQLError(f"pragma {name} is {seen}, not {value}")
    return raw
