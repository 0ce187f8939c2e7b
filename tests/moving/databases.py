"""Databases to move: rows in every table there is, and an empty PostgreSQL database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import BigInteger, LargeBinary

from octavo.store.database.migrate import migrate
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.moving.sides import SqliteSide
from octavo.store.moving.tables import Row, tables
from octavo.store.schema.tables import metadata
from tests.conftest import postgres_database

ROWS = 5


def rows() -> dict[str, list[Row]]:
    """Rows of every table, the later ones referring to others of their own; each second has nulls where there may be."""
    made: dict[str, list[Row]] = {}
    for table in metadata.sorted_tables:
        made[table.name] = []
        for number in range(ROWS):
            row: list[Any] = []
            for column in table.columns:
                refers = next(iter(column.foreign_keys), None)
                if refers is not None and refers.column.table is not table:
                    row.append(
                        made[refers.column.table.name][number][list(refers.column.table.columns).index(refers.column)]
                    )
                elif refers is not None:
                    # Against the order of ids: a row comes before the one that it refers to.
                    row.append(f"{table.name}-id-{number + 1}" if number + 1 < ROWS else None)
                elif column.nullable and number % 2:
                    row.append(None)
                else:
                    row.append(_value(table.name, column, number))
            made[table.name].append(tuple(row))
    return made


def _value(table: str, column: Any, number: int) -> Any:
    if isinstance(column.type, LargeBinary):
        return bytes([0, 255, number]) * (number + 1)
    if isinstance(column.type, BigInteger) or "INT" in str(column.type):
        return (1 << 62) + number if column.name.endswith("_at") else number + 1
    if column.name == "id":
        return f"{table}-id-{number}"
    return ["", "a", "ä\u4e2d", "🦆", "Z\ufffd\n"][number] + f" {table}.{column.name}" + ("" if number else "\u0001")


def fill(path: Path, loop: asyncio.AbstractEventLoop) -> None:
    """A SQLite installation with such rows, and a number of a space that is gone."""

    async def work() -> None:
        engine = SqliteEngine(path)
        await engine.open()
        await migrate(engine)
        await engine.close()
        side = SqliteSide(path)
        made = rows()
        async with side.transaction():
            for table in tables():
                await side.put(table, made[table.name])
            await side.reach(77)
        await side.close()

    loop.run_until_complete(work())


@contextmanager
def empty_postgres(loop: asyncio.AbstractEventLoop) -> Iterator[str]:
    with postgres_database(loop) as url:
        loop.run_until_complete(emptied(url))
        yield url


async def emptied(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await connection.close()
