"""Work on several processes: the results and their order, what is asked meanwhile, and processes that die."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from octavo.jobs.children.spread import BATCH, spread

HERE = os.getpid()
ITEMS = list(range(5 * BATCH + 3))


def spread_all(do: Callable[[int, Any], Any], answer: Callable[..., Any] = lambda *_: None) -> list[Any]:
    return list(spread(do, ITEMS, answer, processes=2))


def test_every_result_comes_once_and_in_order() -> None:
    made = spread_all(lambda item, ask: (item, os.getpid()))
    assert [item for item, _ in made] == ITEMS
    assert HERE not in {where for _, where in made}
    assert len({where for _, where in made}) <= 2


def test_few_items_are_done_here() -> None:
    made = list(spread(lambda item, ask: os.getpid(), ITEMS[:BATCH], lambda: None, processes=2))
    assert made == [HERE] * BATCH
    assert list(spread(lambda item, ask: ask(item), [], int, processes=2)) == []


def test_what_is_asked_is_answered_here() -> None:
    names: dict[str, int] = {}

    def answer(name: str) -> tuple[int, int]:
        return names.setdefault(name, len(names)), os.getpid()

    made = spread_all(lambda item, ask: (ask(f"name-{item % 7}"), item), answer)
    assert {where for (_, where), _ in made} == {HERE}
    assert all(number == names[f"name-{item % 7}"] for (number, _), item in made)


@pytest.mark.parametrize("dies", [0, BATCH, 3 * BATCH + 1])
def test_what_a_process_that_died_had_in_hands_is_done_here(dies: int) -> None:
    def do(item: int, ask: Any) -> tuple[int, bool]:
        if item == dies and os.getpid() != HERE:
            os._exit(9)
        return item, os.getpid() == HERE

    made = spread_all(do)
    assert [item for item, _ in made] == ITEMS
    start = dies - dies % BATCH
    assert all(here for item, here in made if start <= item < start + BATCH)


def test_all_is_done_when_every_process_dies() -> None:
    def do(item: int, ask: Any) -> int:
        if os.getpid() != HERE:
            os._exit(9)
        return item

    assert spread_all(do) == ITEMS


def test_an_error_is_raised_as_it_is_without_processes() -> None:
    def do(item: int, ask: Any) -> int:
        if item == BATCH + 1:
            raise ValueError(f"no {item}")
        return item

    with pytest.raises(ValueError, match=f"no {BATCH + 1}"):
        spread_all(do)


def test_nobody_is_left_behind_when_the_results_are_not_wanted() -> None:
    made: Iterator[int] = spread(lambda item, ask: os.getpid(), ITEMS, lambda: None, processes=2)
    process = next(made)
    made.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
