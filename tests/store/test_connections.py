"""Connections to PostgreSQL that stay at hand: as many as allowed, never one that was lost or is not done yet."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Any

import asyncpg
import pytest

from octavo.kernel.errors import NotFound, Unavailable
from octavo.store.database.postgres import PostgresEngine

Loop = asyncio.AbstractEventLoop
SIZE = 2


@pytest.fixture
def few(postgres_url: str, loop: Loop) -> Iterator[PostgresEngine]:
    engine = PostgresEngine(postgres_url, size=SIZE)
    loop.run_until_complete(engine.open())
    yield engine
    loop.run_until_complete(engine.close())


async def _pid(at: Any) -> int:
    return int(await at.raw.fetchval("SELECT pg_backend_pid()"))


def test_no_more_than_allowed_serve_everybody(few: PostgresEngine, loop: Loop) -> None:
    async def all_at_once() -> list[int]:
        return await asyncio.gather(*((few.read if at % 2 else few.write)(_pid) for at in range(40)))

    assert len(set(loop.run_until_complete(all_at_once()))) == SIZE
    assert len(set(loop.run_until_complete(all_at_once()))) == SIZE


def test_the_last_one_serves_again(few: PostgresEngine, loop: Loop) -> None:
    async def in_turn() -> set[int]:
        return {await few.read(_pid) for _ in range(5)}

    assert len(loop.run_until_complete(in_turn())) == 1


def test_one_that_the_server_ended_does_not(few: PostgresEngine, postgres_url: str, loop: Loop) -> None:
    async def ended() -> tuple[int, int]:
        before = await few.read(_pid)
        other = await asyncpg.connect(postgres_url)
        await other.execute("SELECT pg_terminate_backend($1, 10000)", before)
        await other.close()
        return before, await few.read(_pid)

    before, after = loop.run_until_complete(ended())
    assert before != after


FATAL = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"


@pytest.mark.parametrize("way", ["read", "write"])
def test_one_that_the_server_is_about_to_end_is_away(few: PostgresEngine, loop: Loop, way: str) -> None:
    """It says so first, and it takes some milliseconds to end."""

    async def told() -> tuple[int, int]:
        before = await few.read(_pid)

        async def tell(at: Any) -> None:
            at.raw._protocol.data_received(b"E" + (4 + len(FATAL)).to_bytes(4, "big") + FATAL)

        await few.read(tell)
        with pytest.raises(Unavailable):
            await getattr(few, way)(_pid)
        return before, await getattr(few, way)(_pid)

    before, after = loop.run_until_complete(told())
    assert before != after


@pytest.mark.parametrize("way", ["read", "write"])
@pytest.mark.parametrize("failing", [None, NotFound("no such page"), asyncio.CancelledError()])
def test_what_a_unit_on_a_lost_one_failed_with_is_told(
    few: PostgresEngine, postgres_url: str, loop: Loop, way: str, failing: BaseException | None
) -> None:
    """A unit that goes on is told that the database is away."""

    async def ended(at: Any) -> int:
        other = await asyncpg.connect(postgres_url)
        await other.execute("SELECT pg_terminate_backend($1, 10000)", await _pid(at))
        await other.close()
        if failing is not None:
            raise failing
        return await _pid(at)

    with pytest.raises(Unavailable if failing is None else type(failing)):
        loop.run_until_complete(getattr(few, way)(ended))
    assert loop.run_until_complete(getattr(few, way)(_pid)) > 0


def test_units_of_a_server_that_ends_all_of_them_again_and_again_are_done_or_away(
    postgres_url: str, loop: Loop
) -> None:
    named = f"octavo-{uuid.uuid4().hex}"
    engine = PostgresEngine(f"{postgres_url}?application_name={named}", size=SIZE)
    come_to: Counter[str] = Counter()

    async def unit(at: Any) -> None:
        for _ in range(3):
            await at.raw.fetchval("SELECT 1")

    async def ask(way: str, done: asyncio.Event) -> None:
        while not done.is_set():
            try:
                await getattr(engine, way)(unit)
                come_to["done"] += 1
            except Exception as error:
                come_to[type(error).__name__] += 1
            await asyncio.sleep(0)

    async def storm() -> None:
        await engine.open()
        done, other = asyncio.Event(), await asyncpg.connect(postgres_url)
        asking = [asyncio.ensure_future(ask(way, done)) for way in ("read", "write") * SIZE]
        for _ in range(15):
            await other.execute(
                "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE application_name = $1", named
            )
        done.set()
        await asyncio.gather(*asking)
        await engine.close()
        await other.close()

    loop.run_until_complete(asyncio.wait_for(storm(), 60))
    assert come_to.keys() == {"done", "Unavailable"}, come_to


@pytest.mark.parametrize("way", ["read", "write"])
def test_one_that_was_left_in_a_query_is_done_with_it_first(few: PostgresEngine, loop: Loop, way: str) -> None:
    async def left() -> list[int]:
        begun = asyncio.Event()

        async def stay(at: Any) -> None:
            begun.set()
            await at.raw.execute("SELECT pg_sleep(60)")

        staying = [asyncio.ensure_future(getattr(few, way)(stay)) for _ in range(SIZE)]
        await begun.wait()
        await asyncio.sleep(0)
        while not all(one.done() for one in staying):
            for one in staying:
                one.cancel()  # and again, while it takes back what it began
            await asyncio.sleep(0)
        assert [type(said) for said in await asyncio.gather(*staying, return_exceptions=True)] == [
            asyncio.CancelledError
        ] * SIZE
        return await asyncio.gather(*(few.write(_pid) for _ in range(3)))

    assert len(loop.run_until_complete(asyncio.wait_for(left(), 20))) == 3


@pytest.mark.parametrize("way", ["read", "write"])
def test_one_on_which_a_statement_failed_is_of_use(few: PostgresEngine, loop: Loop, way: str) -> None:
    async def fail(at: Any) -> None:
        await at.raw.execute("SELECT 1 / 0")

    async def units() -> set[int]:
        for _ in range(2 * SIZE):
            with pytest.raises(asyncpg.DivisionByZeroError):
                await getattr(few, way)(fail)
        return set(await asyncio.gather(*(few.write(_pid) for _ in range(8))))

    assert len(loop.run_until_complete(units())) <= SIZE


def test_closing_waits_for_what_is_under_way(few: PostgresEngine, loop: Loop) -> None:
    async def closed() -> int:
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def stay(at: Any) -> int:
            begun.set()
            await go_on.wait()
            return await _pid(at)

        staying = asyncio.ensure_future(few.read(stay))
        await begun.wait()
        closing = asyncio.ensure_future(few.close())
        await asyncio.sleep(0)
        assert not closing.done()
        [late] = await asyncio.gather(few.read(_pid), return_exceptions=True)
        go_on.set()
        answer = await staying
        await closing
        assert isinstance(late, Unavailable)
        return answer

    assert loop.run_until_complete(asyncio.wait_for(closed(), 20)) > 0


def test_none_is_left_when_it_is_closed(few: PostgresEngine, postgres_url: str, loop: Loop) -> None:
    async def after() -> list[Any]:
        used = await asyncio.gather(*(few.read(_pid) for _ in range(8)))
        await few.close()
        other = await asyncpg.connect(postgres_url)
        try:
            for _ in range(100):  # the server's processes end a moment after their connections
                left = await other.fetch("SELECT pid FROM pg_stat_activity WHERE pid = ANY($1)", used)
                if not left:
                    break
                await other.fetch("SELECT pg_sleep(0.02)")
            return list(left)
        finally:
            await other.close()

    assert loop.run_until_complete(after()) == []
