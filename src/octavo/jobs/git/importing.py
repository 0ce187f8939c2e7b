"""Importing a repository into a space: a child process reads it, the server applies it, the head moves last."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from octavo.history import heads
from octavo.history.contents import contents_of, walk
from octavo.history.moves import with_old_addresses
from octavo.jobs.children import frames, room
from octavo.jobs.children.terms import Child
from octavo.jobs.git import keeping, lines
from octavo.jobs.git.entries import root_with
from octavo.jobs.git.import_request import FILES, RESULT, Request
from octavo.jobs.work import JobFailed, NotYet, Work
from octavo.kernel.audit import Target
from octavo.kernel.errors import Conflict
from octavo.kernel.events import GitOperationFailed
from octavo.kernel.records import Json
from octavo.kernel.records.git import GitBase, GitCommit
from octavo.kernel.records.library import Space
from octavo.store.unit import Unit

T = TypeVar("T")
Also = Callable[[Unit, str, Json], Awaitable[None]]

CHILD = Child(
    module="octavo.jobs.git.import_child",
    memory=6 << 30,
    computing=600,
    seconds=840,
    exhausted="The import takes more time or memory than one may use, or was stopped.",
)
ARCHIVE = "given.zip"
"""In the folder: what was uploaded."""
BATCH_BYTES = 192 * 1024
"""Of objects in one unit: small enough that a unit of an import is over within milliseconds."""


async def run(work: Work) -> Json:
    """The import that a command line asks for: payload as of `import_now`."""
    try:
        return await import_now(work, work.job.payload)
    except NotYet as failure:
        raise JobFailed(str(failure)) from failure


async def import_now(work: Work, payload: Json, also: Also | None = None) -> Json:
    """Payload: space, url (or local), sealed_url, ref, directory, standalone (with parents, where they are not
    the head). Result: counts and warnings. `also` runs in the unit that moves the head, with the revision and what the
    child said.

    Raises JobFailed, JobBroke, and NotYet where the host cannot be reached.
    """
    async with room.folder(work.tools.room) as folder:
        space, ended = await _read_repository(work, payload, folder)
        if payload.get("refuse_empty") and not ended["counts"]["pages"]:
            raise JobFailed("There is no page in it: no file that ends in .md was found. Nothing was changed.")
        await store(work, space, folder, ended["files"])
        root = await root_of(work, space, space.revision, ended)
        commit = commit_of(payload, ended["commit"])
        revision = await work.write(
            lambda unit: _moved(unit, space, root, commit, payload | {"read_as": ended["read_as"]}, ended, also),
            lock=("spaces", space.id),
        )
    report = {name: ended[name] for name in ("counts", "warnings", "warning_count")}
    return {"space": space.id, "revision": revision, "oid": commit.oid if commit else None, "changed": True, **report}


async def failed(work: Work, sentence: str) -> None:
    """Say on the space why the import ended."""
    await work.write(lambda unit: note(unit, work.job.payload, "failure", sentence))


async def note(unit: Unit, payload: Json, state: str, message: str | None) -> None:
    """How the operation ended, unless another one has begun since."""
    sync = await unit.spaces.git_sync(payload["space"])
    if sync is not None and sync.operation == payload.get("operation"):
        await unit.spaces.change_git_sync(sync, state=state, message=message, updated_at=unit.now)
        if state == "failure":
            space = Target("space", sync.space)
            await unit.audit.append(f"space.git.{sync.direction}-failed", space, [sync.organization])
        if state == "failure" and sync.operation is not None:
            await unit.emit(
                GitOperationFailed(
                    organization=sync.organization,
                    space=sync.space,
                    operation=sync.operation,
                    message=message or "",
                    user=payload.get("user"),
                )
            )


async def _read_repository(work: Work, payload: Json, folder: Path) -> tuple[Space, Json]:
    space, request = await work.read(lambda unit: _request(unit, work, payload))
    if "archive" in payload:
        data = await work.tools.blobs.get(space.organization, payload["archive"])
        if data is None:
            raise JobFailed("The archive is not there any more; upload it again.")
        await asyncio.to_thread((folder / ARCHIVE).write_bytes, data)
    return space, await read_repository(work, space, folder, request)


async def read_repository(work: Work, space: Space, folder: Path, request: Request) -> Json:
    """What the child made of a repository, besides what is in the folder."""
    text, recall = partial(text_of, work, space), partial(_recall, work)
    ended: Json = await room.run(work, CHILD, folder, request, text=text, recall=recall)
    if "later" in ended:
        raise NotYet(ended["later"])
    return ended


async def store(work: Work, space: Space, folder: Path, sizes: dict[str, int]) -> None:
    """Store what is in the folder: nothing refers to it yet."""
    await _store_files(work, space, folder, sizes)
    await store_objects(work, space, folder / RESULT)


async def root_of(work: Work, space: Space, known: str, ended: Json) -> bytes:
    """The root that was read: the child has made it, or said what differs from the revision `known`."""
    if "root" in ended:
        root: bytes = ended["root"]
        return root

    async def put(unit: Unit) -> bytes:
        revision = await unit.revisions.get(known)
        assert revision is not None  # the request was made of it
        if not ended["pages"] and not ended["changed_files"]:
            return revision.root
        contents = await contents_of(unit, revision)
        steps = root_with(contents.root, ended["pages"], ended["changed_files"], {})
        made, objects = await walk(unit, space.organization, steps)
        await unit.objects.put(space.organization, objects, unit.now)
        return made

    return await work.write(put)


async def _request(unit: Unit, work: Work, payload: Json) -> tuple[Space, Request]:
    space = await unit.spaces.get(payload["space"])
    if space is None or space.deleted_at is not None:
        raise JobFailed("The space was deleted before the import began.")
    return space, await request_for(unit, work, payload, space.revision)


async def request_for(unit: Unit, work: Work, payload: Json, known: str) -> Request:
    """What the child is given; what is the same as in the revision `known` keeps its ids."""
    settings = work.tools.settings
    revision = await unit.revisions.get(known)
    assert revision is not None
    contents = await contents_of(unit, revision)
    sealed = payload.get("sealed_url")
    base = await _read_from(unit, payload, known)
    key = payload.get("sealed_key")
    kept = keeping.folder_of(settings, revision.organization, revision.space, payload)
    return Request(
        url=payload.get("url") if sealed is None else work.tools.unseal(sealed),
        ref=payload.get("ref", "HEAD"),
        directory=payload.get("directory") or "",
        local=payload.get("local"),
        allow_private=settings.allow_private_addresses,
        allowed_hosts=settings.allowed_hosts,
        max_bytes=settings.git_max_bytes,
        max_files=settings.git_max_files,
        seconds=settings.git_timeout,
        pages=list(contents.pages.values()),
        files=list(contents.files.values()),
        reusables=list(contents.reusables.values()),
        tree_url=payload.get("tree_url"),
        archive=ARCHIVE if "archive" in payload else None,
        key=None if key is None else work.tools.unseal(key),
        host_key=payload.get("host_key"),
        kept=None if kept is None else str(kept),
        kept_top=str(keeping.top_of(settings, revision.organization)),
        kept_bytes=settings.git_kept_bytes,
        base=None if base is None else base.oid,
        read_as=None if base is None else base.read_as,
        ids=payload.get("ids", {}),
        beside=await lines.beside(unit, payload, revision, contents),
    )


async def _read_from(unit: Unit, payload: Json, known: str) -> GitBase | None:
    """The commit that holds what the revision holds, in the same place."""
    revision = await unit.revisions.get(known)
    base = None if revision is None else await unit.git.base(revision.space)
    if base is None or not base.is_of(payload.get("url") or "", base.ref, payload.get("directory") or ""):
        return None
    return base if base.revision == known and base.oid else None


async def text_of(work: Work, space: Space, digest: bytes) -> bytes | None:
    """The bytes of a text, as a child asks for them."""
    found = await work.read(lambda unit: unit.objects.get(space.organization, [digest]))
    return found.get(digest)


async def _recall(work: Work, names: list[bytes]) -> dict[bytes, bytes]:
    return await work.read(lambda unit: unit.cache.get(names))


async def _store_files(work: Work, space: Space, folder: Path, sizes: dict[str, int]) -> None:
    """The bytes first, then the note that the organization holds them."""
    for blob in sizes:
        # What is there may be on its way out, as nothing needs it yet: noted, it stays until the head names it.
        if not await work.write(partial(_touch, space=space, blob=blob)):
            data = await asyncio.to_thread((folder / FILES / blob).read_bytes)
            await work.tools.blobs.put(space.organization, data)
    for batch in _batches(sizes.items(), lambda _: 200, BATCH_BYTES):
        await work.write(partial(_note_blobs, space=space, sizes=dict(batch)))


async def store_objects(work: Work, space: Space, result: Path) -> None:
    """Store the objects of a child's result in small units."""
    with result.open("rb") as source:
        for batch in _batches(frames.every(source), lambda frame: len(frame[2]), BATCH_BYTES):
            await work.write(partial(_put_batch, space=space, batch=batch))


