"""What is remembered goes with the writes that change it, whoever wrote, and stays with all others."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import pkgutil
import threading
from pathlib import Path

import apsw
import pytest

import octavo.store
from octavo.kernel.errors import Conflict
from octavo.kernel.ids import new_id
from octavo.kernel.records.people import Organization
from octavo.store.database import sqlite
from octavo.store.database.engine import Connection, Engine
from octavo.store.database.families import ALL, CALLERS, HARMLESS, NOTHING, SITES, Family, stale_after, stale_by
from octavo.store.database.memory import LIVES, Memory
from octavo.store.database.sqlite import SqliteEngine
from octavo.store.database.statement import Statement
from octavo.store.people.people import _SEEN, _TOUCH_TOKEN
from octavo.store.people.sessions import _TOUCH
from octavo.store.review.change_requests import _COUNT_ON_SPACE
from octavo.store.review.comments import _COUNT_ON
from octavo.store.schema import tables as schema
from octavo.store.shelf import Table
from octavo.store.unit import Store, Unit
from tests.conftest import FakeClock

for found in pkgutil.walk_packages(octavo.store.__path__, "octavo.store."):
    if ".migrations" not in found.name:
        importlib.import_module(found.name)

STATEMENTS = [one for one in gc.get_objects() if isinstance(one, Statement)]
TABLES = {one.name: one for one in gc.get_objects() if isinstance(one, Table)}
NAMES = {*schema.metadata.tables, "search_index", "alembic_version"}
OTHERWISE = {_SEEN, _TOUCH_TOKEN, _TOUCH, _COUNT_ON[False], _COUNT_ON_SPACE}
"""Statements that make less stale than their tables say: when somebody was here last, what is counted on a space."""
EVERYTHING = {"installation", "verified_domains"}
"""Tables that nobody put anywhere, as they are seldom written."""
FAMILIES: tuple[Family, ...] = ("callers", "sites")

Loop = asyncio.AbstractEventLoop


def generations(engine: Engine) -> dict[Family, int]:
    return {family: engine.generation(family) for family in FAMILIES}


def passed_on(before: dict[Family, int], after: dict[Family, int]) -> set[Family]:
    return {family for family in FAMILIES if before[family] != after[family]}


def test_every_table_is_somewhere_or_empties_everything() -> None:
    assert NAMES - CALLERS - SITES - HARMLESS == EVERYTHING
    assert CALLERS | SITES | HARMLESS <= NAMES
    assert not HARMLESS & (CALLERS | SITES)
    assert all(stale_by(name) == ALL for name in (*EVERYTHING, "a_table_of_tomorrow"))
    assert all(stale_by(name) == NOTHING for name in HARMLESS)
    assert all("callers" in stale_by(name) for name in CALLERS)
    assert all("sites" in stale_by(name) for name in SITES)


def test_what_goes_with_a_row_is_as_stale_as_the_row() -> None:
    """A deletion cascades, and only the statement that began it is seen."""
    pairs = [
        (child.name, key.column.table.name) for child in schema.metadata.sorted_tables for key in child.foreign_keys
    ]
    assert len(pairs) > 50
    # What an integration may do on a space or a site ends with these, whatever is remembered of it.
    moot = {("integration_placements", "sites"), ("integration_placements", "spaces")}
    assert {pair for pair in pairs if not stale_by(pair[0]) <= stale_by(pair[1])} == moot


def test_the_database_agrees_which_tables_are_written(sqlite_template: Path) -> None:
    raw = apsw.Connection(str(sqlite_template), flags=apsw.SQLITE_OPEN_READONLY, statementcachesize=0)
    written: set[str] = set()

    def note(action: int, table: str | None, *_: object) -> int:
        if action in (apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE) and table is not None:
            written.add(table)
        return apsw.SQLITE_OK

    raw.authorizer = note
    writing, wrong = 0, []
    for statement in STATEMENTS:
        written.clear()
        raw.execute(f"EXPLAIN {statement.sqlite}", _Anything()).fetchall()
        tables = {name for name in written if name in NAMES}
        writing += bool(tables)
        expected = frozenset[Family]().union(*map(stale_by, tables))
        if statement not in OTHERWISE and not expected <= statement.stale:
            wrong.append((statement.sqlite, sorted(tables)))
        if not tables:
            assert statement.stale == NOTHING, statement.sqlite
    raw.close()
    assert writing > 100
    assert wrong == []
    assert all(statement.stale == NOTHING for statement in OTHERWISE)


class _Anything(dict[str, object]):
    """NULL for every parameter."""

    def __missing__(self, name: str) -> object:
        return None


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_write_through_a_shelf_passes_on_what_it_makes_stale(store: Store, loop: Loop, name: str) -> None:
    table = TABLES[name]
    before = generations(store.engine)
    loop.run_until_complete(store.write(lambda unit: table.remove(unit.at, **dict.fromkeys(table._key, "nothing"))))
    assert passed_on(before, generations(store.engine)) == stale_by(name)


@pytest.mark.parametrize("sql", ["DELETE FROM a_table_of_tomorrow", "VACUUM", "TRUNCATE jobs", ""])
def test_what_is_not_understood_empties_everything(sql: str) -> None:
    assert stale_after(sql) == ALL


def test_scripts_empty_everything(store: Store, loop: Loop) -> None:
    before = generations(store.engine)
    loop.run_until_complete(store.engine.script(["DELETE FROM jobs WHERE id = 'nothing'"]))
    assert passed_on(before, generations(store.engine)) == ALL


def _organization() -> Organization:
    return Organization(id=new_id(), title="Acme", created_at=1)


def test_a_unit_that_nobody_waits_for_any_more_is_passed_on(store: Store, loop: Loop) -> None:
    """The browser is gone while its token is revoked."""
    made, begun = _organization(), threading.Event()

    async def work(unit: Unit) -> None:
        await unit.people.add_organization(made)
        begun.set()

    async def cancelled() -> None:
        task = asyncio.ensure_future(store.write(work))
        while not begun.is_set():
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await store.write(lambda unit: unit.jobs.forget(done=0, failed=0))

    before = generations(store.engine)
    loop.run_until_complete(cancelled())
    assert passed_on(before, generations(store.engine)) == ALL


def test_a_value_that_was_read_before_another_s_write_is_not_kept(store: Store, loop: Loop) -> None:
    memory: Memory[str] = Memory(store, "callers")
    assert memory.get("ada") is None
    read = memory.generation
    loop.run_until_complete(store.write(lambda unit: unit.people.add_organization(_organization())))
    assert memory.get("bob") is None  # another request, which empties it
    memory.put("ada", "an admin", read)
    assert memory.get("ada") is None
    memory.put("ada", "no admin", memory.generation)
    assert memory.get("ada") == "no admin"


def test_a_value_lives_for_a_moment(store: Store, clock: FakeClock) -> None:
    memory: Memory[str] = Memory(store, "sites", most=2)
    memory.get("a")
    memory.put("a", "1", memory.generation)
    memory.put("b", "2", memory.generation, until=clock() + 10)
    clock.advance(9)
    assert (memory.get("a"), memory.get("b")) == ("1", "2")
    clock.advance(1)
    assert (memory.get("a"), memory.get("b")) == ("1", None)
    clock.advance(LIVES - 10)
    assert memory.get("a") is None
    for key in "abc":
        memory.put(key, key, memory.generation)
    assert memory.get("a") is None  # there were too many


@pytest.fixture
def beside(engine: Engine, loop: Loop, monkeypatch: pytest.MonkeyPatch) -> SqliteEngine:
    """An engine on SQLite, whose answers about other processes are never believed for longer than it takes to ask."""
    if not isinstance(engine, SqliteEngine):
        pytest.skip("on PostgreSQL other processes are not seen")
    monkeypatch.setattr(sqlite, "CHANGES_LIVE", 0)
    return engine


def test_another_process_is_seen_on_sqlite(beside: SqliteEngine, loop: Loop) -> None:
    other = SqliteEngine(beside.path)
    loop.run_until_complete(other.open())
    statement = Statement("UPDATE jobs SET lease = :lease WHERE id = 'nothing'")
    seen = generations(beside)

    async def write(engine: SqliteEngine) -> None:
        async def work(at: Connection) -> None:
            await at.run(statement, {"lease": new_id()})
            await at.run(Statement("INSERT INTO cache (key, data, touched) VALUES (:key, :key, 1)"), {"key": key})

        key = new_id().encode()
        await engine.write(work)

    for _ in range(3):
        loop.run_until_complete(write(beside))
        assert generations(beside) == seen
        loop.run_until_complete(write(other))
        assert passed_on(seen, seen := generations(beside)) == ALL
        # Also when the own writer is the first to find out.
        loop.run_until_complete(write(other))
        loop.run_until_complete(write(beside))
        assert passed_on(seen, seen := generations(beside)) == ALL
        assert generations(beside) == seen
    loop.run_until_complete(other.close())


def test_own_checkpoints_are_not_taken_for_another_process(
    beside: SqliteEngine, loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "CHECKPOINT_PAGES", 1)
    store = Store(beside, lambda: 1)
    seen = generations(beside)
    for _ in range(200):
        values = {new_id().encode(): bytes(5000)}
        loop.run_until_complete(store.write(lambda unit, values=values: unit.cache.put(values, 1)))  # type: ignore[misc]
        assert generations(beside) == seen


def test_while_the_writer_waits_for_another_process_nothing_is_remembered(beside: SqliteEngine, loop: Loop) -> None:
    blocking = apsw.Connection(str(beside.path))
    blocking.execute("BEGIN IMMEDIATE")
    store = Store(beside, lambda: 1)

    async def together() -> None:
        task = asyncio.ensure_future(store.write(lambda unit: unit.jobs.forget(done=0, failed=0)))
        before = generations(beside)
        while passed_on(before, generations(beside)) != ALL:
            await asyncio.sleep(0)
        blocking.execute("COMMIT")
        await task

    loop.run_until_complete(together())
    seen = generations(beside)
    assert generations(beside) == seen
    blocking.close()


def test_within_a_transaction_of_its_own_the_last_answer_holds(beside: SqliteEngine, loop: Loop) -> None:
    store, inside, go_on = Store(beside, lambda: 1), threading.Event(), threading.Event()

    async def work(unit: Unit) -> None:
        inside.set()
        assert go_on.wait(10)

    async def together() -> None:
        task = asyncio.ensure_future(store.write(work))
        while not inside.is_set():
            await asyncio.sleep(0)
        seen = generations(beside)
        for _ in range(20):
            assert generations(beside) == seen
        go_on.set()
        await task

    loop.run_until_complete(together())


def test_a_unit_that_fails_may_be_passed_on_and_the_next_is(store: Store, loop: Loop) -> None:
    async def fails(unit: Unit) -> None:
        await unit.people.add_organization(_organization())
        raise Conflict("no")

    with pytest.raises(Conflict):
        loop.run_until_complete(store.write(fails))
    before = generations(store.engine)
    loop.run_until_complete(store.write(lambda unit: unit.people.add_organization(_organization())))
    assert passed_on(before, generations(store.engine)) == ALL
