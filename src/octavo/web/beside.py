"""Work that takes its time, beside the event loop: everybody else is answered meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

AT_ONCE = 2
"""Threads: they take turns, so that more would only make each wait longer."""

_threads = ThreadPoolExecutor(AT_ONCE, "octavo-beside")


async def beside(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """What a function returns that touches nothing of the event loop's.

    A thread cannot be ended: what it does has bounds of its own, as all reading and writing of content has.
    """
    return await asyncio.get_running_loop().run_in_executor(_threads, lambda: work(*args, **named))


@cache
def at_hand(module: str) -> None:
    """Have a module loaded by the time that it is needed, as loading some takes longer than all that they do then."""
    _threads.submit(import_module, module)
