"""The two databases as a move has them open: one connection each, which reads in one view, or writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import apsw

from octavo.kernel import extras
from octavo.kernel.errors import Conflict, Unavailable
from octavo.store.database.engine import Connection
from octavo.store.database.sqlite import SqliteConnection
from octavo.store.moving.tables import Row, Table

_COUNTED = "SELECT count(*) FROM sqlite_sequence WHERE name = 'search_heads'"
_SERIAL = "pg_get_serial_sequence('search_heads', 'number')"


class Side(Protocol):
    """A database that is moved from, or to."""

    dialect: str
    connection: Connection

    async def rows(self, sql: str, *values: Any) -> Sequence[Row]: ...
    async def run(self, sql: str) -> None: ...
    def stream(self, sql: str, *values: Any) -> AsyncIterator[Row]: ...

    async def put(self, table: Table, rows: Sequence[Row]) -> None:
        """Write rows, within a transaction."""

    def transaction(self) -> Any:
        """A context in which everything is written, or nothing."""

    async def view(self) -> None:
        """From now on everything is read as it is at this moment."""

    async def names(self) -> set[str]:
        """The tables that there are."""

    async def others(self) -> int:
        """Further connections to the same database, as far as it knows of them."""

    async def reached(self) -> int:
        """The greatest number that `search_heads` ever gave."""

    async def reach(self, number: int) -> None:
        """Let it go on from there."""

    async def broken(self) -> str | None:
        """A table of which a row refers to nothing; None where there is none."""

    async def close(self) -> None: ...


class SqliteSide:
    """A file, which nobody else has open while the directory's lock is held."""

    dialect = "sqlite"

    def __init__(self, path: Path, *, makes: bool = False) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if makes else 0)
        try:
            self._raw = apsw.Connection(str(path), flags=flags)
            self._raw.set_busy_timeout(5000)
            self._raw.pragma("journal_mode", "wal")
            self._raw.pragma("foreign_keys", 0)  # they are looked at in the end
        except apsw.Error as error:
            raise Unavailable(f"the database {path} cannot be opened: {error}") from error
        self.connection: Connection = SqliteConnection(self._raw)

    async def rows(self, sql: str, *values: Any) -> Sequence[Row]:
        return self._raw.execute(sql, values).fetchall()

    async def run(self, sql: str) -> None:
        self._raw.execute(sql)

    async def stream(self, sql: str, *values: Any) -> AsyncIterator[Row]:
        for row in self._raw.execute(sql, values):
            yield row

    async def put(self, table: Table, rows: Sequence[Row]) -> None:
        self._raw.executemany(table.insert(), rows)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        with self._raw:
            yield

    async def view(self) -> None:
        self._raw.execute("BEGIN")
        self._raw.execute("SELECT count(*) FROM sqlite_master").fetchall()

    async def names(self) -> set[str]:
        return {name for (name,) in await self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}

    async def others(self) -> int:
        return 0

    async def reached(self) -> int:
        if not (await self.rows(_COUNTED))[0][0]:
            return 0
        return int((await self.rows("SELECT seq FROM sqlite_sequence WHERE name = 'search_heads'"))[0][0])

    async def reach(self, number: int) -> None:
        self._raw.execute("DELETE FROM sqlite_sequence WHERE name = 'search_heads'")
        self._raw.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('search_heads', ?)", (number,))

    async def broken(self) -> str | None:
        found = await self.rows("PRAGMA foreign_key_check")
        return str(found[0][0]) if found else None

    async def close(self) -> None:
        self._raw.close()


class PostgresSide:
    """A connection to PostgreSQL."""

    dialect = "postgres"

    def __init__(self, raw: Any, connection: Connection) -> None:
        self._raw = raw
        self.connection = connection

    @classmethod
    async def open(cls, url: str) -> PostgresSide:
        extras.require("postgres")
        import asyncpg  # only by those who have it

        from octavo.store.database.postgres import PostgresConnection

        try:
            raw = await asyncpg.connect(url, timeout=30, server_settings={"jit": "off"})
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
            raise Unavailable(f"the PostgreSQL database cannot be reached: {error}") from error
        if (encoding := await raw.fetchval("SHOW server_encoding")) != "UTF8":
            await raw.close()
            raise Conflict(f"the PostgreSQL database is encoded as {encoding}; make one with UTF8")
        return cls(raw, PostgresConnection(raw))

    async def rows(self, sql: str, *values: Any) -> Sequence[Row]:
        return [tuple(row) for row in await self._raw.fetch(sql, *values)]

    async def run(self, sql: str) -> None:
        await self._raw.execute(sql)

    async def stream(self, sql: str, *values: Any) -> AsyncIterator[Row]:
        async with self._raw.transaction():
            async for row in self._raw.cursor(sql, *values, prefetch=200):
                yield tuple(row)

    async def put(self, table: Table, rows: Sequence[Row]) -> None:
        await self._raw.copy_records_to_table(table.name, records=rows, columns=table.columns)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        async with self._raw.transaction():
            yield

    async def view(self) -> None:
        await self._raw.transaction(isolation="repeatable_read", readonly=True).start()

    async def names(self) -> set[str]:
        found = await self.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {name for (name,) in found}

    async def others(self) -> int:
        found = await self.rows(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND coalesce(backend_type, 'client backend') = 'client backend'"
        )
        return int(found[0][0])

    async def reached(self) -> int:
        found = await self.rows(f"SELECT coalesce(pg_sequence_last_value({_SERIAL}::regclass), 0)")
        return int(found[0][0])

    async def reach(self, number: int) -> None:
        if number:
            await self.rows(f"SELECT setval({_SERIAL}, $1::bigint)", number)

    async def broken(self) -> str | None:
        return None  # it looked at each row as it came

    async def close(self) -> None:
        await self._raw.close()
