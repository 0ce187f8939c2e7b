"""PostgreSQL by asyncpg: read units in autocommit, write units under a lock on their root row."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from octavo.kernel.errors import Conflict, Unavailable
from octavo.store.database.engine import Connection, Row, Values
from octavo.store.database.families import ALL, NOTHING, Family, Generations
from octavo.store.database.statement import Statement

T = TypeVar("T")

TRIES = 3
"""Runs of a write unit that meets a serialization failure or a deadlock."""
_AGAIN = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError, asyncpg.UniqueViolationError)
"""A unique value taken meanwhile is seen by the next run, which then says so or takes another."""
_SCRIPTS = 0x6F637461766F
"""The advisory lock of who changes the schema: several processes may start at once."""
_AWAY = (OSError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError, asyncpg.TooManyConnectionsError)
_LOST = (*_AWAY, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What asyncpg says of a connection that is lost: before it has noticed, and once it has; the last two of other things too."""


class PostgresConnection:
    """An open connection, in a transaction when the unit writes."""

    dialect = "postgres"

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.stale = NOTHING

    async def rows(self, statement: Statement, values: Values) -> Sequence[Row]:
        if statement.stale:
            self.stale |= statement.stale
        found: Sequence[Row] = await self.raw.fetch(statement.postgres, *statement.for_postgres(values))
        return found

    async def run(self, statement: Statement, values: Values) -> int:
        self.stale |= statement.stale
        done: str = await self.raw.execute(statement.postgres, *statement.for_postgres(values))
        word = done.rsplit(" ", 1)[-1]
        return int(word) if word.isdigit() else 0

    async def many(self, statement: Statement, values: Sequence[Values]) -> None:
        self.stale |= statement.stale
        await self.raw.executemany(statement.postgres, [statement.for_postgres(one) for one in values])


class _Connections:
    """The connections of a pool; those that served last stay at hand.

    To take one from asyncpg's pool and to give it back is a task, a shield and a proxy: 45 us of a read's 110. So the pool
    sees a connection again only when somebody waits for one, or when something went wrong on it.
    """

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._idle: list[Any] = []
        self._waiting = 0

    async def take(self) -> Any:
        while self._idle:
            raw = self._idle.pop()
            if not _is_lost(raw):
                return raw
        self._waiting += 1
        try:
            return await self._pool.acquire()
        except (*_LOST, asyncpg.PostgresError) as error:  # also of a pool that is being closed
            raise Unavailable("the database is away") from error
        finally:
            self._waiting -= 1

    async def give_back(self, raw: Any, *, sound: bool) -> None:
        """`sound` = its last unit ended as it should; the pool looks after any other."""
        if sound and not self._waiting:
            self._idle.append(raw)
            return
        with suppress(*_LOST):  # then it has ended it, and opens another; what the unit came to stands
            await self._pool.release(raw)

    async def close(self) -> None:
        """Ends when the last unit that is under way has."""
        self._waiting += 1
        while self._idle:
            await self._pool.release(self._idle.pop())
        await self._pool.close()


def _is_lost(raw: Any) -> bool:
    try:
        return bool(raw.is_closed())
    except asyncpg.InterfaceError:  # the pool took it back when the server ended it
        return True


def _refuse_lost(raw: Any, error: Exception) -> None:
    """Raises Unavailable where the connection was lost, which may have been called otherwise."""
    if isinstance(error, asyncpg.InternalClientError) and not isinstance(error, asyncpg.OutdatedSchemaCacheError):
        # The server says why it ends a connection some milliseconds before it does. Until then it looks sound, and asyncpg
        # has lost the thread.
        if not _is_lost(raw):
            raw.terminate()
    elif not isinstance(error, _AWAY) and not _is_lost(raw):
        return
    raise Unavailable("the database is away") from error


@asynccontextmanager
async def _transaction(raw: Any) -> AsyncIterator[None]:
    """asyncpg's own tells of a connection that was lost in place of what the block failed with."""
    begun = raw.transaction()
    await begun.__aenter__()
    try:
        yield
    except BaseException as error:
        # It is lost with its connection; on any other, the pool rolls back what is left.
        with suppress(*_LOST):
            await begun.__aexit__(type(error), error, error.__traceback__)
        raise
    await begun.__aexit__(None, None, None)


async def _nothing(connection: object) -> None:
    """What a connection needs before its next unit."""


