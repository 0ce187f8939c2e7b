"""Migrations: an earlier database comes to the newest schema with every row, and back; the newest schema is what it says."""

from __future__ import annotations

import asyncio
import runpy
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import BigInteger

from octavo.kernel.errors import BadRequest, Unavailable
from octavo.store.database import migrate
from octavo.store.database.engine import Engine
from octavo.store.database.migrate import Migrations, version
from octavo.store.database.postgres import PostgresEngine
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.schema.tables import metadata
from tests.conftest import postgres_database
from tests.processes import bootstrap, octavo
from tests.store.databases import FILLED, fill, only, rows_of, said

ROOT = Path(__file__).parents[2]
FIRST = "0001"
FURTHER = Migrations("9002", (migrate.VERSIONS, Path(__file__).parent / "versions"), newest=False)
"""All migrations, and two of the tests behind them."""
MADE = runpy.run_path(str(ROOT / "tools" / "schema.py"))


@pytest.fixture(scope="module")
def emptied_url(loop: asyncio.AbstractEventLoop) -> Iterator[str]:
    with postgres_database(loop) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, loop: asyncio.AbstractEventLoop, memory_folder: Path) -> Iterator[Any]:
    """Where an empty database is."""
    if request.param == "sqlite":
        path = memory_folder / f"{request.node.name}.db"
        yield path
        for part in memory_folder.glob(path.name + "*"):
            part.unlink()
        return
    url = request.getfixturevalue("emptied_url")

    async def clear() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        await connection.close()

    loop.run_until_complete(clear())
    yield url


def _engine(address: Any) -> Engine:
    return SqliteEngine(address) if isinstance(address, Path) else PostgresEngine(address, size=3)


@pytest.fixture
def empty(address: Any, loop: asyncio.AbstractEventLoop) -> Iterator[Engine]:
    """An open, empty database."""
    engine = _engine(address)
    loop.run_until_complete(engine.open())
    yield engine
    loop.run_until_complete(engine.close())


@pytest.fixture
def filled(empty: Engine, loop: asyncio.AbstractEventLoop) -> Engine:
    """A database of the first schema with rows in every table."""
    assert loop.run_until_complete(Migrations(FIRST, newest=False).migrate(empty))
    loop.run_until_complete(fill(empty))
    return empty


def test_every_table_of_the_first_schema_is_filled(filled: Engine, loop: asyncio.AbstractEventLoop) -> None:
    rows = loop.run_until_complete(rows_of(filled))
    assert {*rows} - {"alembic_version", "search_index"} == {*FILLED}
    assert {table: len(found) for table, found in rows.items()} == dict.fromkeys(FILLED, 2) | {
        "alembic_version": 1,
        "search_index": 1,
    }


def test_a_filled_database_of_the_first_schema_comes_to_the_newest(
    filled: Engine, loop: asyncio.AbstractEventLoop
) -> None:
    async def work() -> None:
        before = await rows_of(filled)
        assert await migrate.migrate(filled, offline=True) is (migrate.HEAD != FIRST)
        assert await version(filled) == migrate.HEAD
        assert _data(only(await rows_of(filled), before)) == _data(before)
        assert not await migrate.migrate(filled)

    loop.run_until_complete(work())


def test_rows_survive_further_migrations_and_the_way_back(filled: Engine, loop: asyncio.AbstractEventLoop) -> None:
    async def to(revision: str) -> tuple[Any, Any]:
        assert await FURTHER.migrate(filled, to=revision, offline=True)
        assert await version(filled) == revision
        return await rows_of(filled), await said(filled)

    async def work() -> None:
        first, schema = await rows_of(filled), await said(filled)
        second, second_schema = await to("9001")
        assert _data(only(second, first)) == _data(first)
        assert [row["pinned"] for row in second["comments"]] == [0, 1]
        assert [row["comment"] for row in second["bookmarks"]] == ["comments.id 2"]
        third, third_schema = await to("9002")
        assert _data(third) == _data(second)
        assert third_schema != second_schema
        assert _data((await to("9001"))[0]) == _data(second)
        again, again_schema = await to("9002")
        assert (_data(again), again_schema) == (_data(third), third_schema)
        back, back_schema = await to(FIRST)
        assert (_data(back), back_schema) == (_data(first), schema)
        await to("9002")

    loop.run_until_complete(work())


