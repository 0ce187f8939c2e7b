"""Content as files: the whole of a space in a zip, in the layout that imports read, and such a zip into a space."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.content.layout.identity import landmark, numbered
from octavo.gateways import zips
from octavo.history.contents import Contents, contents_of
from octavo.jobs.children import room
from octavo.jobs.git import importing
from octavo.jobs.work import JobFailed, NotYet, Work
from octavo.kernel.errors import Conflict
from octavo.kernel.records import Json
from octavo.kernel.records.library import Space
from octavo.store.content.blobs import Blobs
from octavo.store.unit import Store, Unit

if TYPE_CHECKING:
    from octavo.content.layout.write import Written

SECONDS = 900
_PART = 1 << 20
_READ = 200
"""Texts that one unit reads."""


async def run_export(work: Work) -> Json:
    """Payload: space. Result: the blob of the zip, and how many files are in it."""
    space = await work.read(lambda unit: _space(unit, work.job.payload["space"]))
    async with room.folder(work.tools.room) as folder:
        files = (await write_space(work.store, work.tools.blobs, space, folder / "content")).files
        await asyncio.to_thread(pack, folder / "made.zip", folder / "content")
        blob, size = await asyncio.to_thread(_digest, folder / "made.zip")
        await work.tools.blobs.put_stream(space.organization, blob, _parts(folder / "made.zip"))
    # Nothing refers to it: it goes with what else nobody needs, long after its address has expired.
    await work.write(lambda unit: unit.blobs.put(space.organization, {blob: size}, unit.now))
    return {"blob": blob, "files": files}


def _digest(file: Path) -> tuple[str, int]:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest(), file.stat().st_size


async def _parts(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as source:
        while part := await asyncio.to_thread(source.read, _PART):
            yield part


async def run_import(work: Work) -> Json:
    """Payload: space, archive, the blob of a zip. Result: revision, counts, warnings."""
    payload = work.job.payload | {"refuse_empty": True}
    try:
        made = await importing.import_now(work, payload)
    except (NotYet, Conflict) as failure:
        raise JobFailed(str(failure)) from failure
    return made


async def _space(unit: Unit, key: str) -> Space:
    found = await unit.spaces.get(key)
    if found is None or found.deleted_at is not None:
        raise JobFailed("The space was deleted before its files were written.")
    return found


def pack(target: Path, folder: Path) -> None:
    """All files of a folder as a zip."""
    every = sorted(path for path in folder.rglob("*") if path.is_file())
    zips.pack(target, ((path.relative_to(folder).as_posix(), path.read_bytes()) for path in every))


@dataclass(frozen=True)
class Files:
    """What was written of a space."""

    files: int
    ids: dict[str, str]
    """Path of each page, file and reusable content -> its id; of entries without a file what they are known by."""


async def write_space(store: Store, blobs: Blobs, space: Space, folder: Path, *, filed: bool = False) -> Files:
    """Write the content of a space into a folder; `filed` gives every page a file, so that no id is forgotten."""
    contents = await store.read(lambda unit: content_of(unit, space))
    texts = {name: data async for name, data in _texts(store, space, contents)}
    written = await asyncio.to_thread(_written, contents, texts, filed=filed)
    folder.mkdir(parents=True, exist_ok=True)
    for path, change in written.changes.items():
        data = (
            change if change is None or isinstance(change, bytes) else await blobs.get(space.organization, change.name)
        )
        if data is not None:
            await asyncio.to_thread(put, folder / path, data)
    places: dict[str, str | None] = {}
    for entries in (contents.pages, contents.files, contents.reusables):
        places |= {one.id: one.path for one in entries.values()}
    for entries in (written.pages, written.files, written.reusables):
        places |= {one.id: one.path for one in entries.values()}
    ids = {path: key for key, path in sorted(places.items()) if path}
    loose = [branch.page for branch in contents.by_id.values() if not places[branch.page.id]]
    marks = (landmark(one.type, one.slug, one.title, one.target, one.computed) for one in loose)
    return Files(len(written.changes), ids | dict(zip(numbered(marks), (one.id for one in loose), strict=True)))


def put(path: Path, data: bytes) -> None:
    """Write a file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


async def content_of(unit: Unit, space: Space) -> Contents:
    """What a space holds."""
    revision = await unit.revisions.get(space.revision)
    assert revision is not None  # a space's row names its head
    return await contents_of(unit, revision)


async def _texts(store: Store, space: Space, contents: Contents) -> AsyncIterator[tuple[bytes, bytes]]:
    pages = {page.text for page in contents.pages.values() if page.text is not None}
    names = sorted(pages | {one.text for one in contents.reusables.values()})
    for start in range(0, len(names), _READ):
        part = names[start : start + _READ]
        found = await store.read(lambda unit, part=part: unit.objects.get(space.organization, part))  # type: ignore[misc]
        for item in found.items():
            yield item


def _written(contents: Contents, texts: dict[bytes, bytes], *, filed: bool) -> Written:
    # Readers and writers of Markdown are loaded with the first archive.
    from octavo.content.layout.places import Held
    from octavo.content.layout.source import Mapped
    from octavo.content.layout.write import write

    now = Held(contents.pages, contents.files, contents.reusables)
    return write(Mapped({}), now, Held({}, {}, {}), contents.root, contents.root, texts.get, filed=filed)
