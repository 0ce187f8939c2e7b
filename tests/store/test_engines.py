"""Units of work on both engines: all or nothing, one view, isolated failures."""

from __future__ import annotations

import asyncio
import shutil
import threading
from pathlib import Path

import pytest

from octavo.kernel.errors import Conflict, Unavailable
from octavo.kernel.ids import new_id
from octavo.kernel.records.people import Organization
from octavo.store.database.engine import Connection, Engine
from octavo.store.database.sqlite import GROUP_MAX, SqliteEngine
from octavo.store.database.statement import Statement
from octavo.store.unit import Store, Unit

Loop = asyncio.AbstractEventLoop


def organization(title: str = "Acme") -> Organization:
    return Organization(id=new_id(), title=title, created_at=1)


def test_a_unit_that_fails_leaves_nothing(store: Store, loop: Loop) -> None:
    made = organization()

    async def work(unit: Unit) -> None:
        await unit.people.add_organization(made)
        raise Conflict("no")

    with pytest.raises(Conflict):
        loop.run_until_complete(store.write(work))
    assert loop.run_until_complete(store.read(lambda unit: unit.people.organization(made.id))) is None


def test_units_committed_together_fail_alone(store: Store, loop: Loop) -> None:
    kept = [organization(f"Kept {number}") for number in range(20)]

    async def add(unit: Unit, one: Organization, fails: bool) -> None:
        await unit.people.add_organization(one)
        if fails:
            raise Conflict(one.id)

    async def all_at_once() -> list[BaseException | None]:
        units = [store.write(lambda unit, one=one, at=at: add(unit, one, at % 3 == 0)) for at, one in enumerate(kept)]  # type: ignore[misc]
        return await asyncio.gather(*units, return_exceptions=True)

    results = loop.run_until_complete(all_at_once())
    for at, (one, result) in enumerate(zip(kept, results)):
        found = loop.run_until_complete(store.read(lambda unit, one=one: unit.people.organization(one.id)))  # type: ignore[misc]
        assert (found is None) == (at % 3 == 0)
        assert isinstance(result, Conflict) == (at % 3 == 0)


def test_a_constraint_that_breaks_undoes_its_own_unit_only(store: Store, loop: Loop) -> None:
    first = organization()

    async def twice(unit: Unit) -> None:
        await unit.people.add_organization(first)
        await unit.people.add_organization(first)

    async def race() -> list[BaseException | None]:
        other = organization()
        return await asyncio.gather(
            store.write(twice), store.write(lambda unit: unit.people.add_organization(other)), return_exceptions=True
        )

    broken, fine = loop.run_until_complete(race())
    assert isinstance(broken, Exception)
    assert fine is None
    assert loop.run_until_complete(store.read(lambda unit: unit.people.organization(first.id))) is None


def test_a_unit_on_sqlite_may_await_nothing_else(engine: Engine, loop: Loop) -> None:
    if not isinstance(engine, SqliteEngine):
        pytest.skip("only SQLite drives units without a loop")

    async def work(connection: Connection) -> None:
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="awaited something"):
        loop.run_until_complete(engine.write(work))


def test_locked_units_on_one_row_take_turns(store: Store, loop: Loop) -> None:
    counter = organization("0")
    loop.run_until_complete(store.write(lambda unit: unit.people.add_organization(counter)))

    async def increment(unit: Unit) -> None:
        found = await unit.people.organization(counter.id)
        assert found is not None
        await unit.people.change_organization(found, title=str(int(found.title) + 1))

    async def all_at_once() -> None:
        await asyncio.gather(*(store.write(increment, lock=("organizations", counter.id)) for _ in range(40)))

    loop.run_until_complete(all_at_once())
    found = loop.run_until_complete(store.read(lambda unit: unit.people.organization(counter.id)))
    assert found is not None
    assert found.title == "40"