def test_installations_have_agreed_to_what_their_integration_asked_for(
    filled: Engine, loop: asyncio.AbstractEventLoop
) -> None:
    def row(table: str, **said: str) -> str:
        needed = [
            column for column in metadata.tables[table].columns if not column.nullable and column.name != "scopes"
        ]
        values = {one.name: "0" if isinstance(one.type, BigInteger) else "'[]'" for one in needed}
        values |= {name: f"'{word}'" for name, word in said.items()}
        return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(values.values())})"

    async def work() -> None:
        assert await Migrations("0021", newest=False).migrate(filled, offline=True)
        owner = FILLED["organizations"][1]["id"]
        made = row("integrations", id="counter", organization=owner, scopes='["space:content:read"]')
        there = row("integration_installations", id="i", integration="counter", organization=owner)
        await filled.script([made, there])
        before = await rows_of(filled)
        assert await Migrations("0022", newest=False).migrate(filled)
        after = await rows_of(filled)
        assert after["integration_installations"][0].pop("scopes") == '["space:content:read"]'
        assert _data(after) == _data(before)
        assert await Migrations("0022", newest=False).migrate(filled, to="0021", offline=True)
        assert _data(await rows_of(filled)) == _data(before)

    loop.run_until_complete(work())


def test_what_rewrites_tables_waits_for_the_command_on_sqlite(filled: Engine, loop: asyncio.AbstractEventLoop) -> None:
    async def work() -> None:
        if isinstance(filled, PostgresEngine):
            assert await FURTHER.migrate(filled)
            return
        with pytest.raises(Unavailable, match=r"stop every process of Octavo, make a backup .* `octavo migrate`"):
            await FURTHER.migrate(filled)
        assert await version(filled) == FIRST
        assert await FURTHER.migrate(filled, to="9001")
        assert await FURTHER.migrate(filled, offline=True)
        assert not await FURTHER.migrate(filled)

    loop.run_until_complete(work())


def test_a_newer_database_is_refused(empty: Engine, loop: asyncio.AbstractEventLoop) -> None:
    async def work() -> None:
        await migrate.migrate(empty)
        await empty.script(["UPDATE alembic_version SET version_num = '9999'"])
        with pytest.raises(Unavailable, match=f"at migration 9999, newer than this Octavo .{migrate.HEAD}."):
            await migrate.migrate(empty)

    loop.run_until_complete(work())


def test_there_is_no_way_to_a_migration_that_is_not_there(empty: Engine, loop: asyncio.AbstractEventLoop) -> None:
    async def work() -> None:
        with pytest.raises(BadRequest, match=r"no migration 0815; there are 0001, .*, 9001, 9002"):
            await FURTHER.migrate(empty, to="0815")
        assert await version(empty) is None

    loop.run_until_complete(work())