class PostgresEngine:
    """A pool of connections to one database."""

    dialect = "postgres"

    def __init__(self, url: str, *, size: int = 10) -> None:
        self._url = url
        self._size = size
        self._connections: _Connections | None = None
        self._generations = Generations()

    async def open(self) -> None:
        # A unit is a dozen stays of the event loop, and each waits so long beside a thread that computes.
        sys.setswitchinterval(0.0005)
        try:
            pool = await asyncpg.create_pool(
                self._url,
                min_size=1,
                max_size=self._size,
                statement_cache_size=1024,
                max_inactive_connection_lifetime=0,
                # No unit leaves anything in a session: every SET and lock is of its transaction.
                reset=_nothing,
                # Just-in-time compiling cost 60 to 120 ms on queries that take 5.
                server_settings={"jit": "off"},
            )
        except (*_AWAY, asyncpg.PostgresError) as error:
            raise Unavailable(f"the PostgreSQL database cannot be reached: {error}") from error
        except ValueError as error:
            raise Unavailable(f"OCTAVO_DATABASE_URL is no address of a database: {error}") from error
        self._connections = _Connections(pool)

    async def close(self) -> None:
        if self._connections is not None:
            await self._connections.close()
            self._connections = None

    async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        connections = self._opened()
        raw, sound = await connections.take(), False
        try:
            done = await work(PostgresConnection(raw))
            sound = True
            return done
        except _LOST as error:
            _refuse_lost(raw, error)
            raise
        finally:
            await connections.give_back(raw, sound=sound)

    async def read_apart(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        return await self.read(work)

    async def write(self, work: Callable[[Connection], Awaitable[T]], *, lock: tuple[str, str] | None = None) -> T:
        connections = self._opened()
        for attempt in range(1, TRIES + 1):
            raw, sound = await connections.take(), False
            connection = PostgresConnection(raw)
            try:
                async with _transaction(raw):
                    if lock is not None:
                        table, key = lock
                        await raw.execute(f"SELECT 1 FROM {table} WHERE id = $1 FOR NO KEY UPDATE", key)
                    done = await work(connection)
                sound = True
                return done
            except _AGAIN as error:
                if attempt == TRIES:
                    raise Conflict("others changed the same thing at the same time; try again") from error
            except _LOST as error:
                _refuse_lost(raw, error)
                raise
            finally:
                # Also when it failed, or nobody waits any more: whether the commit got through is not always known.
                try:
                    await connections.give_back(raw, sound=sound)
                finally:
                    self._generations.pass_on(connection.stale)
            await asyncio.sleep(0.005 * attempt)
        raise AssertionError("unreachable")

    async def script(
        self,
        statements: Sequence[str],
        *,
        when: Callable[[Connection], Awaitable[bool]] | None = None,
        rewrites: bool = False,
    ) -> bool:
        connections = self._opened()
        raw = await connections.take()
        try:
            async with _transaction(raw):
                await raw.execute(f"SELECT pg_advisory_xact_lock({_SCRIPTS})")
                if when is not None and not await when(PostgresConnection(raw)):
                    return False
                for statement in statements:
                    await raw.execute(statement)
                return True
        except _LOST as error:
            _refuse_lost(raw, error)
            raise
        finally:
            await connections.give_back(raw, sound=False)
            self._generations.pass_on(ALL)

    def generation(self, family: Family) -> int:
        return self._generations.of[family]

    def _opened(self) -> _Connections:
        if self._connections is None:
            raise Unavailable("the database is closed")
        return self._connections


@asynccontextmanager
async def database_beside(url: str) -> AsyncIterator[str]:
    """The address of a new, empty database of the same server for the block. Raises Conflict where that may not be made."""
    name = f"octavo_{secrets.token_hex(8)}"
    try:
        raw = await asyncpg.connect(url, timeout=30)
    except (*_AWAY, asyncpg.PostgresError, ValueError) as error:
        raise Unavailable(f"the PostgreSQL database cannot be reached: {error}") from error
    try:
        try:
            await raw.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
        except asyncpg.InsufficientPrivilegeError as error:
            raise Conflict(
                "a temporary database cannot be made: give the database user CREATEDB, or set OCTAVO_DATABASE_URL to a"
                " server where the user may"
            ) from error
        try:
            parts = urlsplit(url)
            yield urlunsplit(parts._replace(path=f"/{name}"))
        finally:
            await raw.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    finally:
        await raw.close()
