"""A specification is fetched where it has an address, read in a child process, and kept as a version where it is new."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from octavo.content.openapi.index import INDEX, Index
from octavo.gateways import failures, web
from octavo.gateways.addresses import Guard
from octavo.jobs.children import frames, room
from octavo.jobs.children.terms import Child
from octavo.jobs.openapi.processing_request import DOCUMENT, GIVEN, PARTS, Processed, Request
from octavo.jobs.work import JobBroke, JobFailed, Work
from octavo.kernel import limits
from octavo.kernel.clock import HOUR, MINUTE
from octavo.kernel.events import OpenAPISpecChanged
from octavo.kernel.ids import new_id
from octavo.kernel.records import Json
from octavo.kernel.records.openapi import ErrorCode, OpenapiSpec, OpenapiSpecVersion
from octavo.store.unit import Unit

SECONDS = 90
"""For one specification."""
CHILD = Child(
    module="octavo.jobs.openapi.processing_child",
    memory=400 << 20,
    computing=30,
    seconds=40,
    exhausted="To read this text takes more time or memory than a specification may use.",
)
FETCH = web.Limits(bytes=limits.OPENAPI_BYTES, seconds=30.0)
_ACCEPT = {"accept": "application/json, application/yaml, application/vnd.oai.openapi;q=0.9, */*;q=0.5"}


class _Fault(Exception):
    """Why nothing came of it: the code of the API, and a sentence."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class _Made(msgspec.Struct):
    """What a run made of a text."""

    blob: str
    size: int
    document: str
    processed: Processed
    parts: Mapping[str, bytes]


async def run(work: Work) -> Json:
    """Payload: spec. Result: version, the newest one, or error. What was asked for meanwhile is another job's."""
    key = work.job.payload["spec"]
    spec = await work.write(lambda unit: _begun(unit, key), lock=("openapi_specs", key))
    if spec is None:
        return {}
    try:
        made = await _made(work, spec)
    except _Fault as fault:
        await work.write(partial(_failed, seen=spec, fault=fault), lock=("openapi_specs", key))
        return {"error": fault.message}
    version = await work.write(lambda unit: _done(unit, spec, made), lock=("openapi_specs", key))
    return {"version": version}


async def failed(work: Work, why: str) -> None:
    """The job was given up: the specification says so."""
    key = work.job.payload["spec"]

    async def note(unit: Unit) -> None:
        spec = await unit.openapi.get(key)
        if spec is not None:
            code: ErrorCode = "PARSE_ERROR" if spec.source_url is None else "FETCH_ERROR"
            fault = _Fault(code, "The work was given up: something broke here. Send it again.")
            await _failed(unit, seen=spec, fault=fault)

    await work.write(note, lock=("openapi_specs", key))


async def run_parts(work: Work) -> Json:
    """Payload: spec, whose versions came with an export. Cuts the newest one into parts, for pages. Result: version."""
    key = work.job.payload["spec"]
    version = await work.read(lambda unit: _newest(unit, key))
    if version is None:
        return {}
    async with room.folder(work.tools.room) as folder:
        data = await work.tools.blobs.get(version.organization, version.blob)
        if data is None:
            raise JobFailed("The text of its newest version is not there any more.")
        await asyncio.to_thread((folder / GIVEN).write_bytes, data)
        await room.run(work, CHILD, folder, Request(limits.OPENAPI_OPERATIONS_MAX, limits.OPENAPI_ERRORS_MAX))
        parts = await asyncio.to_thread(_parts, folder / PARTS)
    await work.write(lambda unit: _cut(unit, version, parts), lock=("openapi_specs", key))
    return {"version": version.id}


async def _newest(unit: Unit, key: str) -> OpenapiSpecVersion | None:
    spec = await unit.openapi.get(key)
    return None if spec is None or spec.last_version is None else await unit.openapi.version(spec.last_version)


async def _cut(unit: Unit, version: OpenapiSpecVersion, parts: Mapping[str, bytes]) -> None:
    spec = await unit.openapi.get(version.spec)
    if spec is not None and spec.last_version == version.id:  # else another one came meanwhile, with its parts
        await unit.openapi.put_parts(version, parts)
        await unit.emit(OpenAPISpecChanged(organization=spec.organization, slug=spec.slug))


async def _begun(unit: Unit, key: str) -> OpenapiSpec | None:
    spec = await unit.openapi.get(key)
    return None if spec is None else await unit.openapi.change(spec, state="progress")


async def _made(work: Work, spec: OpenapiSpec) -> _Made:
    async with room.folder(work.tools.room) as folder:
        await _given(work, spec, folder / GIVEN)
        data = await asyncio.to_thread((folder / GIVEN).read_bytes)
        blob = await asyncio.to_thread(lambda: hashlib.sha256(data).hexdigest())
        request = Request(limits.OPENAPI_OPERATIONS_MAX, limits.OPENAPI_ERRORS_MAX)
        try:
            processed = msgspec.convert(await room.run(work, CHILD, folder, request), Processed)
        except JobFailed as refused:
            raise _Fault("PARSE_ERROR", str(refused)) from refused
        except JobBroke as broke:
            raise _Fault("PARSE_ERROR", str(broke)) from broke
        await work.tools.blobs.put_as(spec.organization, blob, data)
        document = await work.tools.blobs.put(
            spec.organization, await asyncio.to_thread((folder / DOCUMENT).read_bytes)
        )
        parts = await asyncio.to_thread(_parts, folder / PARTS)
    return _Made(blob, len(data), document, processed, parts)