def test_readers_cannot_write(engine: Engine, loop: Loop) -> None:
    if not isinstance(engine, SqliteEngine):
        pytest.skip("read units of PostgreSQL are in autocommit; rooms are kept from writing by their row")
    statement = Statement("DELETE FROM organizations")
    with pytest.raises(Exception, match="readonly"):
        loop.run_until_complete(engine.read(lambda connection: connection.run(statement, {})))


def test_longer_reads_are_apart_and_cannot_write(engine: Engine, loop: Loop) -> None:
    async def where(connection: Connection) -> str:
        return threading.current_thread().name

    here, apart = loop.run_until_complete(engine.read(where)), loop.run_until_complete(engine.read_apart(where))
    assert (here == apart) is not isinstance(engine, SqliteEngine)
    if isinstance(engine, SqliteEngine):
        statement = Statement("DELETE FROM organizations")
        with pytest.raises(Exception, match="readonly"):
            loop.run_until_complete(engine.read_apart(lambda connection: connection.run(statement, {})))


def test_longer_reads_see_what_was_committed(store: Store, loop: Loop) -> None:
    async def work() -> None:
        made = [organization(f"Apart {number}") for number in range(8)]
        for one in made:
            await store.write(lambda unit, one=one: unit.people.add_organization(one))  # type: ignore[misc]
            reads = [store.read_apart(lambda unit, one=one: unit.people.organization(one.id)) for _ in range(4)]  # type: ignore[misc]
            assert [found.title for found in await asyncio.gather(*reads) if found] == [one.title] * 4

    loop.run_until_complete(work())


def test_a_closed_database_answers_no_longer_reads(loop: Loop, sqlite_template: Path, tmp_path: Path) -> None:
    async def work() -> None:
        engine = SqliteEngine(Path(shutil.copyfile(sqlite_template, tmp_path / "octavo.db")))
        await engine.open()

        async def nothing(connection: Connection) -> None:
            pass

        await engine.read_apart(nothing)
        await engine.close()
        with pytest.raises(Unavailable):
            await engine.read_apart(nothing)

    loop.run_until_complete(work())


def test_lists_and_names_in_statements(engine: Engine, loop: Loop) -> None:
    statement = Statement("SELECT id FROM organizations WHERE id IN :ids[] AND title = :title ORDER BY id")

    async def work(connection: Connection) -> list[str]:
        rows = await connection.rows(statement, {"ids": ["a", "it's", '"b"'], "title": ":title"})
        return [row[0] for row in rows]

    assert loop.run_until_complete(engine.read(work)) == []
    assert statement.names == ["ids", "title"]


COUNTING = Statement(
    "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000) SELECT count(*) FROM c"
)
"""Some tenths of a millisecond of work."""


def test_another_process_has_its_turn_beside_one_that_never_pauses(
    loop: Loop, sqlite_template: Path, tmp_path: Path
) -> None:
    shutil.copyfile(sqlite_template, tmp_path / "octavo.db")
    busy, other = SqliteEngine(tmp_path / "octavo.db"), SqliteEngine(tmp_path / "octavo.db")
    commits = 0

    async def work(at: Connection) -> None:
        await at.rows(COUNTING, {})

    async def without_pause(ended: asyncio.Event) -> None:
        nonlocal commits
        while not ended.is_set():
            await busy.write(work)
            commits += 1

    async def run() -> list[int]:
        await busy.open()
        await other.open()
        ended = asyncio.Event()
        # Enough that the next group waits already when one is committed.
        writers = [asyncio.create_task(without_pause(ended)) for _ in range(3 * GROUP_MAX)]
        waited = []
        for _ in range(10):
            before = commits
            await other.write(work)
            waited.append((commits - before) // GROUP_MAX)
        ended.set()
        await asyncio.gather(*writers)
        await busy.close()
        await other.close()
        return waited

    waited = loop.run_until_complete(run())
    assert max(waited) <= 3, waited
