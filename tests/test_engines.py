"""Which tests run on which database: every test on one at least, each database with its half."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from tests.engines import BOTH, ENGINES, runs


def _one_thing(world: Any) -> Any:
    return world.get("/")


async def _many(things: list[Awaitable[Any]]) -> Any:
    return await asyncio.gather(*things)


def _calls_many(world: Any) -> Any:
    return world.run(_many([world.get("/")]))


def _has_many_within(world: Any) -> Any:
    async def inner() -> Any:
        return await asyncio.gather(world.get("/"))

    return world.run(inner())


def _on(identity: str, function: Any = _one_thing, wanted: str = "one") -> list[str]:
    return [engine for engine in ENGINES if runs(identity.format(engine), function, wanted)]


def test_a_test_stays_with_one_database_and_each_has_its_half() -> None:
    names = [f"tests/publish/test_a.py::test_{number}[{{}}-case]" for number in range(1000)]
    chosen = [_on(name) for name in names]
    assert chosen == [_on(name) for name in names]
    assert {len(one) for one in chosen} == {1}
    assert 400 < chosen.count(["sqlite"]) < 600


@pytest.mark.parametrize("name", ["{}", "{}-on_primary", "on_primary-{}", "a-{}-b"])
def test_the_database_is_found_wherever_the_id_has_it(name: str) -> None:
    identity = f"tests/resources/test_a.py::test_b[{name}]"
    assert len(_on(identity)) == 1
    assert _on(identity, wanted="both") == list(ENGINES)
    assert [_on(identity, wanted=engine) for engine in ENGINES] == [["sqlite"], ["postgres"]]


def test_what_asks_for_no_database_always_runs() -> None:
    for identity in ("tests/content/test_a.py::test_b", "tests/content/test_a.py::test_b[not-sqlite3]"):
        for wanted in ("one", "both", *ENGINES):
            assert runs(identity, _one_thing, wanted)


@pytest.mark.parametrize("folder", BOTH)
def test_what_is_asked_of_databases_runs_on_both(folder: str) -> None:
    assert _on(f"{folder}test_a.py::test_b[{{}}]") == list(ENGINES)


@pytest.mark.parametrize("function", [_many, _calls_many, _has_many_within])
def test_what_happens_at_once_runs_on_both(function: Any) -> None:
    assert _on("tests/resources/test_a.py::test_b[{}]", function) == list(ENGINES)
