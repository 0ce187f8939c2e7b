"""Work spread over forked processes: many independent items, done by as many processes as there are cores.

The processes are forks, so that they need neither the items nor what the work closes over to be sent to them; they send
back results and may ask what only the process that ordered the work can say. They are a way to be done sooner and no
more: what a process that died had in hands is done here instead, and ends here as it would have without them.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R")
Ask = Callable[..., Any]

BATCH = 12
"""Items that a process is given at once: a few dozen milliseconds."""
LEAST = 4 * BATCH
"""Items below which the processes would cost more than they spare."""
MEMORY = 2 << 30
"""Bytes of memory that a process may take beyond what it begins with."""


def cores() -> int:
    """How many processes can run at once; 1 on systems where forks are not safe."""
    affinity = getattr(os, "sched_getaffinity", None)
    return 1 if affinity is None else len(affinity(0))


def spread(
    do: Callable[[I, Ask], R], items: Sequence[I], answer: Ask, *, processes: int, least: int = LEAST
) -> Iterator[R]:
    """`do(item, ask)` of every item, in the order of the items; results must be picklable. `ask(…)` is `answer(…)`.

    Raises what `do` raises, for the first item in that order for which it does.
    """
    if processes < 2 or len(items) < least:
        yield from (do(item, answer) for item in items)
        return
    team = _Team(do, items, answer)
    try:
        team.begin(min(processes, -(-len(items) // BATCH)))
        for start in range(0, len(items), BATCH):
            yield from team.batch(start)
    finally:
        team.end()


class _Team:
    def __init__(self, do: Callable[[I, Ask], R], items: Sequence[I], answer: Ask) -> None:
        self._do = do
        self._items = items
        self._answer = answer
        self._waiting = list(reversed(range(0, len(items), BATCH)))
        self._hands: dict[Connection, tuple[BaseProcess, int | None]] = {}
        """Each process with the batch that it has in hands."""
        self._done: dict[int, list[Any]] = {}

    def begin(self, processes: int) -> None:
        gc.collect()
        gc.freeze()  # so that looking for garbage does not copy what the forks share
        context = get_context("fork")
        for _ in range(processes):
            ours, theirs = context.Pipe()
            others = [ours, *self._hands]
            process = context.Process(target=_work, args=(theirs, others, self._do, self._items), daemon=True)
            process.start()
            theirs.close()
            self._hands[ours] = (process, None)
            self._give(ours)

    def batch(self, start: int) -> list[Any]:
        """The results of the batch, as soon as they are there."""
        while start not in self._done:
            if not self._hands:
                self._done[start] = self._here(start)
                break
            for ready in wait(list(self._hands)):
                assert isinstance(ready, Connection)
                self._hear(ready)
        return self._done.pop(start)

    def end(self) -> None:
        for connection, (process, _) in self._hands.items():
            connection.close()
            process.kill()
        for process, _ in self._hands.values():
            process.join()
        gc.unfreeze()

    def _here(self, start: int) -> list[Any]:
        return [self._do(item, self._answer) for item in self._items[start : start + BATCH]]

    def _give(self, to: Connection) -> None:
        """The next batch; a process whom nothing waits for is let go at the end."""
        start = self._waiting.pop() if self._waiting else None
        self._hands[to] = (self._hands[to][0], start)
        if start is not None:
            with contextlib.suppress(OSError):  # a process that died is noticed when it is listened to
                to.send(start)

    def _hear(self, source: Connection) -> None:
        process, start = self._hands[source]
        try:
            kind, told = source.recv()
            if kind == "ask":
                source.send(self._answer(*told))
                return
        except (EOFError, OSError):
            source.close()
            process.join()
            del self._hands[source]
            if start is not None:
                self._done[start] = self._here(start)
            return
        assert start is not None
        self._done[start] = told
        self._give(source)


def _work(orders: Connection, others: list[Connection], do: Callable[[I, Ask], R], items: Sequence[I]) -> None:
    """What a process does until nobody orders any more. Whatever it cannot do ends it."""
    for other in others:  # held open here, they would keep the others from noticing that the first process is gone
        other.close()
    _limit_memory()
    gc.set_threshold(100_000, 50, 100)  # documents are trees: they go without being looked for

    def ask(*words: Any) -> Any:
        orders.send(("ask", words))
        return orders.recv()

    try:
        while True:
            start: int = orders.recv()
            orders.send(("done", [do(item, ask) for item in items[start : start + BATCH]]))
    except BaseException:
        os._exit(1)  # the same happens, and is reported, where the work was ordered


def _limit_memory() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as status:
        now = int(status.read().split()[0]) * resource.getpagesize()
    wanted = now + MEMORY
    if soft == resource.RLIM_INFINITY or wanted < soft:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
