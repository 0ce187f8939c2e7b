"""Objects from one file store into another: what is there already stays, and every one is compared by its hash."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec

from octavo.kernel.errors import Conflict, Failure, Unavailable
from octavo.store.content.blobs import Blobs, Listed, Opened

AT_ONCE = 8
"""Objects that are under way."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NAMED = 3
"""Objects that a refusal names; it counts the others."""
Show = Callable[[dict[str, Any]], None]


class Copied(msgspec.Struct):
    """What became of the objects of a store."""

    objects: int = 0
    """That were compared; with a dry run, that there are."""
    bytes: int = 0
    """Of all of them."""
    copied: int = 0
    """That were not there, or not whole; with a dry run, that would be copied."""
    foreign: int = 0
    """That are no files of Octavo, and were left where they are."""


async def copy(source: Blobs, target: Blobs, show: Show, *, dry: bool = False) -> Copied:
    """Bring every object that is not in the target. Raises Conflict, when all others are done, naming those that do not
    arrive as they are called, or are damaged in the source."""
    there = {one.path: one.size async for one in target.listed()}
    wanted = [one async for one in source.listed()]
    made, wrong = Copied(), []
    turns = asyncio.Semaphore(AT_ONCE)
    failed: list[Failure] = []

    async def one(listed: Listed) -> None:
        async with turns:
            if failed:
                return  # those that are under way come to their ends
            if dry:
                made.copied += there.get(listed.path) != listed.size
            else:
                try:
                    reason = await _brought(source, target, listed, there, made)
                except Failure as failure:
                    failed.append(failure)
                    return
                if reason is not None:
                    wrong.append(f"{listed.path} {reason}")
            made.objects += 1
            made.bytes += listed.size
            show({"step": "files", "done": made.objects, "total": len(wanted)})

    ours = [listed for listed in wanted if listed.path.count("/") == 2]
    made.foreign = len(wanted) - len(ours)
    for at in range(0, len(ours), 1000):
        await asyncio.gather(*map(one, ours[at : at + 1000]))
        if failed:
            raise failed[0]
    if wrong:
        more = f", and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
        raise Conflict(f"{len(wrong)} of {len(ours)} files are not well: {'; '.join(sorted(wrong)[:_NAMED])}{more}")
    return made


async def _brought(source: Blobs, target: Blobs, listed: Listed, there: dict[str, int], made: Copied) -> str | None:
    """What is wrong with the object, when it was copied where that was needed."""
    organization, _, name = listed.path.split("/")
    wanted = name if _DIGEST.fullmatch(name) else None
    if there.get(listed.path) == listed.size:
        wanted = wanted or await _digest(source, organization, name)
        if wanted == await _digest(target, organization, name):
            return None
    found = await source.open(organization, name)
    if found is None:
        return None  # it was removed since it was listed
    read = _Read(found)
    await target.put_stream(organization, name, read.parts())
    made.copied += 1
    if wanted is not None and read.digest != wanted:
        await target.remove(organization, name)
        return "is damaged in the source: its bytes are not those that it is called by"
    return None if await _digest(target, organization, name) == read.digest else "arrived as something else"


class _Read:
    """Bytes that pass, and what they come to."""

    def __init__(self, found: Opened) -> None:
        self._found = found
        self._sum = hashlib.sha256()

    @property
    def digest(self) -> str:
        return self._sum.hexdigest()

    async def parts(self) -> AsyncIterator[bytes]:
        async for part in self._found.parts():
            self._sum.update(part)
            yield part


async def _digest(blobs: Blobs, organization: str, name: str) -> str | None:
    """What an object comes to; None where it is not there."""
    found = await blobs.open(organization, name)
    if found is None:
        return None
    read = _Read(found)
    async for _ in read.parts():
        pass
    return read.digest


def store_of(place: str, *, prefix: str, makes: bool = False) -> Blobs:
    """The store at an address, or in a directory. Variables that begin with `prefix` are its own: FROM_AWS_ENDPOINT of a
    source, for example, where the other store has another one. Raises Unavailable where it cannot be."""
    if "://" not in place or place.startswith("file://"):
        return local(place.removeprefix("file://"), makes=makes)
    before = dict(os.environ)
    try:
        # They are read when a store is made, and nowhere else.
        os.environ.update({name.removeprefix(prefix): word for name, word in before.items() if name.startswith(prefix)})
        return Blobs.at(place, named=place)
    finally:
        for name in set(os.environ) - before.keys():
            del os.environ[name]
        os.environ.update(before)


def local(place: str, *, makes: bool) -> Blobs:
    """A directory that holds objects. Raises Unavailable where it is not there and is not to be made."""
    if not makes and not Path(place).is_dir():
        raise Unavailable(f"there is no directory {place}")
    return Blobs.local(Path(place))