async def _given(work: Work, spec: OpenapiSpec, target: Path) -> None:
    """Lay the text into a file. Raises _Fault."""
    if spec.source_url is not None:
        await _fetch(work, spec.source_url, target)
        return
    data = await work.tools.blobs.get(spec.organization, spec.source_blob or "")
    if data is None:
        raise _Fault("PARSE_ERROR", "The text that was sent is not there any more: send it again.")
    await asyncio.to_thread(target.write_bytes, data)


async def _fetch(work: Work, url: str, target: Path) -> None:
    settings = work.tools.settings
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=frozenset(settings.allowed_hosts))
    try:
        answer = await web.download(url, target, guard=guard, limits=FETCH, headers=_ACCEPT)
    except failures.TooSlow as slow:
        raise _Fault("FETCH_TIMEOUT", slow.message) from slow
    except failures.GatewayFailure as failure:
        raise _Fault("FETCH_ERROR", failure.message) from failure
    if answer.status != 200:
        raise _Fault("FETCH_ERROR", f"{failures.shown(url)} answered {answer.status}.")


def _parts(path: Path) -> dict[str, bytes]:
    with path.open("rb") as file:
        return dict(map(tuple, frames.every(file)))


async def _failed(unit: Unit, *, seen: OpenapiSpec, fault: _Fault) -> None:
    spec = await unit.openapi.get(seen.id)
    if spec is None or spec.wanted != seen.wanted:
        return  # it has another source meanwhile, for which another job waits
    await unit.openapi.change(
        spec,
        state="complete",
        processed_at=unit.now,
        error_code=fault.code,
        errors={"errors": [{"message": fault.message, "code": fault.code}]},
        error_count=1,
        due_at=None if spec.source_url is None else unit.now + limits.OPENAPI_RETRY_MINUTES * MINUTE,
    )


async def _done(unit: Unit, seen: OpenapiSpec, made: _Made) -> str | None:
    """The newest version after it: the one that was there where the text is the same."""
    spec = await unit.openapi.get(seen.id)
    if spec is None or spec.wanted != seen.wanted:
        return None
    before = await unit.openapi.version(spec.last_version) if spec.last_version is not None else None
    processed = made.processed
    told = [{"message": message, "code": code} for code, message in processed.errors]
    count, newest = processed.error_count, spec.last_version
    if before is not None and before.blob == made.blob:
        # What another text means for pages was told when it came.
        kept = [one for one in (spec.errors or {}).get("errors", []) if one["code"] == OTHER]
    else:
        kept = await _other(unit, spec, made)
        newest = await _appended(unit, spec, made)
    await unit.openapi.change(
        spec,
        state="complete",
        processed_at=unit.now,
        last_version=newest,
        error_code=None,
        errors={"errors": (kept + told)[: limits.OPENAPI_ERRORS_MAX]} if kept or told else None,
        error_count=count + len(kept),
        due_at=None if spec.source_url is None else unit.now + limits.OPENAPI_REFETCH_HOURS * HOUR,
    )
    return newest


OTHER = "OTHER_API"
"""The code of the sentence that a version is of another API than the one before."""


async def _other(unit: Unit, spec: OpenapiSpec, made: _Made) -> list[dict[str, str]]:
    """Whether nothing of what the slug stood for is left: pages that show it have nothing to show then."""
    found = await unit.openapi.parts(spec.id, [INDEX])
    if not found:
        return []
    old, new = (msgspec.json.decode(one[INDEX], type=Index) for one in (found, made.parts))
    gone = {one.part for one in old.operations}
    if not gone or gone & {one.part for one in new.operations}:
        return []
    sentence = (
        f"None of the {len(gone)} operations of the version before ({old.title!r}) is in this one ({new.title!r}):"
        f" pages that show them have nothing to show. Is `{spec.slug}` the slug of another API?"
    )
    return [{"message": sentence, "code": OTHER}]


async def _appended(unit: Unit, spec: OpenapiSpec, made: _Made) -> str:
    version = OpenapiSpecVersion(
        id=new_id(),
        organization=spec.organization,
        spec=spec.id,
        created_at=unit.now,
        blob=made.blob,
        size=made.size,
        format=made.processed.format,
        document=made.document,
        document_size=made.processed.size,
        source_url=spec.source_url,
    )
    await unit.blobs.put(spec.organization, {made.blob: made.size, made.document: made.processed.size}, unit.now)
    await unit.openapi.add_version(version, made.parts)
    for old in (await unit.openapi.versions(spec.id))[limits.OPENAPI_VERSIONS_MAX :]:
        await unit.openapi.remove_version(old)
    await unit.emit(OpenAPISpecChanged(organization=spec.organization, slug=spec.slug))
    return version.id
