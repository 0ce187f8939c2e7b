"""Work ahead of a unit: algorithms in steps read in short units and compute in threads; many objects are put in small ones.

Objects never change and are kept for a day before anything reaches them, so that what is read in several units is as true
as in one, and what is put before its revision is there when the revision is written down.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from octavo.content.revision import Digest
from octavo.content.trie import Objects, Steps
from octavo.store.content.revisions import Packed, packed, unpacked
from octavo.store.unit import Store, Unit

T = TypeVar("T")

READ = 64
"""Objects that one unit reads at the most."""
PUT_BYTES = 512 * 1024
"""Bytes, not deflated yet, beyond which a unit puts no further object."""
PUT = 128
"""Objects that one unit puts at the most."""
AT_ONCE = 1
"""Threads that compute: more would only take turns, and leave less to those who serve requests. Steps are short, so that a
small merge does not wait long beside a large one."""

_threads = ThreadPoolExecutor(AT_ONCE, "octavo-ahead")


@dataclass(frozen=True)
class Computed(Generic[T]):
    """What an algorithm returned, and how many seconds of work it was."""

    result: T
    seconds: float


@dataclass
class _Run(Generic[T]):
    """An algorithm on its way."""

    steps: Steps[T]
    seconds: float = 0.0
    ended: bool = False
    result: Any = None

    def advance(self, found: Packed | None) -> list[Digest]:
        """One step, in whichever thread: what it wants next; nothing at its end."""
        began = time.thread_time()
        try:
            return sorted(next(self.steps) if found is None else self.steps.send(unpacked(found)))
        except StopIteration as end:
            self.ended, self.result = True, end.value
            return []
        finally:
            self.seconds += time.thread_time() - began


async def compute(store: Store, organization: str, steps: Steps[T]) -> Computed[T]:
    """Drive an algorithm to its end; nobody waits longer than for a part of a step."""
    run, loop = _Run(steps), asyncio.get_running_loop()
    wanted = await loop.run_in_executor(_threads, run.advance, None)
    while not run.ended:
        found: Packed = {}
        for part in _parts(wanted):
            found |= await store.read_apart(partial(_read, organization=organization, wanted=part))
        wanted = await loop.run_in_executor(_threads, run.advance, found)
    return Computed(run.result, run.seconds)


async def put(store: Store, organization: str, objects: Mapping[Digest, bytes]) -> Packed:
    """Put objects in small units; those of the last, which may be all of them, are left for the unit to come."""
    loop, last = asyncio.get_running_loop(), Packed()
    for part in _portions(objects):
        if last:
            await store.write(partial(_put, organization=organization, part=last))
        last = await loop.run_in_executor(_threads, packed, part)
    return last


async def _read(unit: Unit, *, organization: str, wanted: list[Digest]) -> Packed:
    return await unit.objects.get_packed(organization, wanted)


async def _put(unit: Unit, *, organization: str, part: Packed) -> None:
    await unit.objects.put_packed(organization, part, unit.now)


def _parts(wanted: Iterable[Digest]) -> Iterator[list[Digest]]:
    waiting = iter(wanted)
    while part := list(islice(waiting, READ)):
        yield part


def _portions(objects: Mapping[Digest, bytes]) -> Iterator[Objects]:
    """The objects in the order in which they are stored, cut where a unit would become long."""
    part: Objects = {}
    size = 0
    for name, data in sorted(objects.items()):
        part[name] = data
        size += len(data)
        if size >= PUT_BYTES or len(part) >= PUT:
            yield part
            part, size = {}, 0
    if part:
        yield part
