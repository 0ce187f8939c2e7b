"""Importing content from an address: a child process fetches and reads it; its files are kept, and a plan of its pages."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
import tempfile
from pathlib import Path

import msgspec

from octavo.content.importing import Imported
from octavo.jobs import frames
from octavo.jobs.content_import_request import FILES, PLAN, Request
from octavo.jobs.work import JobFailed, Work
from octavo.kernel.records import Json

SECONDS = 150


async def run(work: Work) -> Json:
    """Payload: sealed_url, source. Result: plan, the blob of `content.importing.Imported` in msgpack."""
    folder = Path(tempfile.mkdtemp(prefix="octavo-content-"))
    try:
        await _read(work, folder)
        return {"plan": await _keep(work, folder)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _read(work: Work, folder: Path) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "octavo.jobs.content_import_child",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(frames.packed(_request(work, folder)))
        await child.stdin.drain()
        match await frames.receive(child.stdout):
            case ["done"]:
                return
            case ["failed", sentence]:
                raise JobFailed(sentence)
            case _:
                raise JobFailed(
                    "The content was given up: to read it takes more time or memory than an import may use."
                )
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()


def _request(work: Work, folder: Path) -> Request:
    payload, settings = work.job.payload, work.tools.settings
    return Request(
        folder=str(folder),
        url=work.tools.unseal(payload["sealed_url"]),
        source=payload["source"],
        allow_private=settings.allow_private_addresses,
        allowed_hosts=settings.allowed_hosts,
    )


async def _keep(work: Work, folder: Path) -> str:
    """Store the files and the plan, and note that the organization holds them; the plan's blob."""
    organization, blobs = work.job.organization, work.tools.blobs
    assert organization is not None  # the event of an organization made the job
    packed = await asyncio.to_thread((folder / PLAN).read_bytes)
    sizes = {file.blob: file.size for file in msgspec.msgpack.decode(packed, type=Imported).files}
    for blob in sizes:
        await blobs.put(organization, await asyncio.to_thread((folder / FILES / blob).read_bytes))
    plan = await blobs.put(organization, packed)
    await work.write(lambda unit: unit.blobs.put(organization, sizes | {plan: len(packed)}, unit.now))
    return plan
