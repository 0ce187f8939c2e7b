"""Importing content from an address: a child process fetches and reads it; its files are kept, and a plan of its pages."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from octavo.content.importing import Imported
from octavo.jobs.children import room
from octavo.jobs.children.terms import Child
from octavo.jobs.content.importing_request import FILES, PLAN, Request, given
from octavo.jobs.work import JobFailed, Work
from octavo.kernel.records import Json

SECONDS = 150
"""For one import."""
CHILD = Child(
    module="octavo.jobs.content.importing_child",
    memory=3 << 30,  # of which what was fetched may be a quarter of a gigabyte
    computing=100,
    seconds=SECONDS - 10,
    exhausted="The content was given up: to read it takes more time or memory than an import may use, or it was stopped.",
)


async def run(work: Work) -> Json:
    """Payload: sealed_url or upload, source. Result: plan, the blob of `content.importing.Imported` in msgpack."""
    payload = work.job.payload
    uploads = [] if payload.get("upload") is None else [payload["upload"]]
    _, plan = await read(work, payload["source"], payload.get("sealed_url"), uploads)
    return {"plan": plan}


async def read(work: Work, source: str, sealed_url: str | None, uploads: list[str]) -> tuple[Imported, str]:
    """What is at the address, or in the files that were uploaded, and the blob of it; its files are stored.

    Raises JobFailed with a sentence where nothing can be had or read.
    """
    settings = work.tools.settings
    async with room.folder(work.tools.room) as folder:
        for number, blob in enumerate(uploads):
            await _take(work, blob, folder / given(number))
        request = Request(
            url=None if sealed_url is None or uploads else work.tools.unseal(sealed_url),
            source=source,
            allow_private=settings.allow_private_addresses,
            allowed_hosts=settings.allowed_hosts,
            files=len(uploads),
        )
        await room.run(work, CHILD, folder, request)
        return await _keep(work, folder)


async def _take(work: Work, blob: str, target: Path) -> None:
    """Lay what was uploaded where the child looks for it, a part at a time."""
    assert work.job.organization is not None  # the event of an organization made the job
    found = await work.tools.blobs.open(work.job.organization, blob)
    if found is None:
        raise JobFailed("key: nothing was uploaded under this key yet, or it has been removed.")
    with target.open("wb") as file:
        async for part in found.parts():
            await asyncio.to_thread(file.write, part)


async def _keep(work: Work, folder: Path) -> tuple[Imported, str]:
    """Store the files and the plan, and note that the organization holds them; the plan and its blob."""
    organization, blobs = work.job.organization, work.tools.blobs
    assert organization is not None  # the event of an organization made the job
    packed = await asyncio.to_thread((folder / PLAN).read_bytes)
    made = msgspec.msgpack.decode(packed, type=Imported)
    sizes = {file.blob: file.size for file in made.files}
    for blob in sizes:
        await blobs.put(organization, await asyncio.to_thread((folder / FILES / blob).read_bytes))
    plan = await blobs.put(organization, packed)
    await work.write(lambda unit: unit.blobs.put(organization, sizes | {plan: len(packed)}, unit.now))
    return made, plan