async def _touch(unit: Unit, *, space: Space, blob: str) -> bool:
    return await unit.blobs.touch(space.organization, blob, unit.now)


async def _note_blobs(unit: Unit, *, space: Space, sizes: dict[str, int]) -> None:
    await unit.blobs.put(space.organization, sizes, unit.now)


async def _put_batch(unit: Unit, *, space: Space, batch: list[list[Any]]) -> None:
    await unit.objects.put(space.organization, {name: data for kind, name, data in batch if kind == "object"}, unit.now)
    await unit.cache.put({name: data for kind, name, data in batch if kind == "cache"}, unit.now)


async def _moved(  # the parts of `_move`, and what is to be done with it
    unit: Unit, space: Space, root: bytes, commit: GitCommit | None, payload: Json, ended: Json, also: Also | None
) -> str:
    revision = await _move(unit, space, root, commit, payload)
    if also is not None:
        await also(unit, revision, ended)
    return revision


async def _move(unit: Unit, space: Space, root: bytes, commit: GitCommit | None, payload: Json) -> str:
    now = await unit.spaces.get(space.id)
    if now is not None and now.organization != space.organization:
        # It has nothing of what was stored.
        raise Conflict("the space went to another organization during the import")
    if payload.get("standalone"):
        return (await heads.apart(unit, space, root, {}, parents=payload.get("parents"), git=commit)).id
    if now is None or now.revision != space.revision:
        raise Conflict("the content of the space changed during the import")
    sync = await unit.spaces.git_sync(space.id)
    if sync is not None and not payload.get("force") and payload.get("ordered_at", sync.ordered_at) < sync.ordered_at:
        return now.revision
    head = await unit.revisions.get(space.revision)
    assert head is not None  # a space's row names its head
    root, objects = await with_old_addresses(unit, space.organization, head.root, root)
    if head.root == root and (commit is None or (head.git and head.git.oid == commit.oid)):
        revision = head.id
    else:
        revision = (await heads.append(unit, space, root, objects, git=commit)).id
        details: Json = {"revision": revision} | ({} if commit is None else {"commit": commit.oid})
        target = Target("space", space.id, space.title)
        await unit.audit.append("space.git.imported", target, [space.organization], details=details)
    if commit is not None:
        where = {name: payload.get(name) or "" for name in ("url", "ref", "directory")}
        base = GitBase(space=space.id, organization=space.organization, revision=revision, oid=commit.oid, **where)
        await unit.git.put_base(msgspec.structs.replace(base, read_as=payload.get("read_as")))
    await note(unit, payload, "success", None)
    return revision


def commit_of(payload: Json, commit: Json | None) -> GitCommit | None:
    """What a revision says of its commit."""
    if commit is None:
        return None
    prefix = payload.get("commit_url")
    url = None if prefix is None else f"{prefix.rstrip('/')}/{commit['oid']}"
    return GitCommit(oid=commit["oid"], message=commit["message"], url=url, ref=payload.get("ref"))


def _batches(items: Iterable[T], size: Any, most: int) -> Iterator[list[T]]:
    batch: list[T] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= most:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch
