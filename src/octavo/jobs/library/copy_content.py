"""Copying content to another organization, ahead of a transfer: nothing refers to the copies yet."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import islice

from octavo.content.garbage import Needed, mark
from octavo.jobs.work import Work
from octavo.kernel.records import Json
from octavo.store.unit import Unit

BATCH = 200
"""Objects in one unit."""


async def run(work: Work) -> Json:
    """Payload: organization (from), to, spaces. Result: roots, hexadecimal, of the revisions that were copied."""
    payload = work.job.payload
    source, target = payload["organization"], payload["to"]
    roots = await work.read(lambda unit: unit.spaces.roots(payload["spaces"]))
    needed = await _copied(work, source, target, roots)
    texts = iter(sorted(needed.objects))
    while some := list(islice(texts, BATCH)):
        await _copy(work, source, target, frozenset(some))
    for blob in sorted(needed.blobs):
        # What is there may be on its way out, as nothing there needs it yet: noted, it has its days of grace again.
        if not await work.write(partial(_touch, organization=target, blob=blob)):
            data = await work.tools.blobs.get(source, blob)
            if data is not None:
                await work.tools.blobs.put_as(target, blob, data)
                await work.write(partial(_note, organization=target, blob=blob, size=len(data)))
    return {"roots": [root.hex() for root in roots]}


async def _copied(work: Work, source: str, target: str, roots: list[bytes]) -> Needed:
    """Copies the nodes of the revisions while marking them; what they name is left to copy."""
    steps = mark(roots)
    nodes: set[bytes] = set()
    wanted = next(steps, None)
    while wanted is not None:
        nodes |= wanted
        try:
            wanted = steps.send(await _copy(work, source, target, wanted))
        except StopIteration as done:
            made: Needed = done.value
            return Needed(made.objects - nodes, made.blobs)
    return Needed()


async def _copy(work: Work, source: str, target: str, names: frozenset[bytes]) -> dict[bytes, bytes]:
    data = await work.read(partial(_read, organization=source, names=names))
    await work.write(partial(_put, organization=target, objects=data))
    await asyncio.sleep(0)
    return data


async def _read(unit: Unit, *, organization: str, names: frozenset[bytes]) -> dict[bytes, bytes]:
    return await unit.objects.get(organization, names)


async def _put(unit: Unit, *, organization: str, objects: dict[bytes, bytes]) -> None:
    await unit.objects.put(organization, objects, unit.now)


async def _touch(unit: Unit, *, organization: str, blob: str) -> bool:
    return await unit.blobs.touch(organization, blob, unit.now)


async def _note(unit: Unit, *, organization: str, blob: str, size: int) -> None:
    await unit.blobs.put(organization, {blob: size}, unit.now)
