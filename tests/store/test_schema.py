"""The schema: every statement of the store is understood by both engines, records and columns agree."""

from __future__ import annotations

import asyncio
import gc
import importlib
import pkgutil
from pathlib import Path

import msgspec
import pytest

import octavo.store
from octavo.store.database import migrate
from octavo.store.database.engine import Connection, Engine
from octavo.store.database.sqlite import SqliteConnection, SqliteEngine
from octavo.store.database.statement import Statement
from octavo.store.schema import tables as schema
from octavo.store.shelf import Table

for found in pkgutil.walk_packages(octavo.store.__path__, "octavo.store."):
    if ".migrations" not in found.name:
        importlib.import_module(found.name)


class _Anything(dict[str, object]):
    """NULL for every parameter."""

    def __missing__(self, name: str) -> object:
        return None


STATEMENTS = [one for one in gc.get_objects() if isinstance(one, Statement)]
TABLES = [one for one in gc.get_objects() if isinstance(one, Table)]


def test_there_are_statements_to_test() -> None:
    assert len(STATEMENTS) > 60
    assert len(TABLES) > 12


def test_every_statement_is_understood(engine: Engine, loop: asyncio.AbstractEventLoop) -> None:
    async def prepare(connection: Connection) -> list[str]:
        wrong = []
        for statement in STATEMENTS:
            try:
                if isinstance(connection, SqliteConnection):
                    connection.raw.execute(f"EXPLAIN {statement.sqlite}", _Anything()).fetchall()
                else:
                    await connection.raw.prepare(statement.postgres)  # type: ignore[attr-defined]
            except Exception as error:
                wrong.append(f"{error}: {statement.sqlite[:200]}")
        return wrong

    run = engine.read if isinstance(engine, SqliteEngine) else engine.write
    assert loop.run_until_complete(run(prepare)) == []


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_records_have_the_columns_of_their_table(table: Table) -> None:  # type: ignore[type-arg]
    columns = {column.name for column in schema.metadata.tables[table.name].columns}
    fields = {field.name for field in msgspec.structs.fields(table.record)}
    assert fields <= columns


def test_every_row_carries_its_organization() -> None:
    shared = {"installation", "users", "tokens", "organizations", "cache"}
    shared |= {"sessions", "passwords", "login_codes", "attempts", "notification_preferences", "oidc_identities"}
    without = {name for name, table in schema.metadata.tables.items() if "organization" not in table.columns}
    assert without == shared


def test_head_is_the_newest_migration() -> None:
    files = sorted(path.stem for path in (Path(migrate.__file__).parent / "migrations" / "versions").glob("v*.py"))
    assert files[-1].startswith(f"v{migrate.HEAD}_")


def test_a_newer_database_is_refused(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    async def work() -> None:
        engine = SqliteEngine(tmp_path / "octavo.db")
        await engine.open()
        try:
            await migrate.migrate(engine)
            await engine.script(["UPDATE alembic_version SET version_num = '9999'"])
            with pytest.raises(Exception, match="newer than this Octavo"):
                await migrate.migrate(engine)
        finally:
            await engine.close()

    loop.run_until_complete(work())