def test_the_command_goes_to_a_migration(tmp_path: Path) -> None:
    assert "no installation" in octavo("migrate", "--data", tmp_path, fails=True)
    bootstrap(tmp_path)
    assert octavo("migrate", "--data", tmp_path) == {"version": migrate.HEAD, "migrated": False}
    told = {"version": migrate.HEAD, "newest": migrate.HEAD, "offline": False}
    assert octavo("migrate", "--check", "--data", tmp_path) == told
    with sqlite3.connect(tmp_path / "octavo.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    for command in (("migrate", "--check"), ("migrate",), ("serve",), ("user", "list")):
        assert "newer than this Octavo" in octavo(*command, "--data", tmp_path, fails=True)
    with sqlite3.connect(tmp_path / "octavo.db") as database:
        database.execute("UPDATE alembic_version SET version_num = ?", (migrate.HEAD,))
    assert octavo("migrate", "--data", tmp_path, "--to", migrate.HEAD) == {"version": migrate.HEAD, "migrated": False}
    assert "there is no migration 0815" in octavo("migrate", "--data", tmp_path, "--to", "0815", fails=True)


def test_several_processes_that_start_at_once_migrate_once(
    filled: Engine, address: Any, loop: asyncio.AbstractEventLoop
) -> None:
    async def work() -> None:
        others = [_engine(address) for _ in range(2)]
        for one in others:
            await one.open()
        try:
            done = await asyncio.gather(*(FURTHER.migrate(one, to="9001") for one in (filled, *others)))
            assert sorted(done) == [False, False, True]
            assert len((await rows_of(filled))["bookmarks"]) == 1
        finally:
            for one in others:
                await one.close()

    loop.run_until_complete(work())


def test_several_processes_that_start_on_nothing_make_the_schema_once(
    empty: Engine, address: Any, loop: asyncio.AbstractEventLoop
) -> None:
    async def work() -> None:
        other = _engine(address)
        await other.open()
        try:
            assert sorted(await asyncio.gather(migrate.migrate(empty), migrate.migrate(other))) == [False, True]
        finally:
            await other.close()

    loop.run_until_complete(work())


@pytest.mark.parametrize("rewrites", [False, True])
def test_a_script_that_breaks_leaves_nothing(filled: Engine, rewrites: bool, loop: asyncio.AbstractEventLoop) -> None:
    async def work() -> None:
        before = await said(filled)
        with pytest.raises(Exception, match="nowhere"):
            await filled.script(["CREATE TABLE made (id TEXT)", "INSERT INTO nowhere VALUES (1)"], rewrites=rewrites)
        assert await said(filled) == before

    loop.run_until_complete(work())


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_a_rewriting_that_loses_rows_which_others_refer_to_is_undone(
    filled: Engine, loop: asyncio.AbstractEventLoop
) -> None:
    async def work() -> None:
        before = await rows_of(filled)
        with pytest.raises(Unavailable, match="would refer to rows of users that are not there"):
            await filled.script(["DELETE FROM users"], rewrites=True)
        assert await rows_of(filled) == before

    loop.run_until_complete(work())


def test_the_newest_schema_is_what_all_migrations_lead_to(
    empty: Engine, address: Any, loop: asyncio.AbstractEventLoop
) -> None:
    async def work() -> None:
        await Migrations(newest=False).migrate(empty, offline=True)
        migrated = await said(empty)
        assert await version(empty) == migrate.HEAD
        drop = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
        other = SqliteEngine(address.with_name(address.name + "-newest")) if isinstance(address, Path) else empty
        if other is empty:
            await empty.script([drop])
        else:
            await other.open()
        assert await migrate.migrate(other)
        newest = await said(other)
        if other is not empty:
            await other.close()
        assert newest == migrated
        assert await version(empty) == migrate.HEAD
        assert len(newest["columns"]) > 300

    loop.run_until_complete(work())


def test_the_newest_schema_is_what_the_tables_say(empty: Engine, loop: asyncio.AbstractEventLoop) -> None:
    assert MADE["stale"]() == [], "run `python tools/schema.py`"
    loop.run_until_complete(migrate.migrate(empty))
    columns = {(row[0], row[1]) for row in loop.run_until_complete(said(empty))["columns"]}
    apart = ("alembic_version", "search_index")
    described = {(table.name, column.name) for table in metadata.tables.values() for column in table.columns}
    assert {one for one in columns if one[0] not in apart} == described
    written = {one[1] for one in loop.run_until_complete(said(empty))["written"]}
    assert {index.name for table in metadata.tables.values() for index in table.indexes} <= written


def test_the_check_sees_a_file_that_is_not_what_the_tables_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = runpy.run_path(str(ROOT / "tools" / "schema.py"))
    made["main"].__globals__["newest_file"] = lambda dialect: tmp_path / dialect
    assert made["main"](["--check"]) == 1
    assert "run `python tools/schema.py`" in capsys.readouterr().err
    assert made["main"]([]) == 0
    assert made["main"](["--check"]) == 0


def _data(rows: dict[str, Any]) -> dict[str, Any]:
    """All but the number of the migration."""
    return {table: found for table, found in rows.items() if table != "alembic_version"}
